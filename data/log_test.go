package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if childJob() {
		return
	}
	goleak.VerifyTestMain(m)
}

// tester is what *testing.T and *rapid.T share.
type tester interface {
	Helper()
	Fatal(...any)
	Errorf(string, ...any)
}

var inr = WriteOptions{Currency: "INR"}

const day0 = 20454 * Day // 2026-01-01

// commit adds rows to the log of dir.
func commit[T Row](t tester, dir string, o WriteOptions, rows ...T) Manifest {
	t.Helper()
	w, err := NewWriter(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := Add(w, rows...); err != nil {
		t.Fatal(err)
	}
	m, err := w.Commit(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// read is the visible rows of a table.
func read[T Row](t tester, dir string, upTo Cursor, columns ...string) []T {
	t.Helper()
	l, err := OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	return scanAll[T](t, l, upTo, columns...)
}

func scanAll[T Row](t tester, l *Log, upTo Cursor, columns ...string) []T {
	t.Helper()
	var out []T
	for rows, err := range Scan[T](l, upTo, columns...) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, rows...)
	}
	return out
}

// treeOf maps every file below dir to its bytes, without the lock.
func treeOf(t tester, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == ".lock" {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sameTree tells how two folders differ, without their bytes.
func sameTree(t tester, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %d bytes that differ from the expected %d", name, len(got[name]), len(want[name]))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: unexpected", name)
		}
	}
}

// roundTrip is the test of one table: rows to add, and what must be read.
type roundTrip struct {
	add   func(t tester, w *Writer, r *rand.Rand)
	check func(t tester, dir string)
}

func roundTripOf[T Row]() *roundTrip {
	tab := tableOf[T]()
	var rows []T
	return &roundTrip{
		add: func(t tester, w *Writer, r *rand.Rand) {
			rows = nil
			for i := range r.IntN(30) {
				row := randomRow(r, tab)
				give(tab, &row, fmt.Sprintf("%s-%03d", tab.name, i), day0+Micros(r.IntN(20))*Hour) // many ties
				rows = append(rows, row)
			}
			if err := Add(w, rows...); err != nil {
				t.Fatal(err)
			}
		},
		check: func(t tester, dir string) {
			got := read[T](t, dir, lastCursor)
			slices.SortFunc(rows, func(a, b T) int {
				x, y := tab.event(&a), tab.event(&b)
				return cmp.Or(cmp.Compare(x.KnownAt, y.KnownAt), strings.Compare(x.EventID, y.EventID))
			})
			for i := range got {
				tab.event(&got[i]).Seq = 0 // of all tables; another test's concern
			}
			if diff := gocmp.Diff(rows, got); diff != "" {
				t.Fatal(tab.name, "wrote -, read +:\n", diff)
			}
		},
	}
}

// TestRoundTrip writes random rows of every table, nulls, zeros and empty lists
// among them, and reads them back.
func TestRoundTrip(t *testing.T) {
	all := []*roundTrip{roundTripOf[Attempt](), roundTripOf[CaseEvent](), roundTripOf[Subscription](), roundTripOf[Mandate](),
		roundTripOf[Notice](), roundTripOf[Poll](), roundTripOf[Promise](), roundTripOf[Downtime](), roundTripOf[Decision](),
		roundTripOf[Outcome]()}
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		dir := t.TempDir()
		w, err := NewWriter(dir, WriteOptions{Currency: "INR", RunRows: 1 + r.IntN(300)})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range all {
			x.add(t, w, r)
		}
		if _, err := w.Commit(context.Background()); err != nil {
			t.Fatal(err)
		}
		for _, x := range all {
			x.check(t, dir)
		}
	}
}

// attemptAt is a small valid attempt.
func attemptAt(id string, known Micros) Attempt {
	return Attempt{Event: Event{EventID: id, OccurredAt: known - Second, KnownAt: known}, CaseID: "c1", AttemptID: "a" + id,
		CustomerID: "k1", Rail: Card, Amount: 100, Status: Failed}
}

