package sim

import "recoup/data"

// What the world does to a case that is played, and what is heard of it.

// debit presents the next attempt.
func (c *liveCase) debit(at data.Micros) error {
	no := c.nextNo
	d := &c.decisions[len(c.decisions)-1]
	d.attempt, d.spentAt, d.cost = attemptID(c.id, no), at, retryCost
	c.p.attempts[d.attempt] = c
	t := try{at: at, chance: c.chance(at, at)}
	v := c.present(no, at)
	f, money := c.log(c.b, no, at, data.ByRecoup, d.id, v)
	t.failed, t.double = !v.paid, v.paid && c.paid < f.occurred
	c.tried = append(c.tried, t)
	c.nextNo++
	c.inFlight, c.polls = true, 0
	if v.paid {
		c.pay(f.occurred, f.known, byRetry)
	} else {
		c.failure = f
		if c.p.d.Truth {
			c.cureTruth()
		}
	}
	for _, a := range money {
		c.extra = append(c.extra, a)
		if a.Status == data.AuthorizedLate {
			c.pay(a.OccurredAt, a.KnownAt, byLate)
		}
		c.money(a)
	}
	return nil
}

// money returns what comes in after the case was paid.
func (c *liveCase) money(a data.Attempt) {
	c.later(a.OccurredAt, func(data.Micros) error {
		if a.OccurredAt > c.paid {
			c.logRefund(a)
		}
		return nil
	})
}

// contact sends a link or a nudge, and lets the customer answer.
func (c *liveCase) contact(o data.Option) error {
	c.spend(o.At, contactCost)
	c.logContact(o)
	c.contacts = append(c.contacts, data.Candidate{Action: o.Action, At: o.At})
	if t := c.urge.answered(c.key, o.Action, o.At); t < c.cure {
		c.cure = t
		c.pay(t, t, byCure)
		c.later(t, c.pays)
	}
	return nil
}

// spend notes what the decision in force cost.
func (c *liveCase) spend(at data.Micros, cost data.Paise) {
	d := &c.decisions[len(c.decisions)-1]
	d.spentAt, d.cost = at, cost
}

// pays is the customer's own payment, if none came before it.
func (c *liveCase) pays(now data.Micros) error {
	if c.road == byCure && c.paid == now && !c.cured {
		c.cured = true
		c.logCure()
	}
	return nil
}

func (c *liveCase) giveUp(now data.Micros) error {
	if c.paid > now {
		c.logGivenUp()
	}
	return nil
}

// poll asks for the status of the latest attempt.
func (c *liveCase) poll(now data.Micros) error {
	if c.polls >= maxPolls {
		return nil
	}
	c.polls++
	id, s := attemptID(c.id, c.failure.no), data.PollFailed
	for _, a := range c.extra {
		if a.AttemptID == id {
			if s = data.PollPending; a.OccurredAt <= now {
				s = data.PollCaptured
			}
		}
	}
	if e, ok := c.w.told(eventID(id, "poll"+number(uint64(c.polls), 1)), now, now+data.Second); ok {
		c.b.Polls = append(c.b.Polls, data.Poll{Event: e, AttemptID: id, Status: s})
	}
	return nil
}

// promise lets a customer promise to pay on his next pay day, as logPromise does;
// whether he kept it is told when the day after it is over.
func (c *liveCase) promise() {
	k := c.key.sub(uint64(tagPromise))
	at := c.urge.from + data.Hour + k.span(tagSecond, data.Day)
	i := c.c.cycle(at) + 1
	if c.w.off&Cures != 0 || !k.happens(tagMain, 2*promises*c.c.intent) || i >= len(c.c.pays) {
		return
	}
	due := midnight(c.c.pays[i]) + data.Day
	write := func(word string, s data.PromiseStatus, t data.Micros) {
		if e, ok := c.w.told(eventID(c.id, word), t, t+data.Minute); ok {
			c.b.Promises = append(c.b.Promises, data.Promise{Event: e, CaseID: c.id, PromisedFor: due, Status: s})
		}
	}
	c.later(at, func(now data.Micros) error {
		if c.paid <= now {
			return nil
		}
		write("pr1", data.PromiseMade, now)
		c.later(due+data.Day, func(now data.Micros) error {
			if c.paid <= now {
				write("pr2", data.PromiseKept, now)
			} else {
				write("pr2", data.PromiseBroken, now)
			}
			return nil
		})
		return nil
	})
}

// heard is what a row changes for the case that it is about.
func (p *play) heard(k known) {
	switch r := k.row.(type) {
	case *data.Attempt:
		if c := p.cases[r.CaseID]; c != nil {
			c.heardAttempt(r)
		}
	case *data.CaseEvent:
		if c := p.cases[r.CaseID]; c != nil && r.Kind == data.PaidElsewhere {
			c.heardPaid(r.KnownAt)
		} else if c != nil {
			c.over = true
		}
	case *data.Poll:
		if c := p.attempts[r.AttemptID]; c != nil {
			c.polls = max(c.polls, c.pollNo(r))
			if c.waits || r.Status != data.PollFailed { // else it says what the plan hoped for
				c.event(r.KnownAt)
			}
		}
	case *data.Notice:
		if c := p.cases[r.CaseID]; c == nil || r.Kind != data.PreDebit {
		} else if r.Status == data.NoticeOptedOut {
			c.event(r.KnownAt)
		} else if r.Status == data.NoticeFailed && c.begun && !c.told {
			c.ask(r.KnownAt + decisionLag) // whoever it is must send another
		}
	case *data.Promise:
		if c := p.cases[r.CaseID]; c != nil && r.Status == data.PromiseMade {
			c.event(r.KnownAt)
		}
	case *data.Mandate:
		if r.Status != data.MandateActive {
			for _, c := range p.mandates[r.MandateID] {
				c.event(r.KnownAt)
			}
		}
	}
}

// pollNo is the number of a status check of the latest attempt; 0 for older ones.
func (c *liveCase) pollNo(r *data.Poll) int {
	if r.AttemptID != attemptID(c.id, c.failure.no) {
		return 0
	}
	return int(r.EventID[len(r.EventID)-1] - '0')
}

// event asks who is attentive for another decision.
func (c *liveCase) event(at data.Micros) {
	if c.p.d.Attentive && c.begun && !c.told && !c.over {
		c.ask(at + decisionLag)
	}
}

func (c *liveCase) heardAttempt(a *data.Attempt) {
	switch {
	case a.Status.Paid():
		c.inFlight = false
		c.heardPaid(a.KnownAt)
	case a.Status != data.Failed || int(a.AttemptNo) != c.nextNo-1:
	default:
		if a.AttemptNo == 0 {
			c.begun = true
			if c.p.d.Truth {
				c.cureTruth()
			}
		}
		c.inFlight = false
		if c.nextNo > maxRetries && !c.halted && !c.told {
			c.halted = true
			c.w.logSubscription(c.b, c.c, c.s, number(uint64(c.cycle), 2)+"_h", data.SubHalted, a.KnownAt+data.Minute, c.due, c.next)
		}
		c.ask(a.KnownAt + decisionLag)
	}
}

func (c *liveCase) heardPaid(at data.Micros) {
	if c.told {
		return
	}
	c.told = true
	c.w.logSubscription(c.b, c.c, c.s, number(uint64(c.cycle), 2)+"_p", data.SubActive, max(c.paid, at)+data.Minute, c.due, c.next)
}
