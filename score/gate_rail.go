package score

import "recoup/data"

// railRules are about the rail: outages, the bank's own baseline, hours and days.
var railRules = map[string]gateRule{
	"outage": {
		moves: movesOutage,
		refuses: func(s *situation, _ *limits, a data.Action) (data.Route, bool) {
			return 0, a == data.Retry && s.row.retry == afterOutage && s.down
		},
		at: func(s *situation, _ *limits, c data.Candidate) (data.Route, bool) {
			return 0, c.Action == data.Retry && s.row.retry == afterOutage && s.downAt(c.At)
		},
		test: "retry: the row says after_outage, and an outage that began by t has no end, or one holds at the candidate's time",
	},
	"baseline": {refuses: func(s *situation, l *limits, a data.Action) (data.Route, bool) {
		return 0, a == data.Retry && s.row.retry == afterOutage && !s.outageKnown && !s.downAt(s.t) && s.overBaseline(l)
	}, test: "retry: the row says after_outage, no outage ended after the failure or holds at t, and f/(n+20) - F/N * n/(n+20) > baseline, of the bank's f failures of n in 6 h and F of N in 30 days"},
	"final_rest": {moves: movesRest, at: func(s *situation, l *limits, c data.Candidate) (data.Route, bool) {
		return 0, c.Action == data.Retry && l[finalRest] != silent && c.At < s.LastFinal+l.span(finalRest, data.Hour)
	}, test: "retry: at < last_final + final_rest"},
	"queued": {hard: true, moves: movesQueued, at: func(s *situation, _ *limits, c data.Candidate) (data.Route, bool) {
		return 0, reaches(c.Action) && c.At < s.queuedUntil()
	}, test: "retry, payment_link, nudge: at < the end of the retry window that held at last_presented"},
	"peak_window": {hard: true, moves: movesPeak, at: func(s *situation, _ *limits, c data.Candidate) (data.Route, bool) {
		return 0, c.Action == data.Retry && s.policy.windowEnd(false, s.Rail, c.At) != 0
	}, test: "retry: a retry window of the rail holds at the candidate's time"},
	"bank_day": {moves: movesBank, at: func(s *situation, l *limits, c data.Candidate) (data.Route, bool) {
		return 0, c.Action == data.Retry && s.clearing(l, c.At) != c.At
	}, test: "retry: the day is closed for the rail (holidays), or the time of day in India >= cut_off"},
}

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
func (s *situation) overBaseline(l *limits) bool {
	f, n, baseF, baseN := s.BankFailed6h, s.BankOutcomes6h, s.BankFailed30d, s.BankOutcomes30d
	return baseN > 0 && (f*baseN-baseF*n)*1000 > l[baseline]*baseN*(n+20)
}

// queuedUntil is when the peak hours end in which the latest failure was
// presented; 0 = it was not.
func (s *situation) queuedUntil() data.Micros {
	return s.policy.windowEnd(false, s.Rail, s.LastPresented)
}

// windowEnd is when the window that holds at a time ends; 0 = none holds.
func (p *Policy) windowEnd(contact bool, r data.Rail, at data.Micros) (end data.Micros) {
	for i := range p.windows {
		if w := &p.windows[i]; w.contact == contact && (w.rail == 0 || w.rail == r) {
			end = max(end, w.end(at))
		}
	}
	return end
}

// closedOn says whether a rail does not clear on the day of a time.
func (p *Policy) closedOn(r data.Rail, at data.Micros) bool {
	for i := range p.holidays {
		if c := &p.holidays[i]; c.rail == r && c.on(at) {
			return true
		}
	}
	return false
}

// clearing is the first time not before at that is before the cut-off of a day
// on which the rail clears.
func (s *situation) clearing(l *limits, at data.Micros) data.Micros {
	if l[cutOff] != silent && at.ISTTimeOfDay() >= l.span(cutOff, data.Minute) {
		at += data.Day - at.ISTTimeOfDay()
	}
	for range 31 { // no bank is closed for a month
		if !s.policy.closedOn(s.Rail, at) {
			break
		}
		at += data.Day - at.ISTTimeOfDay()
	}
	return at
}
