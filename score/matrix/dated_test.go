package matrix

import (
	"strings"
	"testing"

	"recoup/data"
	"recoup/score"
)

// edited is the default policy after changes of its text, from, to, from, to.
func edited(t *testing.T, changes ...string) *score.Policy {
	t.Helper()
	text := string(score.DefaultText())
	for i := 0; i < len(changes); i += 2 {
		if strings.Count(text, changes[i]) != 1 {
			t.Fatalf("%q stands %d times in the policy", changes[i], strings.Count(text, changes[i]))
		}
		text = strings.Replace(text, changes[i], changes[i+1], 1)
	}
	p, err := score.ParsePolicy("edited.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A rule, a number, a stop, a window and closed days hold from their first day in
// India to before their last: a microsecond at each side. A rule about an action is
// asked by the decision's day, and by the candidate's.
func TestDatesOfAPolicy(t *testing.T) {
	const (
		rest   = `Razorpay, eMandate and card FAQs", from: 2000-01-01}`
		limit  = `Vasooli's LIMIT_EXCEEDED is terminal", from: 2000-01-01}`
		spent  = "transaction_daily_count_exceeded" // 24 h
		row    = "  - {id: cut_off, rail"
		codes  = `  - {network: mastercard, advice: ["03", "21"]`
		window = "  - {what: contact, at"
		closed = "holidays:\n"
	)
	from, to := feb(12, 0, 0), feb(14, 0, 0)
	early := feb(11, 6, 0)
	visa51 := func(s *story) {
		resolved(s)
		s.rows[0].Row.(*data.Attempt).ResponseCode = "51"
	}
	for _, c := range []struct {
		name, was, is string
		reason        string
		tell          func(*story)
		now, at       data.Micros
		want          string
	}{
		{"a rule about a time, before its first day", rest, strings.Replace(rest, "2000-01-01", "2026-02-11", 1), now_, resolved, t0 + hour, feb(11, 0, 0) - 1, "ok"},
		{"on it", rest, strings.Replace(rest, "2000-01-01", "2026-02-11", 1), now_, resolved, t0 + hour, feb(11, 0, 0), "final_rest"},
		{"before its end", rest, strings.Replace(rest, "2000-01-01}", "2000-01-01, to: 2026-02-11}", 1), now_, resolved, t0 + hour, feb(11, 0, 0) - 1, "final_rest"},
		{"after its end", rest, strings.Replace(rest, "2000-01-01}", "2000-01-01, to: 2026-02-11}", 1), now_, resolved, t0 + hour, feb(11, 0, 0), "ok"},

		{"a rule about an action, before", limit, strings.Replace(limit, "2000-01-01}", "2026-02-12, to: 2026-02-14}", 1), spent, resolved, early, from - 1, "ok"},
		{"by the candidate's day", limit, strings.Replace(limit, "2000-01-01}", "2026-02-12, to: 2026-02-14}", 1), spent, resolved, from - 1, from, "limit_spent"},
		{"by the decision's day", limit, strings.Replace(limit, "2000-01-01}", "2026-02-12, to: 2026-02-14}", 1), spent, resolved, to - 1, to + hour, "limit_spent"},
		{"decided after", limit, strings.Replace(limit, "2000-01-01}", "2026-02-12, to: 2026-02-14}", 1), spent, resolved, to, to + hour, "ok"},
		{"decided before, about a time after", limit, strings.Replace(limit, "2000-01-01}", "2026-02-12, to: 2026-02-14}", 1), spent, resolved, from - 1, to, "ok"},

		{"a number, before", row, "  - {id: final_rest, rail: card, value: 720, from: 2026-02-12, to: 2026-02-14, source: test}\n" + row, now_, resolved, early, from - 1, "ok"},
		{"from its day", row, "  - {id: final_rest, rail: card, value: 720, from: 2026-02-12, to: 2026-02-14, source: test}\n" + row, now_, resolved, early, from, "final_rest"},
		{"to before its end", row, "  - {id: final_rest, rail: card, value: 720, from: 2026-02-12, to: 2026-02-14, source: test}\n" + row, now_, resolved, early, to - 1, "final_rest"},
		{"after it", row, "  - {id: final_rest, rail: card, value: 720, from: 2026-02-12, to: 2026-02-14, source: test}\n" + row, now_, resolved, early, to, "ok"},
		{"a number of another reason", row, "  - {id: final_rest, rail: card, reason: insufficient_funds, value: 720, from: 2026-02-12, source: test}\n" + row, now_, resolved, early, from, "ok"},

		{"a stop, before", codes, `  - {network: visa, response: ["51"], from: 2026-02-12, to: 2026-02-14, source: test}` + "\n" + codes, now_, visa51, from - 1, to, "ok"},
		{"a stop, from its day", codes, `  - {network: visa, response: ["51"], from: 2026-02-12, to: 2026-02-14, source: test}` + "\n" + codes, now_, visa51, from, to, "network_stop"},
		{"a stop, to before its end", codes, `  - {network: visa, response: ["51"], from: 2026-02-12, to: 2026-02-14, source: test}` + "\n" + codes, now_, visa51, to - 1, to, "network_stop"},
		{"a stop, after it", codes, `  - {network: visa, response: ["51"], from: 2026-02-12, to: 2026-02-14, source: test}` + "\n" + codes, now_, visa51, to, to, "ok"},

		{"a window, the day before", window, `  - {what: retry, rail: card, at: "00:00", until: "23:59", from: 2026-02-12, to: 2026-02-14, source: test}` + "\n" + window, now_, resolved, early, from - 1, "ok"},
		{"a window, its first day", window, `  - {what: retry, rail: card, at: "00:00", until: "23:59", from: 2026-02-12, to: 2026-02-14, source: test}` + "\n" + window, now_, resolved, early, from, "peak_window"},
		{"a window, its last day", window, `  - {what: retry, rail: card, at: "00:00", until: "23:59", from: 2026-02-12, to: 2026-02-14, source: test}` + "\n" + window, now_, resolved, early, to - minute - 1, "peak_window"},
		{"a window, the day after", window, `  - {what: retry, rail: card, at: "00:00", until: "23:59", from: 2026-02-12, to: 2026-02-14, source: test}` + "\n" + window, now_, resolved, early, to, "ok"},

		{"closed days to come", closed, closed + "  - {rail: card, sundays: true, from: 2026-02-16, to: 2026-02-23, source: test}\n", now_, resolved, early, feb(15, 8, 0), "ok"},
		{"closed days", closed, closed + "  - {rail: card, sundays: true, from: 2026-02-16, to: 2026-02-23, source: test}\n", now_, resolved, early, feb(22, 23, 59), "bank_day"},
		{"closed days that were", closed, closed + "  - {rail: card, sundays: true, from: 2026-02-16, to: 2026-02-23, source: test}\n", now_, resolved, early, data.IST(2026, 3, 1, 8, 0), "ok"},
	} {
		p := edited(t, c.was, c.is)
		s := failedStory(card, c.reason, "Visa", 499_00)
		c.tell(s)
		if got := word(t, ruleEngine(t, p), printedOf(t, p), s, c.now, data.Candidate{Action: data.Retry, At: c.at}); got != c.want {
			t.Errorf("%s: %s, expected %s", c.name, got, c.want)
		}
	}
}

// Random cases around changes of numbers and rules, by gate and by table.
func TestDatedCases(t *testing.T) {
	t.Parallel()
	p := edited(t, `Vasooli's LIMIT_EXCEEDED is terminal", from: 2000-01-01}`, `test", from: 2026-04-01, to: 2026-08-15}`,
		`Razorpay, eMandate and card FAQs", from: 2000-01-01}`, `test", from: 2026-01-26, to: 2026-10-02}`,
		"  - {id: cut_off, rail", `  - {id: budget, value: 2, from: 2026-04-01, to: 2026-12-25, source: test}
  - {id: afa_cap, value: 49899, from: 2026-08-15, source: test}
  - {id: polls, value: 1, from: 2026-01-26, to: 2026-04-01, source: test}
  - {id: notice_floor, value: 2000, from: 2026-10-02, source: test}
  - {id: late_capture, value: 24, from: 2026-04-01, to: 2026-10-02, source: test}
  - {id: cut_off, rail`)
	e, table := ruleEngine(t, p), printedOf(t, p)
	for i, faults := uint64(0), 0; i < 3000 && faults < 20; i++ {
		d := roll(5, i)
		f := d.facts(t, d.now)
		if f == nil {
			continue
		}
		q, only := asked{table, f, d.now}, d.candidates(f)
		said := d.answer(t, e, d.now, only)
		if diff := q.differences(&said, only); len(diff) > 0 {
			faults++
			t.Errorf("case %d, %s, %s, asked at %s:\n  %s", i, f.Rail, f.Reason, d.now, lines(diff))
		}
	}
}
