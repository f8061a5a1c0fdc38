package api

import (
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"recoup/data"
)

// The words of an answer are text of a closed list; the description lists it,
// from the vocabulary itself.

type (
	actionWord string
	routeWord  string
	classWord  string
	railWord   string
	armWord    string
)

func (actionWord) Schema(huma.Registry) *huma.Schema { return wordSchema(data.ParseAction) }
func (routeWord) Schema(huma.Registry) *huma.Schema  { return wordSchema(data.ParseRoute) }
func (classWord) Schema(huma.Registry) *huma.Schema  { return wordSchema(data.ParseClass) }
func (railWord) Schema(huma.Registry) *huma.Schema   { return wordSchema(data.ParseRail) }
func (armWord) Schema(huma.Registry) *huma.Schema    { return wordSchema(data.ParseArm) }

// Schema lists the codes.
func (Code) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, c := range Codes() {
		s.Enum = append(s.Enum, string(c.Code))
	}
	return s
}

// word is a typed word of package data: a small integer from 1.
type word interface {
	~uint8
	fmt.Stringer
}

// words lists a vocabulary by its parser: the wire names of 1, 2, ...
func words[E word](parse func(string) (E, error)) []string {
	var out []string
	for e := E(1); ; e++ {
		if got, err := parse(e.String()); err != nil || got != e {
			return out
		}
		out = append(out, e.String())
	}
}

func wordSchema[E word](parse func(string) (E, error)) *huma.Schema { return enum(words(parse)) }

func enum(names []string) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, n := range names {
		s.Enum = append(s.Enum, n)
	}
	return s
}
