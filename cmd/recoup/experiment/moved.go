package experiment

import (
	"context"
	"fmt"

	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
	"recoup/data/sim"
)

// Moved is what the model is worth in worlds one constant of which is another. It
// learned in the usual ones.
type Moved struct {
	Constant string          `json:"constant"`
	From     float64         `json:"from"`
	To       float64         `json:"to"`
	Cases    int64           `json:"cases"`
	Rules    report.Estimate `json:"rules_net_paise"`          // a case
	Over     report.Estimate `json:"model_over_rules_paise"`   // a case
	Control  report.Estimate `json:"model_over_control_paise"` // a case
}

// moved plays worlds whose constants are a quarter less and more, one at a time.
func (j *job) moved(ctx context.Context) ([]Moved, error) {
	out, usual := []Moved{}, sim.UsualNature()
	if j.Moved < 1 {
		return out, nil
	}
	for i, c := range usual.Constants() {
		for _, by := range []struct {
			word   string
			factor float64
		}{{"less", 0.75}, {"more", 1.25}} {
			n := sim.UsualNature()
			to := n.Constants()[i].At
			*to *= by.factor
			s := &scene{Name: "moved/" + c.Name + "-" + by.word, Nature: &n, Seeds: seedsFrom(1, j.Moved),
				Hands: []hand{{Name: Rules, Arm: Rules}, {Name: Control, Arm: Control}, {Name: Model, Arm: Model, Bundle: j.model.Bundle}}}
			worlds, err := j.show(ctx, s)
			if err != nil {
				return nil, err
			}
			all, rules, control, model := sampleOf(worlds), gather(Rules, worlds), gather(Control, worlds), gather(Model, worlds)
			out = append(out, Moved{Constant: c.Name, From: *c.At, To: *to, Cases: int64(all.Cases()),
				Rules:   all.Mean(func(i int) float64 { return rules.net[i] }, nil),
				Over:    all.Mean(func(i int) float64 { return model.net[i] - rules.net[i] }, nil),
				Control: all.Mean(func(i int) float64 { return model.net[i] - control.net[i] }, nil)})
		}
	}
	return out, nil
}

func (r *Report) movedSection() report.Section {
	t := report.Table{Caption: "One constant of the world at a time, a quarter less and more; rupees a case.", Head: []string{"constant", "usual", "here", "cases", "rules, net", "model - rules", "model - control"}}
	for _, m := range r.Moved {
		t.Rows = append(t.Rows, []string{m.Constant, fmt.Sprintf("%.4g", m.From), fmt.Sprintf("%.4g", m.To), report.Count(m.Cases), rupees(m.Rules), rupees(m.Over), rupees(m.Control)})
	}
	return report.Section{ID: "moved", Title: "When a constant of the world is another", Tables: []report.Table{t}, Text: saysOfMoved(r.Moved)}
}

// saysOfMoved counts where the model adds to the rules.
func saysOfMoved(all []Moved) []string {
	if len(all) == 0 {
		return nil
	}
	count := map[int]int{}
	for _, m := range all {
		count[paired.Above(m.Over)]++
	}
	return []string{fmt.Sprintf("With each of %d constants a quarter less and more, the model adds to the rules in %d of %d settings, takes from them in %d, and neither is shown in %d.",
		len(all)/2, count[1], len(all), count[-1], count[0])}
}
