package score

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"recoup/data"
)

const (
	failedRow = `{"table":"attempts","occurred_at":"2026-02-10T09:30:00+05:30","case_id":"c1","attempt_no":0,"attempt_id":"a1","customer_id":"u1","rail":"upi_autopay","bank":"HDFC","amount_paise":49900,"status":"failed","reason":"insufficient_funds"}`
	otherRow  = `{"table":"attempts","occurred_at":"2026-02-10T09:30:01+05:30","case_id":"c2","attempt_no":0,"attempt_id":"a2","customer_id":"u1","rail":"card","amount_paise":9900,"status":"failed","reason":"card_expired"}`
	paidRow   = `{"table":"case_events","occurred_at":"2026-02-12T09:30:00+05:30","case_id":"c1","kind":"paid_elsewhere"}`
	asOfText  = `"2026-02-11T00:00:00Z"`
)

func body(asOf, more string, rows ...string) []byte {
	return []byte(`{"as_of":` + asOf + `,"events":[` + strings.Join(rows, ",") + `]` + more + `}`)
}

func answer(t testing.TB, e *Engine, body []byte) Decision {
	t.Helper()
	r, faults := ParseRequest(body)
	if len(faults) > 0 {
		t.Fatalf("%v: %s", faults, body)
	}
	d, err := e.Answer(r)
	must(t, err)
	check(t, &d)
	return d
}

func TestParseRequest(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"one open case", string(body(asOfText, "", failedRow)), ""},
		{"named", string(body(asOfText, `,"case_id":"c2"`, failedRow, otherRow)), ""},
		{"paid by then", string(body(`"2026-02-13T00:00:00Z"`, `,"case_id":"c1"`, failedRow, paidRow)), ""},
		{"microseconds", string(body("1770768000000000", "", failedRow)), ""},
		{"no as_of", `{"events":[` + failedRow + `]}`, "as_of: missing, but required"},
		{"nothing", `{}`, "as_of: missing, but required|events: missing, but required"},
		{"no object", `[]`, "an array, expected an object"},
		{"unknown key", string(body(asOfText, `,"explain":true,"Case_id":"c1"`, failedRow)), "explain: unknown key: expected one of as_of, events, case_id, candidates|Case_id: unknown key: expected case_id, in this case"},
		{"all at once", `{"as_of":"tomorrow","events":[{"table":"attempts","rail":"gold"},` + failedRow + `,3],"case_id":7}`,
			`as_of: expected a time such as|events[0].rail: unknown word: expected one of upi_autopay, card, emandate, netbanking, wallet, found "gold"|events[0].occurred_at: missing|events[0].case_id: missing|events[0].attempt_no: missing|events[0].attempt_id: missing|events[0].customer_id: missing|events[0].amount_paise: missing|events[0].status: missing|events[2]: a number, expected a row|case_id: a number, expected a text`},
		{"no events", string(body(asOfText, "")), "case_id: needed: no open case"},
		{"two open cases", string(body(asOfText, "", failedRow, otherRow)), "case_id: needed: the open cases are c1, c2"},
		{"unknown case", string(body(asOfText, `,"case_id":"c9"`, failedRow)), "case_id: no failure of this case is known at as_of; the open cases are c1"},
		{"empty case", string(body(asOfText, `,"case_id":""`, failedRow)), "case_id: empty"},
		{"before everything", string(body(`"2026-02-01T00:00:00Z"`, `,"case_id":"c1"`, failedRow)), "case_id: no failure of this case is known at as_of; no open case"},
		{"some numbered", string(body(asOfText, "", failedRow, strings.Replace(otherRow, `"case_id"`, `"seq":4,"case_id"`, 1))), "events[1].seq: some events have a seq and some have none"},
		{"seq twice", string(body(asOfText, `,"case_id":"c1"`, strings.Replace(failedRow, `"case_id"`, `"seq":4,"case_id"`, 1), strings.Replace(otherRow, `"case_id"`, `"seq":4,"case_id"`, 1))), "events[1].seq: seq of events[0] too"},
		{"cursor without seq", string(body(`{"known_at":"2026-02-11T00:00:00Z","seq":1}`, "", failedRow)), "as_of: a cursor needs the seq of every event"},
		{"half a cursor", string(body(`{"known_at":"2026-02-11T00:00:00Z"}`, "", failedRow)), "as_of.seq: missing"},
		{"cursor", string(body(`{"known_at":"2026-02-11T00:00:00Z","seq":1}`, "", strings.Replace(failedRow, `"case_id"`, `"seq":4,"case_id"`, 1))), ""},
		{"candidates", string(body(asOfText, `,"candidates":[{"action":"retry","at":"2026-02-14T00:00:00Z"}]`, failedRow)), ""},
		{"no candidates", string(body(asOfText, `,"candidates":[]`, failedRow)), ""},
		{"bad candidates", string(body(asOfText, `,"candidates":[{"action":"refund","at":"2026-02-14T00:00:00Z"},{"action":"retry"},{"at":3,"x":1},7]`, failedRow)),
			`candidates[0].action: unknown action "refund": expected one of wait, retry|candidates[1].at: missing|candidates[2].at: 3 µs since 1970|candidates[2].x: unknown key|candidates[2].action: missing|candidates[3]: a number, expected an object`},
		{"candidate in the past", string(body(asOfText, `,"candidates":[{"action":"retry","at":"2026-02-10T23:59:59Z"}]`, failedRow)), "candidates[0]: at is before as_of"},
		{"waiting later", string(body(asOfText, `,"candidates":[{"action":"wait","at":"2026-02-11T00:00:00Z"},{"action":"wait","at":"2026-02-11T00:00:00.000001Z"}]`, failedRow)), "candidates[1]: waiting begins at as_of"},
		{"candidate twice", string(body(asOfText, `,"candidates":[{"action":"retry","at":"2026-02-14T00:00:00Z"},{"at":"2026-02-14T05:30:00+05:30","action":"retry"}]`, failedRow)), "candidates[1]: the same candidate twice"},
		{"too many events", string(body(asOfText, "", strings.Repeat(failedRow+",", MaxEvents)+failedRow)), "events: 10001 events: expected at most 10000"},
		{"too long", string(body(asOfText, "", failedRow)) + strings.Repeat(" ", MaxBody), "expected at most 8388608"},
	} {
		r, faults := ParseRequest([]byte(c.body))
		got := make([]string, len(faults))
		for i, f := range faults {
			got[i] = f.String()
		}
		var want []string
		if c.want != "" {
			want = strings.Split(c.want, "|")
		}
		if (r == nil) != (len(want) > 0) || len(got) != len(want) {
			t.Errorf("%s: request %t, faults:\n%s", c.name, r != nil, strings.Join(got, "\n"))
			continue
		}
		for i := range want {
			if !strings.Contains(got[i], want[i]) {
				t.Errorf("%s: %s\nexpected %s", c.name, got[i], want[i])
			}
		}
	}
}

