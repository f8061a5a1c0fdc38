package data

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestKilledWriters: whenever a writer dies, the old generation stays readable,
// and the next run sweeps the rest and gives the same bytes as one that lived.
func TestKilledWriters(t *testing.T) {
	base := func() string {
		dir := t.TempDir()
		commit(t, dir, inr, attemptAt("old", day0))
		return dir
	}
	whole := base()
	start := time.Now()
	if out, err := ingestInChild(t, whole).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	took := time.Since(start)
	want := treeOf(t, whole)
	r := rand.New(rand.NewPCG(1, 2))
	for range 6 {
		dir := base()
		c := ingestInChild(t, dir)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.Int64N(int64(took))))
		c.Process.Kill()
		c.Wait()
		if n := len(read[Attempt](t, dir, lastCursor)); n != 1 && n != 3001 {
			t.Fatalf("%d rows after a kill, expected 1 or 3001", n)
		}
		if out, err := ingestInChild(t, dir).CombinedOutput(); err != nil {
			t.Fatalf("after a kill: %v: %s", err, out)
		}
		sameTree(t, treeOf(t, dir), want)
	}
}

// TestDeathBetweenPartsAndManifest is the worst moment, met for sure.
func TestDeathBetweenPartsAndManifest(t *testing.T) {
	dir := t.TempDir()
	commit(t, dir, inr, attemptAt("old", day0))
	w, err := NewWriter(dir, inr)
	if err != nil {
		t.Fatal(err)
	}
	if err := Add(w, attemptAt("new", day0+40*Day)); err != nil {
		t.Fatal(err)
	}
	files, _, err := w.write(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.place(files); err != nil {
		t.Fatal(err)
	}
	w.release() // as the kernel does for the dead
	stray := filepath.Join(dir, "events", filepath.FromSlash(files[0].Path))
	if _, err := os.Stat(stray); err != nil {
		t.Fatal(err)
	}
	if n := len(read[Attempt](t, dir, lastCursor)); n != 1 {
		t.Errorf("%d rows are visible, expected 1", n)
	}
	commit(t, dir, inr, attemptAt("other", day0+Day))
	if _, err := os.Stat(filepath.Dir(stray)); !os.IsNotExist(err) {
		t.Errorf("the stray part's folder is still there: %v", err)
	}
	if n := len(read[Attempt](t, dir, lastCursor)); n != 2 {
		t.Errorf("%d rows, expected 2", n)
	}
}

// TestFullDisk: a file that cannot grow fails the commit and leaves the log as
// it was, with nothing half-written beside it.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	commit(t, dir, inr, attemptAt("old", day0))
	before := treeOf(t, dir)
	for _, size := range []string{"100", "3000", "20000"} {
		out, err := ingestInChild(t, dir, "RECOUP_TEST_FILE_BYTES="+size).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "file too large") || !strings.HasPrefix(string(out), "data: ") {
			t.Errorf("files of at most %s bytes: %v: %s", size, err, out)
		}
		sameTree(t, treeOf(t, dir), before)
	}
}

func TestOneWriterAtATime(t *testing.T) {
	dir := t.TempDir()
	w, err := NewWriter(dir, inr)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewWriter(dir, inr); !errors.Is(err, ErrLocked) {
		t.Errorf("a second writer got %v", err)
	}
	if out, err := ingestInChild(t, dir).CombinedOutput(); err == nil || !strings.Contains(string(out), "another job") {
		t.Errorf("a second process got %v: %s", err, out)
	}
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	if len(treeOf(t, dir)) != 0 {
		t.Error("an aborted writer left something")
	}
	if err := Add(w, attemptAt("a", day0)); err == nil {
		t.Error("an aborted writer took a row")
	}
	if _, err := w.Commit(context.Background()); err == nil {
		t.Error("an aborted writer committed")
	}
	commit(t, dir, inr, attemptAt("a", day0))
}

