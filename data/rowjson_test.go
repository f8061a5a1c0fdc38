package data

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every valid row of every table comes back from its JSON as it was.
func TestRowJSONRoundTrip(t *testing.T) {
	g := rand.New(rand.NewPCG(4, 1))
	jsonRoundTrip(t, g, attemptsTable())
	jsonRoundTrip(t, g, caseEventsTable())
	jsonRoundTrip(t, g, subscriptionsTable())
	jsonRoundTrip(t, g, mandatesTable())
	jsonRoundTrip(t, g, noticesTable())
	jsonRoundTrip(t, g, pollsTable())
	jsonRoundTrip(t, g, promisesTable())
	jsonRoundTrip(t, g, downtimesTable())
	jsonRoundTrip(t, g, decisionsTable())
	jsonRoundTrip(t, g, outcomesTable())
}

func jsonRoundTrip[T Row](t *testing.T, g *rand.Rand, table *table[T]) {
	t.Helper()
	for range 300 {
		want := randomRow(g, table)
		text := AppendJSON(nil, &want)
		if !json.Valid(text) {
			t.Fatalf("%s: not JSON: %s", table.name, text)
		}
		got, hasSeq, faults := readRow(t, string(text))
		if len(faults) > 0 || !hasSeq || got.Table != table.name {
			t.Fatalf("%s: seq %t, %v: %s", table.name, hasSeq, faults, text)
		}
		if diff := cmp.Diff(&want, got.Row); diff != "" {
			t.Fatalf("%s: %s\n%s", table.name, text, diff)
		}
		if again := AppendJSON(nil, got.Row.(*T)); string(again) != string(text) {
			t.Fatalf("%s:\n%s\n%s", table.name, text, again)
		}
	}
}

func readRow(t *testing.T, text string) (AnyRow, bool, []Fault) {
	t.Helper()
	r, faults := OpenJSON([]byte(text))
	if r == nil {
		return AnyRow{}, false, faults
	}
	row, hasSeq, ok := r.Row()
	if ok != (len(r.Faults()) == 0) {
		t.Errorf("ok %t, faults %v", ok, r.Faults())
	}
	return row, hasSeq, r.Faults()
}

// What is left out is given by the row itself, alike every time.
func TestRowJSONDefaults(t *testing.T) {
	text := `{"attempt_id":"pay_1","status":"failed","occurred_at":"2026-02-01T09:30:00.25+05:30","table":"polls"}`
	row, hasSeq, faults := readRow(t, text)
	if len(faults) > 0 || hasSeq {
		t.Fatal(faults, hasSeq)
	}
	p := row.Row.(*Poll)
	if p.KnownAt != p.OccurredAt || p.KnownAt != IST(2026, 2, 1, 9, 30)+Second/4 || p.EventID == "" || row.Event != &p.Event {
		t.Errorf("%+v", p)
	}
	micros, _, _ := readRow(t, strings.Replace(text, `"2026-02-01T09:30:00.25+05:30"`, fmt.Sprint(int64(p.KnownAt)), 1))
	other, _, _ := readRow(t, strings.Replace(text, "pay_1", "pay_2", 1))
	if micros.EventID != p.EventID || other.EventID == p.EventID {
		t.Errorf("event ids %s, %s, %s: the first two say the same, the third another thing", p.EventID, micros.EventID, other.EventID)
	}
}

