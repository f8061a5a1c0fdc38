package score

import (
	"testing"

	"recoup/data"
	"recoup/features"
)

// edgeCase is a failure without a wait, for which a notice holds and a status
// check said failed: every retry is allowed but for what a test changes.
func edgeCase(change func(*features.Facts)) *features.Facts {
	f := situations(data.MustReason("duplicate_rrn_found"))[0]
	f.Rail = data.UPIAutopay
	f.LastPresented, f.LastFinal = failedAt, failedAt
	f.MandateCategory = features.FASTag // no notice is needed
	if change != nil {
		change(&f)
	}
	return &f
}

// needsNotice takes the exemption away.
func needsNotice(change func(*features.Facts)) *features.Facts {
	return edgeCase(func(f *features.Facts) {
		f.MandateCategory = features.Regular
		if change != nil {
			change(f)
		}
	})
}

// ruleAt is the rule that refuses an action at a time; "" = it is allowed.
func ruleAt(p *Policy, f *features.Facts, t data.Micros, a data.Action, at data.Micros) string {
	s := situationOf(p, f, t)
	if r := s.refusesAction(a); r != nil {
		return r.Rule
	}
	if r, refused := s.refusesAt(data.Candidate{Action: a, At: at}); refused {
		return r.Rule
	}
	return ""
}

