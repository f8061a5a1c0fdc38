package live

import (
	"errors"
	"fmt"
	"testing"

	"recoup/data"
	"recoup/data/ledger"
)

// list is what is due, in short: "step case:n" of steps and "held step rule".
func (o *office) list() (out []string) {
	o.t.Helper()
	l, err := o.Due(o.t.Context(), 0)
	must(o.t, err)
	for _, s := range l.Steps {
		out = append(out, fmt.Sprintf("%s %s", s.Kind, s.AttemptKey))
	}
	for _, h := range l.Held {
		out = append(out, fmt.Sprintf("held %s %s", h.Kind, h.Rule))
	}
	return out
}

func (o *office) due(when string, want ...string) {
	o.t.Helper()
	if got := o.list(); fmt.Sprint(got) != fmt.Sprint(want) {
		o.t.Errorf("%s: due %q, expected %q", when, got, want)
	}
}

// A retry's way over the list: its notice, the debit, the intent, the unknown outcome,
// the status check, the payment.
func TestDueRetry(t *testing.T) {
	o := begin(t, false)
	o.failed("c", "insufficient_funds")
	o.at(o.now() + data.Minute)
	o.due("before any decision")
	a := o.decide("c")
	c := chosen(a)
	o.due("a notice sent now would be too old by then")
	o.at(c.NoticeBy)
	o.due("the last moment of the notice", "notice c:1")
	o.post(o.notice("c", data.NoticeDelivered, c.At))
	o.due("the notice is out")
	o.at(c.At - 1)
	o.due("the moment before")
	o.at(c.At)
	o.due("its time", "retry c:1")
	o.restart()
	o.due("a new process", "retry c:1")
	o.post(o.attempt("c", 1, data.Pending))
	o.due("the attempt began")
	second := o.attempt("c", 1, data.Pending)
	second.EventID, second.Row.(*data.Attempt).AttemptID = "another", "pay-another"
	if _, err := o.Record(t.Context(), []data.AnyRow{second}, nil); !errors.Is(err, ledger.ErrConflict) {
		t.Errorf("a second attempt with the number: %v", err)
	}
	o.at(o.now() + pollFirst)
	o.due("nothing came of it", "poll c:1")
	out := data.Outcome{Event: o.event("out-1"), DecisionID: a.Decision.ID, AttemptID: "pay-c-1", SettledAt: o.now()}
	_, err := o.Outcome(t.Context(), out, true, nil)
	must(t, err)
	o.due("nobody knows")
	o.at(o.now() + pollEvery + data.Second)
	o.due("an hour later", "poll c:1")
	o.post(o.attempt("c", 1, data.Failed))
	if state, ok, err := o.book.Attempt(t.Context(), "pay-c-1"); err != nil || !ok || state.State != ledger.Unknown {
		t.Errorf("what is unknown, a report does not settle: %+v %v", state, err)
	}
	if n := o.Stats().Unknown; n != 1 {
		t.Errorf("%d unknown", n)
	}
	o.restart()
	o.due("reported as failed, and still unknown", "poll c:1")
	o.post(o.poll("c", 1, data.PollCaptured))
	if state, _, _ := o.book.Attempt(t.Context(), "pay-c-1"); state.State != ledger.Captured {
		t.Errorf("%+v", state)
	}
	o.due("paid")
	if n := o.Stats().Unknown; n != 0 {
		t.Errorf("%d unknown", n)
	}
}

// A retry that nobody makes lapses; one that may not be made any more is held, with
// the rule.
func TestDueHeldAndLapsed(t *testing.T) {
	o := begin(t, false)
	o.failed("c", "insufficient_funds")
	o.at(o.now() + data.Minute)
	c := chosen(o.decide("c"))
	o.at(c.NoticeBy)
	o.post(o.notice("c", data.NoticeDelivered, c.At))
	o.at(c.At + RetryLapse - 1)
	if got := o.list(); len(got) != 1 {
		t.Errorf("the last moment: %q", got)
	}
	o.at(c.At + RetryLapse)
	o.due("lapsed")
	o.at(c.At + data.Hour)
	o.post(posted(data.Mandate{Event: o.event("m2"), MandateID: "mandate-c", CustomerID: "cust-c", Rail: data.UPIAutopay, Status: data.MandateRevoked}))
	if got := o.list(); len(got) != 1 || got[0][:10] != "held retry" {
		t.Errorf("without a mandate: %q", got)
	}
}

// A case that awaits its status asks for checks until they are spent, then for a person.
func TestDuePolls(t *testing.T) {
	o := begin(t, false)
	o.failed("c", "payment_timed_out")
	o.at(o.now() + data.Minute)
	if c := chosen(o.decide("c")); c.Action != data.Wait || c.Kind != data.StatusPoll {
		t.Fatalf("%+v", c)
	}
	for n := 1; n <= 3; n++ {
		o.due(fmt.Sprintf("check %d", n), "poll c:0")
		o.post(o.poll("c", 0, data.PollPending))
		if a := o.decide("c"); a.Standing != (n < 3) {
			t.Errorf("check %d: standing %t, %+v", n, a.Standing, chosen(a))
		}
		o.at(o.now() + pollEvery)
	}
	o.due("spent")
	if q, err := o.Queue(t.Context()); err != nil || len(q) != 1 || q[0].CaseID != "c" || q[0].Owner != "" || q[0].Deadline != q[0].Since+AnswerBy {
		t.Errorf("%+v %v", q, err)
	}
}