// All that is wrong with a row is told at once, each with its path.
func TestRowJSONFaults(t *testing.T) {
	good := `"table":"attempts","event_id":"e","occurred_at":"2026-02-01T00:00:00Z","case_id":"c","attempt_no":0,"attempt_id":"a","customer_id":"u","rail":"card","amount_paise":100,"status":"failed"`
	for _, c := range []struct{ name, text, want string }{
		{"good", `{` + good + `}`, ""},
		{"good, nulls", `{` + good + `,"bank":null,"reason":null}`, ""},
		{"escapes", `{` + good + `,"b\u0061nk":"a\/\"\u00e9\ud83d\ude00"}`, ""},
		{"unknown key", `{` + good + `,"foo":[{"a":[1,"]"]}],"bank":7}`, "foo: unknown key: expected one of table, event_id,|bank: a number, expected a text"},
		{"case", `{` + good + `,"Bank":"x"}`, "Bank: unknown key: expected bank, in this case"},
		{"strange key", `{` + good + `,"a b":1}`, `"a b": unknown key`},
		{"twice", `{` + good + `,"rail":"card"}`, "rail: key twice"},
		{"twice, escaped", `{` + good + `,"r\u0061il":"card"}`, "rail: key twice"},
		{"missing", `{"table":"case_events"}`, "occurred_at: missing|case_id: missing|kind: missing"},
		{"null", `{"table":"case_events","occurred_at":null,"case_id":null,"kind":null}`, "occurred_at: null, expected a time|case_id: null, expected a text|kind: null, expected a text"},
		{"empty", `{"table":"case_events","occurred_at":"2026-02-01T00:00:00Z","case_id":"","kind":""}`, `case_id: empty, but required|kind: unknown word: expected one of paid_elsewhere, disputed, cancelled, written_off, found ""`},
		{"empty optional", `{` + good + `,"bank":"","merchant_id":"m"}`, "bank: empty: leave the key out"},
		{"word", `{` + good + `,"reason":"no_money","network":"x"}`, `reason: unknown: not among the 138 of the reasons table (not_reported where there is none), found "no_money"`},
		{"no offset", `{"table":"polls","occurred_at":"2026-02-01T00:00:00","attempt_id":"a","status":"failed"}`, "occurred_at: expected a time such as"},
		{"seconds", `{"table":"polls","occurred_at":1769904000,"attempt_id":"a","status":"failed"}`, "occurred_at: 1769904000 µs since 1970 is 1970"},
		{"float time", `{"table":"polls","occurred_at":1.5e15,"attempt_id":"a","status":"failed"}`, "occurred_at: expected a whole number"},
		{"negative money", `{` + good + `,"seq":-1}`, "seq: -1 : expected at least 0"},
		{"fraction", strings.Replace(`{`+good+`}`, "100", "1.00", 1), "amount_paise: expected a whole number, without fraction or exponent, of at most 64 bits, found 1.00"},
		{"65 bits", strings.Replace(`{`+good+`}`, "100", "9223372036854775808", 1), "amount_paise: expected a whole number"},
		{"33 bits", strings.Replace(`{`+good+`}`, `"attempt_no":0`, `"attempt_no":4294967296`, 1), "attempt_no: expected a whole number of at most 32 bits"},
		{"text money", strings.Replace(`{`+good+`}`, "100", `"100"`, 1), "amount_paise: a text, expected a whole number"},
		{"long text", `{` + good + `,"bank":"` + strings.Repeat("x", 4097) + `"}`, "bank: text of 4097 bytes"},
		{"surrogate", `{` + good + `,"bank":"\ud800"}`, "bank: half of a surrogate pair"},
		{"no table", `{"status":"failed"}`, "table: missing, but required"},
		{"table unknown", `{"table":"payments"}`, "table: unknown table: expected one of attempts, case_events"},
		{"table no text", `{"table":3}`, "table: a number, expected a text"},
		{"no object", `[1]`, "an array, expected a row"},
		{"nested", `{"table":"decisions","occurred_at":"2026-02-01T00:00:00Z","decision_id":"d","case_id":"c","customer_id":"u","decided_at":"2026-02-01T00:00:00Z","as_of_known_at":"2026-02-01T00:00:00Z","as_of_seq":1,"arm":"model","arm_share":1,"logger":"l","policy_id":"p","schema":"","row_hash":"","chosen":0,"refusals":[],"allowed":[{"action":"wait","at":"2026-02-01T00:00:00Z","propensity":2,"mix":1,"x":1},3]}`,
			"allowed[0].propensity: 2: expected a probability|allowed[0].x: unknown key|allowed[1]: a number, expected an object"},
		{"propensities", `{"table":"decisions","occurred_at":"2026-02-01T00:00:00Z","decision_id":"d","case_id":"c","customer_id":"u","decided_at":"2026-02-01T00:00:00Z","as_of_known_at":"2026-02-01T00:00:00Z","as_of_seq":1,"arm":"model","arm_share":1,"logger":"l","policy_id":"p","schema":"","row_hash":"","chosen":0,"refusals":[],"allowed":[{"action":"wait","at":"2026-02-01T00:00:00Z","propensity":0.5,"mix":1}]}`,
			"column allowed: propensities sum to 0.5"},
		{"grammar", "{\"table\":\n}", "not JSON: invalid character '}' looking for beginning of value (line 2, byte 11)"},
		{"trailing", `{} {}`, "not JSON: invalid character '{' after top-level value"},
		{"nothing", ``, "not JSON: unexpected end of JSON input"},
		{"too deep", strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), "not JSON: invalid character '[' exceeded max depth"},
		{"not UTF-8", "{\"\xff\":1}", "not UTF-8"},
	} {
		_, _, faults := readRow(t, c.text)
		got := make([]string, len(faults))
		for i, f := range faults {
			got[i] = f.String()
		}
		want := strings.Split(c.want, "|")
		if c.want == "" {
			want = nil
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d faults, expected %d: %s", c.name, len(got), len(want), strings.Join(got, "\n"))
			continue
		}
		for i := range want {
			if !strings.HasPrefix(got[i], want[i]) {
				t.Errorf("%s: %s\nexpected %s", c.name, got[i], want[i])
			}
		}
	}
}

