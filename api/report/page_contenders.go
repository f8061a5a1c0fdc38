package report

import "fmt"

// contendersSection sets the models that were judged side by side; empty where there was
// only one.
func contendersSection(r *Report) section {
	s := section{ID: "contenders", Nav: "Contenders", Title: "Contenders: who answers best on the same rows"}
	if len(r.Contenders) < 2 {
		return s
	}
	s = with(s, part{Text: judgeContender(r, &r.Contenders[1]).Says}, contendersTable(r), differenceFigure(r))
	for i := range r.Contenders {
		s = with(s, gainsFigure(&r.Contenders[i]), trialsTable(&r.Contenders[i]))
	}
	return s
}

// nameOf is a contender in words; the origin is said where it is not the night's.
func nameOf(c *Contender) string {
	if c.From == ThisNight {
		return c.Kind
	}
	return c.Kind + " (trained elsewhere)"
}

// judgeContender compares a contender with the first one.
func judgeContender(r *Report, c *Contender) verdict {
	v := verdict{About: nameOf(c) + " against the " + r.Contenders[0].Kind}
	if !c.OverFirst.ranged() {
		v.Tone, v.Says = open, "Not compared"+because(orElse(c.NotJudged, c.OverFirst.Why))+"."
		return v
	}
	gain := estimate(c.OverFirst) + fmt.Sprintf(" Brier points on the same rows (n = %s).", count(c.OverFirst.N))
	switch c.OverFirst.sign() {
	case 1:
		v.Tone, v.Says = good, "Better by "+gain
	case -1:
		v.Tone, v.Says = weak, "Worse: the gain is "+gain
	default:
		v.Tone, v.Says = weak, "Not distinguishable: the gain is "+gain
	}
	return v
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func contendersTable(r *Report) part {
	t := &table{Caption: "Test slice, the same rows for all", Words: 3,
		Head: []string{"model", "kind", "cure model", "Brier score", "log loss", "ROC AUC", "gain over the base rate", "gain over the " + r.Contenders[0].Kind, "what decides: gain over the " + r.Decision.Against}}
	for i := range r.Contenders {
		c := &r.Contenders[i]
		decides := estimate(c.Difference)
		switch {
		case c.NotJudged != "":
			decides = "not judged: " + c.NotJudged
		case c.Model == r.Decision.Challenger && r.Decision.Outcome == Promoted:
			decides += ", promoted"
		case c.Passed():
			decides += ", passes"
		}
		t.Rows = append(t.Rows, []string{c.Model, nameOf(c), c.Cure, estimate(c.Brier), estimate(c.LogLoss), estimate(c.AUC), estimate(c.OverBase), estimate(c.OverFirst), decides})
	}
	return part{Table: t}
}

func differenceFigure(r *Report) part {
	var rows []forestRow
	for i := range r.Contenders {
		if c := &r.Contenders[i]; c.OverFirst.known() {
			rows = append(rows, forestRow{nameOf(c), c.OverFirst, estimate(c.OverFirst)})
		}
	}
	if len(rows) == 0 {
		return part{}
	}
	return part{Figure: &figure{Title: "Against the " + r.Contenders[0].Kind,
		Guide:   "Brier score of the " + r.Contenders[0].Kind + " minus the model's own, row by row. To the right: better. Bars are 95 % intervals from draws of whole customers, the same draws for all; grey = the interval holds 0.",
		drawing: forest(rows, "Brier points", fmt.Sprintf("Paired differences. %s: %s.", rows[0].Label, rows[0].Note))}}
}

// shownGains is how many columns a picture shows.
const shownGains = 20

func gainsFigure(c *Contender) part {
	if len(c.Gains) == 0 {
		return part{}
	}
	n := min(len(c.Gains), shownGains)
	return part{Heading: "What is split on: " + nameOf(c), Figure: &figure{Title: fmt.Sprintf("The %d largest of %d columns with a split", n, len(c.Gains)),
		Guide:   "Share of the whole gain that the splits on a column brought in training. It says what the trees asked about, not what causes a capture; correlated columns share their gain.",
		drawing: gains(c.Gains[:n])}}
}

func trialsTable(c *Contender) part {
	t := &table{Caption: "Parameters tried, by log loss on the select slice", Words: 1, Head: []string{"", "leaves", "rows a leaf, at least", "learning rate", "L2", "share of columns a tree", "trees", "log loss"}}
	for _, x := range c.Trials {
		word := ""
		if x.Chosen {
			word = "chosen"
		}
		t.Rows = append(t.Rows, []string{word, count(int64(x.Leaves)), count(int64(x.MinRows)), setting(x.Rate), setting(x.L2), setting(x.Features), count(int64(x.Trees)), fixed(x.LogLoss, 5)})
	}
	return part{Table: t}
}
