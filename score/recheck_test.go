package score

import (
	"testing"

	"recoup/data"
	"recoup/features"
)

// What the gate allowed it allows again at the same time, with the same needs; what
// came since takes it away.
func TestRecheckAgreesWithTheDecision(t *testing.T) {
	e := engine(t, testBundle(t, nil))
	for _, reason := range []string{"insufficient_funds", "server_error", "card_expired", "bank_not_enabled"} {
		st, at := failedFor(t, reason)
		at += data.Hour
		d, err := e.Decide(st, "c", at)
		must(t, err)
		allowed := map[data.Candidate]Choice{}
		for _, c := range d.Allowed {
			allowed[data.Candidate{Action: c.Action, At: c.At}] = c
		}
		for c, want := range allowed {
			needs, refusal, err := e.Recheck(st, "c", c, at)
			must(t, err)
			if refusal != nil || needs.NoticeBy != want.NoticeBy || needs.PollFrom != want.PollFrom || needs.NoticeFrom > needs.NoticeBy {
				t.Errorf("%s: %s: %+v %+v", reason, c, needs, refusal)
			}
		}
		for _, r := range d.Refusals {
			if r.At < at {
				continue
			}
			if _, refusal, err := e.Recheck(st, "c", data.Candidate{Action: r.Action, At: r.At}, at); err != nil || refusal == nil || refusal.Rule != r.Rule {
				t.Errorf("%s: %s at %s was refused by %s, now %+v %v", reason, r.Action, r.At, r.Rule, refusal, err)
			}
		}
	}
}

func TestRecheckAfterTheCaseIsPaid(t *testing.T) {
	e := engine(t, nil)
	st, at := failedFor(t, "insufficient_funds")
	a := data.Attempt{Event: data.Event{EventID: "b", OccurredAt: at + data.Minute, KnownAt: at + data.Minute, Seq: 3}, CaseID: "c", AttemptNo: 1, AttemptID: "b", CustomerID: "u",
		Rail: data.UPIAutopay, Amount: 49900, Status: data.Captured}
	must(t, features.Fold(st, &a))
	c := data.Candidate{Action: data.PaymentLink, At: at + data.Day}
	if _, refusal, err := e.Recheck(st, "c", c, at+data.Hour); err != nil || refusal == nil || refusal.Rule != ruleNotOwed {
		t.Errorf("%+v %v", refusal, err)
	}
	if _, _, err := e.Recheck(st, "c", c, c.At+1); err == nil {
		t.Error("a candidate of the past")
	}
	if _, _, err := e.Recheck(st, "d", c, at+data.Hour); err == nil {
		t.Error("a case that nobody knows")
	}
}

// A decision leaves half an hour to send the notice it needs, and stands while
// one can still be sent.
func TestNoticeLead(t *testing.T) {
	e := engine(t, nil)
	for _, reason := range []string{"server_error", "insufficient_funds"} {
		st, at := failedFor(t, reason)
		d, err := e.Decide(st, "c", at)
		must(t, err)
		noticed := 0
		for _, c := range d.Allowed {
			if c.Action != data.Retry || c.NoticeBy == 0 {
				continue
			}
			if noticed++; c.NoticeBy < at+30*data.Minute {
				t.Errorf("%s: retry at %s needs a notice by %s, decided at %s", reason, c.At, c.NoticeBy, at)
			}
			for then, rule := range map[data.Micros]string{c.NoticeBy: "", c.NoticeBy + 1: "notice_missing"} {
				_, refusal, err := e.Recheck(st, "c", data.Candidate{Action: c.Action, At: c.At}, then)
				if must(t, err); (refusal == nil) != (rule == "") || refusal != nil && refusal.Rule != rule {
					t.Errorf("%s: retry at %s, asked again at %s: %+v, expected %q", reason, c.At, then, refusal, rule)
				}
			}
		}
		if noticed == 0 {
			t.Errorf("%s: no retry needs a notice", reason)
		}
	}
}
