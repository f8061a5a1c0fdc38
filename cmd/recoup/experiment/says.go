package experiment

import (
	"fmt"
	"strings"

	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
)

// says puts into words what came out, good or bad.
func says(r *Report) []string {
	pair := r.pair(Model, Rules)
	over := pair.Difference
	var out []string
	switch paired.Above(over.Net) {
	case 1:
		out = append(out, fmt.Sprintf("The model adds to the rules: %s rupees a case (p %s; by customers alone %s), %s of the cases recovered more.", rupees(over.Net), pText(pair.Test.P), pText(pair.Test.Sign), points(over.Recovered)))
	case -1:
		out = append(out, fmt.Sprintf("The model takes from the rules: %s rupees a case; the whole interval is below 0. It should not be deployed on this evidence.", rupees(over.Net)))
	default:
		out = append(out, fmt.Sprintf("The model adds nothing to the rules that these worlds can show: %s rupees a case, the interval holds 0.", rupees(over.Net)))
	}
	best, most := r.pair(Oracle, Rules).Difference.Net, r.pair(Oracle, Model).Difference.Net
	switch {
	case paired.Above(best) <= 0:
		out = append(out, fmt.Sprintf("There is nothing to add: one who knows the truth and stays inside the gate gains %s rupees a case over the rules.", rupees(best)))
	default:
		out = append(out, fmt.Sprintf("Inside the gate one who knows the truth gains %s rupees a case over the rules; the model has %s of it and misses %s rupees a case.",
			rupees(best), part(over.Net, best), rupees(most)))
		for _, c := range r.Classes[:min(2, len(r.Classes))] {
			if paired.Above(c.Oracle) > 0 {
				out = append(out, fmt.Sprintf("%s of that gain lies in first failures of class %s (model over rules there: %s rupees a case). What would change it: %s.",
					c.Share.Percent(), className(c.Class), rupees(c.Model), c.Needs))
			}
		}
	}
	out = append(out, r.saysOfHands()...)
	out = append(out, saysOfWorlds(r.Worlds)...)
	out = append(append(out, r.saysOfTiming()...), r.Choosing.says()...)
	if len(r.Curve.Points) > 0 {
		out = append(out, r.Curve.says()...)
	}
	for i := range r.Elsewhere {
		out = append(out, r.Elsewhere[i].says())
	}
	out = append(append(append(out, r.Tuning.says()...), saysOfMoved(r.Moved)...), r.saysOfPrice()...)
	if timing := r.Attribution.Steps[1].Difference.Net; paired.Above(timing) < 0 {
		out = append(out, fmt.Sprintf("The rules' own timing is worse than the merchant's ladder inside the gate: %s rupees a case. Part of what the model adds to the rules makes up for that.", rupees(timing)))
	}
	var parts []string
	for _, s := range r.Attribution.Steps {
		parts = append(parts, fmt.Sprintf("%s %s", s.Name, rupees(s.Difference.Net)))
	}
	out = append(out, fmt.Sprintf("Against the ladder outside the gate the model is worth %s rupees a case; step by step: %s.", rupees(r.pair(Model, Ladder).Difference.Net), strings.Join(parts, "; ")))
	for _, a := range r.Arms {
		switch {
		case a.Arm == Ladder:
			out = append(out, fmt.Sprintf("The ladder breaks the law %s times and terms %s times, in cases too young to be judged too; its recovered money includes what it may not collect so.",
				report.Count(int64(a.Totals.Law)), report.Count(int64(a.Totals.Terms))))
		case a.Totals.Law > 0:
			out = append(out, fmt.Sprintf("The %s arm went through the gate and broke the law %s times: the gate is not whole. See the breaches.", a.Arm, report.Count(int64(a.Totals.Law))))
		}
	}
	return out
}

// saysOfHands sets the model beside what needs none: the rules on the customer's own
// pay day, and the merchant's ladder inside the gate; and LightGBM beside it.
func (r *Report) saysOfHands() (out []string) {
	for _, x := range []struct{ over, name string }{{PayDay, "the rules on the customer's own pay day"}, {Bandit, "the bandit over the rules' timing"}, {Control, "the merchant's own ladder inside the gate"}} {
		p := r.pair(Model, x.over)
		switch d := p.Difference; paired.Above(d.Net) {
		case 1:
			out = append(out, fmt.Sprintf("The model is better than %s: %s rupees a case (p %s), for %s retries a case.", x.name, rupees(d.Net), pText(p.Test.P), d.Retries.Text()))
		case -1:
			out = append(out, fmt.Sprintf("The model is worse than %s: %s rupees a case (p %s), for %s retries a case.", x.name, rupees(d.Net), pText(p.Test.P), d.Retries.Text()))
		default:
			out = append(out, fmt.Sprintf("Whether the model or %s is better is not shown: %s rupees a case, the interval holds 0.", x.name, rupees(d.Net)))
		}
	}
	out = append(append(out, r.saysOfLearning()...), r.saysOfCorrecting())
	p := r.pair(Forest, Model)
	switch d := p.Difference.Net; paired.Above(d) {
	case 1:
		out = append(out, fmt.Sprintf("LightGBM on the same log is better than the logistic model: %s rupees a case (p %s).", rupees(d), pText(p.Test.P)))
	case -1:
		out = append(out, fmt.Sprintf("LightGBM on the same log is worse than the logistic model: %s rupees a case (p %s).", rupees(d), pText(p.Test.P)))
	default:
		if d.Value != nil {
			out = append(out, fmt.Sprintf("Between LightGBM and the logistic model of the same log no difference is shown: %s rupees a case, the interval holds 0.", rupees(d)))
		}
	}
	return out
}

// saysOfCorrecting tells what it is worth that a bandit goes on learning.
func (r *Report) saysOfCorrecting() string {
	d := r.pair(Corrected, Model)
	net := d.Difference.Net
	word := map[int]string{1: "pays", 0: "neither pays nor costs anything that is shown", -1: "costs more than it brings in so few cases"}[paired.Above(net)]
	return fmt.Sprintf("That a logistic bandit corrects the model as it plays %s: %s rupees a case over the model as it is (p %s), %s over the rules.", word, rupees(net), pText(d.Test.P), rupees(r.pair(Corrected, Rules).Difference.Net))
}

// saysOfLearning tells what of the model's gain is learned, and what the engine's arithmetic
// alone brings.
func (r *Report) saysOfLearning() []string {
	blank, over := r.pair(Unlearned, Rules).Difference.Net, r.pair(Model, Rules).Difference.Net
	learned := r.pair(Model, Unlearned)
	word := map[int]string{1: "Learning pays", 0: "Whether learning pays is not shown", -1: "What is learned does harm"}[paired.Above(learned.Difference.Net)]
	out := []string{fmt.Sprintf("%s: with nothing learned, each retry having one chance in two, the engine's arithmetic alone gains %s rupees a case over the rules, %s of what the model gains; learning from the explorer's log adds %s (p %s).",
		word, rupees(blank), part(blank, over), rupees(learned.Difference.Net), pText(learned.Test.P))}
	if rules := r.pair(RulesTaught, Unlearned); rules.Difference.Net.Value != nil {
		out = append(out, fmt.Sprintf("The model of the rules' log %s to that: %s rupees a case (p %s).",
			map[int]string{1: "adds", 0: "adds nothing that is shown", -1: "does harm"}[paired.Above(rules.Difference.Net)], rupees(rules.Difference.Net), pText(rules.Test.P)))
	}
	return out
}
