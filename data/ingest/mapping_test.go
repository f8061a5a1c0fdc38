package ingest

import (
	"errors"
	"os"
	"strings"
	"testing"

	"recoup/data"
)

// good is a mapping with everything in it.
const good = `# a comment
table: attempts
currency: INR
source: {delimiter: ";", encoding: latin-1, decimal: ",", group: ".", zone: Asia/Kolkata}
fields:
  attempt_id: txn_id
  occurred_at: {from: started, time: "%d/%m/%Y %H:%M:%S"}
  amount_paise: {from: amt_rs, unit: rupees}
  customer_id: cust
  status: {from: result, values: {OK: captured, DECLINED: failed, 0: failed}}
  reason: {from: why, values: {"": null}}
  rail: {const: card}
case: {by: [invoice]}
horizon: 60s
attempt_no: {from: try_no, base: 1}
known_at: {from: [day, clock]}
`

func TestMapping(t *testing.T) {
	m, err := Parse("m.yaml", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	if m.Horizon != data.Minute || m.Source.Delimiter != ';' || m.Source.Group != '.' || m.Source.Zone.String() != "Asia/Kolkata" ||
		m.Number.Base != 1 || len(m.KnownAt.From) != 2 || *m.field("status").Values["0"] != "failed" || m.field("reason").Values[""] != nil {
		t.Fatalf("%+v", m)
	}
	if got := strings.Join(m.FieldNames(), " "); got != "attempt_id occurred_at amount_paise customer_id status reason rail" {
		t.Fatalf("fields in order: %s", got)
	}
	if a := m.Assumptions(); len(a) != 0 {
		t.Fatalf("assumptions %q", a)
	}
	asJSON := `{"table":"polls","currency":"INR","fields":{"attempt_id":"a","occurred_at":{"from":"t","time":"epoch_ms"},"status":"s"}}`
	if _, err := Parse("m.json", []byte(asJSON)); err != nil {
		t.Fatal(err)
	}
}

// TestMappingFaults breaks the good mapping line by line.
func TestMappingFaults(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"table: attempts", "table: attempt", "m.yaml:2: table: unknown table \"attempt\""},
		{"table: attempts", "", "no table"},
		{"currency: INR", "currency: rupees", "m.yaml:3: currency: \"rupees\""},
		{"currency: INR", "currency: {form: x}", "m.yaml:3: currency: unknown key \"form\""},
		{"horizon: 60s", "horizont: 60s", "m.yaml:14: the mapping: unknown key \"horizont\""},
		{"horizon: 60s", "horizon: soon", "m.yaml:14: horizon: \"soon\""},
		{"horizon: 60s", "horizon: -1s", "m.yaml:14: horizon"},
		{"zone: Asia/Kolkata", "zone: Asia/Kolkatta", "m.yaml:4: zone: unknown zone \"Asia/Kolkatta\""},
		{"zone: Asia/Kolkata", "zone: Local", "unknown zone"},
		{", zone: Asia/Kolkata", "", "m.yaml:7: occurred_at: time \"%d/%m/%Y %H:%M:%S\" has no offset (%z), so a zone is needed"},
		{`group: "."`, `group: ","`, "m.yaml:4: decimal and group are the same mark"},
		{`delimiter: ";"`, `delimiter: ";;"`, "m.yaml:4: delimiter: expected one character"},
		{"attempt_id: txn_id", "attempt: txn_id", "m.yaml:6: fields: attempts has no field \"attempt\""},
		{"attempt_id: txn_id", "attempt_no: txn_id", "attempts has no field \"attempt_no\""},
		{"  customer_id: cust\n", "", "fields: no customer_id, which attempts needs"},
		{"unit: rupees", "unit: dollars", "m.yaml:8: amount_paise: unit \"dollars\""},
		{", unit: rupees", "", "m.yaml:8: amount_paise: no unit"},
		{"time: \"%d/%m/%Y %H:%M:%S\"", "time: \"%d/%m/%Y %Q\"", "m.yaml:7: occurred_at: time \"%d/%m/%Y %Q\": unknown directive %Q"},
		{"time: \"%d/%m/%Y %H:%M:%S\"", "time: \"%H:%M:%S\"", "it does not give year, month and day"},
		{"OK: captured", "OK: cptured", "m.yaml:10: status: values: \"OK\": unknown attempt status \"cptured\""},
		{"const: card", "const: cart", "m.yaml:12: rail: const \"cart\": unknown rail"},
		{"const: card", "const: card, from: x", "m.yaml:12: rail: expected one of from, const and case"},
		{"rail: {const: card}", "rail: {const: card}\n  rail: x", "already defined"},
		{"unit: rupees", "unit: rupees, digits: true", "m.yaml:8: amount_paise is no text: digits: true is for ids"},
		{"attempt_id: txn_id", "attempt_id: {from: txn_id, digits: perhaps}", "m.yaml:6: attempt_id: digits"},
		{"case: {by: [invoice]}", "", "no case"},
		{"case: {by: [invoice]}", "case: {gap: 60s}", "m.yaml:13: case: no columns"},
		{"customer_id: cust", "customer_id: cust\n  case_id: inv", "both say which case"},
		{"customer_id: cust", "bank: {case: true}\n  customer_id: cust", "case: true is for customer_id alone"},
		{"attempt_no: {from: try_no, base: 1}", "attempt_no: {base: one}", "m.yaml:15: attempt_no"},
		{"from: [day, clock]", "from: [a, b, c]", "m.yaml:16: known_at: expected one column"},
		{"table: attempts", "table: [attempts", "not YAML"},
		{"table: attempts", "table: polls", "case is for table attempts alone"},
		{"table: attempts", strings.Repeat("[", 100_000), "m.yaml:1: no mapping"},
		{"table: attempts", strings.Repeat("# long\n", 100_000), "m.yaml:1: no mapping"},
	} {
		if !strings.Contains(good, c.old) {
			t.Fatalf("%q is not in the mapping", c.old)
		}
		_, err := Parse("m.yaml", []byte(strings.Replace(good, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.new, err, c.want)
		} else if !errors.Is(err, data.ErrUsage) {
			t.Errorf("%q: %v is not ErrUsage", c.new, err)
		}
	}
}

