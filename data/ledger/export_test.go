package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recoup/data"
)

// day is n days after the first of January 2026, in UTC.
func day(n int) data.Micros { return 1_767_225_600_000_000 + data.Micros(n)*data.Day }

func attemptRow(id string, at data.Micros, status data.AttemptStatus) *data.Attempt {
	return &data.Attempt{Event: data.Event{EventID: id, OccurredAt: at, KnownAt: at}, CaseID: "case-" + id, AttemptID: "att-" + id, CustomerID: "cust-" + id,
		MerchantID: "m", Rail: data.Card, Amount: 50000, Status: status}
}

func decisionRow(id string, at data.Micros) *data.Decision {
	return &data.Decision{Event: data.Event{EventID: "e" + id, OccurredAt: at, KnownAt: at}, DecisionID: id, CaseID: "case-" + id, CustomerID: "cust-" + id, DecidedAt: at,
		AsOf: data.AsOf(at), Arm: data.ArmRules, ArmShare: 1, Logger: "p", PolicyID: "p", Allowed: []data.Option{{Action: data.Wait, At: at, Propensity: 1, Mix: 1}}}
}

func outcomeRow(id, decision string, at data.Micros, recovered, closed bool) *data.Outcome {
	return &data.Outcome{Event: data.Event{EventID: id, OccurredAt: at, KnownAt: at}, DecisionID: decision, Recovered: recovered, SettledAt: at, WindowClosed: closed}
}

func decided(row *data.Decision) Draft {
	body := append(append([]byte(`{"decision":`), data.AppendJSON(nil, row)...), `,"row":"AAAA","margin":1.5}`...)
	return Draft{Kind: Decision, Key: row.DecisionID, KnownAt: row.KnownAt, CaseID: row.CaseID, CustomerID: row.CustomerID, Body: body}
}

func happened[T data.Row](k Kind, row *T, e *data.Event) Draft {
	return Draft{Kind: k, Key: e.EventID, KnownAt: e.KnownAt, Body: data.AppendJSON(nil, row)}
}

// liveBook is a book as a server leaves it.
func liveBook(t testing.TB, url string) *Book {
	t.Helper()
	b, _ := newBook(t, url)
	for i := range 4 {
		a := attemptRow(fmt.Sprint("a", i), day(i), data.Failed)
		d := decisionRow(fmt.Sprint("d", i), day(i)+data.Hour)
		o := outcomeRow(fmt.Sprint("o", i), d.DecisionID, day(i)+2*data.Hour, i == 0, i < 3)
		answer := decided(decisionRow(fmt.Sprint("x", i), day(i)))
		answer.Kind = Answer
		put(t, b, happened(Event, a, &a.Event), decided(d), answer, happened(Outcome, o, &o.Event), Draft{Kind: Webhook, Key: fmt.Sprint(i), Body: []byte(`{}`)})
	}
	return b
}

// logOf is every row of a log's attempts, decisions and outcomes.
func logOf(t testing.TB, dir string) (out []any) {
	t.Helper()
	l, err := data.OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	return append(append(rowsOf[data.Attempt](t, l), rowsOf[data.Decision](t, l)...), rowsOf[data.Outcome](t, l)...)
}

func rowsOf[T data.Row](t testing.TB, l *data.Log) (out []any) {
	t.Helper()
	for rows, err := range data.Scan[T](l, data.AsOf(day(1000))) {
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			out = append(out, r)
		}
	}
	return out
}

func TestExport(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		ctx := context.Background()
		b := liveBook(t, url)
		x := Export{Dir: t.TempDir(), Currency: "INR", UpTo: day(2) - 1}
		got, err := b.Export(ctx, x)
		want := Exported{Tenant: "main", From: 1, To: 10, Rows: 6, Others: 4}
		if err != nil || got != want {
			t.Fatalf("%+v, %v\nexpected %+v", got, err, want)
		}
		x.UpTo = 0
		if _, err := b.Erase(ctx, "cust-d3", ""); err != nil {
			t.Fatal(err)
		}
		got, err = b.Export(ctx, x)
		want = Exported{Tenant: "main", From: 11, To: 21, Rows: 5, Others: 5, Erased: 1}
		if err != nil || got != want {
			t.Fatalf("%+v, %v\nexpected %+v", got, err, want)
		}
		log := logOf(t, x.Dir)
		if d, ok := log[5].(data.Decision); !ok || len(log) != 11 || d.KnownAt != all(t, b)[6].KnownAt || d.DecisionID != "d1" || d.EventID != "ed1" {
			t.Errorf("%+v", log)
		}
		manifest, err := os.ReadFile(filepath.Join(x.Dir, "events", "manifest.json"))
		if err != nil {
			t.Fatal(err)
		}
		again, err := b.Export(ctx, x)
		if err != nil || again != (Exported{Tenant: "main", From: 22, To: 21}) {
			t.Errorf("nothing new: %+v, %v", again, err)
		}
		x.Again = true
		again, err = b.Export(ctx, x)
		if err != nil || again.Rows != 0 || again.Duplicates.EventID != 11 {
			t.Errorf("from the start: %+v, %v", again, err)
		}
		if after, err := os.ReadFile(filepath.Join(x.Dir, "events", "manifest.json")); err != nil || string(after) != string(manifest) {
			t.Error("the log changed of nothing", err)
		}
		// Another folder gets the same rows, whatever the mark says.
		x.Dir = t.TempDir()
		if _, err := b.Export(ctx, x); err != nil {
			t.Fatal(err)
		}
		if n := len(logOf(t, x.Dir)); n != len(log) {
			t.Errorf("%d rows, expected %d", n, len(log))
		}
	})
}

