package ingest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
	"recoup/data/table"
)

func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func mustParse(t testing.TB, text string) *Mapping {
	t.Helper()
	m, err := Parse("m.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// attempts are the rows of a log, in the order of knowing.
func attempts(t testing.TB, dir string) []data.Attempt {
	t.Helper()
	l, err := data.OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []data.Attempt
	for batch, err := range data.Scan[data.Attempt](l, data.AsOf(1<<62)) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, batch...)
	}
	return out
}

func TestPSPShape(t *testing.T) {
	m, err := Load("testdata/psp-card-attempts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	o := Options{Files: []string{"testdata/psp-shape.csv"}, Mapping: m, Dir: dir}
	s, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if s.Read != 9 || s.Events != 9 || s.Rejected != 0 || s.Cases != 4 || s.FirstFailed != 3 || s.Currency != "EUR" || len(s.Assumptions) != 3 {
		t.Fatalf("%+v", s)
	}
	var got []string
	cases := map[string]string{}
	for _, a := range attempts(t, dir) {
		if cases[a.CaseID] == "" {
			cases[a.CaseID] = string(rune('A' + len(cases)))
		}
		if a.CustomerID != a.CaseID {
			t.Fatalf("customer %s of case %s", a.CustomerID, a.CaseID)
		}
		got = append(got, fmt.Sprintf("%s %s%d %s %s %s %s", a.AttemptID, cases[a.CaseID], a.AttemptNo, a.Amount, a.Status, a.Reason, a.Network))
	}
	// 9 before 10 at the same second; 60 s behind is the same case, 61 s is not;
	// the success inside a chain ends no case.
	want := []string{
		"9 A0 89.00 failed not_reported visa", "10 A1 89.00 failed not_reported visa", "11 A2 89.00 captured  visa",
		"12 B0 89.00 captured  mastercard", "13 C0 89.00 failed not_reported diners", "14 D0 90.00 failed not_reported visa",
		"15 D1 90.00 failed not_reported visa", "16 D2 90.00 captured  visa", "17 D3 90.00 failed not_reported mastercard",
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if again, err := Run(t.Context(), o); err != nil || again.Events != 0 || again.Duplicates != 9 || again.Cases != 4 {
		t.Fatalf("again: %+v, %v", again, err)
	}
}

const plain = `
table: attempts
currency: {from: cur}
fields:
  attempt_id: id
  occurred_at: at
  amount_paise: {from: amount, unit: rupees}
  customer_id: customer
  status: status
  rail: rail
  bank: bank
case: {by: [invoice]}
`

const header = "id,at,amount,customer,status,rail,bank,invoice,cur\n"

func TestRejects(t *testing.T) {
	ok := "1,2026-01-01T00:00:00Z,10.50,c,failed,card,,i1,INR\n"
	text := header + ok +
		"2,2026-01-01T00:00:00,10.50,c,failed,card,,i1,INR\n" + // 3: no zone
		"3,2026-01-01T00:00:00Z,10.505,c,failed,card,,i1,INR\n" + // 4: fraction
		"4,2026-01-01T00:00:00Z,10.50,c,Failed,card,,i1,INR\n" + // 5: unknown word
		"5,2026-01-01T00:00:00Z,10.50,,failed,card,,i1,INR\n" + // 6: missing
		"6,2026-01-01T00:00:00Z\n" + // 7: fields
		"7,2026-01-01T00:00:00Z,10.50,c,failed,card,,,INR\n" + // 8: no case
		"8,2026-01-01T00:00:00Z,10.50,c,failed,card,,i1,EUR\n" + // 9: currency
		"9,2026-01-01T00:00:00Z,10.50,c,failed,card,\"\xff\n\",i1,INR\n" + // 10: not UTF-8
		ok + // 12: again
		"1,2026-01-01T00:05:00Z,10.50,c,captured,card,\"B\nC\",i1,INR\n" // 13: the same attempt, later
	var got []string
	path := write(t, "x.csv", text)
	var b strings.Builder
	rejects := NewRejects(&b, false)
	s, err := Run(t.Context(), Options{Files: []string{path}, Mapping: mustParse(t, plain), Dir: t.TempDir(),
		Reject: func(file string, r table.Reject) {
			got = append(got, fmt.Sprintf("%d %s", r.Line, r.Column))
			rejects.Add(file, r)
		}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"3 occurred_at", "4 amount_paise", "5 status", "6 customer_id", "7 ", "8 invoice", "9 cur", "10 bank", "12 attempt_id"}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	if s.Read != 11 || s.Rejected != 8 || s.Duplicates != 1 || s.Events != 2 || s.Cases != 1 || s.FirstFailed != 1 {
		t.Fatalf("%+v", s)
	}
	if err := rejects.Close(); err != nil || !strings.HasPrefix(b.String(), "line,column,value,reason\n3,occurred_at,2026-01-01T00:00:00,\"a time without offset") {
		t.Fatalf("%s %v", b.String(), err)
	}
}

// TestAllOrNothing: one file of two that cannot be trusted, and nothing is written.
func TestAllOrNothing(t *testing.T) {
	ok := write(t, "a.csv", header+"1,2026-01-01T00:00:00Z,10.50,c,failed,card,,i1,INR\n")
	for name, text := range map[string]string{
		"open quote":     header + "2,2026-01-01T00:00:00Z,10.50,c,failed,card,\"B,i1,INR\n",
		"column missing": strings.Replace(header, "amount", "amt", 1) + "2,2026-01-01T00:00:00Z,10.50,c,failed,card,,i1,INR\n",
		"column twice":   strings.Replace(header, "bank", "id", 1),
		"empty":          "",
		"all bad":        header + "x\ny\n",
	} {
		dir := t.TempDir()
		files := []string{ok, write(t, "b.csv", text)}
		if name == "all bad" {
			files = files[1:]
		}
		_, err := Run(t.Context(), Options{Files: files, Mapping: mustParse(t, plain), Dir: dir})
		if !errors.Is(err, data.ErrContract) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "events", "manifest.json")); err == nil {
			t.Errorf("%s: something was written", name)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "events", ".staging")); len(left) > 0 {
			t.Errorf("%s: %v is left", name, left)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, Options{Files: []string{ok}, Mapping: mustParse(t, plain), Dir: t.TempDir()}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestAnyOrder: the same rows in any order, in one file or in several, make the
// same log.
func TestAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var rows []string
	for i := range 300 {
		rows = append(rows, fmt.Sprintf("%d,2026-01-%02dT00:%02d:00Z,%d.%02d,c%d,%s,card,B%d,i%d,INR\n", i, 1+r.IntN(28), r.IntN(60), r.IntN(100), r.IntN(100),
			r.IntN(9), []string{"failed", "captured"}[r.IntN(2)], r.IntN(3), r.IntN(60)))
	}
	log := func(files int) []data.Attempt {
		r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		var paths []string
		for part := range slices.Chunk(rows, len(rows)/files) {
			paths = append(paths, write(t, "x.csv", header+strings.Join(part, "")))
		}
		dir := t.TempDir()
		if _, err := Run(t.Context(), Options{Files: paths, Mapping: mustParse(t, plain), Dir: dir}); err != nil {
			t.Fatal(err)
		}
		return attempts(t, dir)
	}
	want := log(1)
	for _, files := range []int{1, 3} {
		if got := log(files); !reflect.DeepEqual(got, want) {
			t.Fatalf("another log from %d files in another order", files)
		}
	}
	// Numbers count up with time within a case.
	next := map[string]int32{}
	for _, a := range want {
		if a.AttemptNo != next[a.CaseID] {
			t.Fatalf("case %s: attempt %d, want %d", a.CaseID, a.AttemptNo, next[a.CaseID])
		}
		next[a.CaseID]++
	}
}

// TestLaterFile: a second run goes on counting, and refuses to renumber.
func TestLaterFile(t *testing.T) {
	dir, m := t.TempDir(), mustParse(t, plain)
	row := func(id, at string) string { return id + "," + at + ",1,c,failed,card,,i1,INR\n" }
	run := func(text string) Summary {
		s, err := Run(t.Context(), Options{Files: []string{write(t, "x.csv", header+text)}, Mapping: m, Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	run(row("a", "2026-01-02T00:00:00Z"))
	run(row("b", "2026-01-03T00:00:00Z") + row("a", "2026-01-02T00:00:00Z"))
	if s := run(row("b", "2026-01-03T00:00:00Z")); s.Events != 0 || s.Duplicates != 1 {
		t.Fatalf("%+v", s)
	}
	got := attempts(t, dir)
	if len(got) != 2 || got[1].AttemptID != "b" || got[1].AttemptNo != 1 || got[0].CaseID != got[1].CaseID {
		t.Fatalf("%+v", got)
	}
	early := header + row("z", "2026-01-01T00:00:00Z") + "y,2026-01-01T00:00:00Z,1,c,failed,card,,other,INR\n"
	var why string
	s, err := Run(t.Context(), Options{Files: []string{write(t, "x.csv", early)}, Mapping: m, Dir: dir,
		Reject: func(_ string, r table.Reject) { why = r.Reason }})
	if err != nil || s.Rejected != 1 || s.Events != 1 || !strings.Contains(why, "renumber") {
		t.Fatalf("%+v, %v, %q", s, err, why)
	}
}

// TestCasesByGap compares the plan with a plain reading of the rule.
func TestCasesByGap(t *testing.T) {
	m := mustParse(t, strings.Replace(plain, "case: {by: [invoice]}", "case: {by: [invoice, customer], gap: 10s}", 1))
	rapid.Check(t, func(t *rapid.T) {
		type event struct {
			key, id string
			at      int64
		}
		var events []event
		for i := range rapid.IntRange(1, 30).Draw(t, "n") {
			events = append(events, event{rapid.SampledFrom([]string{"p", "q"}).Draw(t, "key"), fmt.Sprint(i), rapid.Int64Range(0, 120).Draw(t, "at")})
		}
		c := m.newCollector()
		for _, e := range events {
			r := &row{values: make([]value, len(m.table.fields)), caseKey: e.key}
			r.values[0].i = e.at * int64(data.Second)
			r.values[m.at.id].s = e.id
			c.add(r)
		}
		p := c.plan()
		for i, e := range events {
			// The case of e begins at the latest attempt before it that has none within 10 s before.
			first, number := e.at, int32(0)
			var before []event
			for _, o := range events {
				if o.key == e.key && (o.at < e.at || o.at == e.at && (len(o.id) < len(e.id) || len(o.id) == len(e.id) && o.id < e.id)) {
					before = append(before, o)
				}
			}
			slices.SortFunc(before, func(a, b event) int { return int(b.at - a.at) })
			for _, o := range before {
				if first-o.at > 10 {
					break
				}
				first = o.at
				number++
			}
			id, got, why := p.take()
			if why != "" || got != number || !strings.HasSuffix(id, fmt.Sprintf("-%d", first*int64(data.Second))) {
				t.Fatalf("row %d of %v: %s number %d, want case from %d number %d", i, events, id, got, first, number)
			}
		}
	})
}

// TestOtherTables fills every other table from JSONL.
func TestOtherTables(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ fields, line string }{
		"case_events":   {`case_id: c, kind: k`, `"c":"x","k":"disputed"`},
		"subscriptions": {`subscription_id: s, customer_id: c, status: {from: st, values: {on: active}}, cycle_end: {from: e, time: epoch_s}`, `"s":"x","c":"y","st":"on","e":1782846317`},
		"mandates":      {`mandate_id: m, customer_id: c, rail: r, status: st, max_amount_paise: {from: p.max, unit: rupees}`, `"m":"x","c":"y","r":"emandate","st":"active","p":{"max":15000.5}`},
		"notices":       {`case_id: c, kind: k, status: st, debit_at: d`, `"c":"x","k":"pre_debit","st":"sent","d":null`},
		"polls":         {`attempt_id: a, status: st`, `"a":"x","st":"unknown"`},
		"promises":      {`case_id: c, promised_for: p, status: st`, `"c":"x","p":"2026-01-05T00:00:00Z","st":"made"`},
		"downtimes":     {`downtime_id: d, rail: {const: card}, severity: {const: high}, status: st, begin: b`, `"d":"x","st":"started","b":"2026-01-05T00:00:00Z"`},
	} {
		m := mustParse(t, "table: "+name+"\ncurrency: INR\nfields: {occurred_at: {from: at, time: epoch_ms}, "+c.fields+"}\nknown_at: {from: seen}\n")
		line := `{"at":1782846317000,"seen":"2026-07-01T00:00:00Z",` + c.line + "}\n"
		path := write(t, "x.jsonl", line+line)
		s, err := Run(t.Context(), Options{Files: []string{path}, Mapping: m, Dir: dir, Reject: func(_ string, r table.Reject) {
			if r.Line != 2 {
				t.Errorf("%s: %v", name, r)
			}
		}})
		if err != nil || s.Events != 1 || s.Duplicates != 1 || s.Cases != 0 {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	l, err := data.OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	for batch, err := range data.Scan[data.Mandate](l, data.AsOf(1<<62)) {
		if err != nil || batch[0].MaxAmount != 1500050 || batch[0].OccurredAt != 1782846317000000 || batch[0].KnownAt.String() != "2026-07-01T00:00:00Z" {
			t.Fatalf("%+v, %v", batch[0], err)
		}
	}
}

func TestShow(t *testing.T) {
	m := mustParse(t, plain)
	path := write(t, "x.csv", header+"b,2026-01-01T00:00:00Z,10.50,c,failed,card,,i1,INR\na,2026-01-01T05:30:00.000001+05:30,0,c,captured,upi_autopay,\"B,\n\",i1,INR\nb,x\n")
	var got [][]string
	var bad []table.Reject
	s, err := Show(t.Context(), m, path, func(r []string) error { got = append(got, slices.Clone(r)); return nil }, func(r table.Reject) { bad = append(bad, r) })
	want := [][]string{{"b", "1767225600000000", "1050", "c", "failed", "card", ""}, {"a", "1767225600000001", "0", "c", "captured", "upi_autopay", "B,\n"}}
	if err != nil || !reflect.DeepEqual(got, want) || s.Read != 3 || s.Rejected != 1 || bad[0].Line != 5 {
		t.Fatalf("%q, %+v, %+v, %v", got, s, bad, err)
	}
}

// TestDowntimeEnds: an outage that ends before it begins is put aside by the name of its end.
func TestDowntimeEnds(t *testing.T) {
	m := mustParse(t, "table: downtimes\ncurrency: INR\nfields: {occurred_at: b, downtime_id: d, rail: {const: card}, severity: {const: high}, status: {const: resolved}, begin: b, end: e}\n")
	path := write(t, "x.csv", "d,b,e\nx,2026-01-05T00:00:00Z,2026-01-04T23:59:59.999999Z\ny,2026-01-05T00:00:00Z,2026-01-05T00:00:00Z\nz,2026-01-05T00:00:00Z,\n")
	var bad []table.Reject
	s, err := Run(t.Context(), Options{Files: []string{path}, Mapping: m, Dir: t.TempDir(), Reject: func(_ string, r table.Reject) { bad = append(bad, r) }})
	want := []table.Reject{{Line: 2, Column: "end", Reason: "2026-01-04T23:59:59.999999Z is before begin, 2026-01-05T00:00:00Z"}}
	if err != nil || s.Events != 2 || !reflect.DeepEqual(bad, want) {
		t.Errorf("%+v, %v, %v", s, bad, err)
	}
}

// FuzzRun ingests any CSV: no panic, every record accounted for, and a log that opens.
func FuzzRun(f *testing.F) {
	f.Add([]byte(header + "1,2026-01-01T00:00:00Z,10.50,c,failed,card,,i1,INR\n"))
	f.Add([]byte(header + "1,2026-01-01T00:00:00Z,1,c,failed,card,,i1,INR\n1,2026-01-01T00:00:00Z,1,c,captured,card,,i1,INR\n\"x\"\"y\"\n"))
	m := mustParse(f, plain)
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		aside := int64(0)
		s, err := Run(t.Context(), Options{Files: []string{write(t, "x.csv", string(text))}, Mapping: m, Dir: dir, Reject: func(string, table.Reject) { aside++ }})
		if err != nil {
			return
		}
		if s.Read != s.Rejected+s.Duplicates+s.Events || aside != s.Rejected+s.Duplicates {
			t.Fatalf("%+v, %d put aside", s, aside)
		}
		if s.Events > 0 {
			if got := attempts(t, dir); int64(len(got)) != s.Events {
				t.Fatalf("%d rows of %d", len(got), s.Events)
			}
		}
	})
}
