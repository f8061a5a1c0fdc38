package features

import (
	"math"
	"slices"

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
	Pending                                     int             // attempts without a final status
	LastNo                                      int             // highest attempt_no seen
	Polls                                       int             // of all attempts
	LastPoll                                    data.PollStatus // of the latest attempt
	LastPolls                                   int             // of the latest attempt
	LastPollAt                                  data.Micros     // of the latest attempt; stamp

	// The latest attempt presented among those that failed and that no status
	// check has called failed since: it may still be captured. 0 = none.
	Unresolved       data.Micros // when it was presented
	UnresolvedPolls  int
	UnresolvedPollAt data.Micros // stamp

	LastPresented    data.Micros // when the attempt of the latest failure was presented
	LastFinal        data.Micros // when it failed: occurred_at of its final status
	Network          Network
	Response, Advice Code // of the latest failure

	Subscription                   data.SubscriptionStatus
	CycleStart, CycleEnd           data.Micros // that the charge fell due in; where none told does, of the latest version
	Mandate                        data.MandateStatus
	MandateSince                   data.Micros // when it took that status
	MandateCreated, MandateUntil   data.Micros
	MandateMax                     data.Paise
	MandateRail                    data.Rail
	MandateCategory                Category
	MandatePaid                    data.Micros       // the latest capture of any charge on the mandate; stamp
	Notice                         data.NoticeStatus // of the latest pre-debit notice
	NoticeAt, NoticeDebit          data.Micros       // NoticeAt: stamp of its latest status
	NoticeSent                     data.Micros       // stamp of the first word about it
	NoticeAmount                   data.Paise
	OptedOut                       bool
	Promise                        data.PromiseStatus
	PromiseDue                     data.Micros
	BrokenPromises                 int // of the customer
	Links, Nudges                  int // to this case
	LastLink, LastNudge            data.Micros
	Contacts7d                     int                       // links and nudges to the customer
	Contacts                       [ContactsSeen]data.Micros // their latest stamps, latest first; 0 = no further one
	Refunds                        int                       // of the customer
	CaseRefunds                    int                       // of this case
	RailDown                       data.Severity             // of the worst outage of the case's rail and bank at T
	RailDownUntil                  data.Micros               // its end, when known
	BankFailed6h, BankOutcomes6h   int64
	BankFailed30d, BankOutcomes30d int64 // the bank's own baseline

	// The customer's failed attempts of this amount on this rail, of the 64
	// outcomes that are remembered: the instrument is not told apart, so they are
	// no fewer than those of the instrument.
	Declines30d   int // stamp in (T - 30 d, T]
	DeclinesToday int // on T's day in India

	// What a risk score looks at.
	Outcomes7d int        // of the customer: captures and failures
	Captures   int        // of those remembered
	OwnP90     data.Paise // 90th percentile of their amounts, nearest rank; 0 without captures
	FirstSeen  data.Micros
	Disputes   int // of the customer

	// Outages of the case's rail and bank as known at as_of, latest begin first;
	// Severity 0 = no further one. Those of one app (psp) are left out, here and
	// in RailDown: the case's app is not known.
	Outages [downtimesSeen]Outage
}

// ContactsSeen is how many contacts of a customer Facts list.
const ContactsSeen = 8

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
		Subscription: p.sub.status,
		Mandate:      p.mandate.status, MandateSince: p.mandate.since, MandateCreated: p.mandate.created,
		MandateUntil: p.mandate.until, MandateMax: p.mandate.maxAmount,
		Notice: c.notice.status, NoticeAt: c.notice.at, NoticeDebit: c.notice.debit, NoticeAmount: c.notice.amount,
		OptedOut: c.optedOut, Promise: c.promise.status, PromiseDue: c.promise.due,
		LastPresented: c.failed.presented, LastFinal: c.failed.occurred, Network: networkAt(c.network),
		Response: c.failed.responseCode, Advice: c.failed.adviceCode, NoticeSent: c.notice.sent,
		MandateRail: p.mandate.rail, MandateCategory: p.mandate.category, MandatePaid: p.mandate.paid,
		FirstSeen: p.firstSeen, Disputes: int(p.disputes), Captures: int(p.captured),
		Outcomes7d: int(p.history[history7d].paid + p.history[history7d].failed),
		Links:      int(c.links), Nudges: int(c.nudges), LastLink: c.lastLink, LastNudge: c.lastNudge,
		Contacts7d: int(p.contacts7d), Refunds: int(p.refunds),
		BankFailed6h: int64(p.bank[health6h].failed), BankOutcomes6h: int64(p.bank[health6h].n),
		BankFailed30d: int64(p.bank[health30d].failed), BankOutcomes30d: int64(p.bank[health30d].n),
	}
	f.CaseRefunds = int(c.refunded)
	own := p.sub.cycleOf(c.due())
	f.CycleStart, f.CycleEnd = own.start, own.end
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
		f.LastNo = max(f.LastNo, int(a.no))
		f.LastPoll, f.LastPolls, f.LastPollAt = a.pollSays, int(a.polls), a.polled
		resolved := a.pollSays == data.PollFailed && a.polled >= a.failedAt
		if a.status == data.Failed && !resolved && a.at > f.Unresolved {
			f.Unresolved, f.UnresolvedPolls, f.UnresolvedPollAt = a.at, int(a.polls), a.polled
		}
	}
	who := s.customers.of(c.customer)
	f.BrokenPromises = int(who.broken)
	for i := range min(len(who.contacts), ContactsSeen) {
		f.Contacts[i] = who.contacts[len(who.contacts)-1-i]
	}
	f.ofRing(who.ring, c, t)
	f.RailDown = downAt(&p.spans, t, t)
	for _, sp := range p.spans {
		if sp.severity > 0 && t >= sp.begin && t < sp.end {
			f.RailDownUntil = max(f.RailDownUntil, sp.end)
		}
	}
	return f, nil
}

// due is when the charge was first presented, as far as is known.
func (c *charge) due() data.Micros {
	due := data.Micros(math.MaxInt64)
	for i := range c.attempts {
		due = min(due, c.attempts[i].at)
	}
	return due
}

// ofRing fills in what the customer's remembered outcomes tell.
func (f *Facts) ofRing(ring []past, c *charge, t data.Micros) {
	var paid [ringSize]data.Paise
	n := 0
	for i := range ring {
		e := &ring[i]
		switch {
		case e.paid():
			paid[n] = e.amount()
			n++
		case e.failed() && e.rail() == c.rail && e.amount() == c.amount && e.at > t-30*data.Day:
			f.Declines30d++
			if e.at.ISTDay() == t.ISTDay() {
				f.DeclinesToday++
			}
		}
	}
	if n > 0 {
		slices.Sort(paid[:n])
		f.OwnP90 = paid[(9*n+9)/10-1]
	}
}

func (s *State) caseOf(caseID string) (*charge, error) {
	c := s.charge(key.Of(caseID))
	if c != nil && c.failures == 0 && (c.paid || c.ended) {
		return nil, data.Faultf(data.ErrContract, "features: case %s: it was paid or ended before any failure of it was known at (%s, %d)",
			caseID, s.asOf.KnownAt, s.asOf.Seq)
	}
	if c == nil || c.failures == 0 {
		return nil, data.Faultf(data.ErrContract, "features: case %s: no failure of it is known at (%s, %d)",
			caseID, s.asOf.KnownAt, s.asOf.Seq)
	}
	return c, nil
}
