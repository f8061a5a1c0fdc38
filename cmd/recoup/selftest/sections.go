package selftest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"recoup/api/report"
)

// sections lays the report out, for Markdown and HTML alike.
func (r *Report) sections() []report.Section {
	return []report.Section{r.verdictSection(), r.coverageSection(), r.targetSection(), r.armSection(), r.weekSection(), r.sequenceSection(), r.learnedSection(),
		{ID: "notes", Title: "What to know", Text: append(slices.Clone(r.Notes), r.played())}}
}

func (r *Report) played() string {
	s := &r.Setting
	return fmt.Sprintf("Played: %d logs of %d failed charges in %d months from %s (on average %.0f cases judged, of %.0f customers); the truth from %s cases in %d other worlds for each target; sequences from %d logs and %d other worlds, and a learning explorer from %d and %d, of %d failed charges; policy %s.",
		s.Seeds, s.Cases, s.Months, report.When(s.Start), s.Judged, s.Customers, report.Count(int64(s.Rolled)), s.Truth, s.Sequences, s.Sequences, s.Learned, s.Learned, s.SeqCases, s.PolicyID)
}

func (r *Report) verdictSection() report.Section {
	t := report.Table{Caption: "What must hold, and whether it does.", Head: []string{"criterion", "holds", "bar", "found"}}
	for _, c := range r.Criteria {
		holds := "not assessed"
		if c.Pass != nil {
			holds = map[bool]string{true: "yes", false: "no"}[*c.Pass]
		}
		t.Rows = append(t.Rows, []string{c.Name, holds, c.Bar, c.Found})
	}
	return report.Section{ID: "verdicts", Title: "Verdicts", Tables: []report.Table{t}}
}

func (r *Report) coverageSection() report.Section {
	t := report.Table{Caption: "DR over all logs: how many 95 % intervals by customer hold the truth, by light.",
		Head: []string{"target", "unit", "truth", "its SE", "mean DR", "bias, z", "SD of DR", "mean SE", "median error ratio", "green", "amber", "red", "bootstrap", "ESS/n", "mean DM"}}
	lights := report.Table{Caption: "Logs in which a signal raised a light.", Head: []string{"target", "unit", "signals"}}
	for i := range r.Coverage {
		c := &r.Coverage[i]
		t.Rows = append(t.Rows, []string{c.Target, c.Unit, number(&c.Truth, c.Unit), number(&c.TruthSE, c.Unit), number(c.MeanDR, c.Unit), decimal(c.Bias), number(c.SDDR, c.Unit),
			number(c.MeanSE, c.Unit), decimal(c.MedianRatio), c.Green.text(), c.Amber.text(), c.Red.text(), c.Bootstrap.text(), fmt.Sprintf("%.3f", c.ESS), number(c.MeanDM, c.Unit)})
		var said []string
		for _, s := range slices.Sorted(maps.Keys(c.Signals)) {
			said = append(said, fmt.Sprintf("%s %d", s, c.Signals[s]))
		}
		if len(said) > 0 {
			lights.Rows = append(lights.Rows, []string{c.Target, c.Unit, strings.Join(said, ", ")})
		}
	}
	return report.Section{ID: "coverage", Title: "Coverage", Pictures: []string{coverPicture(r.Coverage)}, Tables: []report.Table{t, lights},
		Text: []string{"An interval of 95 % must hold the truth in 95 of 100 logs. A red light means that the log cannot tell: no promise is made there, and nothing is promoted by it."}}
}

func (r *Report) targetSection() report.Section {
	t := report.Table{Caption: "Worth a case, from roll-outs in worlds of their own; 95 % by world.", Head: []string{"policy", "net rupees", "recovered", "what it does"}}
	for i := range r.Targets {
		p := &r.Targets[i]
		name := p.Name
		if name == "" {
			name = "logger"
		}
		t.Rows = append(t.Rows, []string{name, p.Net.Text(), p.Recovered.Percent(), p.Says})
	}
	alike := report.Table{Caption: "What the logger itself earned a case; 95 % by world.", Head: []string{"unit", "in the logs", "in the worlds of the roll-outs", "z"}}
	for i := range r.Loggers {
		l := &r.Loggers[i]
		show := report.Estimate.Text
		if l.Unit == recovered {
			show = report.Estimate.Percent
		}
		alike.Rows = append(alike.Rows, []string{l.Unit, show(l.Logs), show(l.Rolls), decimal(l.Z)})
	}
	return report.Section{ID: "targets", Title: "The policies and their true worth", Tables: []report.Table{t, alike}}
}