// A death after the log was written and before the mark leaves the same log.
func TestExportBrokenOff(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		ctx := context.Background()
		b := liveBook(t, url)
		x := Export{Dir: t.TempDir(), Currency: "INR"}
		if _, err := b.export(ctx, x); err != nil {
			t.Fatal(err)
		}
		before := logOf(t, x.Dir)
		if n, err := b.Exported(ctx); err != nil || n != 0 {
			t.Fatal(n, err)
		}
		a := attemptRow("later", day(9), data.Failed)
		put(t, b, happened(Event, a, &a.Event))
		got, err := b.Export(ctx, x)
		if err != nil || got.Rows != 1 || got.Duplicates.EventID != 12 || got.To != 21 {
			t.Fatalf("%+v, %v", got, err)
		}
		if n, err := b.Exported(ctx); err != nil || n != 21 {
			t.Error(n, err)
		}
		after := logOf(t, x.Dir)
		if d := cmp.Diff(before, slices.Delete(after, 4, 5)); d != "" {
			t.Error(d)
		}
	})
}

func TestExportRefused(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name string
		d    Draft
		what string
	}{
		{"no row", event("e", `{"table":"attempts"}`), "entry 1 (event e)"},
		{"no table", event("e", `{}`), "entry 1 (event e)"},
		{"no JSON", event("e", `{`), "entry 1 (event e)"},
		{"no decision", Draft{Kind: Decision, Key: "d", Body: []byte(`[]`)}, "is no decision"},
		{"a decision without a row", Draft{Kind: Decision, Key: "d", Body: []byte(`{"margin":1}`)}, "is no row"},
		{"of another table", Draft{Kind: Outcome, Key: "o", Body: data.AppendJSON(nil, attemptRow("a", day(1), data.Failed))}, "a row of attempts, expected one of outcomes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, _ := newBook(t, filepath.Join(t.TempDir(), "ledger.db"))
			put(t, b, c.d)
			dir := t.TempDir()
			if _, err := b.Export(ctx, Export{Dir: dir, Currency: "INR"}); !errors.Is(err, data.ErrContract) || !strings.Contains(err.Error(), c.what) {
				t.Error(err)
			}
			if n, err := b.Exported(ctx); err != nil || n != 0 {
				t.Error("marked", n, err)
			}
			if _, err := data.OpenLog(dir); err == nil {
				t.Error("a log was made")
			}
		})
	}
	b := liveBook(t, filepath.Join(t.TempDir(), "ledger.db"))
	dir := t.TempDir()
	w, err := data.NewWriter(dir, data.WriteOptions{Currency: "INR"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Export(ctx, Export{Dir: dir, Currency: "INR"}); !errors.Is(err, data.ErrLocked) {
		t.Error("beside another writer:", err)
	}
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Export(ctx, Export{Dir: dir, Currency: "rupees"}); !errors.Is(err, data.ErrUsage) {
		t.Error(err)
	}
}

func TestMature(t *testing.T) {
	b := liveBook(t, filepath.Join(t.TempDir(), "ledger.db"))
	x := Export{Dir: t.TempDir(), Currency: "INR"}
	if _, err := b.Export(context.Background(), x); err != nil {
		t.Fatal(err)
	}
	const window = 2 * data.Day
	// d0, d1, d2 have outcomes that close; d3's does not. A decision is of one hour after its day began.
	for _, c := range []struct {
		asOf data.Micros
		want Maturity
	}{
		{day(0), Maturity{}},
		{day(2) + data.Hour - 1, Maturity{Decisions: 2, Censored: 2}},
		{day(2) + data.Hour, Maturity{Decisions: 3, Matured: 1, Censored: 2, Reported: 1, Recovered: 1}},
		{day(30), Maturity{Decisions: 4, Matured: 4, Reported: 3, Recovered: 1, Awaited: 1}},
	} {
		c.want.AsOf, c.want.Window, c.want.Through = c.asOf.String(), 2, (c.asOf - window).String()
		got, err := Mature(x.Dir, c.asOf, window)
		if err != nil || got != c.want {
			t.Errorf("%+v, %v\nexpected %+v", got, err, c.want)
		}
	}
}
