package score

import (
	"maps"
	"slices"

	"recoup/data"
)

const ruleClassTable = "class_table"

// charges says whether the action takes money: by us, or by a link.
func charges(a data.Action) bool { return a == data.Retry || a == data.PaymentLink }

// contacts says whether the action is a message to the customer.
func contacts(a data.Action) bool { return a == data.PaymentLink || a == data.Nudge }

// reaches says whether the action is one towards the customer or his account.
func reaches(a data.Action) bool { return charges(a) || a == data.Nudge }

// ruleSets are the rules by what they are about. A policy names all of them.
func ruleSets() []map[string]gateRule {
	return []map[string]gateRule{caseRules, classRules, pollRules, mandateRules, cycleRules, noticeRules, networkRules, railRules, contactRules}
}

// gateRules is what each rule of a policy does.
var gateRules = func() map[string]gateRule {
	out := map[string]gateRule{}
	for _, set := range ruleSets() {
		maps.Copy(out, set)
	}
	return out
}()

func ruleIDs() []string { return slices.Sorted(maps.Keys(gateRules)) }

// over refuses every action but waiting.
func over(is func(*situation) bool) func(*situation, *limits, data.Action) (data.Route, bool) {
	return func(s *situation, _ *limits, a data.Action) (data.Route, bool) { return 0, is(s) }
}

// caseRules are about the case: what ended it.
var caseRules = map[string]gateRule{
	"paid": {hard: true, refuses: over(func(s *situation) bool { return s.Paid }),
		test: "every action: paid"},
	"refunded": {hard: true, refuses: over(func(s *situation) bool { return s.CaseRefunds > 0 }),
		test: "every action: case_refunds > 0"},
	"disputed": {hard: true, refuses: over(func(s *situation) bool { return s.Disputed }),
		test: "every action: disputed"},
	"ended": {hard: true, refuses: over(func(s *situation) bool { return s.Ended || !s.Owed }),
		test: "every action: ended, or not owed"},
	"opted_out": {hard: true, refuses: func(s *situation, _ *limits, a data.Action) (data.Route, bool) {
		return data.HumanReview, reaches(a) && s.OptedOut
	}, becomes: "human_review",
		test: "retry, payment_link, nudge: opted_out"},
	"horizon": {at: func(s *situation, _ *limits, c data.Candidate) (data.Route, bool) {
		return 0, c.At >= s.horizon()
	}, test: "every action: at >= last_failure + horizon"},
}

// classRules are about the failure: its class, its reason, what was done so far.
var classRules = map[string]gateRule{
	"not_reported": {hard: true, refuses: func(s *situation, _ *limits, a data.Action) (data.Route, bool) {
		return data.HumanReview, reaches(a) && s.Class == 0
	}, becomes: "human_review",
		test: "retry, payment_link, nudge: no class"},
	ruleClassTable: {hard: true, refuses: func(s *situation, _ *limits, a data.Action) (data.Route, bool) {
		return s.row.instead(), s.row.verdictOf(a) == no
	}, becomes: "by the class: instead",
		test: "an action: the row of the class that the case is treated as says no"},
	"limit_spent": {refuses: func(s *situation, _ *limits, a data.Action) (data.Route, bool) {
		return data.PlainLink, a == data.Retry && s.reason.Cause == data.CauseLimitExceeded
	}, becomes: "plain_link",
		test: "retry: the reason's cause is LIMIT_EXCEEDED"},
	"attempts_spent": {refuses: func(s *situation, l *limits, a data.Action) (data.Route, bool) {
		return data.PlainLink, a == data.Retry && l[budget] != silent && int64(s.presented) >= l[budget]
	}, becomes: "plain_link",
		test: "retry: presented >= budget"},
	"attempts_left": {refuses: func(s *situation, l *limits, a data.Action) (data.Route, bool) {
		return 0, a == data.PaymentLink && s.row.link == afterAttempts && int64(s.presented) < l[budget] && !s.retriesOver()
	}, test: "payment_link: the row says after_attempts, presented < budget, and a retry can come: no rule refuses it at any time by the numbers of t, nor does mandate_ends, cycle_paid or cycle_last_day at the first time, not before t, at which the notice holds or a new one sent at t would"},
	"nudge_once": {refuses: func(s *situation, _ *limits, a data.Action) (data.Route, bool) {
		return 0, a == data.Nudge && s.row.nudge == once && s.Nudges > 0
	}, test: "nudge: the row says once, and nudges > 0"},
	"min_wait": {moves: movesWait, at: func(s *situation, l *limits, c data.Candidate) (data.Route, bool) {
		return 0, c.Action == data.Retry && c.At < s.earliest(l)
	}, test: "retry: at < last_failure + the reason's min_wait; where the row says after_outage and no outage ended after the failure or holds at t, at least after_outage"},
}

// earliest is the first time that the least waits allow a retry: that of the
// reason, and without an outage on record that of a switched rail, which is to
// recover by then.
func (s *situation) earliest(l *limits) data.Micros {
	wait := s.reason.MinWait
	if s.row.retry == afterOutage && !s.outageKnown && !s.downAt(s.t) {
		wait = max(wait, l.span(outageWait, data.Hour))
	}
	return s.LastFailure + wait
}

// horizon is the end of the time in which anything is done.
func (s *situation) horizon() data.Micros { return s.LastFailure + s.policy.horizon }

// until is the end of the time in which a payment counts: from the first failure on, as
// outcomes are counted. An older case that may still be debited has some days ahead, or
// its attempts would be worth nothing.
func (s *situation) until() data.Micros {
	return min(s.horizon(), max(s.FirstFailure+s.policy.horizon, s.t+s.policy.least))
}
