package score

import (
	"recoup/data"
)

// candidates fills the decision's allowed candidates and its refusals: the gate
// comes first, nothing it refuses goes on. only, when not nil, are the candidates
// asked about, beside waiting; else all slots of the policy are.
func (s *situation) candidates(d *Decision, only []data.Candidate) {
	d.Allowed = append(d.Allowed, s.choice(data.Wait, s.t))
	for _, a := range data.Actions()[1:] {
		if only != nil && !asks(only, a) {
			continue
		}
		if r := s.refusesAction(a); r != nil {
			d.Refusals = append(d.Refusals, *r)
			continue
		}
		for _, at := range s.slots(a, only) {
			if r, refused := s.refusesAt(data.Candidate{Action: a, At: at}); refused {
				d.Refusals = append(d.Refusals, r)
				continue
			}
			d.Allowed = append(d.Allowed, s.choice(a, at))
		}
	}
}

func asks(only []data.Candidate, a data.Action) bool {
	for _, c := range only {
		if c.Action == a {
			return true
		}
	}
	return false
}

// slots are the times to consider for an action, in order.
func (s *situation) slots(a data.Action, only []data.Candidate) []data.Micros {
	if only != nil {
		var out []data.Micros
		for _, c := range only {
			if c.Action == a {
				out = append(out, c.At)
			}
		}
		return sortedOnce(out)
	}
	switch a {
	case data.Retry:
		return s.retrySlots()
	case data.Escalate:
		return []data.Micros{s.t}
	}
	return s.contactSlots()
}

func (s *situation) choice(a data.Action, at data.Micros) Choice {
	c := Choice{Action: a, Kind: s.kindOf(a), At: at, Cost: s.policy.costs[a]}
	if a == data.Retry {
		l := s.limits(at)
		c.NoticeBy = s.noticeBy(l, at)
		if s.mayBeCaptured(l, at) {
			c.PollFrom = s.pollFrom(l)
		}
	}
	return c
}