// Both sides of every edge in time: one microsecond and one second before it, and at it.
func TestGateTimeEdges(t *testing.T) {
	h, d, m := data.Hour, data.Day, data.Minute
	notice := func(age data.Micros) func(*features.Facts) { // at failedAt
		return func(f *features.Facts) {
			f.Notice, f.NoticeSent, f.NoticeAmount = data.NoticeDelivered, failedAt-age, f.Amount
		}
	}
	on := func(r data.Rail, change func(*features.Facts)) func(*features.Facts) {
		return func(f *features.Facts) {
			f.Rail = r
			if r == data.Card {
				f.LastFinal -= 2 * d // rested
			}
			if change != nil {
				change(f)
			}
		}
	}
	midnight := data.IST(2026, 2, 11, 0, 0)
	for _, c := range []struct {
		name       string
		facts      *features.Facts
		action     data.Action
		edge       data.Micros // the first microsecond of the other side
		before, at string
	}{
		{"UPI notice to send", needsNotice(nil), data.Retry, failedAt + 25*h + 30*m, "notice_missing", "peak_window"},
		{"card notice to send", needsNotice(on(data.Card, nil)), data.Retry, failedAt + 36*h + 35*m, "notice_missing", ""},
		{"eNACH notice to send", needsNotice(on(data.EMandate, func(f *features.Facts) { f.LastFinal -= 9 * d })), data.Retry, failedAt + 24*h + 30*m, "notice_missing", "bank_day"},
		{"wallet notice to send", needsNotice(on(data.Wallet, nil)), data.Retry, failedAt + 24*h + 30*m, "notice_missing", ""},
		{"UPI notice young", needsNotice(notice(10 * h)), data.Retry, failedAt + 15*h, "notice_young", ""},
		{"UPI notice old", needsNotice(notice(47*h + 45*m)), data.Retry, failedAt + 15*m + 1, "", "notice_old"},
		{"card notice lapses", needsNotice(on(data.Card, func(f *features.Facts) { notice(40 * h)(f); f.NoticeDebit = failedAt - 70*h })), data.Retry, failedAt + 2*h + 1, "", "notice_old"},
		{"card notice without a debit lapses", needsNotice(on(data.Card, notice(36*h+5*m+71*h))), data.Retry, failedAt + h + 1, "", "notice_old"},
		{"morning peak", edgeCase(nil), data.Retry, data.IST(2026, 2, 11, 10, 0), "", "peak_window"},
		{"morning peak over", edgeCase(nil), data.Retry, data.IST(2026, 2, 11, 13, 0), "peak_window", ""},
		{"evening peak", edgeCase(nil), data.Retry, data.IST(2026, 2, 11, 17, 0), "", "peak_window"},
		{"evening peak over", edgeCase(nil), data.Retry, data.IST(2026, 2, 11, 21, 30), "peak_window", ""},
		{"queued until the peak ends", edgeCase(func(f *features.Facts) { f.LastPresented = data.IST(2026, 2, 10, 10, 0) }), data.Nudge, data.IST(2026, 2, 10, 13, 0), "class_table", "class_table"},
		{"queued retry", edgeCase(func(f *features.Facts) { f.LastPresented = data.IST(2026, 2, 10, 17, 0) }), data.Retry, data.IST(2026, 2, 10, 21, 30), "queued", ""},
		{"cut-off", edgeCase(on(data.EMandate, func(f *features.Facts) { f.LastFinal -= 9 * d })), data.Retry, data.IST(2026, 2, 11, 9, 0), "", "bank_day"},
		{"next day", edgeCase(on(data.EMandate, func(f *features.Facts) { f.LastFinal -= 9 * d })), data.Retry, data.IST(2026, 2, 12, 0, 0), "bank_day", ""},
		{"second Saturday", edgeCase(on(data.EMandate, func(f *features.Facts) { f.LastFinal -= 9 * d })), data.Retry, data.IST(2026, 2, 16, 0, 0), "bank_day", ""},
		{"rest after the final status", edgeCase(on(data.EMandate, func(f *features.Facts) { f.LastFinal = midnight - 2*d - 23*h })), data.Retry, midnight + h, "final_rest", ""},
		{"rest of a card", edgeCase(func(f *features.Facts) { f.Rail = data.Card }), data.Retry, failedAt + 36*h, "final_rest", ""},
		{"new mandate", edgeCase(on(data.EMandate, func(f *features.Facts) { f.LastFinal -= 9 * d; f.MandateCreated = midnight - 47*h })), data.Retry, midnight + h, "mandate_fresh", ""},
		{"new mandate that the bank calls inactive", edgeCase(on(data.EMandate, func(f *features.Facts) {
			f.LastFinal, f.LastFailure, f.MandateCreated, f.Reason = f.LastFinal-9*d, f.LastFailure-9*d, midnight-119*h, data.MustReason("payment_mandate_not_active")
		})), data.Retry, midnight + h, "mandate_fresh", ""},
		{"new mandate on UPI", edgeCase(func(f *features.Facts) { f.MandateCreated = failedAt - h }), data.Retry, failedAt + 10*m, "", ""},
		{"cycle's last day", edgeCase(func(f *features.Facts) { f.CycleStart, f.CycleEnd = failedAt-d, data.IST(2026, 3, 1, 0, 0) }), data.Retry, data.IST(2026, 2, 28, 0, 0), "", "cycle_last_day"},
		{"cycle's last day, of a cycle that ends in a day", edgeCase(func(f *features.Facts) { f.CycleStart, f.CycleEnd = failedAt-d, data.IST(2026, 3, 1, 0, 1) }), data.Retry, data.IST(2026, 3, 1, 0, 0), "", "cycle_last_day"},
		{"promise", edgeCase(func(f *features.Facts) { f.Promise, f.PromiseDue = data.PromiseMade, failedAt+30*h+30*m }), data.Retry, failedAt + 30*h + 30*m, "promise", ""},
		{"promise too far", edgeCase(func(f *features.Facts) { f.Promise, f.PromiseDue = data.PromiseMade, failedAt+99*d }), data.Retry, failedAt + 14*d, "promise", ""},
		{"mandate ends", edgeCase(func(f *features.Facts) { f.MandateUntil = failedAt + 30*h }), data.Retry, failedAt + 30*h, "", "mandate_ends"},
		{"may be captured, checks spent", edgeCase(func(f *features.Facts) { f.Unresolved, f.UnresolvedPolls = failedAt-m, 3 }), data.Retry, failedAt - m + 72*h, "late_capture", ""},
		{"first status check", edgeCase(func(f *features.Facts) { f.Unresolved = failedAt }), data.Retry, failedAt + 90*data.Second + 1, "late_capture", ""},
		{"next status check", edgeCase(func(f *features.Facts) {
			f.Unresolved, f.UnresolvedPolls, f.UnresolvedPollAt = failedAt-h, 1, failedAt
		}), data.Retry, failedAt + 90*data.Second + 1, "late_capture", ""},
		{"advice to wait", edgeCase(func(f *features.Facts) {
			f.Rail, f.Network, f.Advice = data.Card, features.Mastercard, features.CodeOf("26")
		}), data.Retry, failedAt + 48*h, "network_wait", ""},
		{"declines of the day", edgeCase(func(f *features.Facts) {
			f.Rail, f.Network, f.DeclinesToday, f.LastFinal = data.Card, features.Mastercard, 10, failedAt-2*d
		}), data.Retry, midnight, "network_day", ""},
		{"night", contactable(nil), data.Nudge, data.IST(2026, 2, 11, 21, 0), "", "contact_hours"},
		{"night is over", contactable(nil), data.PaymentLink, data.IST(2026, 2, 11, 8, 0), "contact_hours", ""},
		{"message of the day before", contactable(func(f *features.Facts) { f.Contacts[0] = failedAt - h }), data.PaymentLink, failedAt + 23*h, "contact_gap", ""},
		{"third message of a week", contactable(func(f *features.Facts) {
			f.Contacts[0], f.Contacts[1], f.Contacts[2] = failedAt-2*d, failedAt-3*d, failedAt-4*d
		}), data.PaymentLink, failedAt + 3*d, "contact_cap", ""},
	} {
		for _, x := range []struct {
			at   data.Micros
			want string
		}{{c.edge - data.Second, c.before}, {c.edge - 1, c.before}, {c.edge, c.at}, {c.edge + data.Second, c.at}} {
			if x.at < failedAt {
				continue
			}
			if got := ruleAt(Default(), c.facts, failedAt, c.action, x.at); got != x.want {
				t.Errorf("%s: %s at %s (edge%+d µs): %q, expected %q", c.name, c.action, x.at, x.at-c.edge, got, x.want)
			}
		}
	}
}

