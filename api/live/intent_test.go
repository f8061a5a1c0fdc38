package live

import (
	"errors"
	"strings"
	"testing"

	"recoup/data"
	"recoup/data/ledger"
)

// retryDue brings a case to the moment of a retry that was decided, its notice out.
func (o *office) retryDue(caseID string) Answer {
	o.t.Helper()
	o.failed(caseID, "insufficient_funds")
	o.at(o.now() + data.Minute)
	a := o.decide(caseID)
	if chosen(a).Action != data.Retry || chosen(a).NoticeBy == 0 {
		o.t.Fatalf("%+v", chosen(a))
	}
	o.at(chosen(a).NoticeBy)
	o.post(o.notice(caseID, data.NoticeDelivered, chosen(a).At))
	o.at(chosen(a).At)
	return a
}

// intends is the intent of a debit; by renames its event.
func (o *office) intends(caseID string, no int32, decisionID, by string) (data.AnyRow, *data.Attempt) {
	row := o.attempt(caseID, no, data.Pending)
	a := row.Row.(*data.Attempt)
	a.DecisionID = decisionID
	row.EventID += by
	return row, a
}

func (o *office) refused(want string, rows ...data.AnyRow) {
	o.t.Helper()
	done, err := o.Record(o.t.Context(), rows, nil)
	if want == "" && err != nil || want != "" && (!errors.Is(err, ledger.ErrConflict) || !strings.Contains(err.Error(), want)) {
		o.t.Errorf("%+v %v, expected %q", done.Receipts, err, want)
	}
}

// An intent is the right to debit while nothing forbids the debit now, and else is
// refused with why.
func TestIntent(t *testing.T) {
	by := func(a data.AnyRow, who data.Initiator) data.AnyRow {
		r := a.Row.(*data.Attempt)
		r.Initiator, r.AttemptID, r.EventID = who, "another's", "told of another's"
		return a
	}
	for name, c := range map[string]struct {
		before func(*office, Answer, *data.Attempt) // what changes before the intent, and in it
		want   string                               // why it is refused; "" = it is recorded
	}{
		"its time has come":      {func(*office, Answer, *data.Attempt) {}, ""},
		"the decision is enough": {func(_ *office, _ Answer, a *data.Attempt) { a.Initiator = 0 }, ""},
		"no decision is named":   {func(_ *office, _ Answer, a *data.Attempt) { a.DecisionID = "" }, ""},
		"some time later":        {func(o *office, x Answer, _ *data.Attempt) { o.at(chosen(x).At + 15*data.Minute) }, ""},
		"after a restart":        {func(o *office, _ Answer, _ *data.Attempt) { o.export(); o.restart() }, ""},
		"lapsed":                 {func(o *office, x Answer, _ *data.Attempt) { o.at(chosen(x).At + RetryLapse) }, "its time has gone by"},
		"paid": {func(o *office, _ Answer, _ *data.Attempt) {
			o.post(by(o.attempt("c", 1, data.Captured), data.ByCustomer))
		}, "the case is paid"},
		"nobody's case":    {func(_ *office, _ Answer, a *data.Attempt) { a.CaseID, a.DecisionID = "nobody", "" }, "no failure of the case is known"},
		"the wrong number": {func(_ *office, _ Answer, a *data.Attempt) { a.AttemptNo = 2 }, "the next attempt of the case is number 1"},
		"the first charge": {func(_ *office, _ Answer, a *data.Attempt) { a.AttemptNo = 0 }, "the next attempt of the case is number 1"},
		"no such decision": {func(_ *office, _ Answer, a *data.Attempt) { a.DecisionID = "dec_nobody" }, "no decision dec_nobody is recorded"},
		"another case's decision": {func(o *office, _ Answer, a *data.Attempt) {
			o.failed("d", "insufficient_funds")
			a.DecisionID = o.decide("d").Decision.ID
		}, "is about another case"},
		"something happened": {func(o *office, _ Answer, _ *data.Attempt) { o.promise("c") }, "does not stand any more"},
		"another model":      {func(o *office, _ Answer, _ *data.Attempt) { o.model(bundle(o.t, "model-2", -1)) }, "the model is another"},
		"nobody knows":       {func(o *office, _ Answer, _ *data.Attempt) { o.post(o.poll("c", 0, data.PollUnknown)) }, "nobody knows what came of another attempt"},
		"another one is pending": {func(o *office, _ Answer, a *data.Attempt) {
			o.post(by(o.attempt("c", 1, data.Pending), data.ByCustomer))
			a.AttemptNo, a.AttemptID = 2, "pay-c-2"
		}, "another attempt of the case is pending"},
		"reported as recovered": {func(o *office, x Answer, a *data.Attempt) {
			a.DecisionID = ""
			_, err := o.Outcome(o.t.Context(), data.Outcome{Event: o.event("out"), DecisionID: x.Decision.ID, SettledAt: o.now(), Recovered: true, RecoveredPaise: 49900}, false, nil)
			must(o.t, err)
		}, "says that it recovered"},
		"stopped": {func(o *office, _ Answer, _ *data.Attempt) {
			o.post(posted(data.CaseEvent{Event: o.event("end"), CaseID: "c", Kind: data.WrittenOff}))
		}, "the case has ended"},
		"the log knows of one more": {func(o *office, _ Answer, _ *data.Attempt) {
			o.elsewhere(by(o.attempt("c", 1, data.Failed), data.ByCustomer))
			o.restart()
		}, "the next attempt of the case is number 2"},
		"a peak window, no decision": {func(o *office, _ Answer, a *data.Attempt) {
			a.DecisionID = ""
			for o.now()%data.Day != data.IST(2026, 3, 2, 11, 0)%data.Day {
				o.at(o.now() - o.now()%data.Minute + data.Minute)
			}
		}, "the gate refuses it now"},
		"the mandate is revoked": {func(o *office, _ Answer, _ *data.Attempt) {
			o.post(posted(data.Mandate{Event: o.event("m2"), MandateID: "mandate-c", CustomerID: "cust-c", Rail: data.UPIAutopay, Status: data.MandateRevoked}))
		}, "does not stand any more: the gate refuses it now"},
	} {
		t.Run(name, func(t *testing.T) {
			o := begin(t, false)
			x := o.retryDue("c")
			row, a := o.intends("c", 1, x.Decision.ID, "")
			c.before(o, x, a)
			o.refused(c.want, row)
		})
	}
}

