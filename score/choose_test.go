package score

import (
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
)

func worth(a data.Action, at data.Micros, ev data.Paise) Choice {
	return Choice{Action: a, At: at, Cost: Default().Cost(a), EV: &ev}
}

// The highest expected value; equal ones: the earlier, the cheaper, the order of actions.
func TestByValue(t *testing.T) {
	none := Choice{Action: data.Escalate, At: 1}
	for _, c := range []struct {
		name    string
		allowed []Choice
		want    int
	}{
		{"highest", []Choice{worth(data.Wait, 1, 0), worth(data.Retry, 2, 5), worth(data.Retry, 3, 6)}, 2},
		{"all lose", []Choice{worth(data.Wait, 1, 0), worth(data.Retry, 2, -5), worth(data.Nudge, 3, -1)}, 0},
		{"earlier", []Choice{worth(data.Wait, 1, 0), worth(data.Retry, 2, 6), worth(data.PaymentLink, 3, 6)}, 1},
		{"waiting is the earliest and costs nothing", []Choice{worth(data.Wait, 1, 0), worth(data.Retry, 1, 0)}, 0},
		{"cheaper", []Choice{worth(data.Wait, 1, 0), worth(data.Retry, 2, 6), worth(data.Nudge, 2, 6)}, 2},
		{"order of actions", []Choice{worth(data.Wait, 1, 0), worth(data.PaymentLink, 2, 6), worth(data.Nudge, 2, 6)}, 1},
		{"no value is never chosen", []Choice{worth(data.Wait, 1, 0), none}, 0},
		{"nothing has a value", []Choice{none}, -1},
	} {
		if got := byValue(c.allowed); got != c.want {
			t.Errorf("%s: %d, expected %d", c.name, got, c.want)
		}
	}
}

// What the rules arm takes, by class and by what is refused.
func TestByRules(t *testing.T) {
	late := failedAt + 4*data.Day
	for _, c := range []struct {
		name, reason string
		change       func(*caseLog)
		now          data.Micros
		want         string
	}{
		{"now", "duplicate_rrn_found", nil, failedAt, "retry@" + data.IST(2026, 2, 11, 13, 0).String()},
		{"pay day", "insufficient_funds", nil, failedAt, "retry@" + data.IST(2026, 2, 27, 8, 0).String()},
		{"rail", "bank_technical_error", nil, failedAt, "retry@" + data.IST(2026, 2, 11, 13, 0).String()},
		{"instrument", "card_expired", nil, late, "payment_link@" + late.String()},
		{"customer", "authentication_failed", nil, late, "nudge@" + late.String()},
		{"merchant", "bank_not_enabled", nil, late, "escalate@" + late.String()},
		{"status", "capture_failed", nil, late, "wait@" + late.String()},
		{"status, checks spent", "capture_failed", func(l *caseLog) {
			l.poll(late, 0, data.PollPending)
			l.poll(late, 0, data.PollPending)
			l.poll(late, 0, data.PollUnknown)
		}, late, "escalate@" + late.String()},
		{"stop", "collect_on_mcc_blocked", nil, late, "wait@" + late.String()},
		{"not reported", "not_reported", nil, late, "escalate@" + late.String()},
		{"paid", "insufficient_funds", func(l *caseLog) { l.ended(late, data.PaidElsewhere) }, late, "wait@" + late.String()},
		{"revoked", "insufficient_funds", func(l *caseLog) { l.mandate(late, data.Mandate{Status: data.MandateRevoked}) }, late, "payment_link@" + late.String()},
		{"too large for the mandate", "insufficient_funds", func(l *caseLog) {
			l.mandate(late, data.Mandate{Status: data.MandateActive, MaxAmount: 1})
		}, late, "payment_link@" + late.String()},
		{"attempts spent", "duplicate_rrn_found", func(l *caseLog) {
			for no := range int32(3) {
				l.attempt(failedAt+data.Micros(no+1)*data.Hour, no+1, data.Failed, data.MustReason("duplicate_rrn_found"))
			}
		}, late, "payment_link@" + late.String()},
	} {
		l := failure(data.MustReason(c.reason))
		if c.change != nil {
			c.change(l)
		}
		d := l.decide(t, engine(t, nil), c.now)
		got := data.Candidate{Action: d.Allowed[d.Chosen].Action, At: d.Allowed[d.Chosen].At}
		if got.String() != c.want || d.Arm != data.ArmRules || d.ModelID != "" {
			t.Errorf("%s: %s by %s, expected %s", c.name, got, d.Arm, c.want)
		}
		if !warns(&d, "no model") && !warns(&d, "not owed") {
			t.Errorf("%s: %v: nothing says that no model was asked", c.name, d.Warnings)
		}
	}
}

