package bracket

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"recoup/api/report"
	"recoup/data"
	"recoup/models"
	"recoup/ope"
)

// Live compares the arms as they were randomised: what was measured stands before
// what is estimated. Cases are counted for the arm that they were given, whoever
// answered in the end, and each once, by its first decision.
func Live(l *Log) report.Live {
	out := report.Live{Arms: []report.LiveArm{}, Differences: []report.LiveDifference{}}
	if len(l.Given) == 0 {
		out.NotAssessed = "no case whose window has closed"
		return out
	}
	arms, customers := map[data.Arm][]int{}, map[string]int32{}
	for i := range l.Given {
		d := &l.Given[i]
		arms[d.Assigned] = append(arms[d.Assigned], i)
		if _, ok := customers[d.CustomerID]; !ok {
			customers[d.CustomerID] = int32(len(customers))
		}
	}
	var order []data.Arm
	for a := data.ArmRules; a <= data.ArmControl; a++ {
		if len(arms[a]) > 0 {
			order = append(order, a)
		}
	}
	m := measured{l: l, customers: customers, terms: map[data.Arm]map[int32]float64{}}
	for _, a := range order {
		out.Arms = append(out.Arms, m.arm(a, arms[a]))
	}
	against := order[len(order)-1] // control where there is one
	for _, a := range order[:len(order)-1] {
		net, always := m.minus(a, against, len(arms[a])+len(arms[against]))
		out.Differences = append(out.Differences, report.LiveDifference{Arm: a.String(), Against: against.String(),
			Net: net, NetAnytime: always, Anytime: m.anytimeMinus(arms[a], arms[against])})
	}
	out.Sample = sampleRatio(l)
	return out
}

// measured holds the arms' means and what each customer pulls at them.
type measured struct {
	l         *Log
	customers map[string]int32
	means     [data.ArmControl + 1]float64
	terms     map[data.Arm]map[int32]float64 // sum over the customer of (net - mean)/n
}

func (m *measured) arm(a data.Arm, cases []int) report.LiveArm {
	n, paid := int64(len(cases)), int64(0)
	mean := 0.0
	for _, i := range cases {
		d := &m.l.Given[i]
		if d.Recovered {
			paid++
		}
		mean += d.Net() / float64(n)
	}
	terms := map[int32]float64{}
	share, shares := m.l.Given[cases[0]].Share, map[float64]bool{}
	for _, i := range cases {
		d := &m.l.Given[i]
		terms[m.customers[d.CustomerID]] += (d.Net() - mean) / float64(n)
		shares[d.Share] = true
	}
	m.means[a], m.terms[a] = mean, terms
	out := report.LiveArm{Arm: a.String(), Cases: n, Customers: int64(len(terms))}
	out.Net, out.NetAnytime = looked(mean, terms, n)
	if len(shares) == 1 {
		out.Share = &share
	}
	out.Anytime = m.anytime(cases, .05)
	if lo, hi, ok := models.Wilson(float64(paid), float64(n)); ok {
		out.Recovered = report.Ranged(float64(paid)/float64(n), lo, hi, n)
	}
	return out
}

// minus is the difference of two arms; a customer with cases in both pulls at both.
func (m *measured) minus(a, b data.Arm, n int) (once, always report.Estimate) {
	terms := map[int32]float64{}
	for c, v := range m.terms[a] {
		terms[c] += v
	}
	for c, v := range m.terms[b] {
		terms[c] -= v
	}
	return looked(m.means[a]-m.means[b], terms, int64(n))
}

// soonest is after how many customers intervals for every look are tightest. It is fixed:
// chosen by what a log holds, they would not hold.
const soonest = 1000

// looked is a value with its interval for one look, and with the one that holds at every
// look, from the first at fewCustomers on: it rests on the limit of many.
func looked(v float64, terms map[int32]float64, n int64) (once, always report.Estimate) {
	se := clustered(terms)
	once = ranged(v, z95*se, n)
	if len(terms) < fewCustomers {
		always = report.Number(v, n)
		always.Why = fmt.Sprintf("fewer than %d customers: no interval yet that holds at every look", fewCustomers)
		return once, always
	}
	return once, ranged(v, ope.PeekFactor(len(terms), soonest, .05)*se, n)
}

// anytime is the recovered share with an interval that holds at every look, cases
// being looked at in the order in which their windows closed.
func (m *measured) anytime(cases []int, alpha float64) report.Estimate {
	x, paid := make([]float64, len(cases)), 0.0
	order := slices.Clone(cases)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m.l.Given[a].At, m.l.Given[b].At) })
	for k, i := range order {
		x[k] = bit(m.l.Given[i].Recovered)
		paid += x[k]
	}
	n := int64(len(x))
	peeks, err := ope.ConfidenceSequence(x, 0, 1, alpha, 0)
	if err != nil {
		return report.Unknown(err.Error())
	}
	last := peeks[len(peeks)-1]
	return report.Ranged(paid/float64(n), last.RunningLower, last.RunningUpper, n)
}

