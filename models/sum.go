package models

import "math"

// Sum adds float64 with a running correction (Neumaier 1974), so that the result
// hardly depends on the order and the size of what is added. The zero value is 0.
type Sum struct{ s, c float64 }

// Add adds v.
func (a *Sum) Add(v float64) {
	t := a.s + v
	if math.Abs(a.s) >= math.Abs(v) {
		a.c += (a.s - t) + v
	} else {
		a.c += (v - t) + a.s
	}
	a.s = t
}

// Value is the sum so far.
func (a *Sum) Value() float64 { return a.s + a.c }
