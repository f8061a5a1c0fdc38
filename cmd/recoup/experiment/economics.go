package experiment

import (
	"fmt"

	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
)

// Economy is what the model brings to a merchant who would otherwise do something else.
type Economy struct {
	Over      string          `json:"over"`               // the arm it takes the place of
	Gain      report.Estimate `json:"gain_paise"`         // net, a case
	Recovered report.Estimate `json:"recovered_share"`    // more
	BreakEven report.Estimate `json:"break_even_paise"`   // a recovered case: what recoup may cost until the gain is gone
	Cost      report.Estimate `json:"cost_paise"`         // of the model's attempts and messages, a recovered case
	Halted    report.Estimate `json:"halted_share"`       // more cases left unpaid with all attempts spent
	Unpaid    report.Estimate `json:"halted_month_paise"` // what those would pay in a month, a case
}

// economics sets the model beside each arm that needs no model.
func economics(s *paired.Sample, arms map[string]*arm) []Economy {
	m, out := arms[Model], []Economy{}
	recovered := func(i int) float64 { return m.recovered[i] }
	for _, over := range []string{Ladder, Control, Rules, PayDay} {
		b := arms[over]
		d := between(s, m, b).Difference
		out = append(out, Economy{Over: over, Gain: d.Net, Recovered: d.Recovered, Halted: d.Halted, Unpaid: d.Unpaid,
			BreakEven: s.Ratio(func(i int) float64 { return m.net[i] - b.net[i] }, recovered, nil),
			Cost:      s.Ratio(func(i int) float64 { return m.cost[i] }, recovered, nil)})
	}
	return out
}

func (r *Report) economySection() report.Section {
	t := report.Table{Caption: "The model in place of another arm; rupees.",
		Head: []string{"in place of", "net a case", "recovered, points", "break-even price a recovered case", "own costs a recovered case", "halted, points", "their monthly value, a case"}}
	for _, e := range r.Economics {
		t.Rows = append(t.Rows, []string{armTitle[e.Over], rupees(e.Gain), points(e.Recovered), rupees(e.BreakEven), rupees(e.Cost), points(e.Halted), rupees(e.Unpaid)})
	}
	return report.Section{ID: "economics", Title: "What it may cost", Tables: []report.Table{t}, Text: append([]string{
		"The break-even price is the gain over the other arm, spread over the cases that the model recovers: whoever pays less for each gains. Halted = unpaid with all four attempts spent; what the subscription pays is its charge, once a month."}, r.saysOfPrice()...)}
}

// saysOfPrice tells the break-even price against the strongest lawful arm that needs no model.
func (r *Report) saysOfPrice() []string {
	var best *Economy
	for i := range r.Economics {
		if e := &r.Economics[i]; e.Over != Ladder && e.Gain.Value != nil && (best == nil || *e.Gain.Value < *best.Gain.Value) {
			best = e
		}
	}
	switch {
	case best == nil:
		return nil
	case paired.Above(best.Gain) > 0:
		return []string{fmt.Sprintf("Against the strongest lawful arm that needs no model, the %s, recoup may cost up to %s rupees a recovered case.", armTitle[best.Over], rupees(best.BreakEven))}
	}
	return []string{fmt.Sprintf("Against the strongest lawful arm that needs no model, the %s, no price is shown to pay: the gain is %s rupees a case.", armTitle[best.Over], rupees(best.Gain))}
}
