package models

import (
	"fmt"
	"math"
)

// cox fills the recalibration line of Cox 1958 and calibration in the large.
func (m *Metrics) cox(s *scores) {
	certain := 0
	for _, p := range s.p {
		if p == 0 || p == 1 {
			certain++
		}
	}
	switch {
	case certain > 0:
		m.warn(fmt.Sprintf("logit is infinite: %d rows with p exactly 0 or 1", certain), "cox_intercept", "cox_slope", "citl")
		return
	case s.n1 == 0 || s.n0 == 0:
		m.warn("one class", "cox_intercept", "cox_slope", "citl")
		return
	}
	f := make([]float64, len(s.p))
	for i, p := range s.p {
		f[i] = Logit(p)
	}
	if v, ok := line(nil, f, s.y, s.w); ok {
		m.CITL = ptr(v[0])
	} else {
		m.warn("the search did not converge", "citl")
	}
	switch {
	case s.p[0] == s.p[len(s.p)-1]:
		m.warn("constant p", "cox_intercept", "cox_slope")
	case s.separated():
		m.warn("p separates the classes", "cox_intercept", "cox_slope")
	default:
		if v, ok := line([][]float64{f}, nil, s.y, s.w); ok {
			m.CoxIntercept, m.CoxSlope = ptr(v[0]), ptr(v[1])
		} else {
			m.warn("the search did not converge", "cox_intercept", "cox_slope")
		}
	}
}

// separated reports whether a threshold on p splits the classes, ties allowed.
func (s *scores) separated() bool {
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for i, p := range s.p {
		c := int(s.y[i])
		lo[c], hi[c] = min(lo[c], p), max(hi[c], p)
	}
	return lo[1] >= hi[0] || hi[1] <= lo[0]
}
