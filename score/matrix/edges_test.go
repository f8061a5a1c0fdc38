package matrix

import (
	"testing"

	"recoup/data"
	"recoup/score"
)

// edge is an instant at which the gate's word about an action changes: typed from
// the published rules, not from what gate or table say.
type edge struct {
	name          string
	rail          data.Rail
	reason        string
	network       string
	action        data.Action
	now, at       data.Micros // at: the first instant of the new word
	before, after string      // a rule, "ok", or "notice": ok, if a notice is sent
	tell          func(*story)
}

func feb(day, hour, minute int) data.Micros { return data.IST(2026, 2, day, hour, minute) }

// topUp is a mandate whose debits need no notice.
func topUp(s *story) {
	s.mandate(t0-30*days, data.Mandate{Rail: s.rail(), Status: data.MandateActive, Category: "fastag"})
}

// resolved is topUp after a status check that said failed.
func resolved(s *story) {
	topUp(s)
	s.poll(t0+2*minute, "a0", data.PollFailed)
}

// noticed is a status check that said failed, and a notice.
func noticed(sent, debit data.Micros) func(*story) {
	return func(s *story) {
		s.poll(t0+2*minute, "a0", data.PollFailed)
		s.notice(sent, data.Notice{Kind: data.PreDebit, Status: data.NoticeSent, Amount: 499_00, DebitAt: debit})
	}
}

// newMandate is resolved, with a mandate created at a time.
func newMandate(at data.Micros) func(*story) {
	return func(s *story) {
		s.mandate(at, data.Mandate{Rail: s.rail(), Status: data.MandateActive, Category: "fastag", CreatedAt: at})
		s.poll(t0+2*minute, "a0", data.PollFailed)
	}
}

// also tells more than resolved.
func also(tell func(*story)) func(*story) {
	return func(s *story) {
		resolved(s)
		tell(s)
	}
}

func cycle(start, end data.Micros) func(*story) {
	return also(func(s *story) { s.subscription(start, start, end) })
}

func down(begin, end data.Micros) func(*story) {
	return also(func(s *story) {
		s.outage(t0+minute, data.Downtime{DowntimeID: "d", Rail: s.rail(), Bank: "HDFC", Severity: data.SeverityHigh, Status: data.DowntimeUpdated, Begin: begin, End: end})
	})
}

func messages(at ...data.Micros) func(*story) {
	return func(s *story) {
		for _, m := range at {
			s.notice(m, data.Notice{Kind: data.NoticePlainLink, Status: data.NoticeSent})
		}
	}
}

func advised(code string) func(*story) {
	return also(func(s *story) { s.rows[0].Row.(*data.Attempt).AdviceCode = code })
}

const (
	upi, card, enach, bank = data.UPIAutopay, data.Card, data.EMandate, data.Netbanking
	now_                   = "duplicate_rrn_found" // no least wait
	funds                  = "insufficient_funds"  // 72 h
)

