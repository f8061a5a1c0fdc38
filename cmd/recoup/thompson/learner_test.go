package thompson

import (
	"bytes"
	"testing"

	"recoup/data"
	"recoup/ope/bandit"
	"recoup/score"
)

// TestLearner: told of decisions and payments as they come, and learning once at the end,
// the bandit knows what Learn reads out of the whole log, byte for byte; what it proposed
// before does not change.
func TestLearner(t *testing.T) {
	log := open(t, played(t, 1, 60, score.Explorer{}))
	asOf := data.IST(2026, 3, 1, 0, 0)
	want, err := Learn(log, Beta, asOf)
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLearner()
	if err != nil {
		t.Fatal(err)
	}
	_, nothing, err := l.Propose()
	if err != nil {
		t.Fatal(err)
	}
	closed := map[string]data.Outcome{}
	for rows, err := range data.Scan[data.Outcome](log, data.AsOf(asOf)) {
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range rows {
			if o.WindowClosed {
				closed[o.DecisionID] = o
			}
		}
	}
	paid := 0
	for rows, err := range data.Scan[data.Decision](log, data.AsOf(asOf)) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			o, ok := closed[rows[i].DecisionID]
			if !ok {
				continue
			}
			if err := l.Decided(&rows[i], o.KnownAt); err != nil {
				t.Fatal(err)
			}
			if o.Recovered {
				l.Paid(rows[i].CaseID, o.SettledAt)
				paid++
			}
		}
	}
	if paid == 0 {
		t.Fatal("nobody paid")
	}
	if err := l.Dawn(asOf); err != nil {
		t.Fatal(err)
	}
	got, err := bandit.EncodeState(l.post, &bandit.Book{})
	if err != nil || !bytes.Equal(bytes.TrimSpace(got), want.State) {
		t.Errorf("%v\n%s\n%s", err, got, want.State)
	}
	_, formula, err := l.Propose()
	if err != nil || formula == nothing {
		t.Errorf("%s before and after learning, %v", formula, err)
	}
}
