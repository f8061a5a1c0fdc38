package live

import (
	"context"
	"errors"
	"sync"
	"testing"

	"recoup/data"
	"recoup/data/ledger"
)

// asked opens a case whose reason asks for the merchant at once.
func asked(t *testing.T, o *office, caseID string) Answer {
	t.Helper()
	o.failed(caseID, "bank_not_enabled")
	o.at(o.now() + data.Minute)
	a := o.decide(caseID)
	if chosen(a).Action != data.Escalate {
		t.Fatalf("%s: %+v", a.Decision.Class, chosen(a))
	}
	return a
}

func TestQueue(t *testing.T) {
	o := begin(t, false)
	first := asked(t, o, "c").Decision.ID
	second := asked(t, o, "d").Decision.ID
	resolve := func(id string, c Change) (Escalation, error) {
		e, _, err := o.Resolve(t.Context(), id, c, nil)
		return e, err
	}
	queue := func() (out string) {
		t.Helper()
		q, err := o.Queue(t.Context())
		must(t, err)
		for _, e := range q {
			out += e.CaseID + ":" + e.Owner + " "
		}
		return out
	}
	if q := queue(); q != "c: d: " {
		t.Error(q)
	}
	e, err := resolve(first, Change{Owner: "asha", Deadline: o.now() + 3*data.Day})
	if must(t, err); e.Changes != 1 || e.Owner != "asha" || queue() != "d: c:asha " {
		t.Errorf("%+v %s", e, queue())
	}
	if again, err := resolve(first, Change{Owner: "asha"}); err != nil || again.Changes != 1 {
		t.Errorf("the same again: %+v %v", again, err)
	}
	o.restart()
	if q := queue(); q != "d: c:asha " {
		t.Errorf("a new process: %s", q)
	}
	if a := o.decide("d"); !a.Standing || a.Decision.ID != second {
		t.Errorf("decided again while a person is asked: %+v", a.Standing)
	}
	if _, err := resolve(second, Change{Result: HandedBack, Note: "the key was wrong"}); err != nil || queue() != "c:asha " {
		t.Errorf("%s %v", queue(), err)
	}
	if a := o.decide("d"); a.Standing {
		t.Error("handed back, and the old decision stands")
	}
	o.post(o.attempt("c", 1, data.Captured))
	if q := queue(); q != "d: " {
		t.Errorf("paid: %s", q)
	}
	if _, err := resolve("dec_nobody", Change{Owner: "x"}); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	trail, err := o.Trail(t.Context(), second)
	if must(t, err); len(trail.Results) != 2 || trail.Results[1].Result != HandedBack || trail.Results[1].Note == "" || trail.Status != Superseded {
		t.Errorf("%+v %s", trail.Results, trail.Status)
	}
}

// Two who take it at once: one of them is told that the other did.
func TestQueueAtOnce(t *testing.T) {
	o := begin(t, false)
	id := asked(t, o, "c").Decision.ID
	var wg sync.WaitGroup
	var mu sync.Mutex
	took, conflicts := 0, 0
	for i := range 8 {
		wg.Go(func() {
			_, _, err := o.Resolve(context.Background(), id, Change{Owner: string(rune('a' + i))}, nil)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				took++
			case errors.Is(err, ledger.ErrConflict):
				conflicts++
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	q, err := o.Queue(t.Context())
	if must(t, err); took+conflicts != 8 || len(q) != 1 || q[0].Changes != took {
		t.Errorf("%d took it, %d were told, %+v", took, conflicts, q)
	}
}
