package bracket

import (
	"fmt"
	"slices"

	"recoup/api/report"
	"recoup/ope"
)

// Versus is policy a less policy b in rupees a case, doubly robust and paired, with the
// interval by customers drawn again where there are draws. Where the log cannot tell of
// the two as they are, and can of both with their times moved, these are compared. Its
// light is that of what the two do not share: see pair. Two policies that choose alike
// everywhere differ by nothing, whatever the light.
func (j *Judged) Versus(a, b string) (report.Versus, error) {
	out := report.Versus{Policy: a, Of: a, Against: b, Why: []string{}}
	if j.lines[a] == nil || j.lines[b] == nil {
		return out, fmt.Errorf("ope: %s less %s: not judged", a, b)
	}
	x, y := j.lines[a], j.lines[b]
	n, worst := j.Disagreements(x.policy, y.policy)
	out.Rows, out.Unlike, out.Worst = int64(x.net.N), int64(n), worst
	if out.Unlike == 0 {
		out.Minus, out.Light = report.Ranged(0, 0, 0, out.Rows), string(ope.Green)
		return out, nil
	}
	p, err := j.pair(x, y)
	if err != nil {
		return out, err
	}
	if u, v := j.lines[a+aboutSuffix], j.lines[b+aboutSuffix]; u != nil && v != nil && p.light.Level == ope.Red {
		q, err := j.pair(u, v)
		if err != nil {
			return out, err
		}
		if q.light.Level != ope.Red {
			p, out.Of, out.Against = q, u.policy.Name, v.policy.Name
		}
	}
	out.Minus, out.Light, out.Why = estimateOf(&p.minus, out.Rows), string(p.light.Level), reasons(&p.light)
	out.ESS, out.Matched = p.weights.ESS, int64(p.weights.Matched)
	return out, nil
}

// paired is one line less another.
type paired struct {
	minus   ope.Figure
	weights *ope.PairedWeights
	light   ope.Light
}

// pair compares two lines. Its light is not the worse of theirs. Rows at which both choose
// alike cancel: with most of the weight there, both may be green while the difference
// rests on a handful of rows and its interval is too narrow; with what was never tried
// there alone, both may be red while the difference is sound. So the weights are judged
// where the two part; what makes a log untrustworthy as a whole is taken over from either.
func (j *Judged) pair(x, y *line) (p paired, err error) {
	fail := func(err error) (paired, error) {
		return p, fmt.Errorf("ope: %s less %s: %w", x.policy.Name, y.policy.Name, err)
	}
	a, b := x.net.Estimators.Find("dr"), y.net.Estimators.Find("dr")
	learned := x.net.Adaptive != nil && y.net.Adaptive != nil
	if learned { // the usual interval need not hold
		a, b = &x.net.Adaptive.DR, &y.net.Adaptive.DR
	}
	if p.minus, err = ope.Compare(a, b, level); err != nil {
		return fail(err)
	}
	if x.draws != nil && y.draws != nil && p.minus.Value != nil && !learned {
		if p.minus.CIBootstrap, err = x.draws.Difference("dr", y.draws, "dr"); err != nil {
			return fail(err)
		}
	}
	if p.weights, err = ope.Pair(x.rows, y.rows); err != nil {
		return fail(err)
	}
	p.light = p.weights.Light()
	l := &p.light
	for _, of := range []*ope.Light{&x.net.Light, &y.net.Light} {
		if slices.Contains(of.Red, ope.MeanWeight) && !slices.Contains(l.Red, ope.MeanWeight) {
			l.Raise(ope.Red, ope.MeanWeight)
		}
		if slices.Contains(of.Amber, ope.PoorModel) && !slices.Contains(l.Amber, ope.PoorModel) {
			l.Raise(ope.Amber, ope.PoorModel)
		}
	}
	if ci := p.minus.CI; ci != nil && ci[0] < 0 && ci[1] > 0 {
		l.Raise(ope.Amber, ope.WideInterval)
	}
	plain, err := ope.Compare(x.net.Estimators.Find("ipw"), y.net.Estimators.Find("ipw"), level)
	if err != nil {
		return fail(err)
	}
	if ope.Disagree(&p.minus, &plain) {
		l.Raise(ope.Amber, ope.Disagreement)
	}
	return p, nil
}

// Disagreements counts first decisions at which two policies do not choose alike, and
// says what one of them could lose against the other at most, in rupees a case: the
// amount of each such case, by the probability that they choose apart.
func (j *Judged) Disagreements(a, b Policy) (n int, worst float64) {
	var p, q []float64
	for _, i := range j.Table.Keep {
		d := &j.Log.Decisions[i]
		p, q = a.Probs(p, i, d), b.Probs(q, i, d)
		apart := 0.0 // total variation
		for k := range p {
			apart += max(0, p[k]-q[k])
		}
		if apart > 1e-12 {
			n++
			worst += float64(apart*float64(d.Amount)) / 100
		}
	}
	return n, worst / float64(len(j.Table.Keep))
}
