package ope

import (
	"slices"
	"testing"
)

// TestSafe: the bounds hold every term's range, and refuse what lies outside it.
func TestSafe(t *testing.T) {
	rows := randomRows(3000, 3, 0, 1)
	r := estimate(t, rows)
	for _, m := range []Method{standard[2], standard[5]} {
		s, err := r.Safe(m, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		v := *r.Estimators.Find(m.Name).Value
		near(t, m.Name, s.Bounds.Mean, v)
		if !(s.Bounds.Bernstein[0] < v && v < s.Bounds.Bernstein[1] && s.Sequence.Lower <= v && v <= s.Sequence.Upper) {
			t.Errorf("%s: %v, %+v, %+v", m.Name, v, s.Bounds, s.Sequence)
		}
		if normal := r.Estimators.Find(m.Name).CI; s.Bounds.Bernstein[1]-s.Bounds.Bernstein[0] < normal[1]-normal[0] {
			t.Errorf("%s: bounds without a normal law are narrower than with it", m.Name)
		}
	}
	if s, _ := r.Safe(standard[2], -1, 1); s.Range != (Interval{-10, 10}) {
		t.Errorf("ipw with rewards in [-1, 1] has terms in %v", s.Range)
	}
	if s, _ := r.Safe(standard[5], 0, 1); s.Range != (Interval{-10, 11}) {
		t.Errorf("dr with rewards in [0, 1] has terms in %v", s.Range)
	}
	if _, err := r.Safe(standard[1], 0, 1); err == nil {
		t.Error("plain weights have no range, and got one")
	}
	if _, err := r.Safe(standard[2], 0, .5); err == nil {
		t.Error("rewards of 1 passed for at most 0.5")
	}
	rows.Q = slices.Clone(rows.Q)
	rows.Q[7] = 1.5
	if _, err := estimate(t, rows).Safe(standard[5], 0, 1); err == nil {
		t.Error("a prediction of 1.5 passed for at most 1")
	}
}
