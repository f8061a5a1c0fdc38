package score

import (
	"recoup/data"
	"recoup/features"
)

// The gate says which candidates are allowed. It is pure: the same facts, policy and
// time give the same answer, and no feature column, model or dice reaches it. Its
// rules are asked in the policy's order; the first that refuses is told: of those
// about an action at any time before those about a time.

// situation is what the rules look at.
type situation struct {
	*features.Facts
	policy      *Policy
	t           data.Micros
	row         *classRow // of the class that the case is treated as
	reason      data.ReasonInfo
	presented   int    // attempts that count against the budget
	uncertain   bool   // the class awaits a status, and no check has said failed
	down        bool   // an outage at t has no known end
	standing    bool   // the candidate was decided on before: see lead
	outageKnown bool   // an outage began before, and ended after, the latest failure: by t it is over
	now         limits // at t

	epoch     int   // of t
	moves     moves // of the rules in force at t
	then      limits
	thenEpoch int // of then

	messages []data.Micros           // contactSlots; nil = not asked for yet
	doable   [data.Escalate + 1]bool // can's answers, where known
	known    [data.Escalate + 1]bool
}

// gateRule is what a rule of the policy does. Either func may be nil. The limits
// are those of the decision's time or of the candidate's.
type gateRule struct {
	hard    bool                                                               // may not be switched off
	refuses func(s *situation, l *limits, a data.Action) (data.Route, bool)    // at any time
	at      func(s *situation, l *limits, c data.Candidate) (data.Route, bool) // at this time
	moves   moves                                                              // how slots keep clear of it
	last    bool                                                               // a retry that it refuses at a time comes at no later one
	becomes string                                                             // the route of what it refuses; "" = none: wait
	test    string                                                             // the same as refuses or at, for a reader of the table
}

// moves are the ways in which slots are moved to a legal time. A rule that is
// switched off moves nothing either.
type moves uint16

const (
	movesWait moves = 1 << iota
	movesFresh
	movesRest
	movesAdvice
	movesPromise
	movesQueued
	movesOutage
	movesPoll
	movesPeak
	movesBank
	movesNight
	movesNotice // and the next three, by noticeFault
)

// situationOf works out what several rules ask for.
func situationOf(p *Policy, f *features.Facts, t data.Micros) situation {
	s := situation{Facts: f, policy: p, t: t, presented: max(f.ByRecoup+f.ByProvider+f.ByUnknown, f.LastNo+1-f.ByCustomer)}
	s.reason = f.Reason.Info()
	s.epoch = p.epoch(t)
	s.now = p.limitsAt(f, t)
	s.then, s.thenEpoch = s.now, s.epoch
	for i := range p.rules {
		if p.rules[i].inForce(t) {
			s.moves |= p.rules[i].moves
		}
	}
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

// limits are those of a time.
func (s *situation) limits(at data.Micros) *limits {
	e := s.policy.epoch(at)
	switch e {
	case s.epoch:
		return &s.now
	case s.thenEpoch:
		return &s.then
	}
	s.then, s.thenEpoch = s.policy.limitsAt(s.Facts, at), e
	return &s.then
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
	r, route := s.refuser(a)
	if r == nil {
		return nil
	}
	return &Refusal{Rule: r.ID, Action: a, Route: s.routed(route), Why: s.why(&r.Rule)}
}

// refuser is the first rule that refuses an action at any time, and the route that
// it names; nil = none does.
func (s *situation) refuser(a data.Action) (*statedRule, data.Route) {
	if a == data.Wait {
		return nil, 0
	}
	for i := range s.policy.rules {
		r := &s.policy.rules[i]
		if r.refuses != nil && r.inForce(s.t) {
			if route, refused := r.refuses(s, &s.now, a); refused {
				return r, route
			}
		}
	}
	return nil, 0
}

// refusesAt asks the rules about a candidate whose action is allowed; false = none
// refuses.
func (s *situation) refusesAt(c data.Candidate) (Refusal, bool) {
	r, route := s.refuserAt(c)
	if r == nil {
		return Refusal{}, false
	}
	return Refusal{Rule: r.ID, Action: c.Action, At: c.At, Route: s.routed(route), Why: s.why(&r.Rule)}, true
}

// refuserAt is the first rule that refuses a candidate whose action is allowed, and
// the route that it names; nil = none does. Where other numbers hold by then, the
// action is asked about again.
func (s *situation) refuserAt(c data.Candidate) (*statedRule, data.Route) {
	if c.Action == data.Wait {
		return nil, 0
	}
	l := s.limits(c.At)
	for i := range s.policy.rules {
		r := &s.policy.rules[i]
		if r.at == nil && l == &s.now {
			continue
		}
		if route, refused := s.refusesThen(r, l, c); refused {
			return r, route
		}
	}
	return nil, 0
}

// refusesThen asks a rule about a candidate whose action is allowed. l are the
// limits of its time.
func (s *situation) refusesThen(r *statedRule, l *limits, c data.Candidate) (route data.Route, refused bool) {
	if !r.inForce(c.At) {
		return 0, false
	}
	if r.at != nil {
		if route, refused = r.at(s, l, c); refused {
			return route, true
		}
	}
	if r.refuses != nil && l != &s.now {
		return r.refuses(s, l, c.Action)
	}
	return 0, false
}

// why is the rule's own line, and for the class table the reason's too.
func (s *situation) why(r *Rule) string {
	if r.ID != ruleClassTable || s.Reason == 0 {
		return r.Why
	}
	return r.Why + ": " + s.reason.Name + ", " + s.reason.Class.String() + ": " + s.reason.Rationale
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
	if a == data.Wait && (s.uncertain || s.Pending > 0) && s.pollsLeft(&s.now, s.LastPolls) {
		return data.StatusPoll
	}
	return 0
}
