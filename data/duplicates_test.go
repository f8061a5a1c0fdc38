package data

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestDuplicatesAreDroppedAndCounted(t *testing.T) {
	dir := t.TempDir()
	w, err := NewWriter(dir, inr)
	if err != nil {
		t.Fatal(err)
	}
	first, late := attemptAt("e1", day0+Hour), attemptAt("e1", day0+2*Hour) // one event_id: the lower cursor stays
	late.Amount = 999
	again := attemptAt("e2", day0+3*Hour) // another event_id, the same attempt and status
	again.AttemptID = first.AttemptID
	paid := again // another status is a later event of the attempt
	paid.EventID, paid.Status = "e3", Captured
	ghost := attemptAt("e1", day0+4*Hour) // dropped by its event_id: its attempt is not in the log,
	ghost.AttemptID = "a4"
	real4 := attemptAt("e4", day0+5*Hour) // so this one stays
	real4.AttemptID = "a4"
	if err := Add(w, late, again, paid, first, ghost, real4); err != nil {
		t.Fatal(err)
	}
	poll := Poll{Event: Event{EventID: "e3", OccurredAt: day0, KnownAt: day0 + Day}, AttemptID: "x", Status: PollFailed} // in another table
	if err := Add(w, poll); err != nil {
		t.Fatal(err)
	}
	m, err := w.Commit(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if want := (Ingest{Rows: 3, Duplicates: Duplicates{EventID: 3, Attempt: 1}}); m.Ingest != want {
		t.Errorf("%+v, expected %+v", m.Ingest, want)
	}
	got := ""
	for _, a := range read[Attempt](t, dir, lastCursor) {
		got += fmt.Sprintf("%s %s %d %s; ", a.EventID, a.AttemptID, a.Amount, a.Status)
	}
	if want := "e1 ae1 100 failed; e3 ae1 100 captured; e4 a4 100 failed; "; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
	before := treeOf(t, dir)

	// In a later generation the log's own rows come first, whatever the cursors.
	old := attemptAt("e1", day0)
	other := attemptAt("e9", day0)
	other.AttemptID = first.AttemptID
	m = commit(t, dir, inr, old, other)
	if want := (Ingest{Duplicates: Duplicates{EventID: 1, Attempt: 1}}); m.Ingest != want || m.Generation != 1 {
		t.Errorf("generation %d, %+v, expected 1, %+v", m.Generation, m.Ingest, want)
	}
	sameTree(t, treeOf(t, dir), before)
}

// TestSameBytesForAnyOrder: neither the order of Add, nor how it was cut into
// calls, nor spilling may show in the log, also where rows repeat.
func TestSameBytesForAnyOrder(t *testing.T) {
	var want map[string]string
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(3, 3))
		var rows []Attempt
		for i := range 200 {
			a := randomRow(r, attemptsTable())
			give(attemptsTable(), &a, fmt.Sprint("e", r.IntN(150)), day0+Micros(r.IntN(50))*Hour)
			a.AttemptID = fmt.Sprint("a", i/2)
			rows = append(rows, a)
		}
		rows = append(rows, rows[:20]...)
		r = rand.New(rand.NewPCG(seed, 4))
		r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		dir := t.TempDir()
		w, err := NewWriter(dir, WriteOptions{Currency: "INR", RunRows: []int{0, 1, 7, 50, 1000, 219}[seed]})
		if err != nil {
			t.Fatal(err)
		}
		for len(rows) > 0 {
			k := min(len(rows), 1+r.IntN(40))
			for i := range rows[:k] {
				rows[i].Seq = r.Int64() // ignored
			}
			if err := Add(w, rows[:k]...); err != nil {
				t.Fatal(err)
			}
			rows = rows[k:]
		}
		if _, err := w.Commit(context.Background()); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = treeOf(t, dir)
		}
		sameTree(t, treeOf(t, dir), want)
	}
}

// TestGenerations: later commits leave the files and numbers of earlier ones
// alone, and a log opened before keeps reading what it pinned.
func TestGenerations(t *testing.T) {
	dir := t.TempDir()
	commit(t, dir, inr, attemptAt("b", day0+Day))
	before := treeOf(t, dir)
	pinned, err := OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	m := commit(t, dir, WriteOptions{Currency: "INR", KnownAtAssumed: true}, attemptAt("a", day0), attemptAt("c", day0+2*Day))
	if m.Generation != 2 || !m.KnownAtAssumed {
		t.Errorf("generation %d, assumed %v", m.Generation, m.KnownAtAssumed)
	}
	after := treeOf(t, dir)
	for name, b := range before {
		if name != "events/"+manifestName && after[name] != b {
			t.Errorf("%s has changed", name)
		}
	}
	got := ""
	for _, a := range read[Attempt](t, dir, lastCursor) {
		got += fmt.Sprint(a.EventID, a.Seq, " ")
	}
	if got != "a1 b0 c2 " {
		t.Errorf("rows %s, expected the late row first with a number after the log's highest", got)
	}
	if rows := scanAll[Attempt](t, pinned, lastCursor); len(rows) != 1 {
		t.Errorf("the pinned log has %d rows, expected 1", len(rows))
	}
}

func TestHashSet(t *testing.T) {
	s := newHashSet(1000)
	for range 2 {
		for i := range uint32(1000) {
			h := [3]uint32{i % 3, i % 7, i | 1<<31}
			if s.add(h) {
				if s.add(h) {
					t.Fatal("added twice")
				}
			} else if i == 0 {
				return // the second round begins
			}
		}
	}
	t.Error("the second round added again")
}
