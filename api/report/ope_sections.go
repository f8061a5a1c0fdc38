package report

import "fmt"

// weightsSection shows how far the log carries each policy.
func weightsSection(b *Bracket) section {
	s := section{ID: "weights", Nav: "Weights and overlap", Title: "Weights and overlap"}
	t := &table{Caption: "Weights: target probability over propensity. Right propensities and full support make the mean 1. From the model alone: what the reward model by itself says, as a share of the doubly robust value; above 100 % the rows that match correct it downward, far from 100 % the value rests on them and not on the model", Words: 2,
		Head: []string{"policy", "light", "weights worth", "share", "largest", "its share", "mean", "z of the mean", "unsupported", "rows that match", "from the model alone", "free choice elsewhere"}}
	for i := range b.Lines {
		l := &b.Lines[i]
		t.Rows = append(t.Rows, []string{l.Policy, l.Light, number(l.ESS), fixed(100*l.ESSFraction, 1) + " %", number(l.MaxWeight), fixed(100*l.MaxShare, 1) + " %", fixed(l.MeanWeight, 3),
			estimateShort(l.MeanZ), fixed(100*l.Unsupported, 2) + " %", count(l.Matched), percentWhy(l.FromModel), percentWhy(l.Elsewhere)})
	}
	s = with(s, part{Table: t})
	for _, name := range shownPolicies(b) {
		l := b.Line(name)
		s = with(s, part{Heading: title(name), Text: lightSays(l), Figure: &figure{Title: "Weights of " + name, drawing: weightHistogram(l),
			Guide: "Rows by the logarithm of their weight; rows of weight 0, where the policy would have done something else, are left out. Few rows far to the right mean that few rows decide."}})
		if t := carriedTable(b, name); t != nil {
			s = with(s, part{Table: t, Folded: "Overlap of " + name + " by arm and segment"})
		}
	}
	o := &table{Caption: "By kind of action: rows that allowed it, that did it, and that each policy wants", Words: 1, Head: []string{"action", "offered", "done", "mean propensity", "least"}}
	for i, x := range b.Overlap {
		row := []string{x.Kind, count(x.Offered), count(x.Logged), estimate(x.Propensity), estimateShort(x.Least)}
		for _, w := range x.Wanted {
			if i == 0 {
				o.Head = append(o.Head, "wanted by "+w.Policy)
			}
			row = append(row, number(w.Rows))
		}
		o.Rows = append(o.Rows, row)
	}
	s = with(s, part{Heading: "Overlap", Figure: &figure{Title: "Done and wanted", drawing: overlapBars(b.Overlap),
		Guide: "Where a policy wants much and little was done, its value rests on few rows."}}, part{Table: o})
	var never []string
	for _, n := range b.Never {
		never = append(never, fmt.Sprintf("%s wants %s in %s rows of %s; nobody ever did it there", n.Policy, n.Kind, number(n.Rows), n.Segment))
	}
	if len(never) == 0 {
		never = []string{"nothing: whatever a policy wants was done somewhere in its class"}
	}
	return with(s, part{Heading: "Never tried", List: never})
}

// carriedTable shows a policy's weights by arm and segment; nil = there is none.
func carriedTable(b *Bracket, policy string) *table {
	for _, c := range b.Carried {
		if c.Policy != policy || len(c.Parts) == 0 {
			continue
		}
		t := &table{Caption: "How far the log carries " + policy + " in each arm and segment of 50 rows and more. Of the weight: beside the part's share of the rows it says where the value comes from. Least: the rarest of what the policy wants there", Words: 2,
			Head: []string{"by", "level", "rows", "rows that match", "weights worth", "of the weight", "largest", "least", "unsupported"}}
		for _, p := range c.Parts {
			worth := number(p.ESS)
			if p.ESS < 100 || p.ESS < .05*float64(p.Rows) {
				worth += ", cannot tell"
			}
			t.Rows = append(t.Rows, []string{p.By, p.Level, count(p.Rows), count(p.Matched), worth, fixed(100*p.Share, 1) + " %", number(p.MaxWeight), estimateShort(p.Least), fixed(100*p.Unsupported, 2) + " %"})
		}
		return t
	}
	return nil
}