func TestCancelledCommitChangesNothing(t *testing.T) {
	dir := t.TempDir()
	commit(t, dir, inr, attemptAt("old", day0))
	before := treeOf(t, dir)
	w, err := NewWriter(dir, inr)
	if err != nil {
		t.Fatal(err)
	}
	if err := Add(w, attemptAt("new", day0)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.Commit(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	sameTree(t, treeOf(t, dir), before)
}

func TestWriteOptionsAreChecked(t *testing.T) {
	if _, err := NewWriter(t.TempDir(), WriteOptions{Currency: "rs", Horizon: -1, RunRows: -1}); !errors.Is(err, ErrUsage) ||
		!strings.Contains(err.Error(), "currency") || !strings.Contains(err.Error(), "horizon") || !strings.Contains(err.Error(), "run rows") {
		t.Errorf("%v, expected all three faults", err)
	}
	dir := t.TempDir()
	commit(t, dir, inr, attemptAt("a", day0))
	for _, o := range []WriteOptions{{Currency: "EUR"}, {Currency: "INR", Horizon: Hour}} {
		if _, err := NewWriter(dir, o); !errors.Is(err, ErrContract) {
			t.Errorf("%+v added to a log in INR without a horizon: %v", o, err)
		}
	}
}

func TestInvalidRowsAreRefusedByName(t *testing.T) {
	good := func() Decision {
		return Decision{Event: Event{EventID: "d1", OccurredAt: day0, KnownAt: day0}, DecisionID: "x", CaseID: "c", CustomerID: "k",
			DecidedAt: day0, AsOf: AsOf(day0), Arm: ArmExplorer, ArmShare: 1, Logger: "l", PolicyID: "p",
			Allowed: []Option{{Action: Wait, At: day0, Propensity: .5, Mix: .5}, {Action: Retry, At: day0, Propensity: .5, Mix: .5}}}
	}
	attempt := func(change func(a *Attempt)) func(w *Writer) error {
		return func(w *Writer) error {
			a := attemptAt("e7", day0)
			change(&a)
			return Add(w, attemptAt("fine", day0), a)
		}
	}
	decision := func(change func(d *Decision)) func(w *Writer) error {
		return func(w *Writer) error {
			d := good()
			change(&d)
			return Add(w, d)
		}
	}
	down := func(end Micros) func(w *Writer) error {
		return func(w *Writer) error {
			return Add(w, Downtime{Event: Event{EventID: "o", OccurredAt: day0, KnownAt: day0}, DowntimeID: "x", Rail: Card,
				Severity: SeverityHigh, Status: DowntimeResolved, Begin: day0, End: end})
		}
	}
	nan, two := math.NaN(), 2.0
	dir := t.TempDir()
	w, err := NewWriter(dir, inr)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, c := range []struct {
		add   func(w *Writer) error
		words string
	}{
		{attempt(func(a *Attempt) { a.EventID = "" }), `attempts: event "": column event_id: empty`},
		{attempt(func(a *Attempt) { a.CaseID = "" }), `attempts: event "e7": column case_id: empty`},
		{attempt(func(a *Attempt) { a.AttemptNo = -1 }), "attempt_no: -1"},
		{attempt(func(a *Attempt) { a.Amount = -1 }), "amount_paise: -1"},
		{attempt(func(a *Attempt) { a.Rail = 0 }), "column rail: empty"},
		{attempt(func(a *Attempt) { a.Rail = 6 }), "6 is no rail"},
		{attempt(func(a *Attempt) { a.Reason = 200 }), "200 is no reason"},
		{attempt(func(a *Attempt) { a.Status = 0 }), "column status: empty"},
		{attempt(func(a *Attempt) { a.KnownAt = 0 }), "column known_at: empty"},
		{attempt(func(a *Attempt) { a.OccurredAt /= 1000 }), "check the unit"},
		{attempt(func(a *Attempt) { a.KnownAt = maxTime }), "2100"},
		{attempt(func(a *Attempt) { a.Bank = "\xff" }), "UTF-8"},
		{attempt(func(a *Attempt) { a.Bank = strings.Repeat("x", MaxText+1) }), "4097 bytes"},
		{down(day0 - 1), `downtimes: event "o": column end: ` + (day0 - 1).String() + " is before begin"},
		{decision(func(d *Decision) { d.Chosen = 2 }), "column chosen: 2"},
		{decision(func(d *Decision) { d.Chosen = -1 }), "chosen: -1"},
		{decision(func(d *Decision) { d.Allowed = nil }), "0 options"},
		{decision(func(d *Decision) { d.Allowed[0].Propensity = .4 }), "propensities sum to 0.9"},
		{decision(func(d *Decision) { d.Allowed[0].Mix = 0 }), "mixes sum to 0.5"},
		{decision(func(d *Decision) { d.Allowed[0].Propensity, d.Allowed[1].Propensity = 0, 1 }), "propensity 0"},
		{decision(func(d *Decision) { d.Allowed[0].Mix, d.Allowed[1].Mix = 0, 1 }), "mix 0"},
		{decision(func(d *Decision) { d.Allowed[1].Propensity = nan }), "element 1: column propensity: NaN"},
		{decision(func(d *Decision) { d.Allowed[1].P = &two }), "element 1: column p: 2"},
		{decision(func(d *Decision) { d.Allowed[1].Action = 0 }), "element 1: column action"},
		{decision(func(d *Decision) { d.ArmShare = 0 }), "arm_share"},
		{decision(func(d *Decision) { d.Refusals = []Refusal{{Action: Retry}} }), "column refusals: element 0: column rule"},
	} {
		if err := c.add(w); !errors.Is(err, ErrContract) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("error %v, expected %q", err, c.words)
		}
	}
	if err := Add(w, good()); err != nil {
		t.Errorf("a good row after bad ones: %v", err)
	}
	if m, err := w.Commit(context.Background()); err != nil || m.Ingest.Rows != 1 {
		t.Errorf("%+v, %v, expected the one good row: a call with a bad row adds none", m.Ingest, err)
	}
}
