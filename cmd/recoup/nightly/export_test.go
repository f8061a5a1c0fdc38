package nightly

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"recoup/data"
	"recoup/data/ledger"
)

// record writes a failure and a decision about it, days before the night, as a server would.
func record(t *testing.T, dir string, days ...int) {
	t.Helper()
	ctx := context.Background()
	l, err := ledger.Open(ctx, ledger.Config{URL: filepath.Join(dir, "ledger.db"), Random: rand.Reader, Now: func() data.Micros { return worldAsOf }})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	b, err := l.Book(ctx, "main", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range days {
		at, id := worldAsOf-data.Micros(n)*data.Day, fmt.Sprint("live", n)
		e := func(kind string) data.Event { return data.Event{EventID: kind + id, OccurredAt: at, KnownAt: at} }
		a := &data.Attempt{Event: e("a"), CaseID: "case" + id, AttemptID: "att" + id, CustomerID: "cust" + id, MerchantID: "m", Rail: data.Card, Amount: 50000, Status: data.Failed}
		d := &data.Decision{Event: e("d"), DecisionID: "dec" + id, CaseID: a.CaseID, CustomerID: a.CustomerID, DecidedAt: at, AsOf: data.AsOf(at), Arm: data.ArmRules, ArmShare: 1,
			Logger: "p", PolicyID: "p", Allowed: []data.Option{{Action: data.Wait, At: at, Propensity: 1, Mix: 1}}}
		if _, err := b.Append(ctx, ledger.Job{Drafts: []ledger.Draft{
			{Kind: ledger.Event, Key: a.EventID, KnownAt: at, CaseID: a.CaseID, CustomerID: a.CustomerID, Body: data.AppendJSON(nil, a)},
			{Kind: ledger.Decision, Key: d.DecisionID, KnownAt: at, CaseID: a.CaseID, CustomerID: a.CustomerID, Body: append(append([]byte(`{"decision":`), data.AppendJSON(nil, d)...), '}')},
		}}); err != nil {
			t.Fatal(err)
		}
	}
}

// A night takes what the ledger has up to its as_of, and a second one, after more was
// recorded, finds nothing to do.
func TestNightExports(t *testing.T) {
	dir := home(t)
	record(t, dir, 30, 3)
	args := []string{"nightly", "--dir", dir, "--as-of", "2026-03-01", "--draws", "100", "--json"}
	run := func() (s Summary) {
		t.Helper()
		code, out := recoup(t, args...)
		if code != 0 {
			t.Fatalf("exit %d: %s", code, out)
		}
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return s
	}
	before, err := data.OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	was := before.Manifest()
	s := run()
	r := s.Ledger
	if r == nil || r.Rows != 4 || r.Maturity == nil || s.Stages[0] != (Step{"export", true}) {
		t.Fatalf("%+v", s)
	}
	m := r.Maturity
	if n := was.Rows("decisions"); m.Decisions != n+2 || m.Matured+m.Censored != n+2 || m.Censored < 1 || m.Through != "2026-02-08T00:00:00Z" {
		t.Errorf("%+v, the log had %d decisions", m, n)
	}
	wrote := tree(t, filepath.Join(dir, "runs"))
	record(t, dir, -1) // known after as_of
	if s = run(); !s.Nothing || s.Ledger.Rows != 0 {
		t.Errorf("a second time: %+v", s)
	}
	same(t, "a second time", tree(t, filepath.Join(dir, "runs")), wrote)
}
