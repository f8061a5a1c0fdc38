package score

import "recoup/data"

// A refusal names what becomes of it. That is of use only if the gate lets it
// happen: a link for a new mandate helps nobody whose class forbids links.

// routed is the route of a refusal: the one that the rule names where the gate
// allows its action for this case at some time, else what the class asks for, else
// a link or a nudge where one is allowed; while a retry can still come, waiting for
// it, and at last a person. Nothing becomes of a case that is over.
func (s *situation) routed(named data.Route) data.Route {
	switch {
	case named == 0 || s.over():
		return 0
	case named == data.HumanReview:
		return named
	}
	for _, r := range [...]data.Route{named, s.row.instead(), s.row.linkKind, s.row.nudgeKind} {
		if r == data.StatusPoll && !s.checksLeft() {
			return data.HumanReview
		}
		if r != 0 && s.can(r.Action()) {
			return r
		}
	}
	if !s.retriesOver() {
		return 0
	}
	return data.HumanReview
}

// over says whether nothing is to be done about the case any more.
func (s *situation) over() bool {
	return s.Paid || s.CaseRefunds > 0 || s.Disputed || s.Ended || !s.Owed
}

// checksLeft says whether a status check can still be made: of the latest attempt,
// or of the one that may still be captured.
func (s *situation) checksLeft() bool {
	return s.pollsLeft(&s.now, s.LastPolls) || s.Unresolved != 0 && s.pollsLeft(&s.now, s.UnresolvedPolls)
}

// can says whether the gate allows an action at one of the policy's times.
func (s *situation) can(a data.Action) bool {
	if a == data.Wait {
		return true
	}
	if !s.known[a] {
		s.known[a], s.doable[a] = true, s.findsTime(a)
	}
	return s.doable[a]
}

func (s *situation) findsTime(a data.Action) bool {
	if r, _ := s.refuser(a); r != nil {
		return false
	}
	for _, at := range s.slots(a, nil) {
		if r, _ := s.refuserAt(data.Candidate{Action: a, At: at}); r == nil {
			return true
		}
	}
	return false
}

// retriesOver says whether no retry of this case can come: a rule refuses all of
// them, or the mandate or its cycle is over by when a notice can hold.
func (s *situation) retriesOver() bool {
	if r, _ := s.refuser(data.Retry); r != nil {
		return true
	}
	c := data.Candidate{Action: data.Retry, At: s.firstNoticed(&s.now, s.t)}
	for i := range s.policy.rules {
		if r := &s.policy.rules[i]; r.last {
			if _, refused := s.refusesThen(r, s.limits(c.At), c); refused {
				return true
			}
		}
	}
	return false
}

// instead is what becomes of an action that the class does not allow; 0 = the
// class knows nothing better than waiting.
func (c *classRow) instead() data.Route {
	switch {
	case c.escalate == merchantAlert:
		return data.MerchantAlertRoute
	case c.escalate == humanReview:
		return data.HumanReview
	case c.escalate == afterPolls:
		return data.StatusPoll
	case c.arm == data.PaymentLink:
		return c.linkKind
	case c.arm == data.Nudge:
		return c.nudgeKind
	}
	return 0
}
