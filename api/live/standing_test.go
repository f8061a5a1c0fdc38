package live

import (
	"context"
	"errors"
	"sync"
	"testing"

	"recoup/data"
	"recoup/data/ledger"
	"recoup/score"
)

// chosen is what was answered.
func chosen(a Answer) score.Choice { return a.Decision.Allowed[a.Decision.Chosen] }

// A decision is given again while it stands; what ends it, and what does not.
func TestStanding(t *testing.T) {
	for name, c := range map[string]struct {
		then   func(*office, Answer)
		stands bool
	}{
		"at once":         {func(*office, Answer) {}, true},
		"an hour later":   {func(o *office, _ Answer) { o.at(o.now() + data.Hour) }, true},
		"a new process":   {func(o *office, _ Answer) { o.restart() }, true},
		"after an export": {func(o *office, _ Answer) { o.export(); o.restart() }, true},
		"the notice is out": {func(o *office, a Answer) {
			o.at(chosen(a).NoticeBy)
			o.post(o.notice("c", data.NoticeSent, chosen(a).At))
		}, true},
		"a check says failed":        {func(o *office, _ Answer) { o.at(o.now() + data.Hour); o.post(o.poll("c", 0, data.PollFailed)) }, true},
		"another customer's failure": {func(o *office, _ Answer) { o.failed("d", "insufficient_funds") }, true},
		"the customer opts out":      {func(o *office, a Answer) { o.post(o.notice("c", data.NoticeOptedOut, chosen(a).At)) }, false},
		"a promise":                  {func(o *office, _ Answer) { o.promise("c") }, false},
		"an attempt begins": {func(o *office, _ Answer) {
			a := o.attempt("c", 1, data.Pending)
			a.Row.(*data.Attempt).Initiator = data.ByCustomer
			o.post(a)
		}, false},
		"another model": {func(o *office, _ Answer) { o.model(bundle(o.t, "model-2", -1)) }, false},
		"the mandate is revoked": {func(o *office, _ Answer) {
			o.at(o.now() + data.Hour)
			o.post(posted(data.Mandate{Event: o.event("m2"), MandateID: "mandate-c", CustomerID: "cust-c", Rail: data.UPIAutopay, Status: data.MandateRevoked}))
		}, false},
		"the notice comes too late": {func(o *office, a Answer) { o.at(chosen(a).NoticeBy + 1) }, false},
		"its time has gone by": {func(o *office, a Answer) {
			o.at(chosen(a).NoticeBy)
			o.post(o.notice("c", data.NoticeDelivered, chosen(a).At))
			o.at(chosen(a).At + RetryLapse)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			o := begin(t, false)
			o.failed("c", "insufficient_funds")
			o.at(o.now() + data.Minute)
			first := o.decide("c")
			if as := first.Decision.AsOf; as != data.AsOf(as.KnownAt) {
				t.Errorf("as of %+v: the end of the microsecond, whatever the seq", as)
			}
			if first.Standing || chosen(first).Action != data.Retry || chosen(first).NoticeBy == 0 {
				t.Fatalf("%+v", chosen(first))
			}
			c.then(o, first)
			a := o.decide("c")
			if a.Standing != c.stands || (a.Decision.ID == first.Decision.ID) != c.stands || (a.Seq == first.Seq) != c.stands {
				t.Fatalf("standing %t, %s after %s", a.Standing, a.Decision.ID, first.Decision.ID)
			}
			if want, got := asJSON(t, first.Decision), asJSON(t, a.Decision); c.stands && got != want {
				t.Errorf("given again as\n%s\nwas\n%s", got, want)
			}
		})
	}
}

// Who asks at once gets one decision, and one draw: in one process or two.
func TestDecideAtOnce(t *testing.T) {
	o := begin(t, false)
	o.explore()
	o.tick = 1
	second := &office{t: t, dir: o.dir, tick: 1}
	second.engine.Store(o.engine.Load())
	second.clock.Store(o.clock.Load())
	second.open()
	defer second.ledger.Close()
	for _, id := range []string{"a", "b", "c"} {
		o.failed(id, "insufficient_funds")
		var mu sync.Mutex
		var wg sync.WaitGroup
		ids, fresh := map[string]int{}, 0
		for i := range 12 {
			wg.Go(func() {
				desk := o.Desk
				if i%2 == 1 {
					desk = second.Desk
				}
				a, err := desk.Decide(context.Background(), Question{CaseID: id})
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Error(err)
					return
				}
				if ids[a.Decision.ID]++; !a.Standing {
					fresh++
				}
			})
		}
		wg.Wait()
		if len(ids) != 1 || fresh < 1 {
			t.Errorf("case %s: %v, %d fresh", id, ids, fresh)
		}
		entries, err := o.book.Case(t.Context(), id)
		must(t, err)
		made := 0
		for _, e := range entries {
			if e.Kind == ledger.Decision {
				made++
			}
		}
		if made != 1 {
			t.Errorf("case %s: %d decisions", id, made)
		}
	}
}

// What cannot be decided is told by kind.
func TestUndecidable(t *testing.T) {
	o := begin(t, false)
	o.failed("c", "insufficient_funds")
	o.failed("d", "insufficient_funds")
	o.post(o.attempt("c", 1, data.Captured))
	ask := func(q Question) error { _, err := o.Decide(t.Context(), q); return err }
	if err := ask(Question{CaseID: "nobody"}); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	if err := ask(Question{CaseID: "c"}); !errors.Is(err, ErrUndecidable) {
		t.Error(err)
	}
	if err := ask(Question{Events: []data.AnyRow{o.poll("c", 1, data.PollCaptured)}}); !errors.Is(err, ErrUndecidable) {
		t.Error(err)
	}
	o.at(o.now() + data.Minute)
	e, f := o.attempt("e", 0, data.Failed), o.attempt("f", 0, data.Failed)
	if err := ask(Question{Events: []data.AnyRow{e, f}}); !errors.Is(err, ErrUndecidable) {
		t.Error(err)
	}
	a, err := o.Decide(t.Context(), Question{Events: []data.AnyRow{o.attempt("g", 0, data.Failed)}})
	if err != nil || a.Decision.CaseID != "g" || len(a.Recorded) != 1 {
		t.Errorf("%+v %v", a.Decision.CaseID, err)
	}
}

// A policy that explores has its cases' budget counted over the day, across a restart.
func TestExplorersDay(t *testing.T) {
	o := begin(t, false)
	o.explore()
	for _, id := range []string{"a", "b", "c", "d", "e", "f"} {
		o.failed(id, "insufficient_funds")
		o.decide(id)
	}
	spent := o.days.of(o.now()).spent
	o.restart()
	if again := o.days.of(o.now()).spent; spent.Attempts == 0 || again != spent || o.days.of(o.now()+data.Day).spent != (score.Spent{}) {
		t.Errorf("%+v, after a restart %+v", spent, again)
	}
}
