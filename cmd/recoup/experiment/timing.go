package experiment

import (
	"context"
	"fmt"
	"strings"

	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
)

// Timing is what the columns about the time of a retry are worth to the two models.
type Timing struct {
	Blocks []TimingBlock `json:"blocks"` // of their own nights; empty: a model has none
	Spare  []SpareTime   `json:"spare"`  // empty: not played
	Earned []EarnedLine  `json:"earned"` // the like
}

// TimingBlock is one block of such columns: the test Brier score without them minus the
// one with them.
type TimingBlock struct {
	Name  string          `json:"name"`
	Rules report.Estimate `json:"rules_taught"`
	Model report.Estimate `json:"model"`
}

// timing finds the blocks that speak of the delay or of the pay cycle at the candidate, and
// fits both models without the columns that say when.
func (j *job) timing(ctx context.Context) (Timing, error) {
	out := Timing{Blocks: []TimingBlock{}, Spare: []SpareTime{}, Earned: []EarnedLine{}}
	for _, b := range j.model.Blocks {
		if b.Name != "candidate" && !strings.Contains(b.Name, "delay") && !strings.Contains(b.Name, "pay") {
			continue
		}
		line := TimingBlock{Name: b.Name, Model: b.Worth, Rules: report.Unknown("no such block")}
		for _, other := range j.taught.Blocks {
			if other.Name == b.Name {
				line.Rules = other.Worth
			}
		}
		out.Blocks = append(out.Blocks, line)
	}
	if j.model.Attempts == "" || j.taught.Attempts == "" {
		return out, nil
	}
	input := j.input("timing", []any{j.model.id(), j.taught.id(), whens}, trainSeed)
	found, err := each(ctx, j, "timing", []uint64{trainSeed}, func(uint64) string { return input },
		func(ctx context.Context, _ uint64) (*Earned, error) { return j.earned(ctx, input) })
	if err != nil {
		return out, err
	}
	out.Spare, out.Earned = found[0].Spare, found[0].Lines
	return out, nil
}

// earned finds a line.
func (t *Timing) earned(columns, learned, judged string) report.Estimate {
	for _, l := range t.Earned {
		if l.Columns == columns && l.Learned == learned && l.Judged == judged {
			return l.Worth
		}
	}
	return report.Unknown("not asked")
}

func (r *Report) timingSection() report.Section {
	t := report.Table{Caption: "Ten-thousandths of the Brier score on the night's own test slice: without the block minus with it; above 0 = it earns its place.",
		Head: []string{"block", "model of the rules' log", "model of the explorer's log"}}
	for _, b := range r.Timing.Blocks {
		t.Rows = append(t.Rows, []string{b.Name, scaled(b.Rules, 1e4).Text(), scaled(b.Model, 1e4).Text()})
	}
	out := report.Section{ID: "timing", Title: "What can be learned of timing without exploring", Text: r.saysOfTiming(), Tables: []report.Table{t}}
	if len(r.Timing.Earned) == 0 {
		return out
	}
	earned := report.Table{Caption: "Fitted and calibrated anew without the columns that say when, alone; ten-thousandths of the Brier score, without minus with. In the middle the model of the rules' log is asked about retries whose time the explorer drew.",
		Head: []string{"columns", "of the rules' log, on its own test slice", "of the rules' log, on the explorer's test slice", "of the explorer's log, on its own test slice"}}
	var names []string
	for _, w := range whens {
		names = append(names, w.name)
	}
	for _, name := range append(names, allWhens) {
		row := []string{name}
		for _, p := range [][2]string{{Rules, Rules}, {Rules, Explorer}, {Explorer, Explorer}} {
			row = append(row, scaled(r.Timing.earned(name, p[0], p[1]), 1e4).Text())
		}
		earned.Rows = append(earned.Rows, row)
	}
	spare := report.Table{Caption: "How much the delay of a retry varies. Left = share of the variance of its logarithm that is left within a class and number of the attempt.", Head: []string{"log of", "retries", "mean delay, days", "left"}}
	for _, s := range r.Timing.Spare {
		spare.Rows = append(spare.Rows, []string{s.Log, report.Count(s.Rows), fmt.Sprintf("%.1f", s.Days), report.Number(s.Within, s.Rows).Percent()})
	}
	out.Tables = append(out.Tables, earned, spare)
	return out
}

// saysOfColumns tells what the delay, and all that says when, earn the model of the rules'
// log, where the rules took the times and where they were drawn.
func (t *Timing) saysOfColumns() (out []string) {
	if len(t.Earned) == 0 {
		return nil
	}
	word := map[int]string{1: "earn something", 0: "earn nothing that is shown", -1: "do harm"}
	for _, name := range []string{whens[0].name, allWhens} {
		own, drawn, best := t.earned(name, Rules, Rules), t.earned(name, Rules, Explorer), t.earned(name, Explorer, Explorer)
		what := "the columns of the delay alone"
		if name == allWhens {
			what = "all columns that say when (delay, hour, calendar, pay day)"
		}
		out = append(out, fmt.Sprintf("In the model of the rules' log %s %s on that log: %s ten-thousandths of the Brier score; asked about retries whose time was drawn, they %s: %s. In the model of the explorer's log they %s: %s.",
			what, word[paired.Above(own)], scaled(own, 1e4).Text(), word[paired.Above(drawn)], scaled(drawn, 1e4).Text(), word[paired.Above(best)], scaled(best, 1e4).Text()))
	}
	return out
}

// saysOfTiming counts the blocks that earn their place in each model, and sets the two
// models side by side.
func (r *Report) saysOfTiming() (out []string) {
	for _, a := range r.Absent {
		if a.Arm == RulesTaught {
			return []string{fmt.Sprintf("What can be learned without exploring is not known: the rules' log gave no model: %s.", a.Why)}
		}
	}
	if len(r.Timing.Blocks) == 0 {
		return []string{"What the columns of timing are worth was not asked of these models."}
	}
	rules, model := 0, 0
	for _, b := range r.Timing.Blocks {
		if paired.Above(b.Rules) > 0 {
			rules++
		}
		if paired.Above(b.Model) > 0 {
			model++
		}
	}
	out = append(out, r.Timing.saysOfColumns()...)
	out = append(out, fmt.Sprintf("Of %d blocks of columns about the time of a retry, so many earn their place: %d in the model of the rules' log, %d in the model of the explorer's log.", len(r.Timing.Blocks), rules, model))
	p := r.pair(Model, RulesTaught)
	switch d := p.Difference.Net; paired.Above(d) {
	case 1:
		out = append(out, fmt.Sprintf("Exploring pays: the model of the explorer's log is worth %s rupees a case more than the one of the rules' log (p %s).", rupees(d), pText(p.Test.P)))
	case -1:
		out = append(out, fmt.Sprintf("Exploring did not pay: the model of the explorer's log is worth %s rupees a case against the one of the rules' log (p %s).", rupees(d), pText(p.Test.P)))
	default:
		out = append(out, fmt.Sprintf("Whether the model of the explorer's log is better than the one of the rules' log is not shown: %s rupees a case (p %s).", rupees(d), pText(p.Test.P)))
	}
	return out
}
