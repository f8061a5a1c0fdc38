package score

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"recoup/data"
	"recoup/features"
)

// asked is what the gate makes of candidates at a time, by name: "allowed", or the
// rule and route of the refusal.
func asked(t *testing.T, l *caseLog, now data.Micros, only ...data.Candidate) map[data.Candidate]string {
	t.Helper()
	return askedOf(t, Default(), l, now, only...)
}

// askedOf is asked of a policy.
func askedOf(t *testing.T, p *Policy, l *caseLog, now data.Micros, only ...data.Candidate) map[data.Candidate]string {
	t.Helper()
	e, err := New(p, nil)
	must(t, err)
	d, err := e.decide(l.state(t), "case", now, only)
	must(t, err)
	check(t, &d)
	out := map[data.Candidate]string{}
	for _, c := range d.Allowed {
		out[data.Candidate{Action: c.Action, At: c.At}] = "allowed"
		if c.Kind != 0 {
			out[data.Candidate{Action: c.Action, At: c.At}] = "allowed as " + c.Kind.String()
		}
	}
	for _, c := range only {
		for _, r := range d.Refusals {
			if r.Action == c.Action && (r.At == 0 || r.At == c.At) {
				if r.Why == "" {
					t.Errorf("%+v says no why", r)
				}
				out[c] = strings.TrimSpace(r.Rule + " " + r.Route.String())
			}
		}
		if out[c] == "" {
			t.Errorf("%s neither allowed nor refused", c)
		}
	}
	return out
}

// without is the default policy without some rules.
func without(t *testing.T, rules ...string) *Policy {
	t.Helper()
	p := Default()
	for _, id := range rules {
		var err error
		p, err = p.Without(id)
		must(t, err)
	}
	return p
}

// actionsAt is what the gate makes of every action at one time, for which the
// customer has a notice.
func actionsAt(t *testing.T, l *caseLog, now data.Micros) string {
	t.Helper()
	l.notified(now - 30*data.Hour)
	var only []data.Candidate
	for _, a := range data.Actions()[1:] {
		only = append(only, data.Candidate{Action: a, At: now})
	}
	said, out := asked(t, l, now, only...), []string{}
	for _, c := range only {
		out = append(out, fmt.Sprintf("%s: %s", c.Action, said[c]))
	}
	return strings.Join(out, "; ")
}

// The class table, four days after the failure, when every wait is over.
func TestClassTable(t *testing.T) {
	for _, c := range []struct{ reason, want string }{
		{"duplicate_rrn_found", "retry: allowed; payment_link: attempts_left; nudge: class_table; escalate: allowed as human_review"},
		{"insufficient_funds", "retry: allowed; payment_link: allowed as plain_link; nudge: allowed as winback; escalate: allowed as human_review"},
		{"bank_technical_error", "retry: allowed; payment_link: allowed as plain_link; nudge: class_table; escalate: allowed as human_review"},
		{"card_expired", "retry: class_table re_mandate_link; payment_link: allowed as re_mandate_link; nudge: allowed as winback; escalate: allowed as human_review"},
		{"authentication_failed", "retry: class_table authenticate; payment_link: allowed as plain_link; nudge: allowed as authenticate; escalate: allowed as human_review"},
		{"bank_not_enabled", "retry: class_table merchant_alert; payment_link: class_table merchant_alert; nudge: class_table merchant_alert; escalate: allowed as merchant_alert"},
		{"capture_failed", "retry: await_status status_poll; payment_link: class_table status_poll; nudge: class_table status_poll; escalate: polls_left status_poll"},
		{"collect_on_mcc_blocked", "retry: class_table human_review; payment_link: class_table human_review; nudge: class_table human_review; escalate: allowed as human_review"},
		{"not_reported", "retry: not_reported human_review; payment_link: not_reported human_review; nudge: not_reported human_review; escalate: allowed as human_review"},
	} {
		if got := actionsAt(t, failure(data.MustReason(c.reason)), failedAt+4*data.Day); got != c.want {
			t.Errorf("%s:\n%s\nexpected\n%s", c.reason, got, c.want)
		}
	}
	none := actionsAt(t, failure(0), failedAt+4*data.Day)
	if want := actionsAt(t, failure(data.NotReported), failedAt+4*data.Day); none != want {
		t.Errorf("a failure without a reason: %s, expected that of not_reported: %s", none, want)
	}
}

