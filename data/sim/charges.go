package sim

import "recoup/data"

// live runs a customer's subscriptions over the log, until limit charges have
// failed at first. Nothing here depends on the policy, so that every policy
// faces the same charges; what it does to a case stays inside the case. With
// begin, a case is not run but handed to it, in a caseRun that is reused.
func (w *world) live(b *Batch, c *customer, behaviour *Behaviour, limit int, begin func(*caseRun, failure)) {
	r := &caseRun{b: b, behaviour: behaviour}
	for _, s := range c.subs {
		limit -= w.subscribe(b, c, s, r, limit, begin)
	}
	b.Tally.Customers++
}

// subscribe runs one subscription and returns how many of its charges failed at first.
func (w *world) subscribe(b *Batch, c *customer, s *subscription, r *caseRun, limit int, begin func(*caseRun, failure)) (cases int) {
	if limit == 0 {
		return 0
	}
	created := s.first
	if created == w.start { // registered before the log began
		created -= data.Micros(s.key.unit(tagStart) * float64(300*data.Day))
	}
	var m *mandate
	for cycle := w.cycleOf(s); ; cycle++ {
		due := w.due(s, cycle)
		if due > w.end {
			return cases
		}
		if m == nil {
			m = s.newMandate(w, c, created, max(s.first, w.start), 0)
			w.logBirth(b, c, s, m)
			w.logSubscription(b, c, s, "0", data.SubActive, max(s.first, w.start), 0, 0)
		}
		if w.spend(b, c, s, m, due); m.death <= due {
			if renewed := m.death + s.key.sub(uint64(tagRenewal)).sub(uint64(s.mandates)).span(tagMain, renewMean); renewed <= due {
				m = s.newMandate(w, c, renewed, renewed, cycle)
				w.logBirth(b, c, s, m)
				w.spend(b, c, s, m, due)
			}
		}
		q := &charge{w: w, c: c, s: s, m: m, key: s.key.sub(uint64(tagCase)).sub(uint64(cycle)), id: caseID(s.stem, cycle),
			cycle: cycle, amount: s.amount(cycle), due: due, next: w.due(s, cycle+1)}
		k := q.dice(0, due)
		q.notice(b, attemptID(q.id, 0), 0, due, due-noticeFloor(s.rail)-data.Micros(k.unit(tagDelay)*float64(2*data.Hour)))
		v := q.present(0, due)
		f, money := q.log(b, 0, due, data.ByProvider, "", v)
		b.Tally.Charges++
		if v.paid {
			continue
		}
		b.Tally.Failed[f.reason]++
		cases++
		m.raisedFrom = due
		w.spend(b, c, s, m, q.next)
		w.logSubscription(b, c, s, number(uint64(cycle), 2)+"_f", data.SubPending, f.known, due, q.next)
		*r = caseRun{charge: q, b: b, behaviour: r.behaviour, situation: Situation{Candidates: r.situation.Candidates}, probs: r.probs,
			extra: r.extra[:0], decisions: r.decisions[:0], paid: never, paidKnown: never, nextNo: 1}
		r.remember(money)
		if begin != nil {
			begin(r, f)
		} else {
			r.run(f)
			r.logStanding()
		}
		if cases == limit {
			return cases
		}
		if v.cause == Limits && q.amount > m.maxAmount {
			// The customer approves a new maximum, or leaves.
			if s.key.sub(uint64(tagHike)).happens(tagSecond, .3) {
				w.logSubscription(b, c, s, "end", data.SubCancelled, due+20*data.Day, 0, 0)
				return cases
			}
			at := due + 2*data.Day + s.key.sub(uint64(tagHike)).span(tagThird, 8*data.Day)
			m = s.newMandate(w, c, at, at, cycle)
			w.logBirth(b, c, s, m)
		} else if f.cause == Mandates && m.death <= due {
			if renewed := m.death + s.key.sub(uint64(tagRenewal)).sub(uint64(s.mandates)).span(tagMain, renewMean); renewed > q.next {
				w.logSubscription(b, c, s, "end", data.SubCancelled, q.next, 0, 0)
				return cases
			}
		}
	}
}

// cycleOf is the first cycle of a subscription: months since the log's first.
func (w *world) cycleOf(s *subscription) int {
	for cycle := 0; ; cycle++ {
		if w.due(s, cycle) >= max(s.first, w.start) {
			return cycle
		}
	}
}

// due is when a cycle's charge is presented.
func (w *world) due(s *subscription, cycle int) data.Micros {
	y, m, _ := w.start.ISTDate()
	return data.IST(y, m+monthOf(cycle), s.day, 0, 0) + s.hour
}

// spend lets a mandate live until t and tells when it died.
func (w *world) spend(b *Batch, c *customer, s *subscription, m *mandate, t data.Micros) {
	if m.death != never {
		return
	}
	if m.spend(t); m.death == never {
		return
	}
	status := data.MandateRevoked
	if m.expired {
		status = data.MandateExpired
	}
	w.logMandate(b, c, s, m, "end", status, m.death)
}

// logBirth tells of a mandate and of the pauses in which it lives.
func (w *world) logBirth(b *Batch, c *customer, s *subscription, m *mandate) {
	w.logMandate(b, c, s, m, "new", data.MandateActive, max(m.created, w.start))
	for i, p := range s.pause.list {
		if p.from < max(m.created, w.start) || s.mandates > 1 {
			continue
		}
		w.logMandate(b, c, s, m, "pause"+number(uint64(i), 1), data.MandatePaused, p.from)
		w.logMandate(b, c, s, m, "resume"+number(uint64(i), 1), data.MandateActive, p.to)
	}
}

func (w *world) logMandate(b *Batch, c *customer, s *subscription, m *mandate, word string, status data.MandateStatus, at data.Micros) {
	id := eventID(m.id, word)
	k := s.key.sub(uint64(tagMandate)).sub(uint64(len(word))).sub(uint64(at))
	if e, ok := w.told(id, at, at+w.lag(k)); ok {
		b.Mandates = append(b.Mandates, data.Mandate{Event: e, MandateID: m.id, CustomerID: c.id, Rail: s.rail, Status: status,
			CreatedAt: m.created, MaxAmount: m.maxAmount, ValidUntil: m.validUntil, Category: "regular"})
	}
}

func (w *world) logSubscription(b *Batch, c *customer, s *subscription, word string, status data.SubscriptionStatus, at, from, to data.Micros) {
	if e, ok := w.told(eventID(s.id, word), at, at+data.Second); ok {
		b.Subscriptions = append(b.Subscriptions, data.Subscription{Event: e, SubscriptionID: s.id, CustomerID: c.id, Status: status,
			CycleStart: from, CycleEnd: to})
	}
}
