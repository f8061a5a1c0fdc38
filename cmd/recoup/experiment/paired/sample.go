// Package paired compares arms on the same cases. The cases of one customer hang
// together, so every interval and every p value here is by customer.
package paired

import (
	"math"

	"recoup/api/report"
)

// Sample is a number of each case over all worlds, with the customer it belongs to.
type Sample struct {
	customer  []int
	customers int
}

// New numbers the customers of some worlds; worlds holds, of each case of a world, its
// customer's number there. No customer lives in two worlds.
func New(worlds [][]int) *Sample {
	s := &Sample{}
	for _, w := range worlds {
		most := 0
		for _, c := range w {
			s.customer = append(s.customer, s.customers+c)
			most = max(most, c+1)
		}
		s.customers += most
	}
	return s
}

// Cases and Customers count them.
func (s *Sample) Cases() int     { return len(s.customer) }
func (s *Sample) Customers() int { return s.customers }

// normal95 is the normal quantile of a two-sided interval of 95 %.
const normal95 = 1.959963984540054

// Of is a number of each case; Among picks some of the cases, nil = all.
type (
	Of    func(i int) float64
	Among func(i int) bool
)

// Mean is the mean over some cases with its 95 % interval by customer: that of a ratio
// of sums over customers, linearised.
func (s *Sample) Mean(of Of, among Among) report.Estimate {
	return s.ratio(of, func(int) float64 { return 1 }, among, normal95)
}

// Ratio is the sum of one number over the sum of another, such as rupees for each
// recovered case, with its 95 % interval by customer, linearised.
func (s *Sample) Ratio(of, over Of, among Among) report.Estimate {
	return s.ratio(of, over, among, normal95)
}

// Adjusted is Mean with the wider interval that holds for all of some comparisons at
// once (Bonferroni): each has 95 % with one.
func (s *Sample) Adjusted(of Of, among Among, comparisons int) report.Estimate {
	return s.ratio(of, func(int) float64 { return 1 }, among, math.Sqrt2*math.Erfinv(1-0.05/float64(max(1, comparisons))))
}

func (s *Sample) ratio(of, over Of, among Among, z float64) report.Estimate {
	sum, base := make([]float64, s.customers), make([]float64, s.customers)
	seen := make([]bool, s.customers)
	total, whole, n := 0.0, 0.0, int64(0)
	for i, c := range s.customer {
		if among == nil || among(i) {
			v, w := of(i), over(i)
			sum[c] += v
			base[c] += w
			seen[c] = true
			total += v
			whole += w
			n++
		}
	}
	switch {
	case n == 0:
		return report.Unknown("no case")
	case whole == 0:
		return report.Unknown("nothing to divide by")
	}
	m := total / whole
	square, clusters := 0.0, 0.0
	for c := range sum {
		if seen[c] {
			d := sum[c] - float64(m*base[c])
			square += float64(d * d)
			clusters++
		}
	}
	if clusters < 2 {
		e := report.Number(m, n)
		e.Why = "one customer: no interval"
		return e
	}
	half := math.Abs(z * math.Sqrt(square*clusters/(clusters-1)) / whole)
	return report.Ranged(m, m-half, m+half, n)
}

// Wilson is k of n with Wilson's interval (1927), case by case.
func Wilson(k, n int64) report.Estimate {
	if n == 0 {
		return report.Unknown("no case")
	}
	const z = normal95
	p, m := float64(k)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(float64(p*(1-p)/m)+z*z/(4*m*m))
	return report.Ranged(p, mid-half, mid+half, n)
}

// Above says whether the whole interval lies above 0 (1), below it (-1), or neither.
func Above(e report.Estimate) int {
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
