package score

import (
	"recoup/data"
	"recoup/features"
)

// The gate says which candidates are allowed. It is pure: the same facts, policy and
// time give the same answer, and no feature column, model or dice reaches it. Its
// rules are asked in the policy's order; the first that refuses is told.

// situation is what the rules look at.
type situation struct {
	*features.Facts
	policy      *Policy
	t           data.Micros
	row         *classRow // of the class that the case is treated as
	presented   int       // attempts that count against the budget
	uncertain   bool      // the class awaits a status, and no check has said failed
	down        bool      // an outage at t has no known end
	outageKnown bool      // an outage began before, and ended after, the latest failure: by t it is over
}

// gateRule is what a rule of the policy does. Either func may be nil.
type gateRule struct {
	hard    bool                                                    // may not be switched off
	refuses func(s *situation, a data.Action) (data.Route, bool)    // at any time
	at      func(s *situation, c data.Candidate) (data.Route, bool) // at this time
}

// situationOf works out what several rules ask for.
func situationOf(p *Policy, f *features.Facts, t data.Micros) situation {
	s := situation{Facts: f, policy: p, t: t, presented: f.ByRecoup + f.ByProvider + f.ByUnknown}
	s.row = &p.classes[s.treatedAs()]
	s.uncertain = s.row.retry == afterFailedPoll && f.LastPoll != data.PollFailed
	for _, o := range f.Outages {
		switch {
		case o.Severity == 0 || o.Begin > t:
		case o.End == 0:
			s.down = true
		case o.End <= t && o.End > f.LastFailure:
			s.outageKnown = true
		}
	}
	return s
}

// treatedAs is the class of the failure, unless the mandate's own state outranks
// it: a dead mandate needs a new one, a paused one its owner. Where nothing may be
// charged anyway, the class stays.
func (s *situation) treatedAs() data.Class {
	switch s.Class {
	case 0, data.MerchantAlert, data.AwaitStatus, data.Stop:
		return s.Class
	}
	switch s.mandateState() {
	case data.MandateRevoked, data.MandateExpired:
		return data.SwitchInstrument
	case data.MandatePaused:
		return data.NudgeCustomer
	}
	return s.Class
}

// mandateState is the state known, or expired when its last day is over.
func (s *situation) mandateState() data.MandateStatus {
	if s.Mandate == data.MandateActive && s.MandateUntil != 0 && s.MandateUntil <= s.t {
		return data.MandateExpired
	}
	return s.Mandate
}

// verdictOf is the class table's word on an action.
func (c *classRow) verdictOf(a data.Action) verdict {
	switch a {
	case data.Retry:
		return c.retry
	case data.PaymentLink:
		return c.link
	case data.Nudge:
		return c.nudge
	case data.Escalate:
		return c.escalate
	}
	return yes // waiting is always allowed
}

// refusesAction asks the rules about an action at any time; nil = none refuses.
func (s *situation) refusesAction(a data.Action) *Refusal {
	if a == data.Wait {
		return nil
	}
	for i := range s.policy.rules {
		r := &s.policy.rules[i]
		if r.refuses != nil && r.inForce(s.t) {
			if route, refused := r.refuses(s, a); refused {
				return &Refusal{Rule: r.ID, Action: a, Route: route, Why: s.why(&r.Rule)}
			}
		}
	}
	return nil
}

// refusesAt asks the rules about a candidate whose action is allowed; nil = none refuses.
func (s *situation) refusesAt(c data.Candidate) *Refusal {
	for i := range s.policy.rules {
		r := &s.policy.rules[i]
		if r.at != nil && r.inForce(c.At) {
			if route, refused := r.at(s, c); refused {
				return &Refusal{Rule: r.ID, Action: c.Action, At: c.At, Route: route, Why: r.Why}
			}
		}
	}
	return nil
}

// why is the rule's own line, and for the class table the reason's too.
func (s *situation) why(r *Rule) string {
	if r.ID != ruleClassTable || s.Reason == 0 {
		return r.Why
	}
	info := s.Reason.Info()
	return r.Why + ": " + info.Name + ", " + info.Class.String() + ": " + info.Rationale
}

// kindOf is the route of an allowed action.
func (s *situation) kindOf(a data.Action) data.Route {
	switch a {
	case data.PaymentLink:
		return s.row.linkKind
	case data.Nudge:
		return s.row.nudgeKind
	case data.Escalate:
		if s.row.escalate == merchantAlert {
			return data.MerchantAlertRoute
		}
		return data.HumanReview
	}
	if a == data.Wait && (s.uncertain || s.Pending > 0) && s.Polls < s.policy.polls {
		return data.StatusPoll
	}
	return 0
}
