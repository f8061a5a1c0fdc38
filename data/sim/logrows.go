package sim

import (
	"recoup/data"
)

// logAttempt writes the rows of a presentation: a pending row first where the
// answer takes days, the answer, the polls of a lost answer, and a late
// authorisation. It returns the presentation as a failure, whatever the answer.
func (q *charge) log(b *Batch, no int, at data.Micros, by data.Initiator, decision string, v verdict) (failure, []data.Attempt) {
	w, k := q.w, q.dice(no, at)
	id := attemptID(q.id, no)
	a := data.Attempt{CaseID: q.id, AttemptNo: int32(no), AttemptID: id, Initiator: by, DecisionID: decision,
		CustomerID: q.c.id, SubscriptionID: q.s.id, MandateID: q.m.id, InstrumentID: q.s.instrument, MerchantID: q.s.merchant,
		Rail: q.s.rail, Bank: q.c.bank.code, Network: q.s.network, Amount: q.amount}
	write := func(word string, s data.AttemptStatus, occurred, known data.Micros) data.Attempt {
		row := a
		row.Status = s
		if s == data.Failed {
			q.explain(&row, q.reported(v, k))
		}
		var ok bool
		if row.Event, ok = w.told(eventID(id, word), occurred, known); ok {
			b.Attempts = append(b.Attempts, row)
		}
		return row
	}
	f := failure{no: no, at: at, occurred: at, known: at + w.lag(k), cause: v.cause}
	if q.s.rail == data.EMandate {
		write("p", data.Pending, at, f.known)
		f.occurred = w.nachAnswer(k, at)
		f.known = f.occurred + w.lag(k.sub(uint64(tagSettle)))
	}
	if v.paid {
		return f, []data.Attempt{write("c", data.Captured, f.occurred, f.known)}
	}
	if v.cause == Timeouts && w.off&Lateness == 0 {
		f.known += 10 * data.Minute // an unanswered request counts as failed after ten minutes
	}
	f.reason = write("f", data.Failed, f.occurred, f.known).Reason
	if f.reason.Class() == data.AwaitStatus {
		q.poll(b, id, f.known, at, v)
	}
	if v.late == 0 {
		return f, nil
	}
	late := f.occurred + v.late
	return f, []data.Attempt{write("l", data.AuthorizedLate, late, max(f.known+data.Second, late+w.lag(k.sub(uint64(tagLate)))))}
}

// nachAnswer is when the bank's answer to a NACH presentation comes: T+1, at
// times T+2, during the day.
func (w *world) nachAnswer(k key, at data.Micros) data.Micros {
	day := midnight(at) + data.Day
	if k.sub(uint64(tagSettle)).happens(tagSecond, .15) { // Razorpay: final by T+2
		day += data.Day
	}
	return day + 10*data.Hour + data.Micros(k.unit(tagSettle)*float64(9*data.Hour))
}

// explain fills in what an error says.
func (q *charge) explain(a *data.Attempt, r data.Reason) {
	info := r.Info()
	a.Reason, a.ErrorCode = r, errorCode(r)
	if len(info.Sources) > 0 {
		a.Source = info.Sources[0]
	}
	if len(info.Steps) > 0 {
		a.Step = info.Steps[0]
	}
}

// poll asks for the status of an attempt whose answer is unknown, twice within
// two hours (NPCI allows three checks).
func (q *charge) poll(b *Batch, attempt string, known, at data.Micros, v verdict) {
	for i, after := range []data.Micros{2 * data.Minute, 2 * data.Hour} {
		t := known + after
		s := data.PollFailed
		switch {
		case v.late > 0 && t >= at+v.late:
			s = data.PollCaptured
		case i == 0 || v.late > 0:
			s = data.PollPending
		}
		if e, ok := q.w.told(eventID(attempt, "poll"+number(uint64(i+1), 1)), t, t); ok {
			b.Polls = append(b.Polls, data.Poll{Event: e, AttemptID: attempt, Status: s})
		}
	}
}

// notice writes the pre-debit notice of a presentation; id begins the ids of its rows.
func (q *charge) notice(b *Batch, id string, no int, at, sent data.Micros) {
	k := q.dice(no, at)
	n := data.Notice{CaseID: q.id, MandateID: q.m.id, Kind: data.PreDebit, Amount: q.amount, DebitAt: at}
	write := func(word string, s data.NoticeStatus, t data.Micros) {
		var ok bool
		n.Status = s
		if n.Event, ok = q.w.told(eventID(id, word), t, t+data.Second); ok {
			b.Notices = append(b.Notices, n)
		}
	}
	write("n1", data.NoticeSent, sent)
	answer := sent + 2*data.Second + k.span(tagSecond, 30*data.Second)
	switch {
	case q.w.off&Notices == 0 && q.s.rail == data.Card && k.happens(tagNotice, noticeFails):
		write("n2", data.NoticeFailed, answer)
		return
	default:
		write("n2", data.NoticeDelivered, answer)
	}
	if q.w.off&Notices == 0 && k.happens(tagOptOut, q.optOut()) {
		write("n3", data.NoticeOptedOut, sent+data.Micros(k.unit(tagThird)*float64(at-sent)))
	}
}

func (r *caseRun) notify(no int, at, sent data.Micros) {
	r.notice(r.b, attemptID(r.id, no), no, at, sent)
}

// logAttempt writes a retry and remembers what it brought in.
func (r *caseRun) logAttempt(no int, at data.Micros, by data.Initiator, decision string, v verdict) failure {
	f, money := r.log(r.b, no, at, by, decision, v)
	r.remember(money)
	return f
}

