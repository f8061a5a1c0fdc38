package ope

import "recoup/data"

// Safe are bounds that assume no normal law: rewards lie in a stated range, and the
// weights are clipped, so that every term does too. They are of the clipped
// estimate's mean, which is off by what the clip takes away. Terms are taken row by
// row as independent.
type Safe struct {
	Range    Interval `json:"range"`    // that every term lies in
	Bounds   *Bounds  `json:"bounds"`   // one-sided, each at (1+level)/2: both together hold at the level
	Sequence Peek     `json:"sequence"` // after the last row: valid however often one looked before
}

// Safe bounds a clipped method: ipw or dr, rewards in [lo, hi], and for dr the
// predictions too. A reward or prediction outside is an error.
//
//	ipw  r min(w, λ)                   in [min(0, λ lo), max(0, λ hi)]
//	dr   qbar + min(w, λ)(r - q)       in [lo - λ(hi - lo), hi + λ(hi - lo)]
func (r *Result) Safe(m Method, lo, hi float64) (*Safe, error) {
	b := r.base
	switch {
	case m.Shape != Clip:
		return nil, data.Faultf(data.ErrUsage, "ope: bounds of %s: only clipped weights have terms in a known range", m)
	case !(hi > lo) || notNumber(hi-lo):
		return nil, data.Faultf(data.ErrUsage, "ope: bounds of %s: range [%v, %v]: two finite numbers, the smaller first", m, lo, hi)
	case m.NeedsQ() && b.qbar == nil || allZero(b.w):
		return nil, nil
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	for i, y := range b.rows.Reward {
		if !(y >= lo && y <= hi) {
			return nil, data.Faultf(data.ErrContract, "ope: bounds of %s: row %d: the reward is %v, outside the stated range [%v, %v]", m, i+1, y, lo, hi)
		}
	}
	s := &Safe{Range: Interval{min(0, m.Lambda*lo), max(0, m.Lambda*hi)}}
	if m.NeedsQ() {
		for j, v := range b.rows.Q {
			if !(v >= lo && v <= hi) {
				return nil, data.Faultf(data.ErrContract, "ope: bounds of %s: prediction %d is %v, outside the stated range [%v, %v]", m, j+1, v, lo, hi)
			}
		}
		s.Range = Interval{lo - m.Lambda*(hi-lo), hi + m.Lambda*(hi-lo)}
	}
	z := make([]float64, r.N)
	b.terms(m, 0, z)
	for i := range z { // rounding may step over the edge of the range
		z[i] = min(max(z[i], s.Range[0]), s.Range[1])
	}
	alpha := 1 - r.Level
	var err error
	if s.Bounds, err = BoundMean(z, alpha/2, s.Range[1]-s.Range[0]); err != nil {
		return nil, err
	}
	peeks, err := ConfidenceSequence(z, s.Range[0], s.Range[1], alpha, 0)
	if err != nil {
		return nil, err
	}
	s.Sequence = peeks[len(peeks)-1]
	return s, nil
}
