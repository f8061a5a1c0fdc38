package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recoup/data"
)

func seen() *Seen {
	return &Seen{Rows: 1000, Inputs: []SeenInput{
		{Name: "delay_h", Range: &Interval{0, 100}},
		{Name: "rail", Rows: []int64{0, HardlySeen - 1, HardlySeen}},
	}}
}

// A level with too few rows and a number outside the range are named, both sides
// of both edges.
func TestUnfamiliar(t *testing.T) {
	s := scorer(t, 1)
	if got := s.Unfamiliar([]float64{1e9, 0}); got != nil {
		t.Errorf("a model that does not say what it was shown: %q", got)
	}
	s.Seen = seen()
	for _, tt := range []struct {
		row  []float64
		want []string
	}{
		{[]float64{0, 2}, nil},
		{[]float64{125, 2}, nil},
		{[]float64{-25, 2}, nil},
		{[]float64{math.Nextafter(125, 126), 2}, []string{"delay_h outside of 0 to 100: all its training rows lie there"}},
		{[]float64{math.Nextafter(-25, -26), 2}, []string{"delay_h outside of 0 to 100: all its training rows lie there"}},
		{[]float64{50, 1}, []string{"rail card: 29 of its 1000 training rows"}},
		{[]float64{200, 0}, []string{"delay_h outside of 0 to 100: all its training rows lie there", "rail unknown: 0 of its 1000 training rows"}},
	} {
		if diff := cmp.Diff(tt.want, s.Unfamiliar(tt.row)); diff != "" {
			t.Errorf("%v: %s", tt.row, diff)
		}
	}
	s.Seen.Inputs[0].Range = nil // a candidate's column
	if got := s.Unfamiliar([]float64{1e9, 2}); got != nil {
		t.Errorf("a column that is not looked at: %q", got)
	}
}

// What a model was shown is stored with it, and is in its card; a file without it
// is read as before, and says nothing of it when it is written again.
func TestSeenIsStored(t *testing.T) {
	b := bundle(t, 1)
	old, _, err := b.files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range old {
		if bytes.Contains(f.bytes, []byte(`"seen"`)) {
			t.Errorf("%s: says what was not kept", f.name)
		}
	}
	b.Attempt.Seen = seen()
	files, id, err := b.files()
	if err != nil {
		t.Fatal(err)
	}
	back, err := parseFolder(id, files)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b.Attempt.Seen, back.Attempt.Seen); diff != "" || back.Cure.Seen != nil {
		t.Errorf("read back: %s", diff)
	}
	for _, want := range []string{"rail: few rows of card (29)", "rail: none of unknown"} {
		if !strings.Contains(string(back.Card), want) {
			t.Errorf("the card lacks %q:\n%s", want, back.Card)
		}
	}
}

func TestSeenIsChecked(t *testing.T) {
	for name, change := range map[string]func(*Seen){
		"has no input delay_h":  func(s *Seen) { s.Inputs[0].Name = "delay" },
		"of 2 levels":           func(s *Seen) { s.Inputs[1].Rows = []int64{1, 2} },
		"1 inputs":              func(s *Seen) { s.Inputs = s.Inputs[:1] },
		"a range upside down":   func(s *Seen) { s.Inputs[0].Range = &Interval{2, 1} },
		"a range of a category": func(s *Seen) { s.Inputs[1] = SeenInput{Name: "rail", Range: &Interval{0, 1}} },
		"no finite range":       func(s *Seen) { s.Inputs[0].Range = &Interval{0, math.Inf(1)} },
		"rows of a number":      func(s *Seen) { s.Inputs[0] = SeenInput{Name: "delay_h", Rows: []int64{1}} },
	} {
		b := bundle(t, 1)
		b.Attempt.Seen = seen()
		change(b.Attempt.Seen)
		if err := b.check(); !errors.Is(err, data.ErrContract) || !strings.Contains(err.Error(), "seen") {
			t.Errorf("%s: %v", name, err)
		}
	}
	var s Scorer
	if err := json.Unmarshal([]byte(`{"seen":null}`), &s); err != nil || s.Seen != nil {
		t.Errorf("null: %+v, %v", s.Seen, err)
	}
}

func TestSome(t *testing.T) {
	names := strings.Split("a b c d e f g h i j k l m n", " ")
	for n, want := range map[int]string{1: "a", 12: "a, b, c, d, e, f, g, h, i, j, k, l", 14: "a, b, c, d, e, f, g, h, i, j, k, l and 2 more"} {
		if got := some(names[:n]); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
