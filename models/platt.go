package models

import (
	"math"

	"recoup/data"
)

// Platt recalibrates a logit: p = 1/(1+exp(A*f+B)) (Platt 1999). A < 0 for a
// score that ranks the right way; A = -1, B = 0 changes nothing. It is fitted on the
// logit, so that it contains the identity, and on rows the model has not seen.
type Platt struct {
	A float64 `json:"a"`
	B float64 `json:"b"`
}

// Prob is the recalibrated probability of the logit f.
func (c Platt) Prob(f float64) float64 { return Sigmoid(-(float64(c.A*f) + c.B)) }

// Check refuses numbers that are not finite and a curve that ranks backwards.
func (c Platt) Check() error {
	switch {
	case !finite(c.A) || !finite(c.B):
		return data.Faultf(data.ErrContract, "models: platt: a=%v, b=%v", c.A, c.B)
	case c.A > 0:
		return data.Faultf(data.ErrUnsafe, "models: platt: a=%v is positive: the score ranks backwards", c.A)
	}
	return nil
}

// UnmarshalJSON reads a curve; both numbers must be there and finite.
func (c *Platt) UnmarshalJSON(b []byte) error {
	var p struct{ A, B *float64 }
	if err := strict(b, &p); err != nil {
		return data.Faultf(data.ErrContract, "models: platt: %w", err)
	}
	if p.A == nil || p.B == nil || math.IsInf(*p.A, 0) || math.IsInf(*p.B, 0) {
		return data.Faultf(data.ErrContract, "models: platt: a and b must both be numbers")
	}
	c.A, c.B = *p.A, *p.B
	return nil
}