func (r *Report) armSection() report.Section {
	t := report.Table{Caption: "Share paid before the second decision; means over the logs, 95 % by their spread.", Head: []string{"arm", "its own cases", "as the others tell", "difference", "z", "logs", "red"}}
	for i := range r.Arms {
		a := &r.Arms[i]
		t.Rows = append(t.Rows, []string{a.Arm, a.Own.Percent(), a.Others.Percent(), a.Difference.Percent(), decimal(a.Z), fmt.Sprint(a.Logs), fmt.Sprint(a.Red)})
	}
	return report.Section{ID: "arms", Title: "Each arm from the others", Tables: []report.Table{t},
		Text: []string{"Each arm estimated from the cases of the other arms, doubly robust, against what it did on its own. The explorer draws what no other arm would do, so the others cannot tell its worth and must say so."}}
}

func (r *Report) weekSection() report.Section {
	t := report.Table{Caption: "Correlation over the weeks of estimate and realised share, all logs together.", Head: []string{"arm", "weeks", "DR", "IPW", "SNIPW", "DM"}}
	by := report.Table{Caption: "Week by week: realised, and told by DR.", Head: []string{"week"}}
	for i := range r.Weeks {
		w := &r.Weeks[i]
		t.Rows = append(t.Rows, []string{w.Arm, fmt.Sprint(w.Weeks), decimal(w.DR), decimal(w.IPW), decimal(w.SNIPW), decimal(w.DM)})
		by.Head = append(by.Head, w.Arm+", realised", w.Arm+", told")
	}
	for k := range weeks {
		row, any := []string{fmt.Sprint(k + 1)}, false
		for i := range r.Weeks {
			w := &r.Weeks[i]
			row, any = append(row, number(w.Real[k], recovered), number(w.Told[k], recovered)), any || w.Real[k] != nil
		}
		if any {
			by.Rows = append(by.Rows, row)
		}
	}
	return report.Section{ID: "weeks", Title: "Week by week", Tables: []report.Table{t, by}}
}

func (r *Report) sequenceSection() report.Section {
	t := report.Table{Caption: "The policy that goes on retrying, in logs of a hesitant explorer.",
		Head: []string{"unit", "truth", "its SE", "logger", "sequential DR", "its SE", "bias, z", "holds the truth", "one step", "its SE", "bias, z", "holds the truth", "ESS/n", "red logs", "most decisions"}}
	for i := range r.Sequences {
		s := &r.Sequences[i]
		t.Rows = append(t.Rows, []string{s.Unit, number(&s.Truth, s.Unit), number(&s.TruthSE, s.Unit), number(&s.Logged, s.Unit), number(s.MeanSequence, s.Unit), number(s.SequenceSE, s.Unit), decimal(s.SequenceZ), s.Sequence.text(),
			number(s.MeanOneStep, s.Unit), number(s.OneStepSE, s.Unit), decimal(s.OneStepZ), s.OneStep.text(), fmt.Sprintf("%.3f", s.ESS), fmt.Sprint(s.Red), fmt.Sprint(s.Longest)})
	}
	return report.Section{ID: "sequences", Title: "Policies over three attempts", Tables: []report.Table{t},
		Text: []string{"The policy: " + persistent().Says + ". Its worth as a whole is the mean of roll-outs in which it takes every decision. The one-step estimate values its first decision alone, with the logger going on."}}
}

// text is "950 of 1,000: 95.0 % [93.5, 96.2]".
func (c Counted) text() string {
	if c.Logs == 0 {
		return "-"
	}
	return fmt.Sprintf("%s of %s: %s", report.Count(int64(c.Covered)), report.Count(int64(c.Logs)), c.share().Percent())
}

// number shows a value of a unit.
func number(v *float64, unit string) string {
	switch {
	case v == nil:
		return "-"
	case unit == netRupees:
		return fmt.Sprintf("%.2f", *v)
	}
	return fmt.Sprintf("%.4f", *v)
}

func decimal(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f", *v)
}
