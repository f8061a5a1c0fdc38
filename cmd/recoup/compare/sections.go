package compare

import (
	"fmt"

	"recoup/api/report"
)

// about says what each hand is.
var about = map[string]string{
	Ladder: "a day after the failure", Rules: "the common pay days, written by hand", Tuned: "the best step of a 6 h grid over 14 days for each class, part of the pay cycle and attempt, tuned in the world before",
	OwnDay: "the tuned rules, but on the customer's own pay day where his payments have shown it: the first slot after noon of that day, or of the next", Anew: "the grid of the tuned rules, tuned again in a world that has moved as far: for judging alone",
	Flat: "Beta-Bernoulli Thompson, a cell for each class, part of the cycle, attempt and bank, Beta(1,1) in each, arms are delays", Calendar: "Beta-Bernoulli Thompson, cells borrow from their parents, arms are parts of the month, begins with what the world before showed",
	Cold:   "as the bandit below, but it begins with nothing",
	Bandit: "Beta-Bernoulli Thompson, cells borrow from their parents, two arms: the tuned rules' slot and the own pay day's; begins with what the world before showed", LogisticT: "Thompson with a logistic posterior on top of the model, to which the slots of the tuned rules and the own pay day are inputs; begins with what the world before showed",
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
	chance := report.Table{Caption: "True chance of the chosen slots less that of the tuned rules', points a case, paired: free of the luck of what was paid; customers' own payments are not in it", Head: []string{"hand"}}
	when := report.Table{Caption: "The month from which on a hand is ahead of the tuned rules in every month, and the one by which what it lost is made good", Head: []string{"hand"}}
	regret := report.Table{Caption: "Regret a decision: the true worth of the best slot less that of the chosen one", Head: []string{"hand"}}
	waste := report.Table{Caption: "Retries, and those that did not capture", Head: []string{"hand"}}
	tables := []*report.Table{&over, &chance, &when, &level, &regret, &waste}
	for h, l := range r.Shifts[0].Lines {
		for _, t := range tables {
			t.Rows = append(t.Rows, []string{l.Hand})
		}
		for i := range r.Shifts {
			x := &r.Shifts[i].Lines[h]
			over.Rows[h] = append(over.Rows[h], points(x.Over))
			chance.Rows[h] = append(chance.Rows[h], points(x.Chance))
			when.Rows[h] = append(when.Rows[h], month(x.Ahead)+", "+month(x.Even))
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
	cross := report.Table{Caption: "The shift from which on a hand recovers more than the tuned rules", Head: []string{"hand", "by what was paid, mean", "for sure", "by true chance, mean", "for sure"}}
	for _, c := range r.Crossing {
		if c.Hand != Oracle {
			cross.Rows = append(cross.Rows, []string{c.Hand, orNone(c.From), orNone(c.Sure), orNone(c.FromChance), orNone(c.SureChance)})
		}
	}
	s := r.Setting
	learning := r.learning()
	return []report.Section{
		{ID: "recovery", Title: "What each hand recovers", Pictures: []string{r.overPicture()}, Tables: []report.Table{over, cross, chance, level}},
		learning,
		{ID: "regret", Title: "Regret and retries", Tables: []report.Table{regret, waste}},
		{ID: "how", Title: "How it was played", Tables: []report.Table{hands}, Text: []string{
			fmt.Sprintf("%d worlds at each shift with %s failed charges over %d months each; the seeds are %d and up, the same at every shift. The settings of the bandits were chosen on other seeds (1001 and up, shifts 0, 0.2, 0.4 and 1), by true chances. The world before had %s.", s.Seeds, report.Count(int64(s.Cases)), s.Months, s.First, report.Count(int64(s.TuneCases))),
			"All hands stand at the same gate and face the same cases with the same dice. The gate and the rules arm say whether a case may be retried; the hand says when, and has " + retries(s.Attempts) + ". After that comes a payment link where one is allowed.",
			"A shift of 1 takes pay days into the month, lets balances drain in half the time, brings three times the outages and takes four tenths of the customers' own payments away; between, everything moves on a straight line. All of it is assumption.",
			fmt.Sprintf("The tuned rules were told the true worth of every slot in the world before (%d cells), which is more than anybody knows who tunes by hand. The bandits begin with what %s slots drawn by dice showed in a second world like that one, worth at most %g trials to a Beta bandit and %g to the logistic one; the flat and the cold one begin with nothing. All learn each midnight from the cases whose 21 days are over, and from no other.", s.Tuned, report.Count(int64(s.Trials)), s.Known, s.Corrected),
			"A gain in true chance is not all a gain in what is paid: in the days after pay customers pay by themselves more often too, and a retry then takes in part what would have come anyway. Where the two disagree, what was paid decides.",
			"The hand on the own pay day shows how much of what a bandit gains is knowledge that needs no bandit; the rules tuned anew show what the contexts of rules could teach anybody at that shift.",
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
