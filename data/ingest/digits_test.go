package ingest

import (
	"reflect"
	"strings"
	"testing"

	"recoup/data"
	"recoup/data/table"
)

const numbered = `{"id":12345678901234567890123,"at":"2026-01-05T00:00:00Z","amt":1,"cust":7}
{"id":"12345678901234567890124","at":"2026-01-05T00:00:01Z","amt":1,"cust":"7"}
{"id":1.0,"at":"2026-01-05T00:00:02Z","amt":1,"cust":7}
{"id":1e3,"at":"2026-01-05T00:00:03Z","amt":1,"cust":7}
{"id":-4,"at":"2026-01-05T00:00:04Z","amt":1,"cust":7}
{"id":0,"at":"2026-01-05T00:00:05Z","amt":1,"cust":90071992547409931}
`

func numberedMapping(more string) string {
	return "table: attempts\ncurrency: INR\nfields:\n  attempt_id: {from: id" + more + "}\n  occurred_at: at\n  amount_paise: {from: amt, unit: rupees}\n  customer_id: {from: cust" +
		more + "}\n  status: {const: captured}\n  rail: {const: card}\ncase: {by: [id]}\n"
}

// TestDigits: an id that is a JSON number is taken by its digits, all of them,
// where the mapping says so, and is that of the text; else the reject says how.
func TestDigits(t *testing.T) {
	path := write(t, "x.jsonl", numbered)
	var bad []table.Reject
	dir := t.TempDir()
	s, err := Run(t.Context(), Options{Files: []string{path}, Mapping: mustParse(t, numberedMapping(", digits: true")), Dir: dir,
		Reject: func(_ string, r table.Reject) { bad = append(bad, r) }})
	want := []table.Reject{{Line: 3, Column: "attempt_id", Value: "1.0", Reason: notDigits}, {Line: 4, Column: "attempt_id", Value: "1e3", Reason: notDigits},
		{Line: 5, Column: "attempt_id", Value: "-4", Reason: notDigits}}
	if err != nil || s.Events != 3 || !reflect.DeepEqual(bad, want) {
		t.Fatalf("%+v, %v\n%v", s, err, bad)
	}
	l, err := data.OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for batch, err := range data.Scan[data.Attempt](l, data.AsOf(1<<62)) {
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range batch {
			got = append(got, a.AttemptID+" of "+a.CustomerID)
		}
	}
	if want := "12345678901234567890123 of 7, 12345678901234567890124 of 7, 0 of 90071992547409931"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", got, want)
	}

	bad = nil
	Run(t.Context(), Options{Files: []string{path}, Mapping: mustParse(t, numberedMapping("")), Dir: t.TempDir(), Reject: func(_ string, r table.Reject) { bad = append(bad, r) }})
	if len(bad) != 5 || bad[0].Reason != notText+numeral {
		t.Errorf("without digits: %v", bad)
	}
}

// TestSuggestDigits: ids that are numbers are proposed with a note, and the draft
// reads the file; what could be telephone numbers is asked about.
func TestSuggestDigits(t *testing.T) {
	file := func(cust string) string {
		var b strings.Builder
		for i := range 40 {
			b.WriteString(strings.NewReplacer("#", string(rune('0'+i/10))+string(rune('0'+i%10)), "@", cust+string(rune('0'+i%9))).Replace(
				`{"payment_id":77#,"created_at":"2026-01-05T00:00:#+05:30","amount":"499.00","currency":"INR","customer_id":@,"status":"captured","method":"card"}` + "\n"))
		}
		return b.String()
	}
	_, asked, s := found(t, "x.jsonl", file("12"))
	for _, want := range []string{"attempt_id: {from: payment_id, digits: true}", "customer_id: {from: customer_id, digits: true}", "# CHECK: its name, and no value comes twice; they are JSON numbers"} {
		if !strings.Contains(s.Mapping, want) {
			t.Errorf("no %q in\n%s", want, s.Mapping)
		}
	}
	if len(asked) != 0 || s.Trial == nil || s.Trial.Rejected != 0 {
		t.Errorf("%+v, %+v", asked, s.Trial)
	}
	_, asked, s = found(t, "x.jsonl", file("982001234"))
	if q := asked["customer_id"]; len(q.Choices) != 2 || q.Choices[0] != "customer_id: {from: customer_id, digits: true}" {
		t.Errorf("%+v\n%s", asked, s.Mapping)
	}
}
