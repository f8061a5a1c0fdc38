package models

import "math"

// Wilson is the 95 % score interval of a share of k in n (Wilson 1927), for
// independent rows. k = 0 gives exactly 0 below, k = n exactly 1 above; ok is
// false, and the interval [0, 1], when n <= 0. k and n may be effective counts.
func Wilson(k, n float64) (lo, hi float64, ok bool) {
	if !(n > 0) {
		return 0, 1, false
	}
	p, z2 := k/n, z975*z975
	d := 1 + z2/n
	c := (p + z2/(2*n)) / d
	h := z975 * math.Sqrt(max(0, p*(1-p))/n+z2/(4*n*n)) / d
	lo, hi = max(0, c-h), min(1, c+h)
	if k <= 0 {
		lo = 0
	}
	if k >= n {
		hi = 1
	}
	return lo, hi, true
}
