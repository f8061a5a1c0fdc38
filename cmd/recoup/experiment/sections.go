package experiment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"recoup/api/report"
)

// sections lays the report out, for Markdown and HTML alike.
func (r *Report) sections() []report.Section {
	out := []report.Section{r.headlineSection(), r.differenceSection(), r.attributionSection(), r.economySection(), r.timingSection()}
	if len(r.Choosing.Lines) > 0 {
		out = append(out, r.Choosing.section())
	}
	if len(r.Curve.Points) > 0 {
		out = append(out, r.Curve.section())
	}
	for i := range r.Elsewhere {
		out = append(out, r.Elsewhere[i].section())
	}
	if r.Tuning.Chosen != nil {
		out = append(out, r.tuningSection())
	}
	out = append(out, r.segmentSection(), r.gainSection())
	if len(r.Moved) > 0 {
		out = append(out, r.movedSection())
	}
	out = append(out, r.worldSection(), r.lawSection(), r.refusalSection())
	if len(r.Ablation) > 0 {
		out = append(out, r.ablationSection())
	}
	return append(out, r.noteSection())
}

// armTable is a line for each arm.
func armTable(caption string, arms []ArmLine) report.Table {
	t := report.Table{Caption: caption, Head: []string{"arm", "recovered", "recovered money", "cost", "net", "net a case", "retries", "wasted", "hopeless", "halted", "their monthly value", "refusals a case", "breaches of law", "of terms"}}
	for _, a := range arms {
		c := a.Totals
		t.Rows = append(t.Rows, []string{armTitle[a.Arm], a.Share.Percent(), money(c.Recovered), money(c.Cost), money(a.Net), rupees(a.Measures.Net),
			count(c.Retries), ratio(c.Wasted, c.Retries), count(c.Hopeless), count(c.Halted), money(a.Unpaid), a.Measures.Refused.Text(), count(c.Law), count(c.Terms)})
	}
	return t
}

func (r *Report) headlineSection() report.Section {
	t := armTable(fmt.Sprintf("%s cases of %s customers in %d worlds; money in rupees. Net = recovered minus costs.", count(r.Setting.Cases), count(r.Setting.Customers), r.Setting.Seeds), r.Arms)
	by := report.Table{Caption: "How the recovered cases were paid, and what else was done.",
		Head: []string{"arm", "by retry", "by the customer", "by late authorisation", "contacts", "escalations", "debited twice and refunded", "decisions"}}
	for _, a := range r.Arms {
		c := a.Totals
		by.Rows = append(by.Rows, []string{armTitle[a.Arm], count(a.By["retry"]), count(a.By["customer"]), count(a.By["late_authorisation"]),
			count(c.Contacts), count(c.Escalations), count(c.Doubles), count(c.Decisions)})
	}
	s := report.Section{ID: "arms", Title: "The arms", Tables: []report.Table{t, by}}
	for _, a := range r.Absent {
		s.Text = append(s.Text, fmt.Sprintf("Not assessed: %s: %s.", armTitle[a.Arm], strings.TrimSuffix(a.Why, ".")))
	}
	return s
}

func (r *Report) differenceSection() report.Section {
	return report.Section{ID: "differences", Title: "Differences on the same cases", Pictures: []string{forest(r.Pairs)},
		Text:   []string{"The first arm minus the second, case by case, with 95 % intervals by customer. An interval that holds 0 shows no difference."},
		Tables: []report.Table{{Caption: "A case, unless it is a share.", Head: differenceHead("arms"), Rows: pairRows(r.Pairs)}}}
}

func differenceHead(first string) []string {
	return []string{first, "net, rupees", "recovered, points", "retries", "wasted", "halted, points", "refusals", "breaches of law", "p of net", "customers of whom more, less was recovered", "p, sign test"}
}

func pairRows(pairs []Pair) (rows [][]string) {
	for _, p := range pairs {
		rows = append(rows, append([]string{p.A + " - " + p.B}, p.cells()...))
	}
	return rows
}

// cells are those of differenceHead.
func (p *Pair) cells() []string {
	t := &p.Test
	return append(p.Difference.cells(), pText(t.P), report.Count(t.Ahead)+", "+report.Count(t.Behind), pText(t.Sign))
}

// cells are the measures in the order of differenceHead.
func (m Measures) cells() []string {
	return []string{rupees(m.Net), m.Recovered.Percent(), m.Retries.Text(), m.Wasted.Text(), m.Halted.Percent(), m.Refused.Text(), m.Law.Text()}
}