// A text with thousands of faults tells the first and counts the rest.
func TestManyFaults(t *testing.T) {
	_, _, faults := readRow(t, `{"table":"polls"`+strings.Repeat(`,"x":1`, 5000)+`}`)
	if last := faults[len(faults)-1]; len(faults) != maxFaults+1 || last.Message != "and 4903 more faults" {
		t.Errorf("%d faults, the last: %v", len(faults), last)
	}
}

func TestShortKeepsLetters(t *testing.T) {
	if s := short(strings.Repeat("é", 60)); s != strings.Repeat("é", 30)+"..." {
		t.Error(s)
	}
	if s := short(strings.Repeat("é", 20) + "x" + strings.Repeat("é", 40)); s != strings.Repeat("é", 20)+"x"+strings.Repeat("é", 9)+"..." {
		t.Error(s)
	}
}

// FuzzRowJSON: any text gives a row that survives a round trip, or faults.
func FuzzRowJSON(f *testing.F) {
	g := rand.New(rand.NewPCG(4, 2))
	for range 3 {
		a, d := randomRow(g, attemptsTable()), randomRow(g, decisionsTable())
		f.Add(AppendJSON(nil, &a))
		f.Add(AppendJSON(nil, &d))
	}
	f.Add([]byte(`{"table":"polls","attempt_id":"\ud800\\","status":"failed","occurred_at":1769904000000000,"Status":[{}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		row, _, faults := readRow(t, string(text))
		if len(faults) > 0 {
			return
		}
		if a, ok := row.Row.(*Attempt); ok {
			again, _, faults := readRow(t, string(AppendJSON(nil, a)))
			if diff := cmp.Diff(a, again.Row); len(faults) > 0 || diff != "" {
				t.Errorf("%s: %v %s", text, faults, diff)
			}
		}
	})
}

// BenchmarkReadRows reads a body of 200 attempts.
func BenchmarkReadRows(b *testing.B) {
	text := []byte("[")
	for i := range 200 {
		a := Attempt{Event: Event{EventID: fmt.Sprintf("evt_%014d", i), OccurredAt: day0 + Micros(i), KnownAt: day0 + Micros(i), Seq: int64(i)},
			CaseID: "inv_AbCdEfGh012345", AttemptID: fmt.Sprintf("pay_%014d", i), CustomerID: "cust_AbCdEfGh012345", SubscriptionID: "sub_AbCdEfGh012345",
			MandateID: "token_AbCdEfGh012345", Rail: UPIAutopay, Bank: "HDFC", Amount: 49900, Status: Failed, ErrorCode: "BAD_REQUEST_ERROR",
			Source: "customer", Step: "payment_authorization", Reason: MustReason("insufficient_funds")}
		if i > 0 {
			text = append(text, ',')
		}
		text = AppendJSON(text, &a)
	}
	text = append(text, ']')
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r, _ := OpenJSON(text)
		n := 0
		r.Array(func(int) {
			if _, _, ok := r.Row(); ok {
				n++
			}
		})
		if n != 200 {
			b.Fatal(r.Faults())
		}
	}
}