// A debit without its notice, and one that rests on a decision to wait.
func TestIntentBeforeItsTime(t *testing.T) {
	o := begin(t, false)
	o.failed("c", "insufficient_funds")
	o.failed("w", "payment_timed_out")
	o.at(o.now() + data.Minute)
	retry, wait := o.decide("c"), o.decide("w")
	if chosen(wait).Action != data.Wait {
		t.Fatalf("%+v", chosen(wait))
	}
	row, _ := o.intends("w", 1, wait.Decision.ID, "")
	o.refused("is wait, no retry", row)
	row, _ = o.intends("c", 1, retry.Decision.ID, "")
	o.refused("the gate refuses it now (min_wait)", row)
	o.at(chosen(retry).NoticeBy)
	row, _ = o.intends("c", 1, retry.Decision.ID, "")
	o.refused("notice", row)
}

// The same request again is a duplicate, at any time; another that names the attempt is
// one or a contradiction, and refused once the end is known.
func TestIntentAgain(t *testing.T) {
	o := begin(t, false)
	x := o.retryDue("c")
	first, _ := o.intends("c", 1, x.Decision.ID, "")
	at := o.post(first)[0]
	same := func(when string, row data.AnyRow) {
		t.Helper()
		if r := o.post(row)[0]; !r.Duplicate || r.Seq != at.Seq {
			t.Errorf("%s: %+v", when, r)
		}
	}
	same("repeated", first)
	renamed, _ := o.intends("c", 1, x.Decision.ID, " renamed")
	same("renamed", renamed)
	for want, change := range map[string]func(*data.Attempt){
		"its amount_paise is 49900, not 49901": func(a *data.Attempt) { a.Amount++ },
		"its decision_id is":                   func(a *data.Attempt) { a.DecisionID = "" },
		"is attempt 1 of case \"c\", not 2":    func(a *data.Attempt) { a.AttemptNo = 2 },
		"not 1 of \"d\"":                       func(a *data.Attempt) { a.CaseID = "d" },
	} {
		row, a := o.intends("c", 1, x.Decision.ID, " other")
		change(a)
		o.refused(want, row)
	}
	failed := o.attempt("c", 1, data.Failed)
	o.post(failed)
	same("its end is known", first)
	renamed, _ = o.intends("c", 1, x.Decision.ID, " renamed")
	o.refused("its end is known", renamed)
	key := &ledger.Once{Key: "k", Fingerprint: [32]byte{1}, Answer: func([]ledger.Receipt) (int, []byte) { return 200, nil }}
	if _, err := o.Record(t.Context(), []data.AnyRow{first}, key); err != nil {
		t.Error(err)
	}
	other := *key
	other.Fingerprint[0]++
	if _, err := o.Record(t.Context(), []data.AnyRow{renamed}, &other); !errors.Is(err, ledger.ErrReused) {
		t.Errorf("a key that came first with another request: %v", err)
	}
	// A final status may come again without the decision, not with another amount.
	again := o.attempt("c", 1, data.Failed)
	again.EventID += " again"
	again.Row.(*data.Attempt).DecisionID = x.Decision.ID
	if r := o.post(again)[0]; !r.Duplicate {
		t.Errorf("%+v", r)
	}
	again.Row.(*data.Attempt).Amount++
	o.refused("its amount_paise", again)
	if duplicate, err := o.Webhook(t.Context(), Hook{ID: "h", Type: "payment.failed", SHA256: "00", Rows: []data.AnyRow{again}}); err != nil || duplicate {
		t.Error("a webhook may tell it otherwise:", duplicate, err)
	}
}

// What is told with its end, by a webhook, or in a replay of another's history, is not
// asked for; in a replay of this book's decisions it is.
func TestIntentTold(t *testing.T) {
	o := begin(t, false)
	o.failed("c", "insufficient_funds")
	pending, _ := o.intends("c", 1, "", "")
	o.refused("the gate refuses it now", pending)
	o.post(pending, o.attempt("c", 1, data.Failed))
	pending, _ = o.intends("c", 2, "", "")
	_, err := o.Webhook(t.Context(), Hook{ID: "h", Type: "payment.pending", SHA256: "00", Rows: []data.AnyRow{pending}})
	must(t, err)

	o = begin(t, true)
	o.failed("c", "insufficient_funds")
	x := o.decide("c")
	for _, decisionID := range []string{"", "dec_elsewhere"} {
		o.failed("of "+decisionID, "insufficient_funds")
		row, _ := o.intends("of "+decisionID, 1, decisionID, "")
		o.post(row)
	}
	early, _ := o.intends("c", 1, x.Decision.ID, "")
	o.refused("the gate refuses it now", early)
	o.at(chosen(x).NoticeBy)
	o.post(o.notice("c", data.NoticeDelivered, chosen(x).At))
	o.at(chosen(x).At)
	due, _ := o.intends("c", 1, x.Decision.ID, " due")
	o.post(due)
}