// shownPolicies are those that a reader looks at closely: the engines', each as the
// log can tell of it.
func shownPolicies(b *Bracket) (out []string) {
	if len(b.Overlap) > 0 {
		for _, w := range b.Overlap[0].Wanted {
			out = append(out, w.Policy)
		}
	}
	return out
}

func lightSays(l *Line) string {
	if len(l.Why) == 0 {
		return "Light: " + l.Light + "."
	}
	return "Light: " + l.Light + ", because " + Because(l.Why) + "."
}

// segmentsSection shows where the focus loses.
func segmentsSection(b *Bracket) section {
	s := section{ID: "segments", Nav: "Segments", Title: "Where it gains and loses"}
	g := b.Segments
	if len(g.Of) == 0 {
		return with(s, part{Text: "No segment is large enough."})
	}
	if g.Looks == 0 {
		s = with(s, part{Text: "The log cannot tell of any segment: nowhere are the weights worth enough."})
	}
	t := &table{Caption: fmt.Sprintf("%s less the incumbent, losing segments first. Each interval is widened so that all %d hold together (Bonferroni). Where the weights are worth fewer than 100 rows or less than 5 %% of them, the log cannot tell", title(g.Policy), g.Looks), Words: 2,
		Head: []string{"by", "level", "rows", "net rupees a case", "weights worth"}}
	var rows []forestRow
	for _, x := range g.Of {
		said := estimate(x.Minus)
		if x.Reason != "" {
			said = "cannot tell"
		}
		t.Rows = append(t.Rows, []string{x.By, x.Level, count(x.Minus.N), said, number(x.ESS)})
		rows = append(rows, forestRow{Label: x.By + ": " + x.Level, Value: x.Minus, Note: said})
	}
	if l := b.Line(g.Policy); l != nil && l.red() {
		s = with(s, part{Text: "The light of " + g.Policy + " is red: the log cannot tell as a whole, and less so in parts."})
	}
	return with(s, part{Figure: &figure{Title: title(g.Policy) + " by segment", drawing: forest(rows, "rupees a case less the incumbent", "Net rupees a case of "+g.Policy+" less the incumbent by segment, losing ones first."),
		Guide: "Grey intervals hold 0. A segment that loses is shown first, and none is left out for losing."}}, part{Table: t})
}

// sensitivitySection asks how much hangs on choices that nobody can check.
func sensitivitySection(b *Bracket) section {
	s := section{ID: "sensitivity", Nav: "Sensitivity", Title: "How much hangs on choices"}
	for _, name := range shownPolicies(b) {
		l := b.Line(name)
		if l.red() {
			s = with(s, part{Heading: title(name), Text: "Cannot tell: " + Because(l.Why) + "."})
			continue
		}
		s = with(s, part{Heading: title(name), Figure: &figure{Title: "Taming large weights, " + name, drawing: sweepPlot(l),
			Guide: "The whole sweep, so that nobody needs to trust one pick. To the left large weights count for less: less noise, more of the reward model. Where the line bends, the answer depends on the choice."}})
		t := &table{Caption: "Under each setting, net rupees a case", Words: 1, Head: []string{"weights", "lambda", "value", "rows it changes"}}
		for _, x := range l.Sweep {
			lambda, bound := none, none
			if x.Lambda != nil {
				lambda, bound = setting(*x.Lambda), count(x.Bound)
				if x.Bound == 0 {
					bound = "0: it does nothing"
				}
			}
			t.Rows = append(t.Rows, []string{x.Kind, lambda, estimateShort(x.Value), bound})
		}
		w := &table{Caption: "If every propensity were wrong by up to a factor, in the worst arrangement, net rupees a case", Words: 1, Head: []string{"factor", "from", "to"}}
		for _, x := range l.Wrong {
			if x.Lo != nil {
				w.Rows = append(w.Rows, []string{setting(x.Factor), number(*x.Lo), number(*x.Hi)})
			}
		}
		s = with(s, part{Table: t, Folded: "Every setting"}, part{Table: w})
	}
	t := &table{Caption: "If a payment counted only within so many days after the decision", Words: 1, Head: []string{"policy", "days", "net rupees a case", "less the incumbent"}}
	for _, x := range b.Windows {
		net, minus := estimateShort(x.Net), estimateShort(x.Minus)
		if l := b.Line(x.Policy); l != nil {
			net, minus = told(l, x.Net), told(l, x.Minus)
		}
		t.Rows = append(t.Rows, []string{x.Policy, fmt.Sprint(x.Days), net, minus})
	}
	return with(s, part{Heading: "The reward's window", Table: t})
}

