package selftest

import (
	"math"
	"slices"
)

// truth is the mean over the cases of all worlds, and its standard error by world.
func truth(worlds []*Worth, k int, unit string) (v, se float64) {
	v, se = ratio(worlds, func(w *Worth) (float64, int) { t := &w.Targets[k]; return t.Earned.of(unit), t.Cases })
	moved, movedSE := ratio(worlds, func(w *Worth) (float64, int) { t := &w.Targets[k]; return t.Moved.of(unit), t.MovedCases })
	return v + moved, math.Hypot(se, movedSE)
}

// ratio is a sum over a count of cases; worlds without cases are left out.
func ratio[W any](worlds []W, of func(W) (sum float64, cases int)) (v, se float64) {
	var sum, n, g float64
	for _, w := range worlds {
		if s, c := of(w); c > 0 {
			sum, n, g = sum+s, n+float64(c), g+1
		}
	}
	if g == 0 {
		return 0, 0
	}
	if v = sum / n; g < 2 {
		return v, 0
	}
	for _, w := range worlds {
		if s, c := of(w); c > 0 {
			e := s - float64(v*float64(c))
			se += float64(e * e)
		}
	}
	return v, math.Sqrt(se*g/(g-1)) / n
}

// against is the mean of x, its spread, and how many standard errors its mean is from a
// truth that has one too.
func against(x []float64, truth, truthSE float64) (m, sd, z *float64) {
	if m = mean(x); m == nil || len(x) < 2 {
		return m, nil, nil
	}
	s := 0.0
	for _, v := range x {
		s += float64((v - *m) * (v - *m))
	}
	s = math.Sqrt(s / float64(len(x)-1))
	if e := math.Hypot(s/math.Sqrt(float64(len(x))), truthSE); e > 0 {
		q := (*m - truth) / e
		z = &q
	}
	return m, &s, z
}

func mean(x []float64) *float64 {
	if len(x) == 0 {
		return nil
	}
	s := 0.0
	for _, v := range x {
		s += v
	}
	s /= float64(len(x))
	return &s
}

func median(x []float64) *float64 {
	if len(x) == 0 {
		return nil
	}
	s := slices.Sorted(slices.Values(x))
	m := (s[(len(s)-1)/2] + s[len(s)/2]) / 2
	return &m
}