// contactable is a failure for which messages may go.
func contactable(change func(*features.Facts)) *features.Facts {
	f := situations(data.MustReason("card_expired"))[0]
	if change != nil {
		change(&f)
	}
	return &f
}

// One paisa around each cap, and one more around each count.
func TestGateCountEdges(t *testing.T) {
	upi := func(set func(*features.Facts, int64)) func(int64) *features.Facts {
		return func(v int64) *features.Facts { return edgeCase(func(f *features.Facts) { set(f, v) }) }
	}
	card := func(n features.Network, set func(*features.Facts, int64)) func(int64) *features.Facts {
		return func(v int64) *features.Facts {
			return edgeCase(func(f *features.Facts) { f.Rail, f.Network, f.LastFinal = data.Card, n, failedAt-2*data.Day; set(f, v) })
		}
	}
	amount := func(c features.Category) func(*features.Facts, int64) {
		return func(f *features.Facts, v int64) {
			f.MandateCategory, f.Amount = c, data.Paise(v)
			f.Notice, f.NoticeSent, f.NoticeAmount = data.NoticeSent, failedAt-40*data.Hour, f.Amount
		}
	}
	at := failedAt + 20*data.Minute // before the peak
	for _, c := range []struct {
		name  string
		facts func(int64) *features.Facts
		most  int64 // allowed
		rule  string
		t     data.Micros
	}{
		{"cap", upi(amount(features.Regular)), 15_000_00, "afa_cap", at},
		{"cap, category unknown", upi(amount(0)), 15_000_00, "afa_cap", at},
		{"cap, other category", upi(amount(features.OtherCategory)), 15_000_00, "afa_cap", at},
		{"insurance", upi(amount(features.Insurance)), 1_00_000_00, "afa_cap", at},
		{"mutual fund", upi(amount(features.MutualFund)), 1_00_000_00, "afa_cap", at},
		{"credit card bill", upi(amount(features.CreditCardBill)), 1_00_000_00, "afa_cap", at},
		{"insurance on RuPay", card(features.RuPay, amount(features.Insurance)), 15_000_00, "afa_cap", at},
		{"insurance on Visa", card(features.Visa, amount(features.Insurance)), 1_00_000_00, "afa_cap", at},
		{"mandate", upi(func(f *features.Facts, v int64) { f.MandateMax = f.Amount - data.Paise(v) }), 0, "mandate_amount", at},
		{"UPI budget", upi(func(f *features.Facts, v int64) { f.ByProvider = int(v) }), 3, "attempts_spent", at},
		{"eNACH budget", upi(func(f *features.Facts, v int64) {
			f.Rail, f.ByProvider, f.LastFinal = data.EMandate, int(v), failedAt-9*data.Day
		}), 2, "attempts_spent", data.IST(2026, 2, 11, 1, 0)},
		{"budget by number", upi(func(f *features.Facts, v int64) { f.LastNo = int(v) }), 2, "attempts_spent", at},
		{"budget of unknown initiators", upi(func(f *features.Facts, v int64) { f.ByProvider, f.ByUnknown = 1, int(v) }), 2, "attempts_spent", at},
		{"Visa, 30 days", card(features.Visa, func(f *features.Facts, v int64) { f.Declines30d = int(v) }), 14, "network_month", at},
		{"Mastercard, 30 days", card(features.Mastercard, func(f *features.Facts, v int64) { f.Declines30d = int(v) }), 34, "network_month", at},
		{"Mastercard, a day", card(features.Mastercard, func(f *features.Facts, v int64) { f.DeclinesToday = int(v) }), 9, "network_day", at},
		{"trust", upi(func(f *features.Facts, v int64) {
			f.Promise, f.PromiseDue, f.BrokenPromises = data.PromiseMade, failedAt+9*data.Day, int(2-v)
		}), 0, "promise", at},
	} {
		if got := ruleAt(Default(), c.facts(c.most), failedAt, data.Retry, c.t); got != "" {
			t.Errorf("%s: %d is refused by %s", c.name, c.most, got)
		}
		if got := ruleAt(Default(), c.facts(c.most+1), failedAt, data.Retry, c.t); got != c.rule {
			t.Errorf("%s: %d: %q, expected %s", c.name, c.most+1, got, c.rule)
		}
	}
}

