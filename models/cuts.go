package models

import (
	"fmt"
	"iter"
	"slices"
)

// CutBins is how many bins the numbers of training are divided into, so that what comes
// later can be held against them.
const CutBins = 10

// Cuts divide numbers into bins: those up to and with At[0], up to and with At[1], ..., and
// those above the last.
type Cuts struct {
	At   []float64 `json:"at"`   // ascending; empty = all were the same number
	Rows []int64   `json:"rows"` // by bin, one more than At
}

// CutsOf divides values, in any order and none of them NaN, into at most CutBins bins that
// hold about as many each; equal values are in the same bin. No values: nil.
func CutsOf(values []float64) *Cuts {
	if len(values) == 0 {
		return nil
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	c := &Cuts{At: []float64{}}
	for i := 1; i < CutBins; i++ {
		at := sorted[(i*len(sorted)-1)/CutBins]
		if at < sorted[len(sorted)-1] && (len(c.At) == 0 || at > c.At[len(c.At)-1]) {
			c.At = append(c.At, at)
		}
	}
	c.Rows = c.Count(slices.Values(sorted))
	return c
}

// Count counts values by bin.
func (c *Cuts) Count(values iter.Seq[float64]) []int64 {
	out := make([]int64, len(c.At)+1)
	for v := range values {
		bin, _ := slices.BinarySearch(c.At, v)
		out[bin]++
	}
	return out
}

// check refuses what are no cuts.
func (c *Cuts) check() error {
	if len(c.Rows) != len(c.At)+1 {
		return fmt.Errorf("%d bins of %d cuts", len(c.Rows), len(c.At))
	}
	for i, at := range c.At {
		if !finite(at) || i > 0 && at <= c.At[i-1] {
			return fmt.Errorf("cut %d is %v: they are to ascend", i, at)
		}
	}
	for i, n := range c.Rows {
		if n < 0 {
			return fmt.Errorf("bin %d has %d rows", i, n)
		}
	}
	return nil
}

// Median is the upper end of the bin that holds the middle row, or the last cut where
// that bin has no end; 0 without a cut.
func (c *Cuts) Median() float64 {
	if len(c.At) == 0 {
		return 0
	}
	var all, below int64
	for _, n := range c.Rows {
		all += n
	}
	for i, at := range c.At {
		if below += c.Rows[i]; 2*below >= all {
			return at
		}
	}
	return c.At[len(c.At)-1]
}
