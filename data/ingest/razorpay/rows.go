package razorpay

import (
	"encoding/hex"

	"recoup/data"
)

// place is what other events decide about an event.
type place struct {
	caseID string // "" = its own case
	verdict
}

// Rows are the rows of an event, by table.
type Rows struct {
	Attempts      []data.Attempt
	CaseEvents    []data.CaseEvent
	Subscriptions []data.Subscription
	Mandates      []data.Mandate
	Notices       []data.Notice
	Downtimes     []data.Downtime
}

// rank orders what came to be known and happened at the same time: a
// presentation before an outcome, and of outcomes the one that tells most.
func (e *event) rank() byte {
	switch e.Seen {
	case 0:
		return '9'
	case seenPending:
		return '1'
	case seenFailed:
		return '2'
	case seenRefunded:
		return '7'
	}
	switch {
	case e.Subscription != "":
		return '3'
	case e.Invoice != "":
		return '4'
	case e.Type == "payment.captured":
		return '6'
	}
	return '5'
}

// rowID names a row: by time and rank, since the log orders by it what came to
// be known at the same time, and by the event's id.
func (e *event) rowID(at data.Micros, rank byte, part byte) string {
	return rowID(at, rank, part, []byte(e.Hash))
}

func rowID(at data.Micros, rank byte, part byte, hash []byte) string {
	var b [12 + 32]byte
	for i, s := 9, at/data.Second; i >= 0; i, s = i-1, s/10 {
		b[i] = byte('0' + s%10)
	}
	b[10], b[11] = rank, part
	hex.Encode(b[12:], hash)
	return string(b[:])
}

func (e *event) row(part byte) data.Event {
	return data.Event{EventID: e.rowID(e.OccurredAt, e.rank(), part), OccurredAt: e.OccurredAt, KnownAt: e.KnownAt}
}

// reset empties all tables.
func (r *Rows) reset() {
	*r = Rows{r.Attempts[:0], r.CaseEvents[:0], r.Subscriptions[:0], r.Mandates[:0], r.Notices[:0], r.Downtimes[:0]}
}

func (r *Rows) count() int64 {
	return int64(len(r.Attempts) + len(r.CaseEvents) + len(r.Subscriptions) + len(r.Mandates) + len(r.Notices) + len(r.Downtimes))
}

// rows appends the event's rows, given the place of its payment.
func (e *event) rows(out *Rows, p place) {
	if p.caseID == "" {
		p.caseID = e.ownCase()
	}
	customer := firstOf(e.Customer, e.Token, p.caseID)
	if p.present {
		a := e.attempt(p, customer)
		a.Event = data.Event{EventID: e.rowID(e.PresentedAt, '0', 'p'), OccurredAt: e.PresentedAt, KnownAt: e.KnownAt}
		a.Status = data.Pending
		out.Attempts = append(out.Attempts, a)
	}
	if p.status > 0 {
		a := e.attempt(p, customer)
		a.Event, a.Status = e.row('a'), p.status
		if a.Status == data.Failed {
			a.ErrorCode, a.Source, a.Step, a.Reason = e.ErrorCode, e.Source, e.Step, e.Reason
		}
		out.Attempts = append(out.Attempts, a)
	}
	if e.PaidOnce {
		once := data.Event{EventID: "once-" + hex.EncodeToString([]byte(hashOf([]byte(e.Payment)))), OccurredAt: e.OccurredAt, KnownAt: e.KnownAt}
		out.CaseEvents = append(out.CaseEvents, data.CaseEvent{Event: once, CaseID: p.caseID, Kind: data.PaidElsewhere})
	}
	if e.Reference != "" {
		out.CaseEvents = append(out.CaseEvents, data.CaseEvent{Event: e.row('l'), CaseID: e.Reference, Kind: data.PaidElsewhere})
	}
	if e.Dispute != "" {
		once := data.Event{EventID: "dispute-" + hex.EncodeToString([]byte(hashOf([]byte(e.Dispute)))), OccurredAt: e.OccurredAt, KnownAt: e.KnownAt}
		out.CaseEvents = append(out.CaseEvents, data.CaseEvent{Event: once, CaseID: p.caseID, Kind: data.Disputed})
	}
	if e.SubscriptionStatus > 0 {
		out.Subscriptions = append(out.Subscriptions, data.Subscription{Event: e.row('s'), SubscriptionID: e.Subscription,
			CustomerID: firstOf(e.Customer, e.Token, e.Subscription), Status: e.SubscriptionStatus,
			CycleStart: e.CycleStart, CycleEnd: e.CycleEnd})
	}
	if e.MandateStatus > 0 {
		out.Mandates = append(out.Mandates, data.Mandate{Event: e.row('m'), MandateID: e.Token, CustomerID: customer, Rail: e.Rail,
			Status: e.MandateStatus, CreatedAt: e.CreatedAt, MaxAmount: e.MaxAmount, ValidUntil: e.ValidUntil})
	}
	if e.NoticeStatus > 0 {
		out.Notices = append(out.Notices, data.Notice{Event: e.row('n'), CaseID: p.caseID, MandateID: e.Token, Kind: data.PreDebit,
			Status: e.NoticeStatus, DebitAt: e.DebitAt})
	}
	if e.DowntimeStatus > 0 {
		out.Downtimes = append(out.Downtimes, data.Downtime{Event: e.row('d'), DowntimeID: e.Downtime, Rail: e.Rail, Bank: e.Bank,
			Network: e.Network, PSP: e.PSP, Severity: e.Severity, Status: e.DowntimeStatus, Begin: e.Begin, End: e.End})
	}
}

// attempt is what all rows of the attempt share.
func (e *event) attempt(p place, customer string) data.Attempt {
	return data.Attempt{CaseID: p.caseID, AttemptNo: p.number, AttemptID: e.Payment, Initiator: e.Initiator,
		CustomerID: customer, SubscriptionID: e.Subscription, MandateID: e.Token, InstrumentID: e.Card, MerchantID: e.Merchant,
		Rail: e.Rail, Bank: e.Bank, Network: e.Network, Amount: e.Amount}
}

func firstOf(ids ...string) string {
	for _, id := range ids {
		if id != "" {
			return id
		}
	}
	return ""
}