// Only the candidates asked about are judged, each through the gate, beside waiting.
func TestCandidatesAsked(t *testing.T) {
	e := engine(t, testBundle(t, nil))
	d := answer(t, e, body(asOfText, `,"candidates":[{"action":"retry","at":"2026-02-14T00:00:00Z"},{"action":"retry","at":"2026-02-11T09:00:00Z"},{"action":"nudge","at":"2026-02-12T06:00:00Z"}]`, failedRow))
	if len(d.Allowed) != 3 || d.Allowed[1].Action != data.Retry || d.Allowed[2].Action != data.Nudge || len(d.Refusals) != 1 || d.Refusals[0].Rule != "min_wait" {
		t.Errorf("%+v\n%+v", d.Allowed, d.Refusals)
	}
	all := answer(t, e, body(asOfText, "", failedRow))
	i := find(all.Allowed, data.Nudge, data.IST(2026, 2, 11, 12, 0))
	one := answer(t, e, body(asOfText, `,"candidates":[{"action":"nudge","at":"2026-02-11T12:00:00+05:30"}]`, failedRow))
	if i < 0 || *one.Allowed[1].P != *all.Allowed[i].P {
		t.Error("a candidate has another probability when it is asked about alone")
	}
	if none := answer(t, e, body(asOfText, `,"candidates":[]`, failedRow)); len(none.Allowed) != 1 {
		t.Errorf("%+v", none.Allowed)
	}
}