// What is no edge: words and codes.
func TestGateStates(t *testing.T) {
	at := failedAt + 20*data.Minute
	for _, c := range []struct {
		name   string
		change func(*features.Facts)
		want   string
	}{
		{"nothing in the way", nil, ""},
		{"another rail", func(f *features.Facts) { f.MandateRail = data.Card }, "rail_change"},
		{"the mandate's rail", func(f *features.Facts) { f.MandateRail = data.UPIAutopay }, ""},
		{"debited this cycle", func(f *features.Facts) {
			f.CycleStart, f.CycleEnd, f.MandatePaid = failedAt-9*data.Day, failedAt+9*data.Day, failedAt-data.Day
		}, "cycle_paid"},
		{"debited the cycle before", func(f *features.Facts) {
			f.CycleStart, f.CycleEnd, f.MandatePaid = failedAt-9*data.Day, failedAt+9*data.Day, failedAt-9*data.Day-1
		}, ""},
		{"a cycle that was over", func(f *features.Facts) {
			f.CycleStart, f.CycleEnd, f.MandatePaid = failedAt-9*data.Day, failedAt, failedAt-data.Day
		}, ""},
		{"cycles are UPI's", func(f *features.Facts) {
			f.Rail, f.CycleStart, f.CycleEnd, f.MandatePaid = data.Card, failedAt-9*data.Day, failedAt+9*data.Day, failedAt-data.Day
		}, ""},
		{"the limit of a day", func(f *features.Facts) { f.Reason = 0 }, "limit_spent"},
		{"Visa never", func(f *features.Facts) {
			f.Rail, f.Network, f.Response = data.Card, features.Visa, features.CodeOf("r0")
		}, "network_stop"},
		{"Visa, not now", func(f *features.Facts) {
			f.Rail, f.Network, f.Response = data.Card, features.Visa, features.CodeOf("51")
		}, ""},
		{"its code on another network", func(f *features.Facts) {
			f.Rail, f.Network, f.Response = data.Card, features.RuPay, features.CodeOf("04")
		}, ""},
		{"Mastercard never", func(f *features.Facts) {
			f.Rail, f.Network, f.Advice = data.Card, features.Mastercard, features.CodeOf("03")
		}, "network_stop"},
		{"Mastercard, stop recurring", func(f *features.Facts) {
			f.Rail, f.Network, f.Advice = data.Card, features.Mastercard, features.CodeOf("21")
		}, "network_stop"},
		{"Mastercard, new data", func(f *features.Facts) {
			f.Rail, f.Network, f.Advice = data.Card, features.Mastercard, features.CodeOf("01")
		}, "network_stop"},
		{"Mastercard, a response without advice", func(f *features.Facts) {
			f.Rail, f.Network, f.Response = data.Card, features.Mastercard, features.CodeOf("51")
		}, "advice_absent"},
		{"Mastercard, advice without a stop", func(f *features.Facts) {
			f.Rail, f.Network, f.Response, f.Advice = data.Card, features.Mastercard, features.CodeOf("51"), features.CodeOf("40")
		}, ""},
		{"Mastercard, no codes at all", func(f *features.Facts) { f.Rail, f.Network = data.Card, features.Mastercard }, ""},
		{"a notice of another amount", func(f *features.Facts) {
			f.MandateCategory, f.Notice, f.NoticeSent, f.NoticeAmount = 0, data.NoticeSent, failedAt-30*data.Hour, f.Amount+1
		}, "notice_amount"},
		{"a notice without an amount", func(f *features.Facts) {
			f.MandateCategory, f.Notice, f.NoticeSent = 0, data.NoticeSent, failedAt-30*data.Hour
		}, "notice_amount"},
		{"a failed notice", func(f *features.Facts) {
			f.MandateCategory, f.Notice, f.NoticeSent, f.NoticeAmount = 0, data.NoticeFailed, failedAt-30*data.Hour, f.Amount
		}, "notice_missing"},
		{"a notice that holds", func(f *features.Facts) {
			f.MandateCategory, f.Notice, f.NoticeSent, f.NoticeAmount = 0, data.NoticeSent, failedAt-30*data.Hour, f.Amount
		}, ""},
		{"an NCMC top-up", func(f *features.Facts) { f.MandateCategory = features.NCMC }, ""},
		{"another category", func(f *features.Facts) { f.MandateCategory = features.OtherCategory }, "notice_missing"},
		{"the mandate ends too soon for a notice", func(f *features.Facts) { f.MandateCategory, f.MandateUntil = 0, failedAt+25*data.Hour+30*data.Minute }, "mandate_outlives"},
		{"just late enough", func(f *features.Facts) { f.MandateCategory, f.MandateUntil = 0, failedAt+25*data.Hour+30*data.Minute+1 }, "notice_missing"},
		{"its notice holds already", func(f *features.Facts) {
			f.MandateCategory, f.MandateUntil, f.Notice, f.NoticeSent, f.NoticeAmount = 0, failedAt+2*data.Hour, data.NoticeSent, failedAt-30*data.Hour, f.Amount
		}, ""},
	} {
		change := c.change
		if c.name == "the limit of a day" {
			change = func(f *features.Facts) {
				for _, r := range data.Reasons() {
					if i := r.Info(); i.Class == data.RetryScheduled && i.Cause == data.CauseLimitExceeded {
						f.Reason, f.Class = r, i.Class
					}
				}
			}
		}
		f := edgeCase(change)
		if f.Rail == data.Card {
			f.LastFinal -= 2 * data.Day // rested
		}
		if got := ruleAt(Default(), f, failedAt, data.Retry, at); got != c.want {
			t.Errorf("%s: %q, expected %q", c.name, got, c.want)
		}
	}
}

