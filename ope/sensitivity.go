package ope

import (
	"math"

	"recoup/data"
)

// Sensitivity is what a method could say if each row's propensity were wrong by a
// factor of up to Factor either way, in the worst arrangement for each end.
type Sensitivity struct {
	Factor float64 `json:"factor"` // >= 1
	Low    float64 `json:"low"`    // the smallest and the largest value that such errors can make
	High   float64 `json:"high"`
}

// Sensitivity bounds the plain methods ipw, dr, snipw, sndr when every weight w may be
// anything in [w/g, w g], as in sensitivity analysis after Rosenbaum 2002 and Tan
// 2006. For the normalised ones the worst weights are a threshold on the residual
// (Zhao, Small and Bhattacharya 2019). g = 1 is the
// estimate itself. Nil where the method has no value.
func (r *Result) Sensitivity(m Method, g float64) (*Sensitivity, error) {
	b := r.base
	switch {
	case !(g >= 1) || math.IsInf(g, 1):
		return nil, data.Faultf(data.ErrUsage, "ope: sensitivity: factor %v: 1 or more", g)
	case m.Shape != AsIs || m.Family == Direct || m.Family == Replay:
		return nil, data.Faultf(data.ErrUsage, "ope: sensitivity: %s: only ipw, snipw, dr and sndr use plain weights", m)
	case m.NeedsQ() && b.qbar == nil || allZero(b.w):
		return nil, nil
	}
	residual, direct := make([]float64, r.N), 0.0
	copy(residual, b.rows.Reward)
	if m.NeedsQ() {
		for i := range residual {
			residual[i] -= b.q[i]
		}
		direct = mean(b.qbar)
	}
	s := &Sensitivity{Factor: g}
	if m.Ratio() {
		s.High = direct + worstRatio(b.w, residual, g)
		for i := range residual {
			residual[i] = -residual[i]
		}
		s.Low = direct - worstRatio(b.w, residual, g)
		return s, nil
	}
	var low, high sum
	for i, u := range residual {
		c := b.w[i] * u
		low.add(min(c/g, c*g))
		high.add(max(c/g, c*g))
	}
	n := float64(r.N)
	s.Low, s.High = direct+low.value()/n, direct+high.value()/n
	return s, nil
}

// worstRatio is the largest Σ v u/Σ v over v in [w/g, w g]. The rows with u above the
// result get w g, the others w/g: repeating that from the plain ratio rises to the
// largest in a few steps (Dinkelbach 1967).
func worstRatio(w, u []float64, g float64) float64 {
	at := math.Inf(-1)
	for {
		var num, den sum
		for i, x := range u {
			v := w[i] / g
			if x > at && !math.IsInf(at, -1) {
				v = w[i] * g
			}
			num.add(v * x)
			den.add(v)
		}
		next := num.value() / den.value()
		if !(next > at) {
			return at
		}
		at = next
	}
}
