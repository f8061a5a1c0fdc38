package experiment

import (
	"context"
	"fmt"
	"math"

	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
)

// Curve says how much of the explorer's log it takes, and what exploring costs
// meanwhile.
type Curve struct {
	Seeds  int             `json:"seeds"`
	Points []CurvePoint    `json:"points"`       // fewest cases first; empty: not played
	From   report.Estimate `json:"from_cases"`   // the fewest from which on every number tried beats the rules
	Cost   report.Estimate `json:"cost_paise"`   // of exploring, a case: the rules' net minus the explorer's
	Repaid report.Estimate `json:"repaid_cases"` // cases by the model until it has earned what exploring From cases cost
}

// CurvePoint is one number of cases to learn from.
type CurvePoint struct {
	Cases int             `json:"cases"`
	Model string          `json:"model_id"`
	Why   string          `json:"not_learned,omitempty"`
	Over  report.Estimate `json:"over_rules_paise"` // a case
	Test  paired.Test     `json:"net_test"`
	Spent report.Estimate `json:"exploring_paise"` // what exploring so many cases cost
}

// curve plays the models that learned from fewer cases, and the one of all of them.
func (j *job) curve(ctx context.Context, r *Report) (Curve, error) {
	out := Curve{Seeds: j.CurveSeeds, Points: []CurvePoint{}, From: report.Unknown("not played"), Repaid: report.Unknown("not played"),
		Cost: negative(r.pair(Explorer, Rules).Difference.Net)}
	if len(j.Curve) == 0 || j.CurveSeeds < 1 {
		return out, nil
	}
	s := &scene{Name: "curve", Seeds: seedsFrom(1, j.CurveSeeds), Hands: []hand{{Name: Rules, Arm: Rules}}}
	name := func(cases int) string { return fmt.Sprintf("%s of %d", Model, cases) }
	lessons := append(append([]*lesson{}, j.fewer...), j.model)
	sizes := append(append([]int{}, j.Curve...), j.TrainCases)
	for i, l := range lessons {
		if l.Bundle != nil {
			s.Hands = append(s.Hands, hand{Name: name(sizes[i]), Arm: Model, Bundle: l.Bundle})
		}
	}
	worlds, err := j.show(ctx, s)
	if err != nil {
		return out, err
	}
	all, rules := sampleOf(worlds), gather(Rules, worlds)
	for i, l := range lessons {
		p := CurvePoint{Cases: sizes[i], Model: l.id(), Why: l.Why, Over: report.Unknown(l.Why), Spent: scaled(out.Cost, float64(sizes[i]))}
		p.Test = paired.Test{P: p.Over, Sign: p.Over}
		if l.Bundle != nil {
			pair := between(all, gather(name(sizes[i]), worlds), rules)
			p.Over, p.Test = pair.Difference.Net, pair.Test
		}
		out.Points = append(out.Points, p)
	}
	out.finish()
	return out, nil
}

// finish finds from where on the model beats the rules, and when that has paid for the
// exploring. Costs and gains lie in the same worlds: no interval is given for their ratio.
func (c *Curve) finish() {
	c.From, c.Repaid = report.Unknown("no number that was tried beats the rules, with all larger ones"), report.Unknown("nothing is earned back")
	for i := len(c.Points) - 1; i >= 0 && paired.Above(c.Points[i].Over) > 0; i-- {
		p := &c.Points[i]
		c.From = report.Number(float64(p.Cases), int64(len(c.Points)))
		if p.Spent.Value != nil {
			c.Repaid = report.Number(math.Ceil(max(0, *p.Spent.Value / *p.Over.Value)), p.Over.N)
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

func (c *Curve) section() report.Section {
	t := report.Table{Caption: fmt.Sprintf("Models of as many of the explorer's cases, in %d worlds; rupees a case.", c.Seeds),
		Head: []string{"cases learned from", "model - rules", "p", "customers of whom more was recovered", "less", "p, sign test", "what exploring them cost, rupees"}}
	for _, p := range c.Points {
		over := rupees(p.Over)
		if p.Why != "" {
			over = "not learned: " + p.Why
		}
		t.Rows = append(t.Rows, []string{count(p.Cases), over, pText(p.Test.P), report.Count(p.Test.Ahead), report.Count(p.Test.Behind), pText(p.Test.Sign), rupees(p.Spent)})
	}
	return report.Section{ID: "curve", Title: "How much must be explored", Text: c.says(), Pictures: []string{forest(c.pairs())}, Tables: []report.Table{t}}
}

// pairs are the points as differences, to be drawn.
func (c *Curve) pairs() (out []Pair) {
	for _, p := range c.Points {
		out = append(out, Pair{A: Model + " of " + count(p.Cases), B: Rules, Difference: Measures{Net: p.Over}})
	}
	return out
}

func (c *Curve) says() []string {
	var cost string
	switch paired.Above(c.Cost) {
	case 1:
		cost = fmt.Sprintf("A case of the explorer costs %s rupees against the rules.", rupees(c.Cost))
	case -1:
		cost = fmt.Sprintf("Exploring costs nothing against the rules here: a case of the explorer brings %s rupees more.", rupees(negative(c.Cost)))
	default:
		cost = fmt.Sprintf("Whether a case of the explorer costs anything against the rules is not shown: %s rupees, the interval holds 0.", rupees(c.Cost))
	}
	if c.From.Value == nil {
		return []string{fmt.Sprintf("From how many cases on the model beats the rules is not known: %s.", c.From.Why), cost}
	}
	out := []string{fmt.Sprintf("From %s explored cases on, of the numbers tried, the model beats the rules.", report.Count(int64(*c.From.Value))), cost}
	if c.Repaid.Value != nil && *c.Repaid.Value > 0 {
		out = append(out, fmt.Sprintf("What exploring so many cost is earned back after %s cases of the model.", report.Count(int64(*c.Repaid.Value))))
	}
	return out
}
