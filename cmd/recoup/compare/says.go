package compare

import (
	"fmt"

	"recoup/api/report"
)

// says is what came out in sentences; they follow from the figures.
func (r *Report) says() (out []string) {
	find := func(s *Shift, hand string) *Line {
		for i := range s.Lines {
			if s.Lines[i].Hand == hand {
				return &s.Lines[i]
			}
		}
		return nil
	}
	first, last := &r.Shifts[0], &r.Shifts[len(r.Shifts)-1]
	for _, hand := range []string{Flat, Bandit, LogisticT, Model} {
		a, b := find(first, hand), find(last, hand)
		if a == nil || b == nil || a.Over.Value == nil {
			continue
		}
		text := fmt.Sprintf("The %s recovers %s where the world is as before, %s at shift %g", hand, against(a.Over), against(b.Over), last.Shift)
		for _, c := range r.Crossing {
			if c.Hand != hand {
				continue
			}
			switch {
			case c.From == nil:
				text += "; it never crosses them"
			case c.Sure == nil:
				text += fmt.Sprintf("; by the mean it is above them from shift %g on, for sure at none", *c.From)
			default:
				text += fmt.Sprintf("; by the mean it is above them from shift %g on, for sure from %g on", *c.From, *c.Sure)
			}
		}
		out = append(out, text+".")
	}
	if a, b := find(first, Tuned), find(first, Oracle); a != nil && b != nil && b.Over.Value != nil {
		out = append(out, fmt.Sprintf("Who knew every true chance would recover %s where the world is as before.", against(b.Over)))
	}
	if l := find(first, Ladder); l != nil && l.Over.Value != nil {
		out = append(out, fmt.Sprintf("The fixed ladder recovers %s there; each hand has %s.", against(l.Over), retries(r.Setting.Attempts)))
	}
	return out
}

func retries(n int) string {
	if n == 1 {
		return "one retry a case"
	}
	return fmt.Sprintf("%d retries a case", n)
}

// against says how a difference of recovery stands to the tuned rules.
func against(e report.Estimate) string {
	v, word := *e.Value*100, "more"
	if v < 0 {
		v, word = -v, "fewer"
	}
	text := fmt.Sprintf("%.1f points %s of the cases than the tuned rules", v, word)
	if e.Lo == nil || e.Hi == nil {
		return text
	}
	text += fmt.Sprintf(" (95 %% interval %+.1f to %+.1f", *e.Lo*100, *e.Hi*100)
	if *e.Lo <= 0 && *e.Hi >= 0 {
		text += ", so perhaps nothing"
	}
	return text + ")"
}

// about says what each hand is.
var about = map[string]string{
	Ladder: "a day after the failure", Rules: "the common pay days, written by hand", Tuned: "the best step of a 6 h grid over 14 days for each class, part of the pay cycle and attempt, tuned in the world before",
	Flat: "Beta-Bernoulli Thompson, a cell for each class, part of the cycle, attempt and bank, Beta(1,1) in each, arms are delays", Cold: "as the bandit below, but it begins with nothing",
	Bandit: "Beta-Bernoulli Thompson, cells borrow from their parents, arms are parts of the month, begins with what the world before showed", LogisticT: "Thompson with a logistic posterior on top of the model",
	Model: "the highest expected value, trained on the log of the world before", Oracle: "knows every true chance",
}

