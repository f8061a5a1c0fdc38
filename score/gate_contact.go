package score

import "recoup/data"

// contactRules are about the customer: what he promised, and how often and when
// he may be written to.
var contactRules = map[string]gateRule{
	"promise": {moves: movesPromise, at: func(s *situation, l *limits, c data.Candidate) (data.Route, bool) {
		return 0, c.Action == data.Retry && c.At < s.promisedUntil(l)
	}, test: "retry: promise = made, broken_promises < promise_trust, at < the earlier of promise_due and last_failure + promise_days"},
	"contact_hours": {moves: movesNight, at: func(s *situation, _ *limits, c data.Candidate) (data.Route, bool) {
		return 0, contacts(c.Action) && s.policy.windowEnd(true, s.Rail, c.At) != 0
	}, test: "payment_link, nudge: a contact window holds at the candidate's time"},
	"contact_gap": {at: func(s *situation, l *limits, c data.Candidate) (data.Route, bool) {
		return 0, contacts(c.Action) && l[contactGap] != silent && s.Contacts[0] != 0 && c.At < s.Contacts[0]+l.span(contactGap, data.Hour)
	}, test: "payment_link, nudge: at < the customer's latest contact + contact_gap"},
	"contact_cap": {at: func(s *situation, l *limits, c data.Candidate) (data.Route, bool) {
		if !contacts(c.Action) || l[contacts7d] == silent {
			return 0, false
		}
		last := s.Contacts[l[contacts7d]-1]
		return 0, last != 0 && c.At < last+7*data.Day
	}, test: "payment_link, nudge: the customer's contacts_7d-latest contact is less than 7 days before at"},
}

// promisedUntil is the time to which a promise holds a retry; 0 = none does.
func (s *situation) promisedUntil(l *limits) data.Micros {
	if s.Promise != data.PromiseMade || l[promiseTrust] != silent && int64(s.BrokenPromises) >= l[promiseTrust] {
		return 0
	}
	if l[promiseDays] == silent {
		return s.PromiseDue
	}
	return min(s.PromiseDue, s.LastFailure+l.span(promiseDays, data.Day))
}
