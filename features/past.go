package features

import (
	"recoup/data"
)

// Past is what was known about a case at an as_of, as integers: everything a
// feature row may use of the state. It does not change when the State moves on.
type Past struct {
	CaseID, CustomerID string
	AsOf               data.Cursor
	T                  data.Micros // decision time

	// The case.
	amount                 data.Paise
	rail                   data.Rail
	bankLevel, network     uint8
	failed                 failure
	first                  data.Micros // first failure known
	failures, same         int32
	byProvider, byCustomer int32
	pending, polls         int32
	refunded, broken       int32
	links, nudges          int32
	lastLink, lastNudge    data.Micros
	subscribed             bool
	sub                    subscription
	optedOut, disputed     bool
	promiseDue             data.Micros // of an open promise
	notice                 notice
	mandate                mandate
	mandateChanges         int32
	spans                  [downtimesSeen]span
	bank                   [healthWindows]health
	railHealth             [healthWindows]health // 1 h, 24 h and 30 d alone
	other1h                health                // all rails but this one

	// The customer.
	firstSeen                                data.Micros
	paidTotal                                data.Paise
	lagTotal                                 data.Micros
	captures, allFailures, refunds, disputes int32
	cases, recovered, cured, ended           int32
	contacts7d                               int32
	history                                  [historyWindows]tally
	retries, retriesPaid                     int32 // among the ring's outcomes
	funds, fundsPaid                         int32 // cases in the ring that failed for funds; paid later
	lastPaid, lastFailed                     data.Micros
	streak                                   int32 // failures since the latest capture
	smaller, captured                        int32 // captures in the ring: of a smaller amount; all
	meanPaid, spreadPaid                     data.Paise
	payday                                   payday
	days                                     [32]dayTally // outcomes by day of the month
}

// dayTally counts the ring's outcomes on one day of the month; funds alone, as
// an outage says nothing about the balance.
type dayTally struct{ paid, failed uint8 }

// Windows of bank and rail health.
const (
	health10m = iota
	health1h
	health6h
	health24h
	health7d
	health30d
	healthWindows
)

var healthSpans = [healthWindows]data.Micros{10 * data.Minute, data.Hour, 6 * data.Hour, data.Day, 7 * data.Day, 30 * data.Day}

// Windows of a customer's history.
const (
	history7d = iota
	history30d
	history90d
	history180d
	historyWindows
)

var historySpans = [historyWindows]data.Micros{7 * data.Day, 30 * data.Day, 90 * data.Day, 180 * data.Day}

// tally sums outcomes in a window.
type tally struct {
	paid, failed, funds int32
	paise               data.Paise // captured
}

// Past is what is known about a case at the State's as_of. t is the decision
// time, not before the latest failure was known. A case that the State does not
// know, or that has not failed, is an error.
func (s *State) Past(caseID string, t data.Micros) (*Past, error) {
	c, err := s.caseOf(caseID)
	if err != nil {
		return nil, err
	}
	if t < c.failed.cursor.KnownAt {
		return nil, data.Faultf(data.ErrContract, "features: case %s: decision time %s is before its latest failure was known, %s",
			caseID, t, c.failed.cursor.KnownAt)
	}
	return s.past(c, t), nil
}

func (s *State) past(c *charge, t data.Micros) *Past {
	who := s.customers.of(c.customer)
	p := &Past{
		CaseID: c.id, CustomerID: c.customerID, AsOf: s.asOf, T: t,
		amount: c.amount, rail: c.rail, bankLevel: c.bankLevel, network: c.network,
		failed: c.failed, first: c.first, failures: c.failures, same: c.same,
		byProvider: c.by(data.ByProvider), byCustomer: c.by(data.ByCustomer), pending: c.pending(),
		refunded: c.refunded, broken: c.broken, links: c.links, nudges: c.nudges, lastLink: c.lastLink, lastNudge: c.lastNudge,
		optedOut: c.optedOut, disputed: c.disputed, notice: c.notice,
		spans:     s.downtimes.of(c, t),
		firstSeen: who.firstSeen, paidTotal: who.paidTotal, lagTotal: who.lagTotal,
		captures: who.captures, allFailures: who.failures, refunds: who.refunds, disputes: who.disputes,
		cases: who.cases, recovered: who.recovered, cured: who.cured, ended: who.ended,
	}
	for i := range c.attempts {
		p.polls += c.attempts[i].polls
	}
	if m, ok := s.mandates.Get(c.mandate); ok {
		p.mandate, p.mandateChanges = *m, m.changesSince(t-30*data.Day)
	}
	if sub, ok := s.subs.Get(c.sub); ok {
		p.sub = *sub
	}
	p.subscribed = c.sub.Lo != 0
	if c.promise.status == data.PromiseMade {
		p.promiseDue = c.promise.due
	}
	for _, at := range who.contacts {
		if at >= t-7*data.Day {
			p.contacts7d++
		}
	}
	s.foldHealthInto(p, c, t)
	p.remember(who.ring, c)
	p.payday = learnPayday(who.ring)
	return p
}

func (s *State) foldHealthInto(p *Past, c *charge, t data.Micros) {
	bank, _ := s.banks.Get(bankKey(c.bank, c.rail))
	for w, span := range healthSpans {
		p.bank[w] = bank.within(t, span)
		if w == health1h || w == health24h || w == health30d {
			p.railHealth[w] = s.rails[c.rail&7].within(t, span)
		}
	}
	for r := range s.rails {
		if r != int(c.rail&7) {
			p.other1h.add(s.rails[r].within(t, data.Hour))
		}
	}
}

// remember folds the ring.
func (p *Past) remember(ring []past, c *charge) {
	for w, span := range historySpans {
		p.history[w] = tallyOf(since(ring, p.T-span))
	}
	var paid data.Paise
	for i := range ring {
		e := &ring[i]
		switch {
		case e.paid():
			p.captured++
			paid += e.amount()
			if e.amount() < c.amount {
				p.smaller++
			}
			p.lastPaid, p.streak = e.at, 0
			if e.no() > 0 {
				p.retries++
				p.retriesPaid++
			}
			if fundsFailureBefore(ring[:i], e) {
				p.fundsPaid++
			}
			bumpDay(&p.days[e.day()].paid)
		case e.failed():
			p.streak++
			if e.no() > 0 {
				p.retries++
			}
			if e.caseLo != c.key.Lo {
				p.lastFailed = e.at
			}
			if e.failedFunds() {
				if !fundsFailureBefore(ring[:i], e) {
					p.funds++
				}
				bumpDay(&p.days[e.day()].failed)
			}
		}
	}
	if p.captured == 0 {
		return
	}
	p.meanPaid = paid / data.Paise(p.captured)
	var spread data.Paise
	for i := range ring {
		if e := &ring[i]; e.paid() {
			spread += max(e.amount()-p.meanPaid, p.meanPaid-e.amount())
		}
	}
	p.spreadPaid = spread / data.Paise(p.captured)
}

func bumpDay(n *uint8) {
	if *n < 255 {
		*n++
	}
}

func tallyOf(ring []past) (t tally) {
	for i := range ring {
		e := &ring[i]
		switch {
		case e.paid():
			t.paid++
			t.paise += e.amount()
		case e.failed():
			t.failed++
			if e.failedFunds() {
				t.funds++
			}
		}
	}
	return t
}
