package bracket

import (
	"math"
	"slices"

	"recoup/api/report"
	"recoup/ope"
)

// factors are by how much propensities are supposed to be wrong.
var factors = []float64{1.1, 1.5, 2}

// dr is the method that carries the headline.
var dr = ope.Method{Name: "dr", Family: ope.DoublyRobust}

// reportLine is what a report shows of a policy.
func (j *Judged) reportLine(x *line, elsewhere report.Estimate) (report.Line, error) {
	w, n := x.net.Weights, int64(x.net.N)
	out := report.Line{Policy: x.policy.Name, Says: x.policy.Says, Marks: x.policy.Marks, N: n, Measured: x.policy.Name == Incumbent,
		Light: string(x.net.Light.Level), Why: reasons(&x.net.Light), Matched: int64(w.Matched), ESS: w.ESS, ESSFraction: w.ESSFraction, MaxWeight: w.Max,
		MaxShare: w.MaxShare, MeanWeight: w.Mean, MeanZ: numberOf(w.MeanZ, w.MeanZReason, n), Elsewhere: elsewhere, LogWeights: logWeights(x.rows)}
	out.Alike = x.twin
	if w.UnsupportedByRow != nil {
		out.Unsupported = *w.UnsupportedByRow
	}
	for i := range x.net.Estimators {
		f := &x.net.Estimators[i]
		out.Estimators = append(out.Estimators, report.Named{Name: f.Name, Value: estimateOf(f, n)})
	}
	if a := x.net.Adaptive; a != nil {
		out.Estimators = append(out.Estimators, report.Named{Name: a.DR.Name, Value: estimateOf(&a.DR, n)})
	}
	if out.Measured {
		out.Net, out.Recovered = estimateOf(x.net.Estimators.Find("ipw"), n), estimateOf(x.paid.Estimators.Find("ipw"), n)
		none := report.Unknown("it is the incumbent")
		out.Minus, out.RecMinus, out.Headroom, out.FromModel = none, none, report.Unknown("it is where the way begins"), report.Unknown("nothing is estimated")
		return out, nil
	}
	if x.alike {
		zero := report.Ranged(0, 0, 0, n)
		out.Net, out.Recovered = estimateOf(x.net.Estimators.Find("ipw"), n), estimateOf(x.paid.Estimators.Find("ipw"), n)
		out.Minus, out.RecMinus, out.FromModel = zero, zero, report.Unknown("it is the incumbent: nothing is estimated")
		return out, x.sensitivity(&out)
	}
	value, dm := x.net.Estimators.Find("dr"), x.net.Estimators.Find("dm")
	out.Net, out.Minus = estimateOf(value, n), estimateOf(&x.minus, n)
	out.Recovered, out.RecMinus = estimateOf(x.paid.Estimators.Find("dr"), n), estimateOf(&x.recMinus, n)
	out.FromModel = report.Unknown("the value is 0, or there is none")
	if value.Value != nil && dm.Value != nil && *value.Value != 0 {
		out.FromModel = report.Number(*dm.Value / *value.Value, n)
	}
	return out, x.sensitivity(&out)
}

// sensitivity shows what the estimate would be if large weights were tamed in
// another way, and if propensities were wrong.
func (x *line) sensitivity(out *report.Line) error {
	out.Sweep = []report.Swept{{Kind: "none", Value: out.Net}}
	for _, shape := range []ope.Shape{ope.Clip, ope.Shrink} {
		swept, err := x.net.Sweep(ope.DoublyRobust, shape, nil)
		if err != nil {
			return err
		}
		for i := range swept {
			s := &swept[i]
			bound := int64(s.Clipped)
			if s.NoOp {
				bound = 0
			}
			out.Sweep = append(out.Sweep, report.Swept{Kind: s.Shape, Lambda: &s.Lambda, Value: estimateOf(&s.Figure, out.N), Bound: bound})
		}
	}
	for _, g := range factors {
		w := report.WrongBy{Factor: g}
		s, err := x.net.Sensitivity(dr, g)
		switch {
		case err != nil:
			return err
		case s == nil:
			w.Why = "no weight is above 0"
		default:
			w.Lo, w.Hi = &s.Low, &s.High
		}
		out.Wrong = append(out.Wrong, w)
	}
	return nil
}

// headroom is how far a policy came from the incumbent to the oracle; a red light
// on either tells nothing.
func (j *Judged) headroom(x, oracle *line, n int64) report.Estimate {
	switch {
	case oracle == nil:
		return report.Unknown("only a simulation knows the oracle")
	case x == oracle:
		return report.Unknown("it is where the way ends")
	case x.net.Light.Level == ope.Red || oracle.net.Light.Level == ope.Red:
		return report.Unknown("cannot tell: a red light")
	}
	if x.alike {
		return report.Ranged(0, 0, 0, n)
	}
	a, b := &x.minus, &oracle.minus
	if a.Value == nil || b.Value == nil || *b.Value <= 0 {
		return report.Unknown("the oracle is not estimated to be better than the incumbent")
	}
	v := *a.Value / *b.Value
	if x.draws == nil || oracle.draws == nil || j.base.draws == nil {
		return report.Number(v, n)
	}
	mean, of, best := j.base.draws.Of("dr"), x.draws.Of("dr"), oracle.draws.Of("dr")
	ratios := make([]float64, 0, len(mean))
	for k := range mean {
		if r := (of[k] - mean[k]) / (best[k] - mean[k]); !math.IsNaN(r) && !math.IsInf(r, 0) {
			ratios = append(ratios, r)
		}
	}
	slices.Sort(ratios)
	if len(ratios) < 100 || len(ratios) < len(mean)*19/20 {
		return report.Number(v, n)
	}
	return report.Ranged(v, ratios[len(ratios)*25/1000], ratios[len(ratios)*975/1000], n)
}