// Nothing after as_of counts: whatever events are added after it, the answer is
// the same, but for the warning that counts them.
func TestNothingAfterAsOfCounts(t *testing.T) {
	e := engine(t, testBundle(t, nil))
	late := func(row, at string) string { // known after as_of, though it happened before
		return strings.Replace(row, `"case_id"`, `"known_at":`+at+`,"case_id"`, 1)
	}
	after := []string{paidRow, late(otherRow, `"2026-02-11T00:00:00.000001Z"`), late(strings.Replace(failedRow, "a1", "a9", 1), `"2026-03-01T00:00:00Z"`),
		`{"table":"mandates","occurred_at":"2026-02-11T00:00:01Z","mandate_id":"m","customer_id":"u1","rail":"card","status":"revoked"}`,
		`{"table":"polls","occurred_at":"2026-02-11T00:00:01Z","attempt_id":"a1","status":"captured"}`,
		`{"table":"outcomes","occurred_at":"2026-02-11T00:00:01Z","decision_id":"d","recovered":true,"recovered_paise":1,"cost_paise":0,"settled_at":"2026-02-11T00:00:01Z","window_closed":true}`}
	want := answer(t, e, body(asOfText, "", failedRow))
	for n := 1; n <= len(after); n++ {
		rows := append([]string{failedRow}, after[:n]...)
		got := answer(t, e, body(asOfText, "", rows...))
		if !warns(&got, fmt.Sprintf("%d of %d events were not known at as_of", n, n+1)) {
			t.Errorf("%d events after as_of: %v", n, got.Warnings)
		}
		got.Warnings = want.Warnings
		if text(t, got) != text(t, want) {
			t.Errorf("%d events after as_of change the answer:\n%s\n%s", n, text(t, got), text(t, want))
		}
	}
	edge := answer(t, e, body(asOfText, `,"case_id":"c1"`, failedRow, late(otherRow, asOfText)))
	if warns(&edge, "not known at as_of") {
		t.Error("an event known at as_of does not count")
	}
}

func text(t testing.TB, d Decision) string {
	t.Helper()
	b, err := json.Marshal(d)
	must(t, err)
	return string(b)
}

// The order of the events in the body, and events sent twice, change nothing.
func TestOrderAndRepeats(t *testing.T) {
	e := engine(t, testBundle(t, nil))
	rows := []string{failedRow, otherRow,
		`{"table":"attempts","occurred_at":"2026-01-10T09:30:00+05:30","case_id":"c0","attempt_no":0,"attempt_id":"a0","customer_id":"u1","rail":"card","amount_paise":9900,"status":"captured"}`,
		`{"table":"mandates","occurred_at":"2026-01-01T00:00:01Z","mandate_id":"m","customer_id":"u1","rail":"card","status":"active"}`}
	want := answer(t, e, body(asOfText, `,"case_id":"c1"`, rows...))
	got := answer(t, e, body(asOfText, `,"case_id":"c1"`, rows[3], rows[1], rows[0], rows[2]))
	if text(t, got) != text(t, want) {
		t.Errorf("another order:\n%s\n%s", text(t, got), text(t, want))
	}
	again := strings.Replace(failedRow, `"case_id"`, `"event_id":"resent","case_id"`, 1)
	again = strings.Replace(again, "09:30:00+05:30", "09:45:00+05:30", 1)
	got = answer(t, e, body(asOfText, `,"case_id":"c1"`, append(rows, rows[2], again)...))
	if !warns(&got, "2 repeated events passed over") {
		t.Errorf("%v", got.Warnings)
	}
	got.Warnings = want.Warnings
	if text(t, got) != text(t, want) {
		t.Errorf("with repeats:\n%s\n%s", text(t, got), text(t, want))
	}
}

func TestAnswerNeedsARequest(t *testing.T) {
	for _, r := range []*Request{nil, {}} {
		if _, err := engine(t, nil).Answer(r); err == nil {
			t.Error("answered")
		}
	}
	if _, err := engine(t, nil).Decide(failure(everyAction).state(t), "case", failedAt-1); err == nil {
		t.Error("decided before as_of")
	}
}

// FuzzRequest: any body gives faults or a decision that keeps the rules.
func FuzzRequest(f *testing.F) {
	f.Add(body(asOfText, "", failedRow))
	f.Add(body(asOfText, `,"case_id":"c2","candidates":[{"action":"retry","at":"2026-02-14T00:00:00Z"}]`, failedRow, otherRow, paidRow))
	f.Add(body(`{"known_at":1770768000000000,"seq":9}`, "", strings.Replace(failedRow, `"case_id"`, `"seq":4,"case_id"`, 1)))
	e, rules := engine(f, testBundle(f, nil)), engine(f, nil)
	f.Fuzz(func(t *testing.T, text []byte) {
		r, faults := ParseRequest(text)
		if (r == nil) != (len(faults) > 0) {
			t.Fatalf("request %v, faults %v", r, faults)
		}
		if r == nil {
			return
		}
		for _, e := range []*Engine{e, rules} {
			d, err := e.Answer(r)
			if err != nil {
				t.Fatal(err)
			}
			check(t, &d)
			for _, c := range d.Allowed {
				if c.Action == data.Retry && e.policy.classes[d.Class].retry == no {
					t.Errorf("%s: retry allowed", d.Class)
				}
				if c.At < r.AsOf.KnownAt {
					t.Errorf("%s at %s, before as_of", c.Action, c.At)
				}
			}
			if _, err := json.Marshal(d); err != nil {
				t.Error(err)
			}
		}
	})
}
