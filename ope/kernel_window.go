package ope

import "math"

// below is the kernel's mass below u.
func (k Kernel) below(u float64) float64 {
	if k == Gaussian {
		return math.Erfc(-u/math.Sqrt2) / 2
	}
	u = max(-1, min(1, u))
	switch k {
	case Epanechnikov:
		return (2 + 3*u - u*u*u) / 4
	case Triangular:
		if u < 0 {
			return (1 + u) * (1 + u) / 2
		}
		return 1 - (1-u)*(1-u)/2
	default:
		return (1 + math.Sin(math.Pi*u/2)) / 2
	}
}

// within is the kernel's mass from a to b.
func (k Kernel) within(a, b float64) float64 { return k.below(b) - k.below(a) }

// window refuses a row whose times do not lie in its window.
func (t *Times) window(i int) error {
	if t.From == nil {
		return nil
	}
	from, to := t.From[i], t.To[i]
	switch {
	case notNumber(from):
		return refuse(TimeMissing, i+1, "t_from", "%s: a number is expected", found(from))
	case notNumber(to):
		return refuse(TimeMissing, i+1, "t_to", "%s: a number is expected", found(to))
	case !(from < to):
		return refuse(TimeOutside, i+1, "t_to", "%v: after t_from, which is %v", to, from)
	case t.Logged[i] < from || t.Logged[i] > to:
		return refuse(TimeOutside, i+1, "t_logged", "%v: the row says that it could be taken from %v to %v", t.Logged[i], from, to)
	case t.Eval[i] < from || t.Eval[i] > to:
		return refuse(TimeOutside, i+1, "t_eval", "%v: the row says that it could be taken from %v to %v; no log tells of a time that nobody could take", t.Eval[i], from, to)
	}
	return nil
}
