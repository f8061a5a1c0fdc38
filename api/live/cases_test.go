package live

import (
	"encoding/json"
	"fmt"
	"testing"

	"recoup/data"
)

// Rows about one case of one customer, as a billing system posts them.

func (o *office) now() data.Micros { return data.Micros(o.clock.Load()) }

func (o *office) event(id string) data.Event {
	at := o.now()
	return data.Event{EventID: id, OccurredAt: at, KnownAt: at}
}

// attempt is a presentation of a case's charge; n names the event, too.
func (o *office) attempt(caseID string, no int32, status data.AttemptStatus) data.AnyRow {
	a := data.Attempt{Event: o.event(fmt.Sprintf("%s-%d-%s", caseID, no, status)), CaseID: caseID, AttemptNo: no, AttemptID: fmt.Sprintf("pay-%s-%d", caseID, no),
		CustomerID: "cust-" + caseID, MandateID: "mandate-" + caseID, Rail: data.UPIAutopay, Bank: "HDFC", Amount: 49900, Status: status}
	if no > 0 {
		a.Initiator = data.ByRecoup
	}
	if status == data.Failed {
		a.Reason, a.ErrorCode, a.Source = data.MustReason("insufficient_funds"), "BAD_REQUEST_ERROR", "customer"
	}
	return posted(a)
}

// failed posts a mandate and a first charge that failed for a reason.
func (o *office) failed(caseID, reason string) {
	o.t.Helper()
	m := data.Mandate{Event: o.event("m-" + caseID), MandateID: "mandate-" + caseID, CustomerID: "cust-" + caseID, Rail: data.UPIAutopay,
		Status: data.MandateActive, CreatedAt: o.now() - 400*data.Day, MaxAmount: 500000}
	a := o.attempt(caseID, 0, data.Failed)
	a.Row.(*data.Attempt).Reason = data.MustReason(reason)
	o.post(posted(m), a)
}

// notice is word about the notice before a debit.
func (o *office) notice(caseID string, status data.NoticeStatus, debit data.Micros) data.AnyRow {
	return posted(data.Notice{Event: o.event(fmt.Sprintf("n-%s-%s", caseID, status)), CaseID: caseID, MandateID: "mandate-" + caseID, Kind: data.PreDebit, Status: status,
		Amount: 49900, DebitAt: debit})
}

func (o *office) poll(caseID string, no int32, status data.PollStatus) data.AnyRow {
	return posted(data.Poll{Event: o.event(fmt.Sprintf("p-%s-%d-%s-%d", caseID, no, status, o.now())), AttemptID: fmt.Sprintf("pay-%s-%d", caseID, no), Status: status})
}

func (o *office) promise(caseID string) {
	o.post(posted(data.Promise{Event: o.event("pr-" + caseID), CaseID: caseID, PromisedFor: o.now() + 2*data.Day, Status: data.PromiseMade}))
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	must(t, err)
	return string(b)
}
