package experiment

import (
	"fmt"

	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
)

func (c *Curve) section() report.Section {
	t := report.Table{Caption: fmt.Sprintf("Models of as many of the explorer's cases, in %d worlds; rupees a case. Of 0 cases: every retry has one chance in two, nobody pays by himself, and the engine does the rest.", c.Seeds),
		Head: []string{"cases learned from", "by the night"}}
	for _, o := range c.Over {
		t.Head = append(t.Head, "model - "+armTitle[o.Arm], "p", "customers of whom more, less was recovered", "p, sign test", "what exploring them cost against it, rupees")
	}
	refusals := report.Table{Caption: "Why the night refused them.", Head: []string{"cases", "what each slice lacks"}}
	for _, p := range c.Points {
		word := "accepted"
		switch {
		case p.Cases == 0:
			word = "–"
		case p.Why != "":
			word = "refused"
			refusals.Rows = append(refusals.Rows, []string{count(p.Cases), p.Why})
		}
		row := []string{count(p.Cases), word}
		for _, o := range p.Over {
			row = append(row, rupees(o.Net), pText(o.Test.P), report.Count(o.Test.Ahead)+", "+report.Count(o.Test.Behind), pText(o.Test.Sign), rupees(o.Spent))
		}
		t.Rows = append(t.Rows, row)
	}
	out := report.Section{ID: "curve", Title: "How much must be explored", Text: c.says(), Tables: []report.Table{t}}
	for k := range c.Over {
		out.Pictures = append(out.Pictures, forest(c.pairs(k)))
	}
	if len(refusals.Rows) > 0 {
		out.Tables = append(out.Tables, refusals)
	}
	return out
}

// pairs are the points against an arm as differences, to be drawn.
func (c *Curve) pairs(k int) (out []Pair) {
	for _, p := range c.Points {
		out = append(out, Pair{A: Model + " of " + count(p.Cases), B: c.Over[k].Arm, Difference: Measures{Net: p.Over[k].Net}})
	}
	return out
}

// says tells of each arm from where on the model beats it and what exploring costs.
func (c *Curve) says() (out []string) {
	for k := range c.Over {
		out = append(out, c.saysOf(k)...)
	}
	if refused := c.refused(); refused > 0 {
		out = append(out, fmt.Sprintf("Of %s cases or fewer a night makes no model: it has too few rows to calibrate and to judge it, and goes on without one. Below that stand bare models, fitted all the same, uncalibrated and unjudged.", count(refused)))
	}
	return out
}

func (c *Curve) saysOf(k int) (out []string) {
	o := &c.Over[k]
	what, cases := armTitle[o.Arm], func(e report.Estimate) string { return report.Count(int64(*e.Value)) }
	short := "it does already when nothing is learned"
	switch {
	case o.Short.Value != nil && *o.Short.Value > 0:
		short = fmt.Sprintf("of %s it is not shown to", cases(o.Short))
	case o.Short.Value != nil:
		short = "when nothing is learned it is not shown to"
	}
	switch {
	case o.From.Value == nil:
		out = append(out, fmt.Sprintf("From how many explored cases on the model beats the arm %q is not known: %s.", what, o.From.Why))
	case o.Bare.Value != nil && *o.Bare.Value > 0:
		out = append(out, fmt.Sprintf("The model beats the arm %q at every number of explored cases that a night accepts, from %s on, and a bare model does from %s on; %s.", what, cases(o.From), cases(o.Bare), short))
	default:
		out = append(out, fmt.Sprintf("From %s explored cases on, of the numbers that were tried, the model beats the arm %q; %s.", cases(o.From), what, short))
	}
	switch paired.Above(o.Cost) {
	case 1:
		out = append(out, fmt.Sprintf("Against it a case of the explorer costs %s rupees.", rupees(o.Cost)))
	case -1:
		out = append(out, fmt.Sprintf("Exploring costs nothing against it: a case of the explorer brings %s rupees more.", rupees(negative(o.Cost))))
	default:
		out = append(out, fmt.Sprintf("Whether a case of the explorer costs anything against it is not shown: %s rupees, the interval holds 0.", rupees(o.Cost)))
	}
	if o.Repaid.Value != nil && *o.Repaid.Value > 0 {
		out = append(out, fmt.Sprintf("What exploring so many cost is earned back after %s cases of the model.", cases(o.Repaid)))
	}
	return out
}

// refused is the largest number that a night refused; 0 = none.
func (c *Curve) refused() (most int) {
	for _, p := range c.Points {
		if p.Why != "" && p.Cases > 0 {
			most = max(most, p.Cases)
		}
	}
	return most
}