// No retry for what must not be retried: every reason of the table, in every state
// that a case can be in, at every time of a grid.
func TestNeverRetried(t *testing.T) {
	p := Default()
	never := []data.Class{0, data.SwitchInstrument, data.NudgeCustomer, data.MerchantAlert, data.Stop, data.AwaitStatus}
	retried := map[data.Class]int{}
	for _, reason := range data.Reasons() {
		for _, f := range situations(reason) {
			t0 := f.LastFailure + 4*data.Day
			s := situationOf(p, &f, t0)
			var d Decision
			s.candidates(&d, nil)
			if len(d.Allowed) == 0 || d.Allowed[0].Action != data.Wait {
				t.Fatalf("%s: waiting is not allowed", reason)
			}
			for _, c := range d.Allowed {
				if c.Action != data.Retry {
					continue
				}
				retried[reason.Class()]++
				failedPoll := reason.Class() == data.AwaitStatus && f.LastPoll == data.PollFailed
				if slices.Contains(never, reason.Class()) && !failedPoll {
					t.Fatalf("%s, %s: retry at %s allowed for %+v", reason, reason.Class(), c.At, f)
				}
				if !f.Owed || f.Pending > 0 || f.Disputed || f.OptedOut || f.CaseRefunds > 0 || f.LastPoll == data.PollCaptured ||
					f.Mandate > data.MandateActive || c.At < f.LastFailure+reason.Info().MinWait || c.At < t0 {
					t.Fatalf("%s: retry at %s allowed for %+v", reason, c.At, f)
				}
			}
		}
	}
	for _, c := range []data.Class{data.RetryNow, data.RetryScheduled, data.SwitchRail, data.AwaitStatus} {
		if retried[c] == 0 {
			t.Errorf("%s: never a retry: the test cannot tell", c)
		}
	}
}

// situations are the facts of a failure, one thing changed at a time.
func situations(reason data.Reason) []features.Facts {
	base := features.Facts{CaseID: "case", CustomerID: "cust", Owed: true, Amount: 100_00, Rail: data.Card, Reason: reason, Class: reason.Class(),
		LastFailure: failedAt, FirstFailure: failedAt, Failures: 1, ByProvider: 1, Mandate: data.MandateActive}
	out := []features.Facts{base}
	for _, change := range []func(*features.Facts){
		func(f *features.Facts) { f.Mandate = 0 },
		func(f *features.Facts) { f.Mandate = data.MandatePaused },
		func(f *features.Facts) { f.Mandate = data.MandateRevoked },
		func(f *features.Facts) { f.Mandate = data.MandateExpired },
		func(f *features.Facts) { f.MandateUntil = failedAt + 6*data.Day },
		func(f *features.Facts) { f.Owed, f.Paid = false, true },
		func(f *features.Facts) { f.Owed, f.Ended = false, true },
		func(f *features.Facts) { f.Disputed = true },
		func(f *features.Facts) { f.CaseRefunds = 1 },
		func(f *features.Facts) { f.Pending = 1 },
		func(f *features.Facts) { f.OptedOut = true },
		func(f *features.Facts) { f.Polls, f.LastPoll = 1, data.PollFailed },
		func(f *features.Facts) { f.Polls, f.LastPoll = 1, data.PollCaptured },
		func(f *features.Facts) { f.Polls, f.LastPoll = 2, data.PollPending },
		func(f *features.Facts) { f.Polls, f.LastPoll = 3, data.PollUnknown },
		func(f *features.Facts) { f.ByProvider = 4 },
		func(f *features.Facts) { f.Nudges, f.Links = 1, 1 },
	} {
		f := base
		change(&f)
		out = append(out, f)
	}
	return out
}

