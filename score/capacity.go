package score

import (
	"cmp"
	"context"
	"slices"

	"recoup/data"
	"recoup/features"
)

// ruleCapacity is told where the day's people are spent.
const ruleCapacity = "capacity"

// plea is a case that asks for a person.
type plea struct {
	caseID string
	stake  data.Paise
}

// ration finds the cases that get a person: those with the most at stake, until
// the day's capacity is spent; equal ones in the order of their ids.
func (e *Engine) ration(ctx context.Context, states []*features.State, cases []openCase, t data.Micros) (map[string]bool, error) {
	var pleas []plea
	var sum BatchSummary
	ask := cases
	if e.policy.choice.recovers == 0 { // nobody asks but where it is demanded, and that needs no model
		ask = nil
		for _, c := range cases {
			f, err := states[c.state].Facts(c.id, t)
			if err != nil {
				return nil, err
			}
			if s := situationOf(e.policy, &f, t); s.asks() {
				ask = append(ask, c)
			}
		}
	}
	if len(ask) <= e.policy.choice.escalations {
		return caseIDs(ask), nil
	}
	err := e.each(ctx, states, ask, t, func(_ int, d *Decision) error {
		if d.Allowed[d.Chosen].Action == data.Escalate {
			pleas = append(pleas, plea{d.CaseID, d.stake()})
		}
		return nil
	}, &sum)
	if err != nil {
		return nil, err
	}
	return topDown(pleas, e.policy.choice.escalations), nil
}

func caseIDs(cases []openCase) map[string]bool {
	out := make(map[string]bool, len(cases))
	for _, c := range cases {
		out[c.id] = true
	}
	return out
}

// topDown spends the capacity.
func topDown(pleas []plea, capacity int) map[string]bool {
	slices.SortFunc(pleas, func(a, b plea) int { return cmp.Or(cmp.Compare(b.stake, a.stake), cmp.Compare(a.caseID, b.caseID)) })
	out := map[string]bool{}
	for _, p := range pleas[:min(len(pleas), capacity)] {
		out[p.caseID] = true
	}
	return out
}

// asks says whether class or risk demand a person.
func (s *situation) asks() bool {
	return s.demanded(&Decision{Allowed: []Choice{{Action: data.Escalate, At: s.t}}, Risk: s.risk()}) >= 0
}

// stake is what an escalation is ranked by: how much more it is worth than the
// next best where the policy states what it brings, else the part of the amount
// that waiting would leave unpaid, all of it where no model spoke.
func (d *Decision) stake() data.Paise {
	best, wait := data.Paise(0), &d.Allowed[0]
	escalation := &d.Allowed[d.Chosen]
	if escalation.EV != nil {
		for i := range d.Allowed {
			if c := &d.Allowed[i]; i != d.Chosen && c.EV != nil {
				best = max(best, *c.EV)
			}
		}
		return *escalation.EV - best
	}
	if wait.P == nil {
		return d.Amount
	}
	return share(1-*wait.P, max(0, d.Amount))
}
