package models

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestCuts(t *testing.T) {
	hundred := make([]float64, 100)
	for i := range hundred {
		hundred[i] = float64(99 - i)
	}
	c := CutsOf(hundred)
	if !slices.Equal(c.At, []float64{9, 19, 29, 39, 49, 59, 69, 79, 89}) || slices.Min(c.Rows) != 10 || slices.Max(c.Rows) != 10 {
		t.Errorf("%+v", c)
	}
	if hundred[0] != 99 {
		t.Error("it sorted what it was given")
	}
	// Most are 0: one bin has them all, and the last cut leaves something above it.
	many := append(make([]float64, 95), 1, 2, 3, 4, 5)
	if c := CutsOf(many); !slices.Equal(c.At, []float64{0}) || !slices.Equal(c.Rows, []int64{95, 5}) {
		t.Errorf("%+v", c)
	}
	if c := CutsOf([]float64{7, 7, 7}); len(c.At) != 0 || !slices.Equal(c.Rows, []int64{3}) {
		t.Errorf("%+v", c)
	}
	if CutsOf(nil) != nil {
		t.Error("cuts of nothing")
	}
	if got := (&Cuts{At: []float64{0, 2}}).Count(slices.Values([]float64{-1, 0, 0.5, 2, 2.5, math.Inf(1)})); !slices.Equal(got, []int64{2, 2, 2}) {
		t.Error(got)
	}
}

// TestCutsProperties: sound, every value counted, no bin empty, the order of no account,
// and no bin of several values larger than two shares.
func TestCutsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-5, 5).Filter(func(v float64) bool { return v == v }), 1, 300).Draw(t, "values")
		if rapid.Bool().Draw(t, "whole") {
			for i := range values {
				values[i] = math.Trunc(values[i])
			}
		}
		c := CutsOf(values)
		if err := c.check(); err != nil {
			t.Fatal(err)
		}
		sum := int64(0)
		for _, n := range c.Rows {
			sum += n
		}
		if sum != int64(len(values)) || slices.Min(c.Rows) == 0 || len(c.Rows) > CutBins {
			t.Fatalf("%+v of %v", c, values)
		}
		slices.Reverse(values)
		if again := CutsOf(values); !slices.Equal(again.At, c.At) || !slices.Equal(again.Rows, c.Rows) {
			t.Fatalf("%+v, reversed %+v", c, again)
		}
	})
}

func TestCutsAreChecked(t *testing.T) {
	for _, c := range []Cuts{{At: []float64{1}, Rows: []int64{1}}, {At: []float64{1, 1}, Rows: []int64{1, 1, 1}}, {At: []float64{2, 1}, Rows: []int64{1, 1, 1}},
		{At: []float64{math.NaN()}, Rows: []int64{1, 1}}, {Rows: []int64{-1}}, {}} {
		if c.check() == nil {
			t.Errorf("%+v went through", c)
		}
	}
}