// Numbers hold on their days: NPCI's windows and RBI's caps before and after
// they came, at the first microsecond of the day in India.
func TestGateDates(t *testing.T) {
	npci, rbi := data.IST(2025, 8, 1, 0, 0), data.IST(2022, 6, 16, 0, 0)
	then := func(t0 data.Micros, amount data.Paise) *features.Facts {
		return edgeCase(func(f *features.Facts) {
			f.FirstFailure, f.LastFailure, f.LastPresented, f.LastFinal, f.Amount = t0, t0, 0, t0, amount
		})
	}
	p := Default()
	if got := ruleAt(p, then(npci-9*data.Day, 1), npci-9*data.Day, data.Retry, npci-data.Day+11*data.Hour); got != "" {
		t.Errorf("a peak hour before NPCI's windows: %s", got)
	}
	if got := ruleAt(p, then(npci-9*data.Day, 1), npci-9*data.Day, data.Retry, npci+11*data.Hour); got != "peak_window" {
		t.Errorf("a peak hour of the first day, decided before: %q", got)
	}
	old := then(rbi-data.Day, 5_000_01)
	if got := ruleAt(p, old, rbi-data.Day, data.Retry, rbi-1); got != "afa_cap" {
		t.Errorf("5,000.01 rupees on the last day of the old cap: %q", got)
	}
	if got := ruleAt(p, old, rbi, data.Retry, rbi); got != "" {
		t.Errorf("5,000.01 rupees on the first day of the new cap: %q", got)
	}
	q := *p // a cap that comes tomorrow counts for the debits of tomorrow
	q.numbers = append(append([]numberRow(nil), p.numbers...), numberRow{n: afaCap, value: 100, dated: dated{from: rbi + data.Day}})
	q.changes = nil
	q.dateChanges()
	for at, want := range map[data.Micros]string{rbi + data.Day - 1: "", rbi + data.Day: "afa_cap"} {
		if got := ruleAt(&q, old, rbi, data.Retry, at); got != want {
			t.Errorf("decided the day before, at %s: %q, expected %q", at, got, want)
		}
	}
}

