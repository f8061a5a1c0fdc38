package sim

import (
	"fmt"

	"recoup/data"
)

// Nature holds the constants of a world that matter most to what a retry is worth
// and when: those that a sensitivity moves, and that worlds other than the usual one
// are made of. The rest of them are fixed; see constants.go for the sources.
type Nature struct {
	Keep        float64   `json:"keep"`         // share of the pay left after rent and loans, median
	Drain       float64   `json:"drain_days"`   // in which the balance falls to 1/e, median
	Shock       float64   `json:"shock"`        // sd of the fast shock in log balance
	Swept       float64   `json:"swept"`        // chance that another debit emptied the account first
	Constrained float64   `json:"constrained"`  // share of households that run dry, per share of a bank's NACH returns
	Issuer      float64   `json:"issuer"`       // an issuer's mood on a card debit
	Cure        float64   `json:"cure_daily"`   // hazard of the customer's own payment, a day
	Contact     float64   `json:"contact"`      // how strongly links and nudges work, 1 = as usual
	Revoke      float64   `json:"revoke_daily"` // extra hazard of a revocation after a failed charge, a day
	Outages     float64   `json:"outages"`      // how many a bank has, 1 = as usual
	OutageHours float64   `json:"outage_hours"` // how long they last on average, at least .5
	PayDays     []float64 `json:"pay_days"`     // weights of: last working day, 1st, 5th, 7th, 10th, 15th, 25th
}

// UsualNature is the world as constants.go has it.
func UsualNature() Nature {
	return Nature{Keep: keepMedian, Drain: drainMedian, Shock: shockSpread, Swept: swept, Constrained: constrainedPerReturn, Issuer: issuerDecline,
		Cure: cureDaily, Contact: 1, Revoke: revokeAfter, Outages: 1, OutageHours: float64(outageMean) / float64(data.Hour), PayDays: append([]float64(nil), payMix.weights...)}
}

// Constant is one number of a Nature by its name, to be read and moved.
type Constant struct {
	Name string
	At   *float64
}

// Constants are the numbers of the Nature that a sensitivity moves, pay days left out.
func (n *Nature) Constants() []Constant {
	return []Constant{{"keep", &n.Keep}, {"drain_days", &n.Drain}, {"shock", &n.Shock}, {"swept", &n.Swept}, {"constrained", &n.Constrained},
		{"issuer", &n.Issuer}, {"cure_daily", &n.Cure}, {"contact", &n.Contact}, {"revoke_daily", &n.Revoke}, {"outages", &n.Outages}}
}

// farPayDays is where pay days go in a world that has moved by 1: people who are paid
// within the month instead of at its turn.
var farPayDays = []float64{.04, .04, .07, .20, .25, .25, .15}

// Shifted is a Nature that has moved by s, from 0 (as it is) to 1, along the line that
// takes timing away from those who learned it by heart: pay comes within the month,
// is gone in half the days, banks are out three times as often, and fewer pay by
// themselves. All of it is assumption.
func (n Nature) Shifted(s float64) Nature {
	out := n
	out.PayDays = make([]float64, len(n.PayDays))
	for i, w := range n.PayDays {
		out.PayDays[i] = float64((1-s)*w) + float64(s*farPayDays[i])
	}
	out.Drain *= 1 - .5*s
	out.Outages *= 1 + 2*s
	out.Cure *= 1 - .4*s
	return out
}

// InOutages is a Nature whose banks fail four times as often and twice as long.
func (n Nature) InOutages() Nature {
	n.Outages *= 4
	n.OutageHours *= 2
	return n
}

// check refuses what is no world, all faults at once.
func (n *Nature) check() (faults []error) {
	for _, c := range n.Constants() {
		if !(*c.At >= 0 && *c.At < 1e6) {
			faults = append(faults, fmt.Errorf("%s: %v: expected 0 or more", c.Name, *c.At))
		}
	}
	for _, c := range []Constant{{"keep", &n.Keep}, {"drain_days", &n.Drain}, {"shock", &n.Shock}} {
		if *c.At == 0 {
			faults = append(faults, fmt.Errorf("%s: 0: expected more", c.Name))
		}
	}
	for _, c := range []Constant{{"swept", &n.Swept}, {"issuer", &n.Issuer}} {
		if *c.At > 1 {
			faults = append(faults, fmt.Errorf("%s: %v: expected a probability", c.Name, *c.At))
		}
	}
	if !(n.OutageHours >= .5 && n.OutageHours < 1e6) {
		faults = append(faults, fmt.Errorf("outage_hours: %v: expected .5 or more", n.OutageHours))
	}
	sum := 0.0
	for _, w := range n.PayDays {
		if !(w >= 0 && w < 1e6) {
			faults = append(faults, fmt.Errorf("pay_days: weight %v: expected 0 or more", w))
		}
		sum += w
	}
	if len(n.PayDays) != len(payMix.rules) || !(sum > 0) {
		faults = append(faults, fmt.Errorf("pay_days: %d weights with sum %v: expected %d, not all 0", len(n.PayDays), sum, len(payMix.rules)))
	}
	return faults
}