// Where the class leaves no choice the model has no say, and the answer says so.
func TestDemanded(t *testing.T) {
	e := engine(t, testBundle(t, nil))
	for reason, want := range map[string]data.Action{"bank_not_enabled": data.Escalate, "not_reported": data.Escalate, "collect_on_mcc_blocked": data.Wait, "capture_failed": data.Wait} {
		d := failure(data.MustReason(reason)).decide(t, e, failedAt)
		if c := d.Allowed[d.Chosen]; c.Action != want || (d.Arm == data.ArmRules) != (want == data.Escalate) || warns(&d, "its rule decides") != (want == data.Escalate) {
			t.Errorf("%s: %s by %s: %v", reason, c.Action, d.Arm, d.Warnings)
		}
	}
}

// A case that is not owed has no probability to speak of: the model is not asked.
func TestNotOwed(t *testing.T) {
	l := failure(everyAction)
	l.ended(failedAt+data.Hour, data.PaidElsewhere)
	d := l.decide(t, engine(t, testBundle(t, nil)), failedAt+data.Hour)
	if len(d.Allowed) != 1 || d.Allowed[0].P != nil || d.Arm != data.ArmRules || d.ModelID != "" || !warns(&d, "not owed") {
		t.Errorf("%+v by %s: %v", d.Allowed, d.Arm, d.Warnings)
	}
}

// More money at stake never makes waiting look better: with probabilities that do
// not read the amount, every candidate that beats waiting at one amount beats it
// at each larger one.
func TestMoreMoneyNeverFavoursWaiting(t *testing.T) {
	blind := map[string]float64{"amount": 0, "cust_amount_deviation": 0, "cust_amount_rank": 0, "mandate_cap_share": 0}
	e := engine(t, testBundle(t, blind))
	rapid.Check(t, func(rt *rapid.T) {
		small := data.Paise(rapid.Int64Range(1, 5000).Draw(rt, "small"))
		large := small + data.Paise(rapid.Int64Range(0, 1_490_000).Draw(rt, "more"))
		now := failedAt + data.Micros(rapid.Int64Range(0, int64(10*data.Day)).Draw(rt, "now"))
		at := func(amount data.Paise) Decision {
			l := failure(everyAction)
			l.rows[0].Row.(*data.Attempt).Amount = amount
			return l.decide(t, e, now)
		}
		a, b := at(small), at(large)
		if len(a.Allowed) != len(b.Allowed) {
			rt.Fatalf("%d and %d candidates", len(a.Allowed), len(b.Allowed))
		}
		for i := range a.Allowed {
			if a.Allowed[i].EV == nil {
				continue
			}
			if *a.Allowed[i].P != *b.Allowed[i].P {
				rt.Fatalf("P %v and %v: the model reads the amount", *a.Allowed[i].P, *b.Allowed[i].P)
			}
			if *a.Allowed[i].EV > 0 && *b.Allowed[i].EV < *a.Allowed[i].EV {
				rt.Fatalf("%s at %s: EV %s of %s, %s of %s", a.Allowed[i].Action, a.Allowed[i].At, *a.Allowed[i].EV, small, *b.Allowed[i].EV, large)
			}
		}
		if a.Chosen != 0 && b.Chosen == 0 {
			rt.Fatalf("acts for %s and waits for %s", small, large)
		}
	})
}
