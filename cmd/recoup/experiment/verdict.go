package experiment

import (
	"cmp"
	"fmt"
	"slices"

	"recoup/api/report"
	"recoup/data"
)

// needs says, by the class of the first failure, what a model would have to know
// to gain there: features and data, not more of the same.
var needs = map[string]string{
	data.RetryNow.String():         "the state of gateway and bank in the minutes after the failure: fresher status and downtime feeds than webhooks",
	data.RetryScheduled.String():   "when there is money: the customer's pay day and balance (salary credits, account aggregator data, balance checks), and more history a customer",
	data.SwitchRail.String():       "how long this bank's outages last, and its health on this rail by the hour: bank status feeds, more outcomes a bank and hour",
	data.SwitchInstrument.String(): "who answers a link and when: delivery, opening and answer events of links, and the customer's own channel",
	data.NudgeCustomer.String():    "who answers a nudge and when: delivery, opening and answer events of messages, and the customer's own channel",
	data.MerchantAlert.String():    "nothing about the customer: the merchant must act, a model cannot",
	data.AwaitStatus.String():      "the true status: polls that answer, and late authorisations as they happen",
	data.Stop.String():             "nothing: these may not be charged",
	"":                             "the reason of the failure",
}

// classes says where there is something to gain over the rules, most first.
func classes(s *sample, worlds []*World, arms map[string]*arm) []ClassLine {
	var of []string
	for _, w := range worlds {
		of = append(of, w.Classes...)
	}
	names := slices.Clone(of)
	slices.Sort(names)
	rules, model, oracle := arms[Rules].net, arms[Model].net, arms[Oracle].net
	total := 0.0
	for i := range oracle {
		total += oracle[i] - rules[i]
	}
	out := []ClassLine{}
	for _, name := range slices.Compact(names) {
		among := func(i int) bool { return of[i] == name }
		l := ClassLine{Class: name, Needs: needs[name],
			Rules:  s.mean(func(i int) float64 { return rules[i] }, among),
			Model:  s.mean(func(i int) float64 { return model[i] - rules[i] }, among),
			Oracle: s.mean(func(i int) float64 { return oracle[i] - rules[i] }, among)}
		l.Cases = l.Rules.N
		l.Share = report.Unknown("the oracle gains nothing over the rules")
		if total > 0 {
			l.Share = report.Number(*l.Oracle.Value*float64(l.Cases)/total, l.Cases)
		}
		out = append(out, l)
	}
	slices.SortStableFunc(out, func(a, b ClassLine) int {
		return cmp.Or(cmp.Compare(*b.Oracle.Value*float64(b.Cases), *a.Oracle.Value*float64(a.Cases)), cmp.Compare(a.Class, b.Class))
	})
	return out
}

// pair finds a comparison.
func (r *Report) pair(a, b string) *Pair {
	for i := range r.Pairs {
		if r.Pairs[i].A == a && r.Pairs[i].B == b {
			return &r.Pairs[i]
		}
	}
	return &Pair{Difference: Measures{Net: report.Unknown("not compared")}}
}

