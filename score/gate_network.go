package score

import (
	"slices"

	"recoup/data"
	"recoup/features"
)

// networkRules are the card networks' own: silent where the network or its codes
// are not known.
var networkRules = map[string]gateRule{
	"network_stop": {hard: true, refuses: func(s *situation, _ *limits, a data.Action) (data.Route, bool) {
		return data.ReMandateLink, a == data.Retry && s.networkStops()
	}, becomes: "re_mandate_link",
		test: "retry: a row of stops in force at t, of the network, has the latest failure's response or advice code"},
	"advice_absent": {refuses: func(s *situation, l *limits, a data.Action) (data.Route, bool) {
		return data.PlainLink, a == data.Retry && l[adviceNeeded] != silent && s.Response != features.Code{} && s.Advice == features.Code{}
	}, becomes: "plain_link",
		test: "retry: advice_needed holds, the latest failure has a response code and no advice code"},
	"network_month": {refuses: func(s *situation, l *limits, a data.Action) (data.Route, bool) {
		return data.ReMandateLink, a == data.Retry && l[declines30d] != silent && int64(s.Declines30d) >= l[declines30d]
	}, becomes: "re_mandate_link",
		test: "retry: declines_30d of the facts >= declines_30d"},
	"network_day": {at: func(s *situation, l *limits, c data.Candidate) (data.Route, bool) {
		return 0, c.Action == data.Retry && l[declinesDay] != silent && int64(s.DeclinesToday) >= l[declinesDay] && c.At.ISTDay() == s.t.ISTDay()
	}, test: "retry: declines_today >= declines_day, and at is on t's day in India"},
	"network_wait": {moves: movesAdvice, at: func(s *situation, l *limits, c data.Candidate) (data.Route, bool) {
		return 0, c.Action == data.Retry && l[adviceWait] != silent && c.At < s.LastFinal+l.span(adviceWait, data.Hour)
	}, test: "retry: at < last_final + advice_wait"},
}

func (s *situation) networkStops() bool {
	for i := range s.policy.stops {
		r := &s.policy.stops[i]
		if r.network == s.Network && r.holds(s.t) && (slices.Contains(r.response, s.Response) || slices.Contains(r.advice, s.Advice)) {
			return true
		}
	}
	return false
}
