package ope

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"recoup/data"
)

// Bounds are one-sided bounds of a mean, low and high, each at level 1-delta. They
// take the terms as independent: give one term a customer where rows are not.
type Bounds struct {
	Mean      float64   `json:"mean"`
	Hoeffding Interval  `json:"hoeffding"`           // Hoeffding 1963: needs nothing but the range
	Bernstein *Interval `json:"bernstein,omitempty"` // Maurer and Pontil 2009: range and variance; nil for one term
	StudentT  *Interval `json:"student_t,omitempty"` // assumes a normal mean; nil for one term
}

// BoundMean bounds the mean of x. width is the length of the range that x is known to
// lie in; 0 takes the largest x, which is no true bound and only meant for x >= 0.
//
//	Hoeffding  width sqrt(ln(1/δ)/2n)
//	Bernstein  7 width ln(2/δ)/3(n-1) + sqrt(2 ln(2/δ) var/(n-1)), var with n
//	Student    t(1-δ; n-1) sqrt(var/(n-1))
func BoundMean(x []float64, delta, width float64) (*Bounds, error) {
	switch {
	case len(x) == 0:
		return nil, data.Faultf(data.ErrTooLittle, "ope: bounds: no terms")
	case !(delta > 0 && delta < 1):
		return nil, data.Faultf(data.ErrUsage, "ope: bounds: delta %v: between 0 and 1", delta)
	case !(width >= 0) || math.IsInf(width, 1):
		return nil, data.Faultf(data.ErrUsage, "ope: bounds: range of length %v: 0 or more", width)
	}
	top := math.Inf(-1)
	for i, v := range x {
		if notNumber(v) {
			return nil, data.Faultf(data.ErrContract, "ope: bounds: term %d is %v", i+1, v)
		}
		top = max(top, v)
	}
	if width == 0 {
		if width = top; width < 0 {
			return nil, data.Faultf(data.ErrUsage, "ope: bounds: no term is 0 or more: state the range")
		}
	}
	n, m := float64(len(x)), mean(x)
	b := &Bounds{Mean: m, Hoeffding: around(m, width*math.Sqrt(math.Log(1/delta)/(2*n)))}
	if len(x) < 2 {
		return b, nil
	}
	v, l := variance(x, 0), math.Log(2/delta)
	bern := around(m, 7*width*l/(3*(n-1))+math.Sqrt(2*l*v/(n-1)))
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(1 - delta)
	stud := around(m, math.Sqrt(v/(n-1))*t)
	b.Bernstein, b.StudentT = &bern, &stud
	return b, nil
}

func around(m, h float64) Interval { return Interval{m - h, m + h} }

// Wilson is the score interval of a share of k in n independent rows (Wilson 1927),
// at a level in (0, 1): exactly 0 below at k = 0, exactly 1 above at k = n. Without
// rows it is [0, 1].
func Wilson(k, n, level float64) Interval {
	if !(n > 0) {
		return Interval{0, 1}
	}
	z := normalQuantile(level)
	p, z2 := k/n, z*z
	d, c := 1+z2/n, p+z2/(2*n)
	h := z * math.Sqrt(max(0, p*(1-p))/n+z2/(4*n*n))
	lo, hi := max(0, (c-h)/d), min(1, (c+h)/d)
	if k <= 0 {
		lo = 0
	}
	if k >= n {
		hi = 1
	}
	return Interval{lo, hi}
}