// remember keeps successes; a late authorisation pays the case when it comes.
func (r *caseRun) remember(money []data.Attempt) {
	for _, a := range money {
		r.extra = append(r.extra, a)
		if a.Status == data.AuthorizedLate {
			r.pay(a.OccurredAt, a.KnownAt, byLate)
		}
	}
}

func (r *caseRun) logDecision(s *Situation, chosen int) {
	d := data.Decision{DecisionID: s.DecisionID, CaseID: r.id, CustomerID: r.c.id, DecidedAt: s.Now,
		AsOf: data.AsOf(s.KnownAt), Arm: r.behaviour.Arm, ArmShare: 1, Logger: "sim/" + r.behaviour.ID, PolicyID: r.behaviour.ID,
		Allowed: make([]data.Option, len(s.Candidates)), Chosen: int32(chosen), Class: s.Class}
	for i, c := range s.Candidates {
		c.Propensity, c.Mix = r.probs[i], r.probs[i]
		d.Allowed[i] = c
	}
	d.Event, _ = r.w.told(eventID(s.DecisionID, "d"), s.Now, s.Now)
	r.b.Decisions = append(r.b.Decisions, d)
	r.decisions = append(r.decisions, decided{id: s.DecisionID, at: s.Now})
}

// logContact writes a payment link or nudge.
func (r *caseRun) logContact(c data.Option) {
	n := data.Notice{CaseID: r.id, Kind: data.NoticePlainLink, Amount: r.amount}
	if c.Action == data.Nudge {
		n.Kind = data.NoticeAuthenticate
	}
	for i, s := range []data.NoticeStatus{data.NoticeSent, data.NoticeDelivered} {
		t := c.At + data.Micros(i+1)*5*data.Second
		var ok bool
		if n.Event, ok = r.w.told(eventID(r.decisions[len(r.decisions)-1].id, "n"+number(uint64(i+1), 1)), t, t); ok {
			n.Status = s
			r.b.Notices = append(r.b.Notices, n)
		}
	}
}

// logCure writes the customer's own payment: an attempt of his, or news that
// the invoice was paid elsewhere.
func (r *caseRun) logCure() {
	k := r.key.sub(uint64(tagCure))
	lag := r.w.lag(k)
	if k.happens(tagRoad, elsewhere) {
		if r.w.off&Lateness == 0 {
			lag += k.span(tagSettle, tellMean)
		}
		if e, ok := r.w.told(eventID(r.id, "paid"), r.paid, r.paid+lag); ok {
			r.b.CaseEvents = append(r.b.CaseEvents, data.CaseEvent{Event: e, CaseID: r.id, Kind: data.PaidElsewhere})
		}
		return
	}
	id := attemptID(r.id, r.nextNo) + "c"
	if e, ok := r.w.told(eventID(id, "c"), r.paid, r.paid+lag); ok {
		r.b.Attempts = append(r.b.Attempts, data.Attempt{Event: e, CaseID: r.id, AttemptNo: int32(r.nextNo), AttemptID: id,
			Initiator: data.ByCustomer, CustomerID: r.c.id, SubscriptionID: r.s.id, MerchantID: r.s.merchant, Rail: r.s.rail,
			Bank: r.c.bank.code, Network: r.s.network, Amount: r.amount, Status: data.Captured})
	}
}

// logRefund returns a success that came after the case was paid.
func (r *caseRun) logRefund(a data.Attempt) {
	at := max(a.OccurredAt, a.KnownAt) + 5*data.Day // Razorpay refunds within five days
	var ok bool
	if a.Event, ok = r.w.told(eventID(a.AttemptID, "r"), at, at+data.Minute); ok {
		a.Status = data.Refunded
		r.b.Attempts = append(r.b.Attempts, a)
	}
}

// logStanding tells how the case left its subscription: active again, or halted.
func (r *caseRun) logStanding() {
	word := number(uint64(r.cycle), 2)
	switch {
	case r.paid != never:
		r.w.logSubscription(r.b, r.c, r.s, word+"_p", data.SubActive, r.paid+data.Minute, r.due, r.next)
	case r.nextNo > maxRetries:
		r.w.logSubscription(r.b, r.c, r.s, word+"_h", data.SubHalted, r.failure.known+data.Minute, r.due, r.next)
	}
}

func (r *caseRun) logGivenUp() {
	if e, ok := r.w.told(eventID(r.id, "off"), r.urge.to, r.urge.to); ok {
		r.b.CaseEvents = append(r.b.CaseEvents, data.CaseEvent{Event: e, CaseID: r.id, Kind: data.WrittenOff})
	}
}

// logPromise writes a promise to pay on the next pay day. It moves nothing: who
// means to pay promises more often.
func (r *caseRun) logPromise() {
	k := r.key.sub(uint64(tagPromise))
	at := r.urge.from + data.Hour + k.span(tagSecond, data.Day)
	if r.w.off&Cures != 0 || !k.happens(tagMain, 2*promises*r.c.intent) || r.paid <= at {
		return
	}
	i := r.c.cycle(at) + 1
	if i >= len(r.c.pays) {
		return
	}
	due := midnight(r.c.pays[i]) + data.Day
	write := func(word string, s data.PromiseStatus, t data.Micros) {
		if e, ok := r.w.told(eventID(r.id, word), t, t+data.Minute); ok {
			r.b.Promises = append(r.b.Promises, data.Promise{Event: e, CaseID: r.id, PromisedFor: due, Status: s})
		}
	}
	write("pr1", data.PromiseMade, at)
	if r.paid <= due+data.Day {
		write("pr2", data.PromiseKept, max(r.paid, at+data.Hour))
	} else {
		write("pr2", data.PromiseBroken, due+data.Day)
	}
}
