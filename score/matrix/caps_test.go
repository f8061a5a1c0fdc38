package matrix

import (
	"fmt"
	"testing"

	"recoup/data"
	"recoup/score"
)

// One paisa at each side of every cap.
func TestCapsOfAmount(t *testing.T) {
	e, table := ruleEngine(t, score.Default()), printedOf(t, score.Default())
	for _, c := range []struct {
		name     string
		rail     data.Rail
		network  string
		category string
		limit    data.Paise
		rule     string
		most     data.Paise // the mandate's
		at       data.Micros
	}{
		{"AFA", data.UPIAutopay, "", "", 15_000_00, "afa_cap", 0, t0},
		{"AFA, card", data.Card, "Visa", "regular", 15_000_00, "afa_cap", 0, t0},
		{"AFA, insurance", data.UPIAutopay, "", "insurance", 1_00_000_00, "afa_cap", 0, t0},
		{"AFA, mutual fund", data.Card, "Visa", "mutual_fund", 1_00_000_00, "afa_cap", 0, t0},
		{"AFA, credit card bill", data.EMandate, "", "credit_card", 1_00_000_00, "afa_cap", 0, t0},
		{"RuPay, insurance", data.Card, "RuPay", "insurance", 15_000_00, "afa_cap", 0, t0},
		{"AFA until 2022-06-16", data.UPIAutopay, "", "", 5_000_00, "afa_cap", 0, data.IST(2022, 5, 10, 9, 30)},
		{"insurance until 2023-12-12", data.UPIAutopay, "", "insurance", 15_000_00, "afa_cap", 0, data.IST(2023, 11, 1, 9, 30)},
		{"mandate", data.UPIAutopay, "", "", 600_00, "mandate_amount", 600_00, t0},
	} {
		for over := range 2 {
			amount, want := c.limit+data.Paise(over), []string{"notice", c.rule}[over]
			s := failedStory(c.rail, now_, c.network, amount)
			s.rows[0].OccurredAt, s.rows[0].KnownAt = c.at, c.at
			s.mandate(c.at-30*days, data.Mandate{Rail: c.rail, Status: data.MandateActive, Category: c.category, MaxAmount: c.most})
			s.poll(c.at+2*minute, "a0", data.PollFailed)
			at := startOf(dayOf(c.at)+7) + 8*hour // a Tuesday again, but for old days
			for dayOf(at)%7 != dayOf(t0)%7 {
				at += days
			}
			if got := word(t, e, table, s, c.at+hour, data.Candidate{Action: data.Retry, At: at}); got != want {
				t.Errorf("%s, %s: %s, expected %s", c.name, amount, got, want)
			}
		}
	}
}

// A decision before a change of the caps does not outlive it.
func TestCapsOfTheirDay(t *testing.T) {
	e, table := ruleEngine(t, score.Default()), printedOf(t, score.Default())
	change := data.IST(2022, 6, 16, 0, 0)
	failed := change - 10*days
	for _, c := range []struct {
		now, at data.Micros
		want    string
	}{
		{change - 1, change + 3*days, "afa_cap"}, // 5,000 rupees on the day of the decision
		{change, change + 3*days, "notice"},
	} {
		s := failedStory(data.Netbanking, now_, "", 5_000_01)
		s.rows[0].OccurredAt, s.rows[0].KnownAt = failed, failed
		if got := word(t, e, table, s, c.now, data.Candidate{Action: data.Retry, At: c.at}); got != c.want {
			t.Errorf("decided at %s: %s, expected %s", c.now, got, c.want)
		}
	}
}