// TestMappingAllFaults wants every fault in one go.
func TestMappingAllFaults(t *testing.T) {
	text := "table: attempts\ncurrency: rs\nhorizon: x\nfields:\n  rail: {const: bike}\n  amount_paise: a\n  colour: b\n"
	_, err := Parse("m.yaml", []byte(text))
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"m.yaml:2:", "m.yaml:3:", "m.yaml:6:", "m.yaml:7:", "no attempt_id", "no occurred_at", "no status", "no case"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
}

// TestMappingEmpty: a file without keys is told as one, not as a count of documents.
func TestMappingEmpty(t *testing.T) {
	for _, text := range []string{"", "\n", "# nothing yet\n"} {
		if _, err := Parse("m.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), "nothing in it") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Parse("m.yaml", []byte(good+"---\n"+good)); err == nil || !strings.Contains(err.Error(), "one document of keys, found 2") {
		t.Errorf("two documents: %v", err)
	}
}

func FuzzMapping(f *testing.F) {
	f.Add([]byte(good))
	psp, err := os.ReadFile("testdata/psp-card-attempts.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(psp)
	for _, s := range []string{"", "a: *b", "a: &b [*b]", "<<: {a: b}", "? [x]: y", "table: !!int x", "---\n---\n", "fields: {a: {b: {c: d}}}", "\"a\\ud800\": b"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Parse("m.yaml", text)
		if (m == nil) == (err == nil) {
			t.Fatalf("%v, %v", m, err)
		}
		if err != nil && !errors.Is(err, data.ErrUsage) {
			t.Fatalf("%v is not ErrUsage", err)
		}
		if m != nil {
			m.Assumptions()
			m.columns()
		}
	})
}
