package score

import (
	"maps"
	"slices"

	"recoup/data"
)

const ruleClassTable = "class_table"

// charges says whether the action takes money: by us, or by a link.
func charges(a data.Action) bool { return a == data.Retry || a == data.PaymentLink }

// reaches says whether the action is one towards the customer or his account.
func reaches(a data.Action) bool { return charges(a) || a == data.Nudge }

// over refuses every action but waiting.
func over(is func(*situation) bool) func(*situation, data.Action) (data.Route, bool) {
	return func(s *situation, a data.Action) (data.Route, bool) { return 0, is(s) }
}

// gateRules is what each rule of a policy does. A policy names all of them.
var gateRules = map[string]gateRule{
	"paid":     {hard: true, refuses: over(func(s *situation) bool { return s.Paid })},
	"refunded": {hard: true, refuses: over(func(s *situation) bool { return s.CaseRefunds > 0 })},
	"disputed": {hard: true, refuses: over(func(s *situation) bool { return s.Disputed })},
	"ended":    {hard: true, refuses: over(func(s *situation) bool { return s.Ended || !s.Owed })},
	"pending": {hard: true, refuses: func(s *situation, a data.Action) (data.Route, bool) {
		return data.StatusPoll, charges(a) && s.Pending > 0
	}},
	"poll_captured": {hard: true, refuses: func(s *situation, a data.Action) (data.Route, bool) {
		return data.StatusPoll, reaches(a) && s.LastPoll == data.PollCaptured
	}},
	"opted_out": {hard: true, refuses: func(s *situation, a data.Action) (data.Route, bool) {
		return data.HumanReview, reaches(a) && s.OptedOut
	}},
	"mandate_state": {hard: true, refuses: func(s *situation, a data.Action) (data.Route, bool) {
		switch s.mandateState() {
		case data.MandateRevoked, data.MandateExpired:
			return data.ReMandateLink, a == data.Retry
		case data.MandatePaused:
			return data.Authenticate, a == data.Retry
		}
		return 0, false
	}},
	"mandate_amount": {hard: true, refuses: func(s *situation, a data.Action) (data.Route, bool) {
		return data.MandateUpgrade, a == data.Retry && s.MandateMax > 0 && s.Amount > s.MandateMax
	}},
	"mandate_ends": {hard: true, at: func(s *situation, c data.Candidate) (data.Route, bool) {
		return data.ReMandateLink, c.Action == data.Retry && s.MandateUntil != 0 && c.At >= s.MandateUntil
	}},
	"not_reported": {hard: true, refuses: func(s *situation, a data.Action) (data.Route, bool) {
		return data.HumanReview, reaches(a) && s.Class == 0
	}},
	"await_status": {hard: true, refuses: func(s *situation, a data.Action) (data.Route, bool) {
		return data.StatusPoll, a == data.Retry && s.uncertain
	}},
	ruleClassTable: {hard: true, refuses: func(s *situation, a data.Action) (data.Route, bool) {
		return s.instead(), s.row.verdictOf(a) == no
	}},
	"attempts_spent": {refuses: func(s *situation, a data.Action) (data.Route, bool) {
		return data.PlainLink, a == data.Retry && s.presented >= s.policy.attempts
	}},
	"attempts_left": {refuses: func(s *situation, a data.Action) (data.Route, bool) {
		return 0, a == data.PaymentLink && s.row.link == afterAttempts && s.presented < s.policy.attempts
	}},
	"nudge_once": {refuses: func(s *situation, a data.Action) (data.Route, bool) {
		return 0, a == data.Nudge && s.row.nudge == once && s.Nudges > 0
	}},
	"polls_left": {refuses: func(s *situation, a data.Action) (data.Route, bool) {
		return data.StatusPoll, a == data.Escalate && s.row.escalate == afterPolls && s.Polls < s.policy.polls
	}},
	"outage": {
		refuses: func(s *situation, a data.Action) (data.Route, bool) {
			return 0, a == data.Retry && s.row.retry == afterOutage && s.down
		},
		at: func(s *situation, c data.Candidate) (data.Route, bool) {
			return 0, c.Action == data.Retry && s.row.retry == afterOutage && s.downAt(c.At)
		},
	},
	"baseline": {refuses: func(s *situation, a data.Action) (data.Route, bool) {
		return 0, a == data.Retry && s.row.retry == afterOutage && !s.outageKnown && !s.downAt(s.t) && s.overBaseline()
	}},
	"min_wait": {at: func(s *situation, c data.Candidate) (data.Route, bool) {
		return 0, c.Action == data.Retry && c.At < s.earliest()
	}},
	"horizon": {at: func(s *situation, c data.Candidate) (data.Route, bool) {
		return 0, c.Action != data.Wait && c.At >= s.horizon()
	}},
}

func ruleIDs() []string { return slices.Sorted(maps.Keys(gateRules)) }

// instead is what becomes of an action that the class does not allow.
func (s *situation) instead() data.Route {
	switch {
	case s.row.escalate == merchantAlert:
		return data.MerchantAlertRoute
	case s.row.escalate == humanReview:
		return data.HumanReview
	case s.row.escalate == afterPolls:
		return data.StatusPoll
	case s.row.arm == data.PaymentLink:
		return s.row.linkKind
	case s.row.arm == data.Nudge:
		return s.row.nudgeKind
	}
	return 0
}

// earliest is the first time that the least waits allow a retry: that of the
// reason, and without an outage on record that of a switched rail, which is to
// recover by then.
func (s *situation) earliest() data.Micros {
	wait := s.Reason.Info().MinWait
	if s.row.retry == afterOutage && !s.outageKnown && !s.downAt(s.t) {
		wait = max(wait, s.policy.afterOutage)
	}
	return s.LastFailure + wait
}

// horizon is the end of the time in which a payment counts.
func (s *situation) horizon() data.Micros { return s.LastFailure + s.policy.horizon }

// downAt says whether an outage holds at a time, as known at t; one without an
// end holds.
func (s *situation) downAt(at data.Micros) bool {
	for _, o := range s.Outages {
		if o.Severity > 0 && at >= o.Begin && (o.End == 0 || at < o.End) {
			return true
		}
	}
	return false
}

// overBaseline says whether the bank's failures of 6 hours, shrunk by 20
// outcomes, are above its own rate of 30 days by more than the policy's
// deviation: f/(n+20) - F/N * n/(n+20) > d, in integers.
func (s *situation) overBaseline() bool {
	f, n, baseF, baseN := s.BankFailed6h, s.BankOutcomes6h, s.BankFailed30d, s.BankOutcomes30d
	return baseN > 0 && (f*baseN-baseF*n)*1000 > s.policy.deviation*baseN*(n+20)
}
