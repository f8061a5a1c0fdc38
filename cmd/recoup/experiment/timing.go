package experiment

import (
	"fmt"
	"strings"

	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
)

// Timing is what the columns about the time of a retry are worth to the two models:
// the test Brier score without them minus the one with them, of their own nights.
type Timing struct {
	Blocks []TimingBlock `json:"blocks"` // empty: a model has none
}

// TimingBlock is one block of such columns.
type TimingBlock struct {
	Name  string          `json:"name"`
	Rules report.Estimate `json:"rules_taught"`
	Model report.Estimate `json:"model"`
}

// timing finds the blocks that speak of the delay or of the pay cycle at the candidate.
func (j *job) timing() Timing {
	out := Timing{Blocks: []TimingBlock{}}
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
	return out
}

func (r *Report) timingSection() report.Section {
	t := report.Table{Caption: "Ten-thousandths of the Brier score on the night's own test slice: without the block minus with it; above 0 = it earns its place.",
		Head: []string{"block", "model of the rules' log", "model of the explorer's log"}}
	for _, b := range r.Timing.Blocks {
		t.Rows = append(t.Rows, []string{b.Name, scaled(b.Rules, 1e4).Text(), scaled(b.Model, 1e4).Text()})
	}
	return report.Section{ID: "timing", Title: "What can be learned of timing without exploring", Text: r.saysOfTiming(), Tables: []report.Table{t}}
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