// One less than each count is allowed, the count is not.
func TestCapsOfCounts(t *testing.T) {
	e, table := ruleEngine(t, score.Default()), printedOf(t, score.Default())
	twins := func(n int, at data.Micros) func(*story) {
		return also(func(s *story) {
			for i := range n - 1 { // the case's own decline is one
				s.attempt(at-data.Micros(i), data.Attempt{CaseID: fmt.Sprint("x", i), AttemptID: fmt.Sprint("x", i), CustomerID: "cust", Rail: data.Card, Amount: 499_00, Status: data.Failed})
			}
		})
	}
	presented := func(n int) func(*story) {
		return also(func(s *story) { s.rows[0].Row.(*data.Attempt).AttemptNo = int32(n - 1) })
	}
	checked := func(n int) func(*story) {
		return also(func(s *story) {
			for i := range n - 1 {
				s.poll(t0+data.Micros(int64(i+1)*hour), "a0", data.PollFailed)
			}
		})
	}
	soon, nextDay := t0+12*hour, t0+15*hour // 21:30, and half past midnight
	monday := feb(16, 8, 0)
	for _, c := range []struct {
		name, network, reason string
		rail                  data.Rail
		action                data.Action
		at                    data.Micros
		count                 int
		tell                  func(int) func(*story)
		rule                  string
	}{ // a card rests for 36 hours: then the day's declines alone matter no more
		{"NPCI, one and three", "", now_, data.UPIAutopay, data.Retry, monday, 4, presented, "attempts_spent"},
		{"eNACH, one and two", "", now_, data.EMandate, data.Retry, monday, 3, presented, "attempts_spent"},
		{"Visa, 15 in 30 days", "Visa", now_, data.Card, data.Retry, monday, 15, func(n int) func(*story) { return twins(n, t0-20*days) }, "network_month"},
		{"Mastercard, 35 in 30 days", "Mastercard", now_, data.Card, data.Retry, monday, 35, func(n int) func(*story) { return twins(n, t0-20*days) }, "network_month"},
		{"Mastercard, 10 a day", "Mastercard", now_, data.Card, data.Retry, soon, 10, func(n int) func(*story) { return twins(n, t0-minute) }, "network_day"},
		{"Mastercard, the next day", "Mastercard", now_, data.Card, data.Retry, nextDay, 11, func(n int) func(*story) { return twins(n-1, t0-minute) }, "final_rest"},
		{"a person after three checks", "", "capture_failed", data.Card, data.Escalate, monday, 3, func(n int) func(*story) { return checked(5 - n) }, "polls_left"},
	} {
		for side, want := range []string{"ok", c.rule} {
			s := failedStory(c.rail, c.reason, c.network, 499_00)
			c.tell(c.count - 1 + side)(s)
			now := t0 + 10*hour
			if want == "ok" && c.network == "Mastercard" && c.at != monday {
				want = "final_rest"
			}
			if got := word(t, e, table, s, now, data.Candidate{Action: c.action, At: c.at}); got != want {
				t.Errorf("%s, %d: %s, expected %s", c.name, c.count-1+side, got, want)
			}
		}
	}
}

// eNACH is not cleared on Sundays, second and fourth Saturdays and holidays.
func TestBankDays(t *testing.T) {
	e, table := ruleEngine(t, score.Default()), printedOf(t, score.Default())
	for date, want := range map[data.Micros]string{
		data.IST(2026, 3, 6, 8, 59): "ok", data.IST(2026, 3, 7, 8, 0): "ok", data.IST(2026, 3, 8, 8, 0): "bank_day", data.IST(2026, 3, 13, 8, 0): "ok",
		data.IST(2026, 3, 14, 8, 0): "bank_day", data.IST(2026, 3, 21, 8, 0): "ok", data.IST(2026, 3, 28, 8, 0): "bank_day", data.IST(2026, 3, 31, 8, 0): "ok",
		data.IST(2026, 4, 1, 8, 0): "bank_day", data.IST(2026, 4, 2, 8, 0): "ok", data.IST(2026, 1, 26, 8, 0): "bank_day", data.IST(2026, 1, 27, 8, 0): "ok",
		data.IST(2026, 5, 30, 8, 0): "ok", // a fifth Saturday
	} {
		s := failedStory(data.EMandate, now_, "", 499_00)
		topUp(s)
		s.rows[0].OccurredAt, s.rows[0].KnownAt = date-6*days, date-6*days
		s.rows[1].OccurredAt, s.rows[1].KnownAt = date-60*days, date-60*days
		s.poll(date-5*days, "a0", data.PollFailed)
		if got := word(t, e, table, s, date-4*days, data.Candidate{Action: data.Retry, At: date}); got != want {
			t.Errorf("%s: %s, expected %s", date, got, want)
		}
	}
}

// A mandate must outlive the notice that the next debit needs.
func TestMandateOutlivesItsNotice(t *testing.T) {
	e, table := ruleEngine(t, score.Default()), printedOf(t, score.Default())
	now, first := feb(12, 6, 0), feb(13, 7, 30) // half an hour to send it, 25 h to rest
	for until, want := range map[data.Micros]string{first - second: "mandate_outlives", first: "mandate_outlives", first + 1: "notice", first + second: "notice"} {
		s := failedStory(data.UPIAutopay, now_, "", 499_00)
		s.mandate(t0-30*days, data.Mandate{Rail: data.UPIAutopay, Status: data.MandateActive, ValidUntil: until})
		s.poll(t0+2*minute, "a0", data.PollFailed)
		if got := word(t, e, table, s, now, data.Candidate{Action: data.Retry, At: first}); got != want {
			t.Errorf("until %s: %s, expected %s", until, got, want)
		}
	}
}

// A paused mandate past its end is an ended one: nobody can resume it.
func TestPausedPastItsEnd(t *testing.T) {
	e, table := ruleEngine(t, score.Default()), printedOf(t, score.Default())
	s := failedStory(data.UPIAutopay, now_, "", 499_00)
	s.mandate(t0-30*days, data.Mandate{Rail: data.UPIAutopay, Status: data.MandatePaused, ValidUntil: t0})
	c := data.Candidate{Action: data.Retry, At: feb(12, 8, 0)}
	d := s.answer(t, e, t0+hour, []data.Candidate{c})
	q := asked{table, s.facts(t, t0+hour), t0 + hour}
	if diff := q.differences(&d, []data.Candidate{c}); len(diff) > 0 {
		t.Errorf("%s", lines(diff))
	}
}
