package live

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync"
	"testing"

	"recoup/data"
	"recoup/data/ledger"
)

// What came before is passed over, whatever its event_id; what contradicts it is refused
// whole.
func TestRecordTwice(t *testing.T) {
	o := begin(t, false)
	first := o.attempt("c", 0, data.Failed)
	r := o.post(first, o.attempt("d", 0, data.Failed))
	if r[0].Duplicate || r[1].Seq != r[0].Seq+1 || r[1].KnownAt <= r[0].KnownAt {
		t.Errorf("%+v", r)
	}
	renamed := o.attempt("c", 0, data.Failed)
	renamed.EventID = "told by another road"
	if again := o.post(first, renamed); !again[0].Duplicate || !again[1].Duplicate || again[1].Seq != r[0].Seq {
		t.Errorf("%+v", again)
	}
	contradicts := o.attempt("c", 0, data.Failed)
	contradicts.Row.(*data.Attempt).Amount++
	_, err := o.Record(t.Context(), []data.AnyRow{o.attempt("e", 0, data.Failed), contradicts}, nil)
	if !errors.Is(err, ledger.ErrConflict) {
		t.Errorf("%v", err)
	}
	if _, err := o.Facts("e", o.Now()); !errors.Is(err, ErrUnknown) {
		t.Errorf("a part of what was refused counts: %v", err)
	}
}

// Twenty who begin the same attempt at once: one of them may.
func TestIntentAtOnce(t *testing.T) {
	o := begin(t, false)
	o.retryDue("c")
	var wg sync.WaitGroup
	var mu sync.Mutex
	may := 0
	for i := range 20 {
		row := o.attempt("c", 1, data.Pending)
		row.EventID, row.Row.(*data.Attempt).AttemptID = "intent-"+string(rune('a'+i)), "pay-"+string(rune('a'+i))
		wg.Go(func() {
			_, err := o.Record(context.Background(), []data.AnyRow{row}, nil)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				may++
			} else if !errors.Is(err, ledger.ErrConflict) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if f, err := o.Facts("c", o.Now()); err != nil || may != 1 || f.Pending != 1 {
		t.Errorf("%d may, %d pending, %v", may, f.Pending, err)
	}
}

// A key makes a question with events happen once, and another question with it is
// refused before its events count.
func TestDecideOnce(t *testing.T) {
	o := begin(t, false)
	o.failed("c", "insufficient_funds")
	o.at(o.now() + data.Minute)
	ask := func(body string, events ...data.AnyRow) (Answer, error) {
		return o.Decide(t.Context(), Question{CaseID: "c", Events: events, Once: func(a *Answer) *ledger.Once {
			return &ledger.Once{Key: "key", Fingerprint: sha256.Sum256([]byte(body)), Answer: func([]ledger.Receipt) (int, []byte) { return 200, []byte(a.Decision.ID) }}
		}})
	}
	first, err := ask("body", o.attempt("c", 1, data.Failed))
	if must(t, err); first.Done.Replayed || string(first.Done.Body) != first.Decision.ID {
		t.Errorf("%+v", first.Done)
	}
	o.at(o.now() + data.Day)
	o.post(o.attempt("c", 2, data.Failed))
	again, err := ask("body", o.attempt("c", 1, data.Failed))
	if must(t, err); !again.Done.Replayed || string(again.Done.Body) != first.Decision.ID {
		t.Errorf("%+v", again.Done)
	}
	if _, err := ask("another body", o.attempt("c", 3, data.Captured)); !errors.Is(err, ledger.ErrReused) {
		t.Error(err)
	}
	if f, err := o.Facts("c", o.Now()); err != nil || f.Paid || f.Failures != 3 {
		t.Errorf("%d failures, paid %t, %v", f.Failures, f.Paid, err)
	}
	// The answer is kept when nothing can be decided about the case any more.
	o.post(o.attempt("c", 3, data.Captured))
	again, err = ask("body", o.attempt("c", 1, data.Failed))
	if must(t, err); !again.Done.Replayed || string(again.Done.Body) != first.Decision.ID {
		t.Errorf("%+v", again.Done)
	}
	if _, err := ask("another body"); !errors.Is(err, ledger.ErrReused) {
		t.Error(err)
	}
	if _, err := o.Decide(t.Context(), Question{CaseID: "c"}); !errors.Is(err, ErrUndecidable) {
		t.Error(err)
	}
}

// What an outcome says reaches the numbers; one of a decision that is not there is
// refused by name.
func TestOutcomes(t *testing.T) {
	o := begin(t, false)
	for i, id := range []string{"a", "b", "c", "d"} {
		o.failed(id, "insufficient_funds")
		o.at(o.now() + data.Minute)
		a := o.decide(id)
		o.at(o.now() + data.Hour)
		out := data.Outcome{Event: o.event("out-" + id), DecisionID: a.Decision.ID, SettledAt: o.now(), WindowClosed: i < 3, Recovered: i == 0}
		if out.Recovered {
			out.RecoveredPaise = 49900
		}
		_, err := o.Outcome(t.Context(), out, false, nil)
		must(t, err)
	}
	for range 2 {
		s := o.Stats()
		n, recovered := int64(0), int64(0)
		for _, b := range s.Bins {
			n, recovered = n+b.N, recovered+b.Recovered
		}
		if s.Decisions != 4 || s.Matured != 3 || n != 3 || recovered != 1 || s.Lag < data.Hour || s.Lag > data.Hour+data.Second || s.ByArm[data.ArmModel] != 4 ||
			len(s.Recent) != 4 || len(s.Recent[0].Row) == 0 || s.Open != 4 || s.Standing != 4 {
			s.Recent = nil
			t.Errorf("%+v", s)
		}
		o.restart()
	}
	_, err := o.Outcome(t.Context(), data.Outcome{Event: o.event("x"), DecisionID: "dec_nobody", SettledAt: o.now()}, false, nil)
	if !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
}

// A webhook counts once, with its rows.
func TestWebhook(t *testing.T) {
	o := begin(t, false)
	h := Hook{ID: "evt_1", Type: "payment.failed", SHA256: "00", Rows: []data.AnyRow{o.attempt("c", 0, data.Failed)}}
	for i := range 3 {
		duplicate, err := o.Webhook(t.Context(), h)
		if must(t, err); duplicate != (i > 0) {
			t.Errorf("time %d: duplicate %t", i, duplicate)
		}
	}
	h.SHA256 = "ff" // the provider made it again
	if duplicate, err := o.Webhook(t.Context(), h); err != nil || !duplicate {
		t.Error(duplicate, err)
	}
	if f, err := o.Facts("c", o.Now()); err != nil || f.Failures != 1 {
		t.Errorf("%+v %v", f, err)
	}
}
