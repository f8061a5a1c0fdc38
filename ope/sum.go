package ope

import "math"

// sum adds float64 with a running correction (Neumaier 1974): the result hardly
// depends on the order and the size of what is added. The zero value is 0.
type sum struct{ s, c float64 }

func (a *sum) add(v float64) {
	t := a.s + v
	if math.Abs(a.s) >= math.Abs(v) {
		a.c += (a.s - t) + v
	} else {
		a.c += (v - t) + a.s
	}
	a.s = t
}

func (a *sum) value() float64 { return a.s + a.c }

// total is the corrected sum of x.
func total(x []float64) float64 {
	var s sum
	for _, v := range x {
		s.add(v)
	}
	return s.value()
}

// mean of x, which is not empty.
func mean(x []float64) float64 { return total(x) / float64(len(x)) }

// variance is the sum of squares about the mean divided by len(x)-ddof; 0 where
// all values are the same, whatever rounding says.
func variance(x []float64, ddof int) float64 {
	m, same := mean(x), true
	var s sum
	for _, v := range x {
		s.add((v - m) * (v - m))
		same = same && v == x[0]
	}
	if same {
		return 0
	}
	return s.value() / float64(len(x)-ddof)
}

// quantile by linear interpolation of the sorted x at h = (len-1)q.
func quantile(sorted []float64, q float64) float64 {
	h := float64(len(sorted)-1) * q
	i := int(math.Floor(h))
	j := min(i+1, len(sorted)-1)
	return sorted[i] + (h-float64(i))*(sorted[j]-sorted[i])
}
