package experiment

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
)

// Curve says how much of the explorer's log it takes, and what exploring costs
// meanwhile.
type Curve struct {
	Seeds  int          `json:"seeds"`
	Points []CurvePoint `json:"points"` // fewest cases first, 0 = nothing is learned; empty: not played
	Over   []CurveOver  `json:"over"`   // the rules; the ladder inside the gate; the engine with nothing learned
}

// CurvePoint is one number of cases to learn from.
type CurvePoint struct {
	Cases int            `json:"cases"`
	Model string         `json:"model_id"`
	Why   string         `json:"refused"` // by the night: then the model is a bare one; "" = accepted
	Over  []CurvePointOf `json:"over"`    // as Curve.Over
}

// CurvePointOf sets a point's model against an arm.
type CurvePointOf struct {
	Net   report.Estimate `json:"net_paise"` // a case; unknown where there is not even a bare model
	Test  paired.Test     `json:"net_test"`
	Spent report.Estimate `json:"exploring_paise"` // what exploring so many cases cost
}

// CurveOver is what the points come to against one arm.
type CurveOver struct {
	Arm    string          `json:"arm"`
	Cost   report.Estimate `json:"cost_paise"`   // of exploring, a case: the arm's net minus the explorer's
	From   report.Estimate `json:"from_cases"`   // the fewest that a night accepts, from which on every number tried beats the arm
	Bare   report.Estimate `json:"bare_from"`    // the same of those that it refuses, by bare models
	Short  report.Estimate `json:"short_cases"`  // the most that are not shown to beat it
	Repaid report.Estimate `json:"repaid_cases"` // cases by the model until it has earned what exploring From cases cost
}

// curve plays the models that learned from nothing, from fewer cases, and from all.
func (j *job) curve(ctx context.Context, r *Report) (Curve, error) {
	out := Curve{Seeds: j.CurveSeeds, Points: []CurvePoint{}, Over: []CurveOver{}}
	if len(j.Curve) == 0 || j.CurveSeeds < 1 {
		return out, nil
	}
	sizes := append(append([]int{0}, j.Curve...), j.TrainCases)
	lessons := append(append([]*lesson{j.blank}, j.fewer...), j.model)
	s := &scene{Name: "curve", Seeds: seedsFrom(1, j.CurveSeeds), Hands: []hand{{Name: Rules, Arm: Rules}, {Name: Control, Arm: Control}}}
	name := func(cases int) string {
		if cases == 0 {
			return Unlearned
		}
		return fmt.Sprintf("%s of %d", Model, cases)
	}
	for i, l := range lessons {
		if b := cmp.Or(l.Bundle, l.Bare); b != nil {
			s.Hands = append(s.Hands, hand{Name: name(sizes[i]), Arm: Model, Bundle: b})
		}
	}
	worlds, err := j.show(ctx, s)
	if err != nil {
		return out, err
	}
	all := sampleOf(worlds)
	for _, arm := range []string{Rules, Control, Unlearned} {
		out.Over = append(out.Over, CurveOver{Arm: arm, Cost: negative(r.pair(Explorer, arm).Difference.Net)})
	}
	for i, l := range lessons {
		p := CurvePoint{Cases: sizes[i], Model: l.id(), Why: l.Why}
		for _, o := range out.Over {
			pair := notCompared()
			if (l.Bundle != nil || l.Bare != nil) && name(sizes[i]) != o.Arm {
				pair = between(all, gather(name(sizes[i]), worlds), gather(o.Arm, worlds))
			}
			p.Over = append(p.Over, CurvePointOf{pair.Difference.Net, pair.Test, scaled(o.Cost, float64(sizes[i]))})
		}
		out.Points = append(out.Points, p)
	}
	for k := range out.Over {
		out.finish(k)
	}
	return out, nil
}

// finish finds from where on the model beats an arm, and when that has paid for the
// exploring. Costs and gains lie in the same worlds: no interval is given for their ratio.
func (c *Curve) finish(k int) {
	o, n := &c.Over[k], int64(len(c.Points))
	o.From, o.Repaid = report.Unknown("no number that was tried beats it, with all larger ones"), report.Unknown("nothing is earned back")
	o.Bare, o.Short = report.Unknown("no number that a night refuses beats it"), report.Unknown("every number that was tried beats it")
	for i := len(c.Points) - 1; i >= 0; i-- {
		p, of := &c.Points[i], &c.Points[i].Over[k]
		cases := report.Number(float64(p.Cases), n)
		switch {
		case paired.Above(of.Net) <= 0:
			o.Short = cases
			return
		case p.Why != "":
			o.Bare = cases
		default:
			o.From = cases
			if of.Spent.Value != nil {
				o.Repaid = report.Number(math.Ceil(max(0, *of.Spent.Value / *of.Net.Value)), of.Net.N)
			}
		}
	}
}

func negative(e report.Estimate) report.Estimate {
	e = scaled(e, -1)
	e.Lo, e.Hi = e.Hi, e.Lo
	return e
}

// scaled is an estimate times a number.
func scaled(e report.Estimate, by float64) report.Estimate {
	for _, v := range []**float64{&e.Value, &e.Lo, &e.Hi} {
		if *v != nil {
			x := float64(**v * by)
			*v = &x
		}
	}
	return e
}
