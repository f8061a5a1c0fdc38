package report

import "math"

// Estimate is a number with what is needed to judge it.
type Estimate struct {
	Value *float64 `json:"value"` // nil = cannot be known, Why says why
	Lo    *float64 `json:"lo"`    // 95 % interval, nil = none
	Hi    *float64 `json:"hi"`
	N     int64    `json:"n"` // rows it was computed from
	Why   string   `json:"why,omitempty"`
}

// Number is an estimate without an interval. A v that is not finite becomes
// null with a reason.
func Number(v float64, n int64) Estimate {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Unknown("not a finite number")
	}
	return Estimate{Value: &v, N: n}
}

// Ranged is an estimate with its 95 % interval. An interval that is not finite
// is left out.
func Ranged(v, lo, hi float64, n int64) Estimate {
	e := Number(v, n)
	if d := hi - lo; e.Value == nil || math.IsNaN(d) || math.IsInf(d, 0) {
		return e
	}
	e.Lo, e.Hi = &lo, &hi
	return e
}

// Unknown is an estimate that could not be made, and why.
func Unknown(why string) Estimate { return Estimate{Why: why} }

// known reports whether there is a number.
func (e Estimate) known() bool { return e.Value != nil }

// ranged reports whether there is an interval too.
func (e Estimate) ranged() bool { return e.Value != nil && e.Lo != nil && e.Hi != nil }

// sign is +1 when the whole interval is above 0, -1 when it is below, else 0.
func (e Estimate) sign() int {
	switch {
	case !e.ranged():
		return 0
	case *e.Lo > 0:
		return 1
	case *e.Hi < 0:
		return -1
	}
	return 0
}