// sequenceSection values whole policies.
func sequenceSection(b *Bracket) section {
	s := section{ID: "sequence", Nav: "Sequences", Title: "Policies as sequences of attempts"}
	if b.Sequence == nil {
		return with(s, part{Text: "Not assessed: " + b.SequenceWhy + "."})
	}
	q := b.Sequence
	s = with(s, part{Text: fmt.Sprintf("%s: %s cases, at most %d decisions each. The weight of a case is the product, over its decisions so far, of how likely the policy is to do what was done over how likely it was: it shrinks to 0 or grows with every decision, so far fewer cases count than above.", title(q.Says), count(q.Episodes), q.Horizon)})
	t := &table{Caption: "Net rupees a case, every decision by the policy", Words: 2, Head: []string{"policy", "light", "dr", "wdr", "pdis", "wpdis", "weights worth after 1", "after 2", "after 3"}}
	for _, l := range q.Lines {
		row := []string{l.Policy, l.Light}
		for _, name := range []string{"dr", "wdr", "pdis", "wpdis"} {
			e := Unknown("not computed")
			for _, n := range l.Estimators {
				if n.Name == name {
					e = n.Value
				}
			}
			said := estimateShort(e)
			if l.Light == "red" {
				said = "cannot tell"
			}
			row = append(row, said)
		}
		for k := range 3 {
			ess := none
			if k < len(l.Steps) {
				ess = number(l.Steps[k].ESS)
			}
			row = append(row, ess)
		}
		t.Rows = append(t.Rows, row)
	}
	return with(s, part{Table: t})
}

// rewardSection is the card of the reward models.
func rewardSection(b *Bracket) section {
	s := section{ID: "reward", Nav: "Reward model", Title: "The reward model"}
	s = with(s, part{Text: "A doubly robust estimate is right when either the propensities or the reward model are; the better the model, the narrower the interval. Each customer is predicted by a model of the others (five folds). The one with the least squared error serves."})
	t := &table{Caption: "Graded on what was done", Words: 2, Head: []string{"model", "used", "rows", "Brier", "skill over the base rate", "ROC AUC", "root mean squared error, rupees"}, Notes: []string{}}
	by := &table{Caption: "Calibration by action of the one in use", Words: 1, Head: []string{"action", "rows", "predicted", "paid"}}
	for _, g := range b.Rewards {
		if g.NotAssessed != "" {
			t.Rows, t.Notes = append(t.Rows, []string{g.Name, "no", none, none, none, none, none}), append(t.Notes, "Not made: "+g.NotAssessed)
			continue
		}
		t.Rows, t.Notes = append(t.Rows, []string{g.Name, yesNo(g.Used), count(g.Rows), estimate(g.Brier), percent(g.Skill), estimateShort(g.AUC), estimate(g.RMSE)}), append(t.Notes, g.Says)
		if g.Used {
			for _, a := range g.ByAction {
				by.Rows = append(by.Rows, []string{a.Action, count(a.Rate.N), fixed(a.MeanP, 3), estimate(a.Rate)})
			}
		}
	}
	return with(s, part{Table: t}, part{Table: by})
}
