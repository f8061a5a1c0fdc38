package features

import (
	"testing"

	"recoup/data"
	"recoup/features/key"
)

func caseEventAt(at data.Micros, kind data.CaseEventKind) *data.CaseEvent {
	return &data.CaseEvent{Event: data.Event{EventID: "ce" + kind.String(), OccurredAt: at, KnownAt: at}, CaseID: "c", Kind: kind}
}

// A case event closes its case whether it is heard before the first attempt,
// before the first failure or after it, and a later failure does not open the
// case again.
func TestCaseEventClosesEarlyToo(t *testing.T) {
	rows := func(kind data.CaseEventKind, at, failedAt data.Micros, pending bool) (*State, error) {
		s := NewState()
		event, told := caseEventAt(epoch+at, kind), false
		tell := func(before data.Micros) {
			if !told && epoch+at < before {
				told = true
				must(t, Fold(s, event))
			}
		}
		if pending {
			a := attempt("c", 0, epoch, data.Pending)
			tell(a.KnownAt)
			must(t, Fold(s, &a))
		}
		for no, at := range []data.Micros{epoch + data.Hour, epoch + failedAt} {
			a := attempt("c", int32(no), at, data.Failed)
			tell(a.KnownAt)
			must(t, Fold(s, &a))
		}
		_, err := s.caseOf("c")
		return s, err
	}
	for _, c := range []struct {
		name         string
		at, failedAt data.Micros
		pending      bool
	}{
		{"before any attempt", -20 * data.Day, data.Day, false},
		{"at the edge of what is remembered", data.Hour - chargeKept, 2 * data.Hour, false},
		{"before any failure", data.Minute, data.Day, true},
		{"after the first failure", 2 * data.Hour, data.Day, false},
		{"after the first failure, long before the second", 2 * data.Hour, 20 * data.Day, false},
	} {
		for kind := data.PaidElsewhere; kind <= data.WrittenOff; kind++ {
			s, err := rows(kind, c.at, c.failedAt, c.pending)
			k := s.charge(key.Of("c"))
			if k.owed() || k.paid != (kind == data.PaidElsewhere) || k.disputed != (kind == data.Disputed) {
				t.Errorf("%s, %s: owed %t, paid %t, disputed %t", kind, c.name, k.owed(), k.paid, k.disputed)
			}
			if (err != nil) != (c.at < data.Hour) {
				t.Errorf("%s, %s: a case without a failure that counts: %v", kind, c.name, err)
			}
			if who := s.customers.of(k.customer); (who.disputes == 1) != (kind == data.Disputed) || who.cases-who.cured-who.ended != 0 {
				t.Errorf("%s, %s: customer with %d disputes, %d cases, %d cured, %d ended", kind, c.name, who.disputes, who.cases, who.cured, who.ended)
			}
		}
	}
	if s, _ := rows(data.PaidElsewhere, data.Hour-chargeKept-1, data.Day, false); len(s.OpenCases()) != 1 {
		t.Error("a case event from before what is remembered closed the case")
	}
}

// What is heard of charges that never come is forgotten, notices sooner.
func TestEarlyIsForgotten(t *testing.T) {
	s := NewState()
	must(t, Fold(s, caseEventAt(epoch, data.CaseCancelled)))
	must(t, Fold(s, &data.Notice{Event: data.Event{EventID: "n", OccurredAt: epoch + 1, KnownAt: epoch + 1}, CaseID: "c", Kind: data.NoticePlainLink, Status: data.NoticeSent}))
	must(t, Fold(s, &data.Notice{Event: data.Event{EventID: "m", OccurredAt: epoch + 2, KnownAt: epoch + 2}, CaseID: "other", Kind: data.NoticePlainLink, Status: data.NoticeSent}))
	for _, c := range []struct {
		at   data.Micros
		left int
	}{{earlyKept + 2, 2}, {earlyKept + data.Minute + 3, 1}, {chargeKept, 1}, {chargeKept + data.Minute + 1, 0}} {
		a := attempt("x", 0, epoch+c.at, data.Captured)
		must(t, Fold(s, &a))
		if n := s.early.Len(); n != c.left {
			t.Errorf("%d days after: %d remembered, not %d", c.at/data.Day, n, c.left)
		}
	}
}

// A promise heard before the first attempt is one.
func TestEarlyPromise(t *testing.T) {
	s := NewState()
	must(t, Fold(s, &data.Promise{Event: data.Event{EventID: "p", OccurredAt: epoch, KnownAt: epoch}, CaseID: "c", PromisedFor: epoch + data.Day, Status: data.PromiseMade}))
	a := attempt("c", 0, epoch+data.Hour, data.Failed)
	must(t, Fold(s, &a))
	if f, err := s.Facts("c", epoch+data.Hour); err != nil || f.PromiseDue != epoch+data.Day {
		t.Errorf("promise due %s, %v", f.PromiseDue, err)
	}
}