// anytimeMinus is the difference of two shares: each holds at every look with half
// the chance of an error, so both do.
func (m *measured) anytimeMinus(a, b []int) report.Estimate {
	x, y := m.anytime(a, .025), m.anytime(b, .025)
	if x.Lo == nil || y.Lo == nil {
		return report.Unknown("a share has no interval")
	}
	return report.Ranged(*x.Value-*y.Value, *x.Lo-*y.Hi, *x.Hi-*y.Lo, x.N+y.N)
}

// clustered is the standard error of a sum of terms by customer; NaN for one.
func clustered(terms map[int32]float64) float64 {
	g := float64(len(terms))
	if g < 2 {
		return math.NaN()
	}
	squares := make([]float64, 0, len(terms))
	for _, v := range terms {
		squares = append(squares, float64(v*v))
	}
	slices.Sort(squares) // the order of a map shows in no bit
	sum := 0.0
	for _, s := range squares {
		sum += s
	}
	return math.Sqrt(g / (g - 1) * sum)
}

const z95 = 1.959963984540054

// ranged is a value with as much on either side; NaN = nobody knows how much.
func ranged(v, half float64, n int64) report.Estimate {
	e := report.Ranged(v, v-half, v+half, n)
	if e.Value != nil && e.Lo == nil {
		e.Why = "one customer: no interval"
	}
	return e
}

// sampleRatio asks whether the cases came into the arms as the shares say
// (Fabijan et al. 2019): where they did not, no comparison of arms means anything.
// Policies are looked at one by one, for each has its own shares.
func sampleRatio(l *Log) []report.SampleRatio {
	type key struct {
		policy string
		arm    data.Arm
	}
	counts, shares, mixed := map[key]int{}, map[key]float64{}, map[string]bool{}
	var policies []string
	for i := range l.Given {
		d := &l.Given[i]
		k := key{d.PolicyID, d.Assigned}
		if s, ok := shares[k]; ok && s != d.Share {
			mixed[d.PolicyID] = true
		}
		counts[k]++
		shares[k] = d.Share
		if !slices.Contains(policies, d.PolicyID) {
			policies = append(policies, d.PolicyID)
		}
	}
	slices.Sort(policies)
	out := []report.SampleRatio{}
	for _, p := range policies {
		r := report.SampleRatio{Policy: p}
		var known float64
		for a := data.ArmRules; a <= data.ArmControl; a++ {
			if n := counts[key{p, a}]; n > 0 {
				r.Cases += int64(n)
				known += shares[key{p, a}]
				r.Arms = append(r.Arms, report.ArmCount{Arm: a.String(), Cases: int64(n), Share: shares[key{p, a}]})
			}
		}
		switch {
		case mixed[p]:
			r.Why = "an arm has more than one share under this policy"
		case len(r.Arms) < 2 && known > 1-1e-9:
			r.Why = "one arm has all cases: there is nothing to compare"
		case known > 1+1e-9:
			r.Why = fmt.Sprintf("the shares sum to %g", known)
		default:
			if rest := 1 - known; rest > 1e-9 { // arms with a share and without a case
				r.Arms = append(r.Arms, report.ArmCount{Arm: "no case", Share: rest})
			}
			chi, df := 0.0, len(r.Arms)-1
			for _, a := range r.Arms {
				expected := a.Share * float64(r.Cases)
				d := float64(a.Cases) - expected
				chi += float64(d*d) / expected
			}
			p := chiSquareTail(chi, df)
			r.Chi2, r.P = &chi, &p
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b report.SampleRatio) int { return cmp.Compare(b.Cases, a.Cases) })
	return out
}

// chiSquareTail is P(X > x) of a chi-square law with df degrees of freedom (1 to
// 4 here), by the finite sums of the incomplete gamma function at half integers.
func chiSquareTail(x float64, df int) float64 {
	if x <= 0 {
		return 1
	}
	h := x / 2
	if df%2 == 0 { // e^-h sum h^i/i!, i < df/2
		term, sum := 1.0, 1.0
		for i := 1; i < df/2; i++ {
			term *= h / float64(i)
			sum += term
		}
		return math.Exp(-h) * sum
	}
	sum, term := math.Erfc(math.Sqrt(h)), math.Sqrt(h/math.Pi)*2*math.Exp(-h)
	for i := 1; i < df; i += 2 { // h^(i/2) e^-h / Gamma(i/2+1)
		sum += term
		term *= h / (float64(i)/2 + 1)
	}
	return sum
}
