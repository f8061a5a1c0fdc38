package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"recoup/data"
)

// Encode is the report as JSON, the form everything else is rendered from. It
// sets Version and sorts the levels of every Group worst first: by how far the
// interval of the gap lies from 0, then by the gap's size, then by name. A
// number that is not finite outside an Estimate is a fault of the program and
// an error.
func Encode(r *Report) ([]byte, error) {
	r.Version = Version
	for _, m := range []*Model{&r.Attempt, &r.Cure} {
		for _, g := range m.Groups {
			slices.SortStableFunc(g.Levels, worstFirst)
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", " ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return nil, fmt.Errorf("report: encode: %w", err)
	}
	return b.Bytes(), nil
}

// Decode reads what Encode wrote. Unknown fields and another version are
// refused: a page must not leave out what it does not know.
func Decode(js []byte) (*Report, error) {
	dec := json.NewDecoder(bytes.NewReader(js))
	dec.DisallowUnknownFields()
	var r Report
	if err := dec.Decode(&r); err != nil {
		return nil, data.Faultf(data.ErrContract, "report: not a report of this version of recoup: %w", err)
	}
	if r.Version != Version {
		return nil, data.Faultf(data.ErrContract, "report: version %d: expected %d", r.Version, Version)
	}
	return &r, nil
}

func worstFirst(a, b Level) int {
	return cmp.Or(
		cmp.Compare(b.Gap.beyondZero(), a.Gap.beyondZero()),
		cmp.Compare(b.Gap.size(), a.Gap.size()),
		cmp.Compare(a.Level, b.Level),
	)
}

// beyondZero is the distance of the interval from 0, 0 when it holds 0.
func (e Estimate) beyondZero() float64 {
	switch e.sign() {
	case 1:
		return *e.Lo
	case -1:
		return -*e.Hi
	}
	return 0
}

func (e Estimate) size() float64 {
	if e.Value == nil {
		return 0
	}
	return math.Abs(*e.Value)
}
