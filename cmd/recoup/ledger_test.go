package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	_ "modernc.org/sqlite" // to change the ledger behind its back

	"recoup/data"
	"recoup/data/ledger"
)

// TestLedgerScripts run the verbs on a ledger as a server leaves it: in the folder shop.
func TestLedgerScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/ledger",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			return serveAWhile(filepath.Join(e.WorkDir, "shop"))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "sql": runSQL},
	})
}

// serveAWhile records four failures, decisions and outcomes, a day apart.
func serveAWhile(dir string) (err error) {
	ctx := context.Background()
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	keys, err := ledger.FindKeys(dir, "", rand.Reader)
	if err != nil {
		return err
	}
	l, err := ledger.Open(ctx, ledger.Config{URL: filepath.Join(dir, "ledger.db"), Secret: keys.Current(), Random: rand.Reader, Now: func() data.Micros { return data.IST(2026, 1, 1, 9, 0) }})
	if err != nil {
		return err
	}
	defer func() {
		if e := l.Close(); err == nil {
			err = e
		}
	}()
	b, err := l.Book(ctx, "main", 0)
	if err != nil {
		return err
	}
	for i := range 4 {
		at := data.IST(2026, 1, 1+i, 10, 0)
		id := fmt.Sprint(i + 1)
		ev := func(kind string) data.Event { return data.Event{EventID: kind + id, OccurredAt: at, KnownAt: at} }
		a := &data.Attempt{Event: ev("a"), CaseID: "case" + id, AttemptID: "att" + id, CustomerID: "cust" + id, MerchantID: "m", Rail: data.Card, Amount: 50000, Status: data.Failed}
		d := &data.Decision{Event: ev("d"), DecisionID: "dec" + id, CaseID: a.CaseID, CustomerID: a.CustomerID, DecidedAt: at, AsOf: data.AsOf(at), Arm: data.ArmRules, ArmShare: 1,
			Logger: "p", PolicyID: "p", Allowed: []data.Option{{Action: data.Wait, At: at, Propensity: 1, Mix: 1}}}
		o := &data.Outcome{Event: ev("o"), DecisionID: d.DecisionID, Recovered: i == 0, SettledAt: at, WindowClosed: true}
		_, err := b.Append(ctx, ledger.Job{Drafts: []ledger.Draft{
			{Kind: ledger.Event, Key: a.EventID, KnownAt: at, CaseID: a.CaseID, CustomerID: a.CustomerID, Body: data.AppendJSON(nil, a)},
			{Kind: ledger.Decision, Key: d.DecisionID, KnownAt: at, CaseID: a.CaseID, CustomerID: a.CustomerID, Body: append(append([]byte(`{"decision":`), data.AppendJSON(nil, d)...), '}')},
			{Kind: ledger.Outcome, Key: o.EventID, KnownAt: at, CaseID: a.CaseID, CustomerID: a.CustomerID, Body: data.AppendJSON(nil, o)},
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

// runSQL FILE STATEMENTS... changes a ledger as somebody would who has the file.
func runSQL(ts *testscript.TestScript, neg bool, args []string) {
	db, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	for _, s := range args[1:] {
		_, err := db.Exec(s)
		ts.Check(err)
	}
}