// TestSeqIsOneOrderOfAllTables: (known_at, event_id) orders the events of a
// commit whatever their table, ties included.
func TestSeqIsOneOrderOfAllTables(t *testing.T) {
	dir := t.TempDir()
	w, err := NewWriter(dir, inr)
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range []string{"b", "d", "a"} {
		if err := Add(w, attemptAt(id, day0+Micros(i/2))); err != nil {
			t.Fatal(err)
		}
	}
	if err := Add(w, Poll{Event: Event{EventID: "c", OccurredAt: day0, KnownAt: day0}, AttemptID: "x", Status: PollFailed}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(context.Background()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range read[Attempt](t, dir, lastCursor) {
		got = append(got, fmt.Sprint(a.Seq, a.EventID))
	}
	for _, p := range read[Poll](t, dir, lastCursor) {
		got = append(got, fmt.Sprint(p.Seq, p.EventID))
	}
	if want := []string{"0b", "2d", "3a", "1c"}; !slices.Equal(got, want) {
		t.Errorf("seq and event_id %v, expected %v", got, want)
	}
}

// TestScanIsTheVisiblePrefix compares scans of a log of several overlapping
// generations with a plain filter, at cursors on both sides of every event.
func TestScanIsTheVisiblePrefix(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(7, 7))
	for g := range 4 {
		rows := make([]Attempt, 40)
		for i := range rows { // every generation brings late rows
			rows[i] = attemptAt(fmt.Sprintf("g%d-%02d", g, i), day0+Micros(r.IntN(15)+5*g)*Hour)
		}
		w, err := NewWriter(dir, inr)
		if err != nil {
			t.Fatal(err)
		}
		w.parts.minRows, w.parts.maxRows = 1, 7
		if err := Add(w, rows...); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Commit(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	all := read[Attempt](t, dir, lastCursor)
	if len(all) != 160 {
		t.Fatalf("%d rows, expected 160", len(all))
	}
	l, err := OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(l.Manifest().Files); n < 20 {
		t.Fatalf("%d files: the test means to merge many", n)
	}
	for i := range all {
		if i > 0 && all[i-1].Cursor().Compare(all[i].Cursor()) >= 0 {
			t.Fatalf("row %d is not after the one before", i)
		}
		c := all[i].Cursor()
		for upTo, n := range map[Cursor]int{{c.KnownAt, c.Seq - 1}: i, c: i + 1} {
			if got := scanAll[Attempt](t, l, upTo); len(got) != n || n > 0 && gocmp.Diff(all[:n], got) != "" {
				t.Errorf("up to %v: %d rows, expected %d", upTo, len(got), n)
			}
		}
	}
	if got := read[Attempt](t, dir, Cursor{day0 - 1, 1 << 60}); len(got) != 0 {
		t.Errorf("%d rows before the first", len(got))
	}
}

func TestScanProjects(t *testing.T) {
	dir := t.TempDir()
	a := attemptAt("e", day0)
	commit(t, dir, inr, a)
	got := read[Attempt](t, dir, lastCursor, "amount_paise", "rail")
	want := []Attempt{{Event: Event{OccurredAt: a.OccurredAt, KnownAt: a.KnownAt}, Rail: Card, Amount: 100}}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	l, err := OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range Scan[Attempt](l, lastCursor, "amount") {
		if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), "amount_paise") {
			t.Errorf("an unknown column gives %v, expected the list of columns", err)
		}
	}
	for range Scan[Poll](l, lastCursor) {
		t.Error("an empty table has a batch")
	}
}

// TestScanStopsAndRepeats: a consumer may stop at any batch, and scan again.
// That no goroutine is left is checked when all tests have run.
func TestScanStopsAndRepeats(t *testing.T) {
	dir := t.TempDir()
	rows := make([]Attempt, 5*scanRows)
	for i := range rows {
		rows[i] = attemptAt(fmt.Sprintf("%05d", i), day0+Micros(i))
	}
	commit(t, dir, inr, rows...)
	l, err := OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	scan := Scan[Attempt](l, lastCursor)
	for stop := range 6 {
		seen := 0
		for batch, err := range scan {
			if err != nil {
				t.Fatal(err)
			}
			if batch[0].EventID != rows[seen].EventID {
				t.Fatalf("batch begins with %s, expected %s", batch[0].EventID, rows[seen].EventID)
			}
			if seen += len(batch); seen >= stop*scanRows {
				break
			}
		}
	}
}

func TestEmptyLog(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenLog(dir); !errors.Is(err, ErrContract) || !strings.Contains(err.Error(), "recoup ingest") {
		t.Errorf("no log gives %v", err)
	}
	m := commit[Attempt](t, dir, inr)
	if _, ok := m.First(); ok || m.Generation != 1 {
		t.Errorf("an empty log has a first cursor or generation %d", m.Generation)
	}
	if got := read[Attempt](t, dir, lastCursor); len(got) != 0 {
		t.Errorf("%d rows", len(got))
	}
}

func TestManifestAndHorizon(t *testing.T) {
	dir := t.TempDir()
	o := WriteOptions{Currency: "EUR", Horizon: Minute, KnownAtAssumed: true}
	m := commit(t, dir, o, attemptAt("a", day0), attemptAt("b", day0+3*Day))
	l, err := OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(m, l.Manifest()); diff != "" {
		t.Errorf("Commit's manifest -, opened +:\n%s", diff)
	}
	first, _ := m.First()
	last, _ := m.Last()
	if first != (Cursor{day0, 0}) || last != (Cursor{day0 + 3*Day, 1}) || m.Rows("attempts") != 2 || m.Rows("polls") != 0 ||
		!m.KnownAtAssumed || m.Currency != "EUR" || l.Horizon(EMandate) != Minute {
		t.Errorf("%+v", m)
	}
	if hash, err := HashFile(filepath.Join(dir, "events", manifestName)); err != nil || hash != m.Hash {
		t.Errorf("hash %s, %v, expected %s", hash, err, m.Hash)
	}
	dir = t.TempDir()
	commit(t, dir, inr, attemptAt("a", day0))
	if l, err = OpenLog(dir); err != nil || l.Horizon(EMandate) != 5*Day {
		t.Error("without a horizon the rail's own holds")
	}
}
