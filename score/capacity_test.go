package score

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"recoup/data"
)

func TestTopDown(t *testing.T) {
	pleas := []plea{{"c", 5}, {"a", 5}, {"b", 9}, {"d", 1}}
	for capacity, want := range [][]string{{}, {"b"}, {"a", "b"}, {"a", "b", "c"}, {"a", "b", "c", "d"}, {"a", "b", "c", "d"}} {
		got := topDown(slices.Clone(pleas), capacity)
		for _, id := range want {
			if !got[id] || len(got) != len(want) {
				t.Errorf("%d: %v, expected %v", capacity, got, want)
			}
		}
	}
}

// merchants is a log of n cases that all ask for a person; the later the dearer.
func merchants(t *testing.T, n int, reason string) *data.Log {
	t.Helper()
	dir := t.TempDir()
	w, err := data.NewWriter(dir, data.WriteOptions{Currency: "INR"})
	must(t, err)
	for i := range n {
		a := data.Attempt{CaseID: fmt.Sprintf("case%02d", i), AttemptID: fmt.Sprintf("a%02d", i), CustomerID: fmt.Sprintf("cust%02d", i), Rail: data.Card, Amount: data.Paise(100_00 + i),
			Status: data.Failed, Reason: data.MustReason(reason), Initiator: data.ByProvider}
		a.Event = data.Event{EventID: a.AttemptID, OccurredAt: failedAt, KnownAt: failedAt}
		must(t, data.Add(w, a))
	}
	_, err = w.Commit(t.Context())
	must(t, err)
	l, err := data.OpenLog(dir)
	must(t, err)
	return l
}

// The day's people go to the dearest cases; the rest wait, and the run says so.
func TestCapacityOfABatch(t *testing.T) {
	p := *Default()
	p.choice.escalations = 3
	e, err := New(&p, nil)
	must(t, err)
	out := filepath.Join(t.TempDir(), "x.csv")
	sum, err := e.Batch(t.Context(), merchants(t, 8, "bank_not_enabled"), BatchOptions{AsOf: failedAt, Out: out, Workers: 2})
	must(t, err)
	rows := readCSV(t, out)
	at := slices.Index(rows[0], "action")
	for i, r := range rows[1:] {
		if want := map[bool]string{true: "escalate", false: "wait"}[i >= 5]; r[at] != want {
			t.Errorf("%s: %s, expected %s", r[0], r[at], want)
		}
	}
	if sum.Escalated != 3 || sum.Unattended != 5 || sum.Cases != 8 || sum.Stopped != nil {
		t.Errorf("%+v", sum)
	}
}

// A run that the breaker stops keeps what is done and says how far it came.
func TestBatchStops(t *testing.T) {
	p := *Default()
	p.choice.breaker.RunEscalations = 4
	e, err := New(&p, nil)
	must(t, err)
	out := filepath.Join(t.TempDir(), "x.csv")
	sum, err := e.Batch(t.Context(), merchants(t, 8, "bank_not_enabled"), BatchOptions{AsOf: failedAt, Out: out, Workers: 2})
	must(t, err)
	if s := sum.Stopped; s == nil || s.Case != "case04" || s.Done != 4 || s.Of != 8 || sum.Cases != 4 || len(readCSV(t, out)) != 5 {
		t.Errorf("%+v, %+v", sum, sum.Stopped)
	}
	if _, err := os.Stat(out); err != nil || !slices.ContainsFunc(sum.Warnings, func(w string) bool { return w == "the circuit breaker: 4 of at most 4 escalations" }) {
		t.Errorf("%v, %v", err, sum.Warnings)
	}
}
