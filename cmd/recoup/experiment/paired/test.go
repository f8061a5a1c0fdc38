package paired

import (
	"math"
	"slices"

	"recoup/api/report"
)

// Test asks whether a difference is there at all, by customer.
type Test struct {
	P      report.Estimate `json:"p"`      // two-sided, of the normal test of the mean
	Ahead  int64           `json:"ahead"`  // customers for whom the sum is above 0 of what the sign test looks at
	Behind int64           `json:"behind"` // and below it; equal ones count for neither
	Sign   report.Estimate `json:"p_sign"` // two-sided and exact, of the sign test over these
}

// Test tests the differences of the cases: their mean, and the signs of another number
// of them, such as the same without small costs, which would decide where nothing else
// differs.
func (s *Sample) Test(of, signs Of) (t Test) {
	sum := make([]float64, s.customers)
	for i, c := range s.customer {
		sum[c] += signs(i)
	}
	for _, v := range sum {
		switch {
		case v > 0:
			t.Ahead++
		case v < 0:
			t.Behind++
		}
	}
	if n := t.Ahead + t.Behind; n == 0 {
		t.Sign = report.Unknown("no customer differs")
	} else {
		t.Sign = report.Number(signP(min(t.Ahead, t.Behind), n), n)
	}
	t.P = s.P(of, nil)
	return t
}

// P is the two-sided p value of the normal test of a mean over some cases, by customer.
func (s *Sample) P(of Of, among Among) report.Estimate { return pOf(s.Mean(of, among)) }

// pOf is the two-sided p value of an estimate whose interval is normal and of 95 %.
func pOf(e report.Estimate) report.Estimate {
	if e.Value == nil || e.Lo == nil || e.Hi == nil {
		return report.Unknown("no interval, no test")
	}
	se := (*e.Hi - *e.Lo) / (2 * normal95)
	if se == 0 {
		return report.Unknown("no difference varies")
	}
	return report.Number(math.Erfc(math.Abs(*e.Value)/se/math.Sqrt2), e.N)
}

// signP is the chance that the rarer sign comes k times or less of n, times two.
func signP(k, n int64) float64 {
	all, _ := math.Lgamma(float64(n + 1))
	p := 0.0
	for i := range k + 1 {
		a, _ := math.Lgamma(float64(i + 1))
		b, _ := math.Lgamma(float64(n - i + 1))
		p += math.Exp(all - a - b - float64(n)*math.Ln2)
	}
	return min(1, 2*p)
}

// Holm adjusts p values that were looked at together (Holm, 1979), in their order.
// Unknown ones stay unknown and count for nothing.
func Holm(p []report.Estimate) []report.Estimate {
	out := slices.Clone(p)
	var known []int
	for i := range p {
		if p[i].Value != nil {
			known = append(known, i)
		}
	}
	slices.SortStableFunc(known, func(a, b int) int {
		switch x, y := *p[a].Value, *p[b].Value; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	most := 0.0
	for rank, i := range known {
		most = max(most, min(1, float64(*p[i].Value*float64(len(known)-rank))))
		out[i] = report.Number(most, p[i].N)
	}
	return out
}