// The days on which eNACH clears, at month ends and on the eves of holidays.
func TestClearingDays(t *testing.T) {
	f := edgeCase(func(f *features.Facts) { f.Rail = data.EMandate })
	for _, c := range []struct{ at, want data.Micros }{
		{data.IST(2026, 1, 25, 5, 0), data.IST(2026, 1, 27, 0, 0)},   // a Sunday, then Republic Day
		{data.IST(2026, 1, 24, 0, 0), data.IST(2026, 1, 27, 0, 0)},   // the fourth Saturday before them
		{data.IST(2026, 1, 31, 8, 59), data.IST(2026, 1, 31, 8, 59)}, // a fifth Saturday
		{data.IST(2026, 1, 31, 9, 0), data.IST(2026, 2, 2, 0, 0)},    // after its cut-off: Sunday
		{data.IST(2026, 2, 28, 1, 0), data.IST(2026, 3, 2, 0, 0)},    // the fourth Saturday is the month's last day
		{data.IST(2026, 3, 31, 23, 59), data.IST(2026, 4, 2, 0, 0)},  // banks close their accounts on 1 April
		{data.IST(2027, 12, 24, 9, 0), data.IST(2027, 12, 27, 0, 0)}, // Christmas is the fourth Saturday
		{data.IST(2026, 2, 7, 0, 0), data.IST(2026, 2, 7, 0, 0)},     // a first Saturday
		{data.IST(2026, 2, 14, 0, 0), data.IST(2026, 2, 16, 0, 0)},   // a second one
		{data.IST(2015, 8, 23, 0, 0), data.IST(2015, 8, 23, 0, 0)},   // before the row holds
	} {
		s := situationOf(Default(), f, failedAt)
		if got := s.clearing(&s.now, c.at); got != c.want {
			t.Errorf("%s: %s, expected %s", ist(c.at), ist(got), ist(c.want))
		}
		if got := s.moved(data.Retry, c.at); got != c.want {
			t.Errorf("%s: moved to %s, expected %s", ist(c.at), ist(got), ist(c.want))
		}
	}
}

