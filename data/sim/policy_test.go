package sim

import (
	"testing"

	"recoup/data"
)

func situation(r data.Rail, reason data.Reason, failed data.Micros, no int) *Situation {
	return &Situation{Rail: r, Reason: reason, Class: reason.Class(), AttemptNo: no, FirstFailedAt: failed, FailedAt: failed,
		KnownAt: failed + data.Minute, Now: failed + data.Minute + decisionLag, NextCharge: failed + 31*data.Day}
}

// TestRulesTable: every reason has an answer, and each class the one of its rules.
func TestRulesTable(t *testing.T) {
	failed := data.IST(2025, 3, 10, 9, 0)
	want := map[data.Class]data.Action{data.RetryNow: data.Retry, data.RetryScheduled: data.Retry, data.SwitchRail: data.Retry,
		data.SwitchInstrument: data.PaymentLink, data.NudgeCustomer: data.Nudge, data.MerchantAlert: data.Escalate,
		data.AwaitStatus: data.Wait, data.Stop: data.Wait, 0: data.Wait}
	for _, reason := range data.Reasons() {
		for no := 1; no <= maxRetries; no++ {
			s := situation(data.Card, reason, failed, no)
			candidates(s, true)
			got := s.Candidates[s.Rules]
			if got.Action != want[s.Class] {
				t.Errorf("%s (%s): %s, want %s", reason, s.Class, got.Action, want[s.Class])
			}
			if got.Action == data.Retry && got.At < failed+reason.Info().MinWait {
				t.Errorf("%s: retried %s after the failure, before its wait", reason, got.At-failed)
			}
			if l := s.Candidates[s.Ladder]; l.Action != data.Retry {
				t.Errorf("%s: the ladder must retry whatever the reason, not %s", reason, l.Action)
			}
		}
	}
}

// TestRulesAwaitTheEndOfADowntime: a known end later than the notice allows is waited for.
func TestRulesAwaitTheEndOfADowntime(t *testing.T) {
	s := situation(data.UPIAutopay, data.MustReason("bank_not_available"), data.IST(2025, 3, 10, 9, 0), 1)
	s.Downtime = &data.Downtime{End: data.IST(2025, 3, 12, 12, 0)}
	candidates(s, true)
	if got, want := s.Candidates[s.Rules].At, data.IST(2025, 3, 12, 14, 0); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestSlots: order, floors, windows, the last day, and no slot twice.
func TestSlots(t *testing.T) {
	funds := data.MustReason("insufficient_funds")
	for _, r := range mixedRails {
		for _, hour := range []int{0, 6, 9, 13, 22} {
			s := situation(r, funds, data.IST(2025, 3, 17, hour, 30), 2)
			s.NextCharge = s.Now + 9*data.Day
			candidates(s, false)
			if s.Candidates[0].Action != data.Wait || s.Candidates[0].At != s.Now {
				t.Fatalf("%s: the first candidate must be to wait now", r)
			}
			for i, c := range s.Candidates[1:] {
				switch {
				case c.Action != data.Retry:
					t.Errorf("%s: %s among the slots", r, c.Action)
				case c.At != nextLegal(r, c.At):
					t.Errorf("%s: %s is outside the windows", r, c.At)
				case c.NoticeBy < s.Now || c.At-c.NoticeBy != noticeFloor(r):
					t.Errorf("%s: %s: notice by %s, decided %s", r, c.At, c.NoticeBy, s.Now)
				case c.At >= s.NextCharge-data.Day:
					t.Errorf("%s: %s is too close to the next charge", r, c.At)
				case i+1 != s.Ladder && i+1 != s.Rules && !onGrid(r, c.At):
					t.Errorf("%s: %s is no slot of the grid", r, c.At)
				case i > 0 && c.At <= s.Candidates[i].At:
					t.Errorf("%s: %s after %s", r, c.At, s.Candidates[i].At)
				}
			}
		}
	}
	s := situation(data.EMandate, funds, data.IST(2025, 3, 17, 0, 0), 1)
	s.NextCharge = s.Now + data.Day // no room for any retry
	if candidates(s, false); len(s.Candidates) != 1 || s.Ladder != 0 || s.Rules != 0 {
		t.Errorf("without room only waiting is left, got %v", s.Candidates)
	}
}

// onGrid reports whether a slot is 00, 06, 12 or 18 h IST, or where the windows move it.
func onGrid(r data.Rail, at data.Micros) bool {
	for h := data.Micros(0); h < 24; h += 6 {
		if nextLegal(r, midnight(at)+h*data.Hour) == at {
			return true
		}
	}
	return false
}