var (
	sent  = feb(11, 13, 0)
	edges = []edge{
		// RBI, NPCI, Razorpay: a notice 24 h, on UPI 25 h, on cards 36 h 05 min old.
		{"notice floor, UPI", upi, now_, "", data.Retry, sent + hour, sent + 25*hour, "notice_young", "ok", noticed(sent, 0)},
		{"notice floor, card", card, now_, "", data.Retry, sent + hour, sent + 36*hour + 5*minute, "notice_young", "ok", noticed(sent, 0)},
		{"notice floor, other rails", bank, now_, "", data.Retry, sent + hour, sent + 24*hour, "notice_young", "ok", noticed(sent, 0)},
		{"notice floor, eNACH", enach, now_, "", data.Retry, feb(15, 9, 0), feb(16, 8, 0), "notice_young", "ok", noticed(feb(15, 8, 0), 0)},
		{"notice age, UPI", upi, now_, "", data.Retry, feb(12, 20, 0), feb(13, 5, 30) + 1, "ok", "notice_old", noticed(feb(11, 5, 30), 0)},
		{"notice age, a new one in time", upi, now_, "", data.Retry, feb(11, 20, 0), feb(13, 5, 30) + 1, "ok", "notice", noticed(feb(11, 5, 30), 0)},
		{"notice lapse, RuPay", card, now_, "RuPay", data.Retry, feb(16, 2, 0), feb(16, 3, 0) + 1, "ok", "notice_old", noticed(feb(11, 5, 0), feb(13, 3, 0))},
		{"too late for a notice, UPI", upi, now_, "", data.Retry, feb(12, 6, 0), feb(13, 7, 30), "notice_missing", "notice", resolvedOnly},
		{"too late for a notice, card", card, now_, "", data.Retry, feb(12, 6, 0), feb(13, 18, 35), "notice_missing", "notice", resolvedOnly},
		{"too late for a notice, other rails", bank, now_, "", data.Retry, feb(12, 6, 0), feb(13, 6, 30), "notice_missing", "notice", resolvedOnly},

		// NPCI: before 10:00, 13:00 to 17:00, after 21:30.
		{"morning peak begins", upi, now_, "", data.Retry, feb(11, 6, 0), feb(12, 10, 0), "ok", "peak_window", resolved},
		{"morning peak ends", upi, now_, "", data.Retry, feb(11, 6, 0), feb(12, 13, 0), "peak_window", "ok", resolved},
		{"evening peak begins", upi, now_, "", data.Retry, feb(11, 6, 0), feb(28, 17, 0), "ok", "peak_window", resolved},
		{"evening peak ends", upi, now_, "", data.Retry, feb(11, 6, 0), feb(28, 21, 30), "peak_window", "ok", resolved},
		{"no peak on cards", card, now_, "", data.Retry, feb(11, 6, 0), feb(12, 10, 0), "ok", "ok", resolved},

		// eNACH: three days after the final status, until 09:00 of a bank's day.
		{"rest, eNACH", enach, now_, "", data.Retry, feb(11, 6, 0), feb(13, 8, 0), "final_rest", "ok", func(s *story) {
			resolved(s)
			s.rows[0].OccurredAt, s.rows[0].KnownAt = feb(10, 8, 0), feb(10, 8, 0)
		}},
		{"rest, card", card, now_, "", data.Retry, t0 + 3*minute, t0 + 36*hour, "final_rest", "ok", resolved},
		{"new mandate, eNACH", enach, now_, "", data.Retry, feb(14, 9, 0), feb(16, 8, 0), "mandate_fresh", "ok", newMandate(feb(14, 8, 0))},
		{"new mandate, not active, eNACH", enach, "payment_mandate_not_active", "", data.Retry, feb(14, 9, 0), feb(17, 8, 0), "mandate_fresh", "ok", newMandate(feb(12, 8, 0))},
		{"new mandate, card", card, now_, "", data.Retry, feb(14, 9, 0), feb(16, 8, 0), "ok", "ok", newMandate(feb(14, 8, 0))},
		{"cut-off, eNACH", enach, now_, "", data.Retry, feb(11, 6, 0), feb(16, 9, 0), "ok", "bank_day", resolved},
		{"a day begins, eNACH", enach, now_, "", data.Retry, feb(11, 6, 0), feb(16, 0, 0), "bank_day", "ok", resolved},

		{"least wait, funds", upi, funds, "", data.Retry, feb(11, 6, 0), t0 + 72*hour, "min_wait", "ok", resolved},
		{"outage ends", card, "bank_technical_error", "", data.Retry, feb(11, 6, 0), feb(12, 8, 0), "outage", "ok", down(t0, feb(12, 8, 0))},
		{"outage begins", card, "bank_technical_error", "", data.Retry, feb(11, 6, 0), feb(12, 8, 0), "ok", "outage", down(feb(12, 8, 0), feb(13, 8, 0))},
		{"two hours where no outage is known", bank, "bank_technical_error", "", data.Retry, t0 + 3*minute, t0 + 2*hour, "min_wait", "ok", resolved},
		{"advice 24", card, now_, "Mastercard", data.Retry, t0 + 3*minute, t0 + hour, "network_wait", "final_rest", advised("24")},
		{"advice 30", card, now_, "Mastercard", data.Retry, t0 + 3*minute, t0 + 240*hour, "network_wait", "ok", advised("30")},
		{"advice 30 of another network", card, now_, "Visa", data.Retry, t0 + 3*minute, t0 + 240*hour, "ok", "ok", advised("30")},

		// A mandate's end, and its cycle: one debit, none on the last day.
		{"mandate ends", upi, now_, "", data.Retry, feb(11, 6, 0), feb(13, 8, 0), "ok", "mandate_ends", func(s *story) {
			s.mandate(t0-30*days, data.Mandate{Rail: upi, Status: data.MandateActive, Category: "fastag", ValidUntil: feb(13, 8, 0)})
			s.poll(t0+2*minute, "a0", data.PollFailed)
		}},
		{"cycle's last day", upi, now_, "", data.Retry, feb(11, 6, 0), feb(19, 0, 0), "ok", "cycle_last_day", cycle(feb(1, 0, 0)-days, feb(20, 0, 0))},
		{"cycle's last day, ends at noon", upi, now_, "", data.Retry, feb(11, 6, 0), feb(20, 0, 0), "ok", "cycle_last_day", cycle(feb(1, 0, 0)-days, feb(20, 12, 0))},
		{"last day of a month", upi, now_, "", data.Retry, feb(11, 6, 0), feb(28, 0, 0), "ok", "cycle_last_day", cycle(feb(1, 0, 0), data.IST(2026, 3, 1, 0, 0))},
		{"paid in this cycle", upi, now_, "", data.Retry, feb(11, 6, 0), feb(12, 8, 0), "cycle_paid", "cycle_paid", also(func(s *story) {
			s.subscription(feb(1, 0, 0), feb(1, 0, 0), feb(20, 0, 0))
			s.attempt(feb(1, 0, 0), data.Attempt{CaseID: "paid", AttemptID: "p", CustomerID: "cust", MandateID: "m", Rail: upi, Amount: 499_00, Status: data.Captured})
		})},
		{"paid before this cycle", upi, now_, "", data.Retry, feb(11, 6, 0), feb(12, 8, 0), "ok", "ok", also(func(s *story) {
			s.subscription(feb(1, 0, 0), feb(1, 0, 0), feb(20, 0, 0))
			s.attempt(feb(1, 0, 0)-1, data.Attempt{CaseID: "paid", AttemptID: "p", CustomerID: "cust", MandateID: "m", Rail: upi, Amount: 499_00, Status: data.Captured})
		})},

		// A failed payment may be captured for three days; checks from 90 s on, three at most.
		{"first status check", bank, now_, "", data.Retry, t0 + second, t0 + 90*second + 1, "late_capture", "ok", topUp},
		{"next status check", bank, now_, "", data.Retry, t0 + 5*minute, t0 + 4*minute + 90*second + 1, "late_capture", "ok", func(s *story) {
			topUp(s)
			s.poll(t0+4*minute, "a0", data.PollUnknown)
		}},
		{"status checks spent", card, now_, "", data.Retry, feb(11, 6, 0), t0 + 72*hour, "late_capture", "ok", func(s *story) {
			topUp(s)
			for i := range 3 {
				s.poll(t0+data.Micros(int64(2+i)*10*minute), "a0", data.PollPending)
			}
		}},
		{"in a peak's queue", upi, now_, "", data.Retry, feb(10, 11, 0), feb(10, 13, 0), "queued", "ok", func(s *story) {
			topUp(s)
			s.rows[0].OccurredAt, s.rows[0].KnownAt = feb(10, 10, 0), feb(10, 10, 0)
			s.poll(feb(10, 10, 5), "a0", data.PollFailed)
		}},

		// Promises and messages.
		{"promise", card, now_, "", data.Retry, feb(11, 6, 0), feb(13, 8, 0), "promise", "ok", also(func(s *story) { s.promise(t0+hour, "case", feb(13, 8, 0), data.PromiseMade) })},
		{"a promise for long", card, now_, "", data.Retry, feb(11, 6, 0), t0 + 14*days, "promise", "ok", also(func(s *story) { s.promise(t0+hour, "case", t0+20*days, data.PromiseMade) })},
		{"after two broken promises", card, now_, "", data.Retry, feb(11, 6, 0), feb(13, 8, 0), "ok", "ok", also(func(s *story) {
			for _, of := range []string{"x", "y"} {
				s.attempt(t0-60*days, data.Attempt{CaseID: of, AttemptID: of, CustomerID: "cust", Rail: card, Amount: 1_00, Status: data.Failed})
				s.promise(t0-50*days, of, t0-40*days, data.PromiseBroken)
			}
			s.promise(t0+hour, "case", feb(13, 8, 0), data.PromiseMade)
		})},
		{"night begins", upi, funds, "", data.PaymentLink, feb(11, 6, 0), feb(12, 21, 0), "ok", "contact_hours", nil},
		{"night ends", upi, funds, "", data.Nudge, feb(11, 6, 0), feb(12, 8, 0), "contact_hours", "ok", nil},
		{"a day between messages", upi, funds, "", data.PaymentLink, feb(11, 13, 0), feb(12, 12, 0), "contact_gap", "ok", messages(feb(11, 12, 0))},
		{"three messages a week", upi, funds, "", data.PaymentLink, feb(14, 13, 0), feb(18, 12, 0), "contact_cap", "ok", messages(feb(11, 12, 0), feb(12, 12, 0), feb(13, 12, 0))},
		{"horizon", card, now_, "", data.Retry, feb(11, 6, 0), t0 + 21*days, "ok", "horizon", resolved},
		{"horizon of a person", card, now_, "", data.Escalate, feb(11, 6, 0), t0 + 21*days, "ok", "horizon", resolved},
	}
)

