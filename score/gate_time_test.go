package score

import (
	"testing"

	"recoup/data"
)

func retryAt(at data.Micros) data.Candidate { return data.Candidate{Action: data.Retry, At: at} }

// Both sides of every edge in time, to the microsecond.
func TestWaitEdges(t *testing.T) {
	down := func(status data.DowntimeStatus, begin, end data.Micros) func(*caseLog) {
		return func(l *caseLog) { l.downtime(failedAt+data.Minute, status, begin, end) }
	}
	h := data.Hour
	p := without(t, "notice_missing", "late_capture", "peak_window")
	for _, c := range []struct {
		name, reason string
		change       func(*caseLog)
		now, edge    data.Micros // after failedAt
		before, at   string
	}{
		{"funds", "insufficient_funds", nil, 0, 72 * h, "min_wait", "allowed"},
		{"no wait", "duplicate_rrn_found", nil, 0, 0, "", "allowed"},
		{"traffic", "server_error", nil, 0, h, "min_wait", "allowed"},
		{"cut-off", "bank_cutoff_in_progress", nil, 0, 2 * h, "min_wait", "allowed"},
		{"rail, no outage known", "bank_technical_error", nil, 0, 2 * h, "min_wait", "allowed"},
		{"rail, outage with an end", "bank_technical_error", down(data.DowntimeUpdated, failedAt, failedAt+5*h), h, 5 * h, "outage", "allowed"},
		{"rail, outage over", "bank_technical_error", down(data.DowntimeResolved, failedAt-h, failedAt+h), h, h, "", "allowed"},
		{"rail, outage over long before", "bank_technical_error", down(data.DowntimeResolved, failedAt-9*h, failedAt-5*h), 0, 2 * h, "min_wait", "allowed"},
		{"rail, outage to come", "bank_technical_error", down(data.DowntimeScheduled, failedAt+10*h, failedAt+12*h), h, 12 * h, "outage", "allowed"},
		{"before it comes", "bank_technical_error", down(data.DowntimeScheduled, failedAt+10*h, failedAt+12*h), h, 10 * h, "allowed", "outage"},
		{"outages are no matter of funds", "insufficient_funds", down(data.DowntimeUpdated, failedAt, failedAt+80*h), h, 72 * h, "min_wait", "allowed"},
		{"mandate ends", "duplicate_rrn_found", func(l *caseLog) {
			l.mandate(failedAt, data.Mandate{Status: data.MandateActive, ValidUntil: failedAt + 50*h})
		}, h, 50 * h, "allowed", "mandate_ends"},
		{"horizon", "duplicate_rrn_found", nil, 9 * 24 * h, 21 * 24 * h, "allowed", "horizon"},
	} {
		l := failure(data.MustReason(c.reason))
		if c.change != nil {
			c.change(l)
		}
		now, edge := failedAt+max(c.now, data.Minute*2), failedAt+c.edge
		if c.edge == 0 || c.name == "rail, outage over" {
			now, edge = max(now, edge), max(now, edge)
		} else if got := askedOf(t, p, l, now, retryAt(edge-1))[retryAt(edge-1)]; got != c.before {
			t.Errorf("%s: just before %s: %s, expected %s", c.name, edge, got, c.before)
		}
		if got := askedOf(t, p, l, now, retryAt(edge))[retryAt(edge)]; got != c.at {
			t.Errorf("%s: at %s: %s, expected %s", c.name, edge, got, c.at)
		}
	}
}

// An outage that nobody knows the end of forbids every retry of its class.
func TestOutageWithoutEnd(t *testing.T) {
	p := without(t, "notice_missing", "late_capture", "peak_window")
	l := failure(data.MustReason("bank_technical_error"))
	l.downtime(failedAt+data.Minute, data.DowntimeStarted, failedAt-data.Hour, 0)
	for _, at := range []data.Micros{failedAt + 3*data.Hour, failedAt + 9*data.Day} {
		if got := askedOf(t, p, l, failedAt+data.Hour, retryAt(at))[retryAt(at)]; got != "outage" {
			t.Errorf("%s: %s", at, got)
		}
	}
	l.downtime(failedAt+5*data.Hour, data.DowntimeResolved, failedAt-data.Hour, failedAt+5*data.Hour)
	if at := failedAt + 5*data.Hour; askedOf(t, p, l, at, retryAt(at))[retryAt(at)] != "allowed" {
		t.Error("not allowed when the outage has ended")
	}
}