// sections are the same for HTML and Markdown.
func (r *Report) sections() []report.Section {
	hands := report.Table{Caption: "Who chooses", Head: []string{"hand", "what it does"}}
	for _, l := range r.Shifts[0].Lines {
		hands.Rows = append(hands.Rows, []string{l.Hand, about[l.Hand]})
	}
	over := report.Table{Caption: "Recovery less that of the tuned rules, in points, with 95 % intervals over worlds, paired", Head: []string{"hand"}}
	level := report.Table{Caption: "Share of the cases that were paid within 21 days", Head: []string{"hand"}}
	regret := report.Table{Caption: "Regret a decision: the true worth of the best slot less that of the chosen one", Head: []string{"hand"}}
	waste := report.Table{Caption: "Retries, and those that did not capture", Head: []string{"hand"}}
	tables := []*report.Table{&over, &level, &regret, &waste}
	for h, l := range r.Shifts[0].Lines {
		for _, t := range tables {
			t.Rows = append(t.Rows, []string{l.Hand})
		}
		for i := range r.Shifts {
			x := &r.Shifts[i].Lines[h]
			over.Rows[h] = append(over.Rows[h], points(x.Over))
			level.Rows[h] = append(level.Rows[h], points(x.Recovery))
			regret.Rows[h] = append(regret.Rows[h], x.Regret.Text())
			waste.Rows[h] = append(waste.Rows[h], report.Count(x.Retries)+", "+report.Count(x.Wasted))
		}
	}
	for i := range r.Shifts {
		for _, t := range tables {
			t.Head = append(t.Head, fmt.Sprintf("shift %g", r.Shifts[i].Shift))
		}
	}
	cross := report.Table{Caption: "The smallest shift at which a hand recovers more than the tuned rules", Head: []string{"hand", "by the mean", "for sure"}}
	for _, c := range r.Crossing {
		if c.Hand != Tuned && c.Hand != Oracle {
			cross.Rows = append(cross.Rows, []string{c.Hand, orNone(c.From), orNone(c.Sure)})
		}
	}
	curve := report.Section{ID: "learning", Title: "While they learn", Text: []string{"Regret so far, a world: what the choices until then have cost in recovered cases against the best slot of each. A line that bends is a hand that learns."}}
	for _, i := range []int{0, len(r.Shifts) - 1} {
		curve.Pictures = append(curve.Pictures, r.regretPicture(&r.Shifts[i]))
		t := report.Table{Caption: fmt.Sprintf("Recovery by tenths of the cases, in the order in which they failed, at shift %g", r.Shifts[i].Shift), Head: []string{"hand"}}
		for part := range parts {
			t.Head = append(t.Head, fmt.Sprintf("%d", part+1))
		}
		for _, l := range r.Shifts[i].Lines {
			row := []string{l.Hand}
			for _, p := range l.Curve {
				row = append(row, points(p.Recovery))
			}
			t.Rows = append(t.Rows, row)
		}
		curve.Tables = append(curve.Tables, t)
	}
	s := r.Setting
	return []report.Section{
		{ID: "recovery", Title: "What each hand recovers", Pictures: []string{r.overPicture()}, Tables: []report.Table{over, cross, level}},
		curve,
		{ID: "regret", Title: "Regret and retries", Tables: []report.Table{regret, waste}},
		{ID: "how", Title: "How it was played", Tables: []report.Table{hands}, Text: []string{
			fmt.Sprintf("%d worlds at each shift with %s failed charges over %d months each; the seeds are the same at every shift. The world before had %s.", s.Seeds, report.Count(int64(s.Cases)), s.Months, report.Count(int64(s.TuneCases))),
			"All hands stand at the same gate and face the same cases with the same dice. The gate and the rules arm say whether a case may be retried; the hand says when, and has " + retries(s.Attempts) + ". After that comes a payment link where one is allowed.",
			"A shift of 1 takes pay days into the month, lets balances drain in half the time, brings three times the outages and takes four tenths of the customers' own payments away; between, everything moves on a straight line. All of it is assumption.",
			fmt.Sprintf("The tuned rules were told the true worth of every slot in the world before (%d cells), which is more than anybody knows who tunes by hand. The bandit begins with at most %g trials of that world; the bandits learn each midnight from the cases whose 21 days are over, and from no other.", s.Tuned, s.Known),
		}},
	}
}

func points(e report.Estimate) string {
	if e.Value == nil {
		return e.Text()
	}
	if e.Lo == nil || e.Hi == nil {
		return fmt.Sprintf("%.1f", *e.Value*100)
	}
	return fmt.Sprintf("%.1f [%.1f, %.1f]", *e.Value*100, *e.Lo*100, *e.Hi*100)
}

func orNone(v *float64) string {
	if v == nil {
		return "none"
	}
	return fmt.Sprintf("%g", *v)
}

const title = "Bandits, rules and model in worlds that move"

func (r *Report) lead() string {
	return fmt.Sprintf("%s cases at each of %d distances from the world that everybody was tuned on.", report.Count(r.Shifts[0].Cases), len(r.Shifts))
}