// A slot is moved, never refused for a window; each moved slot stands once.
func TestSlotsAreMoved(t *testing.T) {
	for _, r := range data.Rails() {
		f := edgeCase(func(f *features.Facts) { f.Rail, f.LastFinal = r, failedAt-9*data.Day })
		for t0 := failedAt; t0 < failedAt+9*data.Day; t0 += 7*data.Hour + 13*data.Minute {
			x := Default().Explain(f, t0)
			for _, v := range x.Rules {
				if (v.Rule == "peak_window" || v.Rule == "bank_day" || v.Rule == "contact_hours") && len(v.Times)+len(v.Actions) > 0 {
					t.Errorf("%s at %s: %s refuses %+v", r, t0, v.Rule, v.Times)
				}
			}
			for i := range x.Allowed[1:] {
				a, b := x.Allowed[i], x.Allowed[i+1]
				if a.Action == b.Action && a.At >= b.At {
					t.Errorf("%s at %s: %s before %s", r, t0, ist(a.At), ist(b.At))
				}
			}
		}
	}
}

// A candidate says by when its notice must be sent, and from when a status check.
func TestCandidateNeeds(t *testing.T) {
	f := needsNotice(func(f *features.Facts) { f.Unresolved = failedAt })
	for _, c := range Default().Explain(f, failedAt).Allowed {
		if c.Action != data.Retry {
			continue
		}
		if c.NoticeBy != c.At-25*data.Hour || c.NoticeBy < failedAt {
			t.Errorf("retry at %s: notice by %s", c.At, c.NoticeBy)
		}
		want := data.Micros(0)
		if c.At < failedAt+72*data.Hour {
			want = failedAt + 90*data.Second
		}
		if c.PollFrom != want {
			t.Errorf("retry at %s: status check from %s, expected %s", c.At, c.PollFrom, want)
		}
	}
	f = needsNotice(func(f *features.Facts) {
		f.Notice, f.NoticeSent, f.NoticeAmount = data.NoticeSent, failedAt-20*data.Hour, f.Amount
	})
	for _, c := range Default().Explain(f, failedAt).Allowed {
		holds := c.At >= f.NoticeSent+25*data.Hour && c.At <= f.NoticeSent+48*data.Hour
		if c.Action == data.Retry && (c.NoticeBy == 0) != holds {
			t.Errorf("retry at %s: notice by %s", c.At, c.NoticeBy)
		}
	}
}

// Every rule has words; what is silent refuses nothing; every explanation names
// all rules, and allows what the gate allows.
func TestExplainIsComplete(t *testing.T) {
	for id := range gateRules {
		if ruleWords[id] == nil {
			t.Errorf("%s has no words", id)
		}
		if gateRules[id].test == "" {
			t.Errorf("%s says nowhere what it refuses", id)
		}
	}
	for _, reason := range data.Reasons() {
		for _, f := range situations(reason) {
			x := Default().Explain(&f, f.LastFailure+2*data.Day)
			if len(x.Rules) != len(gateRules) || x.Allowed[0].Action != data.Wait {
				t.Fatalf("%d rules of %d", len(x.Rules), len(gateRules))
			}
			for _, v := range x.Rules {
				if v.Says == "" || v.Silent && len(v.Actions)+len(v.Times) > 0 {
					t.Errorf("%s: %+v", reason, v)
				}
			}
			for _, r := range x.Refusals {
				i := -1
				for k := range x.Rules {
					if x.Rules[k].Rule == r.Rule {
						i = k
					}
				}
				if i < 0 || len(x.Rules[i].Actions)+len(x.Rules[i].Times) == 0 {
					t.Errorf("%s: refused by %s, which says nothing of it", reason, r.Rule)
				}
			}
		}
	}
}

// BenchmarkGate asks the gate about all slots of a case: facts to candidates.
func BenchmarkGate(b *testing.B) {
	for name, f := range map[string]*features.Facts{"upi": needsNotice(nil), "emandate": needsNotice(func(f *features.Facts) { f.Rail = data.EMandate })} {
		b.Run(name, func(b *testing.B) {
			var d Decision
			b.ReportAllocs()
			for b.Loop() {
				d.Allowed, d.Refusals = d.Allowed[:0], d.Refusals[:0]
				s := situationOf(Default(), f, failedAt)
				s.candidates(&d, nil)
			}
			b.ReportMetric(float64(len(d.Allowed)+len(d.Refusals)), "candidates")
		})
	}
}