// Without an outage on record a switched rail waits until its bank fails no more
// than it used to. 30 days: 100 of 1000; 6 hours: f of 60, shrunk by 20: the
// deviation f/80 - 0.1*60/80 passes 0.1 between 14 and 15.
func TestBaseline(t *testing.T) {
	for f, want := range map[int64]bool{0: false, 13: false, 14: false, 15: true, 60: true} {
		facts := situations(data.MustReason("bank_technical_error"))[0]
		facts.BankFailed6h, facts.BankOutcomes6h, facts.BankFailed30d, facts.BankOutcomes30d = f, 60, 100, 1000
		s := situationOf(Default(), &facts, failedAt+data.Day)
		if s.overBaseline(&s.now) != want {
			t.Errorf("%d of 60: %t", f, !want)
		}
		if r := s.refusesAction(data.Retry); (r != nil) != want || r != nil && r.Rule != "baseline" {
			t.Errorf("%d of 60: refusal %+v", f, r)
		}
		facts.Outages[0].Begin, facts.Outages[0].End, facts.Outages[0].Severity = failedAt-data.Hour, failedAt+data.Hour, data.SeverityHigh
		if s := situationOf(Default(), &facts, failedAt+data.Day); s.refusesAction(data.Retry) != nil {
			t.Errorf("%d of 60: an outage that has ended says enough", f)
		}
	}
	unknown := situations(data.MustReason("bank_technical_error"))[0]
	unknown.BankFailed6h, unknown.BankOutcomes6h = 60, 60
	if s := situationOf(Default(), &unknown, failedAt+data.Day); s.overBaseline(&s.now) {
		t.Error("over a baseline that is not known")
	}
}

// The customer's own attempts do not count against the budget; the fourth
// presentation of ours is the last.
func TestAttemptsSpent(t *testing.T) {
	facts := situations(data.MustReason("duplicate_rrn_found"))[0]
	for _, c := range []struct {
		recoup, provider, customer, unknown int
		spent                               bool
	}{{0, 1, 9, 0, false}, {1, 1, 0, 1, false}, {1, 2, 0, 1, true}, {0, 0, 0, 4, true}, {3, 4, 0, 0, true}} {
		facts.ByRecoup, facts.ByProvider, facts.ByCustomer, facts.ByUnknown = c.recoup, c.provider, c.customer, c.unknown
		s := situationOf(Default(), &facts, failedAt+data.Day)
		retry, link := s.refusesAction(data.Retry), s.refusesAction(data.PaymentLink)
		if (retry != nil && retry.Rule == "attempts_spent" && retry.Route == data.PlainLink) != c.spent || (link == nil) != c.spent {
			t.Errorf("%+v: retry %+v, link %+v", c, retry, link)
		}
	}
}

// A rule holds on the days that the policy gives it, and no other; at the edges.
func TestRulesInForce(t *testing.T) {
	from, to := data.IST(2026, 2, 12, 0, 0), data.IST(2026, 2, 14, 0, 0)
	p := *without(t, "notice_missing")
	p.rules = append([]statedRule(nil), p.rules...)
	for i := range p.rules {
		if p.rules[i].ID == "horizon" {
			p.rules[i].From, p.rules[i].To = from, to
		}
	}
	facts := situations(data.MustReason("duplicate_rrn_found"))[0]
	facts.LastFailure -= 30 * data.Day
	s := situationOf(&p, &facts, failedAt)
	for at, refused := range map[data.Micros]bool{from - 1: false, from: true, to - 1: true, to: false} {
		if got, is := s.refusesAt(retryAt(at)); is != refused {
			t.Errorf("%s: %+v", at, got)
		}
	}
}
