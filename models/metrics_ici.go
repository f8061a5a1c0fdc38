package models

import (
	"math"
	"slices"
)

// ici fills the integrated calibration index and its relatives (Austin &
// Steyerberg 2019): the mean, the median, the 90 % quantile and the maximum of
// |p - c(p)|, where c is the loess curve of y on p (Cleveland 1979: local lines over
// two thirds of the rows, tricube weights, no robustness steps; a value at least every
// hundredth of the range of p, lines in between). Rows count equally, so with
// weights the four are undefined; so they are with fewer than 3 rows or one value of p.
func (m *Metrics) ici(s *scores) {
	keys := []string{"ici", "e50", "e90", "emax"}
	n := len(s.p)
	switch {
	case !s.unit:
		m.warn("the loess curve is for unit weights", keys...)
		return
	case n < 3 || s.p[0] == s.p[n-1]:
		m.warn("no curve through fewer than 3 rows or one value of p", keys...)
		return
	}
	curve := loess(s.p, s.y)
	gaps := make([]float64, n)
	var t Sum
	for i, c := range curve {
		gaps[i] = math.Abs(s.p[i] - c)
		t.Add(gaps[i])
	}
	slices.Sort(gaps)
	m.ICI, m.E50, m.E90, m.EMax = ptr(t.Value()/float64(n)), ptr(quantile(gaps, .5)), ptr(quantile(gaps, .9)), ptr(gaps[n-1])
}

// quantile is the q quantile of sorted x, linear between order statistics.
func quantile(x []float64, q float64) float64 {
	at := q * float64(len(x)-1)
	i := min(int(at), len(x)-2)
	return x[i] + float64((at-float64(i))*(x[i+1]-x[i]))
}

// loess smooths y over ascending x; equal x get equal values.
func loess(x, y []float64) []float64 {
	n := len(x)
	k := max(2, min(n, int(2.0/3*float64(n)+1e-10)))
	out := make([]float64, n)
	delta := .01 * (x[n-1] - x[0])
	left, last := 0, -1
	for i := 0; i < n; {
		for left+k < n && x[i] > (x[left]+x[left+k])/2 {
			left++
		}
		out[i] = localLine(x, y, x[i], left, left+k)
		if last >= 0 { // lines between the values at last and i
			for j := last + 1; j < i; j++ {
				out[j] = out[last] + float64((x[j]-x[last])/(x[i]-x[last])*(out[i]-out[last]))
			}
		}
		last = i
		for last+1 < n && x[last+1] == x[i] {
			last++
			out[last] = out[i]
		}
		if last == n-1 {
			break
		}
		i = last + 1 // the farthest row within delta of the last value, at least the next
		for i+1 < n && x[i+1] <= x[last]+delta {
			i++
		}
	}
	return out
}

// localLine is the value at v of the line through rows [from, to) and whatever
// else lies within their reach, weighted by nearness.
func localLine(x, y []float64, v float64, from, to int) float64 {
	h := max(v-x[from], x[to-1]-v)
	if h == 0 { // all neighbours are v itself
		var t Sum
		for _, u := range y[from:to] {
			t.Add(u)
		}
		return t.Value() / float64(to-from)
	}
	for to < len(x) && x[to]-v < h {
		to++
	}
	var w, wx, wy, wxx, wxy float64
	for i := from; i < to; i++ {
		d := math.Abs(x[i]-v) / h
		if d >= .999 {
			continue
		}
		u := 1.0
		if d > .001 {
			u = 1 - d*d*d
			u = u * u * u
		}
		dx := x[i] - v
		w += u
		wx += float64(u * dx)
		wy += float64(u * y[i])
		wxx += float64(u * dx * dx)
		wxy += float64(u * dx * y[i])
	}
	mean := wx / w
	spread := wxx - float64(wx*mean)
	if !(spread > 1e-6*w*(x[len(x)-1]-x[0])*(x[len(x)-1]-x[0])*1e-6) {
		return wy / w
	}
	return wy/w - float64(mean*(wxy-float64(wy*mean))/spread)
}
