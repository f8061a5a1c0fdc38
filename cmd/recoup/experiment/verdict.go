package experiment

import (
	"cmp"
	"slices"

	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
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
func classes(s *paired.Sample, worlds []*World, arms map[string]*arm) []ClassLine {
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
			Rules:  s.Mean(func(i int) float64 { return rules[i] }, among),
			Model:  s.Mean(func(i int) float64 { return model[i] - rules[i] }, among),
			Oracle: s.Mean(func(i int) float64 { return oracle[i] - rules[i] }, among)}
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
func (r *Report) pair(a, b string) *Pair { return pairOf(r.Pairs, a, b) }

func pairOf(pairs []Pair, a, b string) *Pair {
	for i := range pairs {
		if pairs[i].A == a && pairs[i].B == b {
			return &pairs[i]
		}
	}
	none := notCompared()
	return &none
}
