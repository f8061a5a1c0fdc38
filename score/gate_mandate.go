package score

import "recoup/data"

// mandateRules are about the mandate: its state, its rail and its caps.
var mandateRules = map[string]gateRule{
	"mandate_state": {hard: true, refuses: func(s *situation, _ *limits, a data.Action) (data.Route, bool) {
		switch s.mandateState() {
		case data.MandateRevoked, data.MandateExpired:
			return data.ReMandateLink, a == data.Retry
		case data.MandatePaused:
			return data.Authenticate, a == data.Retry
		}
		return 0, false
	}, becomes: "re_mandate_link where revoked or expired, authenticate where paused",
		test: "retry: mandate is revoked, expired (or its valid_until <= t) or paused"},
	"rail_change": {hard: true, refuses: func(s *situation, _ *limits, a data.Action) (data.Route, bool) {
		return data.ReMandateLink, a == data.Retry && s.MandateRail != 0 && s.MandateRail != s.Rail
	}, becomes: "re_mandate_link",
		test: "retry: mandate_rail is known and another than rail"},
	"mandate_amount": {hard: true, refuses: func(s *situation, _ *limits, a data.Action) (data.Route, bool) {
		return data.MandateUpgrade, a == data.Retry && s.MandateMax > 0 && s.Amount > s.MandateMax
	}, becomes: "mandate_upgrade",
		test: "retry: mandate_max > 0 and amount > mandate_max"},
	"afa_cap": {hard: true, refuses: func(s *situation, l *limits, a data.Action) (data.Route, bool) {
		return data.AFAPaymentLink, a == data.Retry && l[afaCap] != silent && int64(s.Amount) > l[afaCap]
	}, becomes: "afa_payment_link",
		test: "retry: amount > afa_cap"},
	"mandate_outlives": {hard: true, refuses: func(s *situation, l *limits, a data.Action) (data.Route, bool) {
		return data.ReMandateLink, a == data.Retry && s.MandateUntil != 0 && s.MandateUntil <= s.firstNoticed(l, s.t)
	}, becomes: "re_mandate_link",
		test: "retry: mandate_until <= the first time, not before t, at which the notice holds or a new one sent at t would"},
	"mandate_ends": {hard: true, at: func(s *situation, _ *limits, c data.Candidate) (data.Route, bool) {
		return data.ReMandateLink, c.Action == data.Retry && s.MandateUntil != 0 && c.At >= s.MandateUntil
	}, becomes: "re_mandate_link",
		last: true, test: "retry: mandate_until <= at"},
	"mandate_fresh": {moves: movesFresh, at: func(s *situation, l *limits, c data.Candidate) (data.Route, bool) {
		return 0, c.Action == data.Retry && c.At < s.settled(l)
	}, test: "retry: mandate_created is known, and at < mandate_created + fresh_mandate"},
}

// settled is when a new mandate may be debited first; 0 = nothing says so.
func (s *situation) settled(l *limits) data.Micros {
	if s.MandateCreated == 0 || l[freshMandate] == silent {
		return 0
	}
	return s.MandateCreated + l.span(freshMandate, data.Hour)
}

// cycleRules are about the billing cycle, where it is known and the case is of it.
var cycleRules = map[string]gateRule{
	"cycle_paid": {hard: true, at: func(s *situation, l *limits, c data.Candidate) (data.Route, bool) {
		return data.PlainLink, c.Action == data.Retry && l[cycleDebits] != silent && s.cycleKnown() &&
			s.MandatePaid >= s.CycleStart && s.MandatePaid < s.CycleEnd && s.MandatePaid != 0 && c.At < s.CycleEnd
	}, last: true, becomes: "plain_link",
		test: "retry: cycle_debits holds, cycle_end > first_failure, cycle_start <= mandate_paid < cycle_end, at < cycle_end"},
	"cycle_last_day": {hard: true, at: func(s *situation, l *limits, c data.Candidate) (data.Route, bool) {
		return data.PlainLink, c.Action == data.Retry && l[cycleEndDays] != silent && s.cycleKnown() &&
			c.At.ISTDay() > (s.CycleEnd-1).ISTDay()-l[cycleEndDays]
	}, last: true, becomes: "plain_link",
		test: "retry: cycle_end_days holds, cycle_end > first_failure, the day of at in India > that of the microsecond before cycle_end - cycle_end_days"},
}

// mandateState is the state known, or expired when its last day is over.
func (s *situation) mandateState() data.MandateStatus {
	alive := s.Mandate == data.MandateActive || s.Mandate == data.MandatePaused
	if alive && s.MandateUntil != 0 && s.MandateUntil <= s.t {
		return data.MandateExpired
	}
	return s.Mandate
}

// cycleKnown says whether the cycle on record is one that the case is in: some
// providers tell the cycle before until the charge is paid.
func (s *situation) cycleKnown() bool { return s.CycleEnd > s.FirstFailure }
