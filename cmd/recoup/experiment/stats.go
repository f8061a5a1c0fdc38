package experiment

import (
	"math"

	"recoup/api/report"
)

// sample is a number of each case over all worlds, with the customer it belongs
// to: the cases of one customer hang together.
type sample struct {
	customer  []int
	customers int
}

// newSample numbers the customers of all worlds.
func newSample(worlds []*World) *sample {
	s := &sample{}
	for _, w := range worlds {
		most := 0
		for _, c := range w.Customers {
			s.customer = append(s.customer, s.customers+c)
			most = max(most, c+1)
		}
		s.customers += most
	}
	return s
}

// mean is the mean over some cases (nil = all) with its 95 % interval by customer:
// that of a ratio of sums over customers, linearised.
func (s *sample) mean(of func(i int) float64, among func(i int) bool) report.Estimate {
	sum, cases := make([]float64, s.customers), make([]float64, s.customers)
	total, n := 0.0, 0.0
	for i, c := range s.customer {
		if among == nil || among(i) {
			v := of(i)
			sum[c] += v
			cases[c]++
			total += v
			n++
		}
	}
	if n == 0 {
		return report.Unknown("no case")
	}
	m := total / n
	square, clusters := 0.0, 0.0
	for c := range sum {
		if cases[c] > 0 {
			d := sum[c] - float64(m*cases[c])
			square += float64(d * d)
			clusters++
		}
	}
	if clusters < 2 {
		e := report.Number(m, int64(n))
		e.Why = "one customer: no interval"
		return e
	}
	half := 1.959963984540054 * math.Sqrt(square*clusters/(clusters-1)) / n
	return report.Ranged(m, m-half, m+half, int64(n))
}

// wilson is k of n with Wilson's interval (1927), case by case.
func wilson(k, n int64) report.Estimate {
	if n == 0 {
		return report.Unknown("no case")
	}
	const z = 1.959963984540054
	p, m := float64(k)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(float64(p*(1-p)/m)+z*z/(4*m*m))
	return report.Ranged(p, mid-half, mid+half, n)
}

// above says whether the whole interval lies above 0 (1), below it (-1), or neither.
func above(e report.Estimate) int {
	switch {
	case e.Lo == nil || e.Hi == nil:
		return 0
	case *e.Lo > 0:
		return 1
	case *e.Hi < 0:
		return -1
	}
	return 0
}
