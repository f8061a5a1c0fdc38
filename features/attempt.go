package features

import "recoup/data"

// foldHealth counts an outcome for its bank and its rail.
func (s *State) foldHealth(e *event) {
	status := data.AttemptStatus(e.status)
	if status != data.Captured && status != data.Failed {
		return
	}
	failed := status == data.Failed
	technical := false
	if failed {
		cause := causeOf(e.reason)
		technical = cause == data.CauseTechnical || cause == data.CauseBankDowntime
	}
	at, one := e.stamp(), health{n: 1}
	if failed {
		one.failed = 1
	}
	if technical {
		one.technical = 1
	}
	rail := &s.rails[e.rail&7]
	if *rail == nil {
		*rail = newTiles()
	}
	(*rail).add(at, one)
	if e.bank == 0 {
		return
	}
	k := bankKey(e.bank, e.rail)
	t, known := s.banks.Get(k)
	if !known {
		t = newTiles()
		s.banks.Put(k, t)
	}
	t.add(at, one)
}

// foldAttempt folds a row of this shard's customers into their history and
// into the charge, which exists from its first row that is not a capture.
func (s *State) foldAttempt(e *event) *charge {
	status := data.AttemptStatus(e.status)
	who := s.customers.of(e.customer)
	who.seen(e.stamp())
	c := s.charge(e.caseKey)
	if c == nil {
		if e.no == 0 && (status.Paid() || status == data.Refunded || alreadyPaid(who, e)) {
			s.early.Delete(e.caseKey)
			if status != data.Pending {
				s.remember(who, e, status)
			}
			return nil
		}
		c = s.open(e, who)
	}
	c.touched = e.cursor.KnownAt
	a := c.attempt(e)
	s.replayPolls(a, e.cursor.KnownAt)
	s.byAttempt.Put(e.subject, c)
	known := a.status
	stale := known.Paid() && status != data.Refunded // nothing but a refund follows a payment
	if stale || known == data.Failed && status == data.Pending {
		return nil
	}
	a.status = status
	switch {
	case status.Paid():
		s.remember(who, e, status)
		s.pay(c, who, e)
	case status == data.Refunded:
		s.remember(who, e, status)
		c.refunded++
	case status == data.Failed:
		a.failedAt = e.occurred
		s.remember(who, e, status)
		if !c.paid && !c.ended {
			if c.failures == 0 {
				who.cases++
			}
			c.take(e)
			c.fail(e, a.at)
			return c
		}
	}
	return nil
}

// alreadyPaid tells a stale row of an original charge, or an attempt too many:
// the charge's capture is in the ring.
func alreadyPaid(who *customer, e *event) bool {
	for i := range who.ring {
		if p := &who.ring[i]; p.caseLo == e.caseKey.Lo && p.paid() {
			return true
		}
	}
	return false
}

// open starts a charge.
func (s *State) open(e *event, who *customer) *charge {
	c := &charge{key: e.caseKey, id: e.caseID, customerID: e.customerID, customer: e.customer}
	c.take(e)
	s.replay(c, who, e.cursor.KnownAt)
	c.paid = c.paid || e.no > 0 && alreadyPaid(who, e)
	s.charges.Put(e.caseKey, c)
	s.sweeps.push(e.cursor.KnownAt+closedKept, c)
	return c
}

// take copies what the latest row says about the road of the charge.
func (c *charge) take(e *event) {
	c.amount, c.rail, c.bank, c.bankLevel, c.network = e.amount, e.rail, e.bank, e.bankLevel, e.networkLevel
	c.mandate, c.sub = e.mandate, e.sub
}

// pay closes a case.
func (s *State) pay(c *charge, who *customer, e *event) {
	if c.owed() {
		if e.initiator == data.ByCustomer {
			who.cured++
		} else {
			who.recovered++
			who.lagTotal += max(0, e.stamp()-c.first)
		}
	}
	c.paid = true
}

// remember puts an outcome into the customer's history.
func (s *State) remember(who *customer, e *event, status data.AttemptStatus) {
	switch {
	case status.Paid():
		who.captures++
		who.paidTotal += e.amount
		if e.mandate.Lo != 0 {
			m := orNew(&s.mandates, e.mandate)
			m.paid = max(m.paid, e.stamp())
		}
	case status == data.Failed:
		who.failures++
	case status == data.Refunded:
		who.refunds++
	}
	who.ring = insert(who.ring, pastOf(e.stamp(), e.caseKey.Lo, e.amount, outcomeWords{
		status, e.initiator, e.no, e.reason.Class(), causeOf(e.reason), e.rail}))
}