// What the state of case and mandate changes, whatever the reason says.
func TestStateOutranksReason(t *testing.T) {
	funds, late := data.MustReason("insufficient_funds"), failedAt+4*data.Day
	all := func(rule string) string {
		return "retry: " + rule + "; payment_link: " + rule + "; nudge: " + rule + "; escalate: " + rule
	}
	for _, c := range []struct {
		name   string
		change func(*caseLog)
		want   string
	}{
		{"paid", func(l *caseLog) { l.attempt(late, 1, data.Captured, 0) }, all("paid")},
		{"paid elsewhere", func(l *caseLog) { l.ended(late, data.PaidElsewhere) }, all("paid")},
		{"disputed", func(l *caseLog) { l.ended(late, data.Disputed) }, all("disputed")},
		{"cancelled", func(l *caseLog) { l.ended(late, data.CaseCancelled) }, all("ended")},
		{"refunded", func(l *caseLog) { l.attempt(late, 1, data.Refunded, 0) }, all("refunded")},
		{"pending", func(l *caseLog) { l.attempt(late, 1, data.Pending, 0) },
			"retry: pending status_poll; payment_link: pending status_poll; nudge: allowed as winback; escalate: allowed as human_review"},
		{"poll says captured", func(l *caseLog) { l.poll(late, 0, data.PollCaptured) },
			"retry: poll_captured status_poll; payment_link: poll_captured status_poll; nudge: poll_captured status_poll; escalate: allowed as human_review"},
		{"poll says failed", func(l *caseLog) { l.poll(late, 0, data.PollFailed) },
			"retry: allowed; payment_link: allowed as plain_link; nudge: allowed as winback; escalate: allowed as human_review"},
		{"opted out", func(l *caseLog) { l.notice(late, data.PreDebit, data.NoticeOptedOut) },
			"retry: opted_out human_review; payment_link: opted_out human_review; nudge: opted_out human_review; escalate: allowed as human_review"},
		{"nudged", func(l *caseLog) { l.notice(late, data.NoticeWinback, data.NoticeSent) },
			"retry: allowed; payment_link: contact_gap; nudge: nudge_once; escalate: allowed as human_review"},
		{"revoked", func(l *caseLog) { l.mandate(late, data.Mandate{Status: data.MandateRevoked}) },
			"retry: mandate_state re_mandate_link; payment_link: allowed as re_mandate_link; nudge: allowed as winback; escalate: allowed as human_review"},
		{"paused", func(l *caseLog) { l.mandate(late, data.Mandate{Status: data.MandatePaused}) },
			"retry: mandate_state authenticate; payment_link: allowed as plain_link; nudge: allowed as authenticate; escalate: allowed as human_review"},
		{"ended by its date", func(l *caseLog) { l.mandate(late, data.Mandate{Status: data.MandateActive, ValidUntil: late}) },
			"retry: mandate_state re_mandate_link; payment_link: allowed as re_mandate_link; nudge: allowed as winback; escalate: allowed as human_review"},
		{"lasts a moment more", func(l *caseLog) { l.mandate(late, data.Mandate{Status: data.MandateActive, ValidUntil: late + 1}) },
			"retry: allowed; payment_link: allowed as plain_link; nudge: allowed as winback; escalate: allowed as human_review"},
		{"mandate too small", func(l *caseLog) { l.mandate(late, data.Mandate{Status: data.MandateActive, MaxAmount: 498_99}) },
			"retry: mandate_amount mandate_upgrade; payment_link: allowed as plain_link; nudge: allowed as winback; escalate: allowed as human_review"},
		{"mandate just large enough", func(l *caseLog) { l.mandate(late, data.Mandate{Status: data.MandateActive, MaxAmount: 499_00}) },
			"retry: allowed; payment_link: allowed as plain_link; nudge: allowed as winback; escalate: allowed as human_review"},
	} {
		l := failure(funds)
		c.change(l)
		if got := actionsAt(t, l, late); got != c.want {
			t.Errorf("%s:\n%s\nexpected\n%s", c.name, got, c.want)
		}
	}
}

// A dead mandate opens the links that the class would keep for later; it opens
// nothing where nothing may be charged.
func TestDeadMandate(t *testing.T) {
	for reason, want := range map[string]string{
		"duplicate_rrn_found":    "retry: mandate_state re_mandate_link; payment_link: allowed as re_mandate_link; nudge: allowed as winback; escalate: allowed as human_review",
		"collect_on_mcc_blocked": "retry: mandate_state human_review; payment_link: class_table human_review; nudge: class_table human_review; escalate: allowed as human_review",
		"capture_failed":         "retry: mandate_state status_poll; payment_link: class_table status_poll; nudge: class_table status_poll; escalate: polls_left status_poll",
	} {
		l := failure(data.MustReason(reason))
		l.mandate(failedAt, data.Mandate{Status: data.MandateRevoked})
		if got := actionsAt(t, l, failedAt+4*data.Day); got != want {
			t.Errorf("%s:\n%s\nexpected\n%s", reason, got, want)
		}
	}
}