func resolvedOnly(s *story) { s.poll(t0+2*minute, "a0", data.PollFailed) }

// failedStory is a charge that failed at t0.
func failedStory(rail data.Rail, reason, network string, amount data.Paise) *story {
	s := &story{}
	s.attempt(t0, data.Attempt{CaseID: "case", AttemptID: "a0", CustomerID: "cust", Rail: rail, Bank: "HDFC", Network: network, MandateID: "m", SubscriptionID: "s", Amount: amount,
		Status: data.Failed, Reason: data.MustReason(reason), Initiator: data.ByProvider})
	return s
}

// word is what gate and table say about one candidate; they must agree.
func word(t *testing.T, e *score.Engine, table *printed, s *story, now data.Micros, c data.Candidate) string {
	t.Helper()
	d := s.answer(t, e, now, []data.Candidate{c})
	q := asked{table, s.facts(t, now), now}
	if diff := q.differences(&d, []data.Candidate{c}); len(diff) > 0 {
		t.Error(lines(diff))
	}
	switch v := verdictsOf(&d, []data.Candidate{c})[c]; {
	case v.Rule != "":
		return v.Rule
	case v.NoticeBy != 0:
		return "notice"
	}
	return "ok"
}

// Both sides of every edge in time: a second and a microsecond.
func TestEdges(t *testing.T) {
	e, table := ruleEngine(t, score.Default()), printedOf(t, score.Default())
	for _, c := range edges {
		for _, side := range []data.Micros{-second, -1, 0, second} {
			s := failedStory(c.rail, c.reason, c.network, 499_00)
			if c.tell != nil {
				c.tell(s)
			}
			want := c.after
			if side < 0 {
				want = c.before
			}
			if got := word(t, e, table, s, c.now, data.Candidate{Action: c.action, At: c.at + side}); got != want {
				t.Errorf("%s, %d µs from %s: %s, expected %s", c.name, side, c.at, got, want)
			}
		}
	}
}