// says puts into words what came out, good or bad.
func says(r *Report) []string {
	over := r.pair(Model, Rules).Difference
	var out []string
	switch above(over.Net) {
	case 1:
		out = append(out, fmt.Sprintf("The model adds to the rules: %s rupees a case, %s of the cases recovered more.", rupees(over.Net), points(over.Recovered)))
	case -1:
		out = append(out, fmt.Sprintf("The model takes from the rules: %s rupees a case; the whole interval is below 0. It should not be deployed on this evidence.", rupees(over.Net)))
	default:
		out = append(out, fmt.Sprintf("The model adds nothing to the rules that these worlds can show: %s rupees a case, the interval holds 0.", rupees(over.Net)))
	}
	best, most := r.pair(Oracle, Rules).Difference.Net, r.pair(Oracle, Model).Difference.Net
	switch {
	case above(best) <= 0:
		out = append(out, fmt.Sprintf("There is nothing to add: one who knows the truth and stays inside the gate gains %s rupees a case over the rules.", rupees(best)))
	default:
		out = append(out, fmt.Sprintf("Inside the gate one who knows the truth gains %s rupees a case over the rules; the model has %s of it and misses %s rupees a case.",
			rupees(best), part(over.Net, best), rupees(most)))
		for _, c := range r.Classes[:min(2, len(r.Classes))] {
			if above(c.Oracle) > 0 {
				out = append(out, fmt.Sprintf("%s of that gain lies in first failures of class %s (model over rules there: %s rupees a case). What would change it: %s.",
					c.Share.Percent(), className(c.Class), rupees(c.Model), c.Needs))
			}
		}
	}
	out = append(out, saysOfWorlds(r.Worlds)...)
	if timing := r.Attribution.Steps[1].Difference.Net; above(timing) < 0 {
		out = append(out, fmt.Sprintf("The rules' own timing is worse than the merchant's ladder inside the gate: %s rupees a case. Part of what the model adds to the rules makes up for that.", rupees(timing)))
	}
	control := r.pair(Model, Control).Difference
	switch above(control.Net) {
	case 1:
		out = append(out, fmt.Sprintf("The model is better than the merchant's own ladder inside the gate: %s rupees a case.", rupees(control.Net)))
	case -1:
		out = append(out, fmt.Sprintf("The merchant's own ladder inside the gate is better than the model: %s rupees a case, for %s retries a case.", rupees(control.Net), control.Retries.Text()))
	default:
		out = append(out, fmt.Sprintf("Whether the model or the merchant's own ladder inside the gate is better is not shown: %s rupees a case, the interval holds 0.", rupees(control.Net)))
	}
	ladder := r.pair(Model, Ladder).Difference.Net
	out = append(out, fmt.Sprintf("Against the ladder outside the gate the model is worth %s rupees a case; of this refusing is %s, timing %s, choosing %s.", rupees(ladder),
		rupees(r.Attribution.Steps[0].Difference.Net), rupees(r.Attribution.Steps[1].Difference.Net), rupees(r.Attribution.Steps[2].Difference.Net)))
	for _, a := range r.Arms {
		switch {
		case a.Arm == Ladder:
			out = append(out, fmt.Sprintf("The ladder breaks the law in %s debits and terms in %s; its recovered money includes what it may not collect so.",
				report.Count(int64(a.Totals.Law)), report.Count(int64(a.Totals.Terms))))
		case a.Totals.Law > 0:
			out = append(out, fmt.Sprintf("The %s arm went through the gate and broke the law %s times: the gate is not whole. See the breaches.", a.Arm, report.Count(int64(a.Totals.Law))))
		}
	}
	return out
}

// part is a share of a gain as text.
func part(of, whole report.Estimate) string {
	if of.Value == nil || whole.Value == nil || *whole.Value <= 0 {
		return "an unknown part"
	}
	return report.Number(*of.Value / *whole.Value, of.N).Percent()
}

// notes are what a reader must know.
func (j *job) notes(r *Report) []string {
	out := []string{
		"Simulated worlds. Their mechanisms and numbers stand in package data/sim with their sources; many are assumptions. A difference between arms here is a difference in these worlds.",
		"All arms face the same charges, customers, banks and dice; an attempt at the same time as the same number of its case has the same answer under each arm.",
		fmt.Sprintf("A case counts when the 21 days after its first failure are over by the end of the log; %d cases are not and are left out. Recovered = paid within these 21 days, by whatever road.", r.Setting.Unripe),
		"Intervals are 95 %, by customer (a ratio's, linearised), for differences on the same cases; the recovered share of an arm is Wilson's, case by case.",
		"The world pays nothing back for an escalation, so an arm that must tell the merchant pays 40 rupees for each and shows no gain from it; all arms inside the gate do so alike.",
		"After a contact a case rests three days; a case that waits is decided again at 04:00 IST each day, and after each event of the case.",
		"Wasted = a retry that did not capture. Hopeless = a retry with less than one chance in a hundred, which only the world knows. Halted = unpaid with all four attempts spent.",
		"The law is checked on the log's rows by code that shares nothing with the gate. Law = RBI and NPCI; terms = the provider's and the networks' own rules, which the ladder does not know.",
		"The oracle knows every slot's true chance and plans the best sequence of retries inside the gate, one decision at a time; it does not know which of the dice will fall.",
		"The explorer draws alike from all that the gate allows: it pays for learning and is no candidate for deployment.",
	}
	if len(r.Ablation) > 0 {
		out = append(out, "Each rule is switched off alone. The ladder inside the gate presses against all rules; the model takes what looks best. A rule whose absence changes nothing here may still be law, or guard against what these worlds do not hold.")
	}
	return out
}