func (r *Report) attributionSection() report.Section {
	t := report.Table{Caption: "Order: " + r.Attribution.Order + ".", Head: append([]string{"step"}, differenceHead("from - to")...)}
	for _, s := range r.Attribution.Steps {
		t.Rows = append(t.Rows, append([]string{s.Name + ": " + s.What, s.A + " - " + s.B}, s.cells()...))
	}
	total := r.Attribution.Total
	t.Rows = append(t.Rows, append([]string{"all", total.A + " - " + total.B}, total.cells()...))
	return report.Section{ID: "attribution", Title: "What refusing, timing, reckoning, learning and exploring are worth", Tables: []report.Table{t},
		Text: []string{"The gain over the ladder, taken apart by switching one thing at a time. The steps add up; in another order they would share the gain otherwise."}}
}

func (r *Report) gainSection() report.Section {
	t := report.Table{Caption: "By class of the first failure, most to gain first; rupees a case.",
		Head: []string{"class", "cases", "rules, net", "model - rules", "oracle - rules", "share of the oracle's gain", "what a model would have to know"}}
	for _, c := range r.Classes {
		t.Rows = append(t.Rows, []string{className(c.Class), report.Count(c.Cases), rupees(c.Rules), rupees(c.Model), rupees(c.Oracle), c.Share.Percent(), c.Needs})
	}
	return report.Section{ID: "gain", Title: "Where there is something to gain", Tables: []report.Table{t},
		Text: []string{"What one who knows the truth would gain over the rules inside the gate, and how much of it the model has."}}
}

func (r *Report) lawSection() report.Section {
	t := report.Table{Caption: "Debits by the rule that they break.", Head: append([]string{"rule", "kind"}, append(r.names(), "for example")...)}
	for _, b := range r.Breaches {
		row := []string{b.Rule, []string{"law", "terms"}[order(b.Terms)]}
		for _, a := range r.names() {
			row = append(row, count(b.Arms[a]))
		}
		t.Rows = append(t.Rows, append(row, b.Example))
	}
	s := report.Section{ID: "law", Title: "Breaches", Text: []string{"Counted on the log's rows by code of its own, which judges by what was known when a debit was presented."}}
	if len(t.Rows) == 0 {
		s.Text = append(s.Text, "No debit of any arm breaks a rule.")
		return s
	}
	s.Tables = []report.Table{t}
	return s
}

func (r *Report) refusalSection() report.Section {
	t := report.Table{Caption: "Decisions in which the rule refused something; the first rule that refuses a candidate counts.", Head: append([]string{"rule"}, r.names()[1:]...)}
	for _, c := range r.Refusals {
		row := []string{c.Rule}
		for _, a := range r.names()[1:] {
			row = append(row, count(c.Arms[a]))
		}
		t.Rows = append(t.Rows, row)
	}
	return report.Section{ID: "refusals", Title: "What the gate refused", Tables: []report.Table{t}}
}

func (r *Report) ablationSection() report.Section {
	s := report.Section{ID: "ablation", Title: "Without a rule",
		Text: []string{"Each rule of the gate switched off alone: the arm without the rule minus the arm with it, on the same cases."}}
	for n, a := range r.Ablation[0].Arms {
		t := report.Table{Caption: armTitle[a.Arm] + ".", Head: append(differenceHead("without")[:8], "breaches of law then")}
		for _, line := range r.Ablation {
			t.Rows = append(t.Rows, append(append([]string{line.Rule}, line.Arms[n].Difference.cells()...), strconv.Itoa(line.Arms[n].Totals.Law)))
		}
		s.Tables = append(s.Tables, t)
	}
	return s
}

func (r *Report) noteSection() report.Section {
	t := r.Setting
	return report.Section{ID: "notes", Title: "What to know", Text: append(slices.Clone(r.Notes),
		fmt.Sprintf("Played: %d worlds of %d cases in %d months from %s; policy %s, gate %s, model %s, learned from %s cases of world %d by the explorer.",
			t.Seeds, t.PerSeed, t.Months, report.When(t.Start), t.PolicyID, t.Gate, t.ModelID, count(t.TrainCases), t.TrainSeed))}
}

// names are the arms that were played, the ladder outside the gate first.
func (r *Report) names() (out []string) {
	for _, a := range r.Arms {
		out = append(out, a.Arm)
	}
	return out
}

func count(n int) string { return report.Count(int64(n)) }
