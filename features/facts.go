package features

import (
	"recoup/data"
	"recoup/features/key"
)

// Facts are exact integers and words about a case at the State's as_of: what a
// policy gate decides by. They are no feature columns, so a change of schema
// cannot move the gate. Zero means unknown or none unless the comment says so.
type Facts struct {
	CaseID, CustomerID string
	AsOf               data.Cursor
	Owed               bool // failed, and neither paid nor ended
	Paid, Ended        bool
	Disputed           bool
	Amount             data.Paise
	Rail               data.Rail
	Reason             data.Reason // of the latest failure
	Class              data.Class
	LastFailure        data.Micros // known_at
	FirstFailure       data.Micros // known_at
	Failures           int

	// Attempts presented, the original charge included, by initiator; ByUnknown
	// counts those without one.
	ByRecoup, ByProvider, ByCustomer, ByUnknown int
	Pending                                     int // attempts without a final status
	Polls                                       int
	LastPoll                                    data.PollStatus // of the latest attempt

	Subscription                   data.SubscriptionStatus
	CycleStart, CycleEnd           data.Micros
	Mandate                        data.MandateStatus
	MandateSince                   data.Micros // when it took that status
	MandateCreated, MandateUntil   data.Micros
	MandateMax                     data.Paise
	Notice                         data.NoticeStatus // of the latest pre-debit notice
	NoticeAt, NoticeDebit          data.Micros
	NoticeAmount                   data.Paise
	OptedOut                       bool
	Promise                        data.PromiseStatus
	PromiseDue                     data.Micros
	Links, Nudges                  int // to this case
	LastLink, LastNudge            data.Micros
	Contacts7d                     int           // links and nudges to the customer
	Refunds                        int           // of the customer
	CaseRefunds                    int           // of this case
	RailDown                       data.Severity // of the worst outage of the case's rail and bank at T
	RailDownUntil                  data.Micros   // its end, when known
	BankFailed6h, BankOutcomes6h   int64
	BankFailed30d, BankOutcomes30d int64 // the bank's own baseline

	// Outages of the case's rail and bank as known at as_of, latest begin first;
	// Severity 0 = no further one.
	Outages [downtimesSeen]Outage
}

// Outage is a stretch of time in which payments fail; End 0 = not known.
type Outage struct {
	Begin, End data.Micros
	Severity   data.Severity
}

// Facts are what is known of a case; t is the decision time.
func (s *State) Facts(caseID string, t data.Micros) (Facts, error) {
	c, err := s.caseOf(caseID)
	if err != nil {
		return Facts{}, err
	}
	p := s.past(c, t)
	f := Facts{CaseID: c.id, CustomerID: c.customerID, AsOf: s.asOf, Owed: c.owed(), Paid: c.paid, Ended: c.ended,
		Disputed: c.disputed, Amount: c.amount, Rail: c.rail, Reason: c.failed.reason, Class: c.failed.reason.Class(),
		LastFailure: c.failed.cursor.KnownAt, FirstFailure: c.first, Failures: int(c.failures),
		Pending: int(p.pending), Polls: int(p.polls),
		Subscription: p.sub.status, CycleStart: p.sub.cycleStart, CycleEnd: p.sub.cycleEnd,
		Mandate: p.mandate.status, MandateSince: p.mandate.since, MandateCreated: p.mandate.created,
		MandateUntil: p.mandate.until, MandateMax: p.mandate.maxAmount,
		Notice: c.notice.status, NoticeAt: c.notice.at, NoticeDebit: c.notice.debit, NoticeAmount: c.notice.amount,
		OptedOut: c.optedOut, Promise: c.promise.status, PromiseDue: c.promise.due,
		Links: int(c.links), Nudges: int(c.nudges), LastLink: c.lastLink, LastNudge: c.lastNudge,
		Contacts7d: int(p.contacts7d), Refunds: int(p.refunds),
		BankFailed6h: int64(p.bank[health6h].failed), BankOutcomes6h: int64(p.bank[health6h].n),
		BankFailed30d: int64(p.bank[health30d].failed), BankOutcomes30d: int64(p.bank[health30d].n),
	}
	f.CaseRefunds = int(c.refunded)
	for i, sp := range p.spans {
		f.Outages[i] = Outage{sp.begin, sp.end, sp.severity}
	}
	for _, a := range c.attempts {
		switch a.initiator {
		case data.ByRecoup:
			f.ByRecoup++
		case data.ByProvider:
			f.ByProvider++
		case data.ByCustomer:
			f.ByCustomer++
		default:
			f.ByUnknown++
		}
		f.LastPoll = a.pollSays
	}
	f.RailDown = downAt(&p.spans, t, t)
	for _, sp := range p.spans {
		if sp.severity > 0 && t >= sp.begin && t < sp.end {
			f.RailDownUntil = max(f.RailDownUntil, sp.end)
		}
	}
	return f, nil
}

func (s *State) caseOf(caseID string) (*charge, error) {
	c := s.charge(key.Of(caseID))
	if c == nil || c.failures == 0 {
		return nil, data.Faultf(data.ErrContract, "features: case %s: no failure of it is known at (%s, %d)",
			caseID, s.asOf.KnownAt, s.asOf.Seq)
	}
	return c, nil
}
