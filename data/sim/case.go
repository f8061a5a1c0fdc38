package sim

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"recoup/data"
)

// caseRun follows one charge that failed at first, until it is paid, given up,
// or out of retries.
type caseRun struct {
	*charge
	b         *Batch
	behaviour *Behaviour
	situation Situation // reused between decisions
	probs     []float64
	failure   failure
	urge      urge
	cure      data.Micros // when the customer pays by himself; never
	paid      data.Micros // the earliest payment so far; never
	paidKnown data.Micros
	road      road
	extra     []data.Attempt // successes in order of discovery; all but the first to pay are refunded
	decisions []decided
	nextNo    int      // attempt number of whoever presents next
	mandate   *mandate // of a case on a Stage: the mandate as it lived on
}

// failure is what is known of an attempt that failed.
type failure struct {
	no       int
	at       data.Micros // presented
	occurred data.Micros // answered
	known    data.Micros
	reason   data.Reason // as reported
	cause    Mechanism
}

// road is how a case was paid.
type road uint8

const (
	unpaid road = iota
	byRetry
	byCure
	byLate
)

type decided struct {
	id      string
	at      data.Micros
	attempt string
	spentAt data.Micros // when its action cost something
	cost    data.Paise
}

// run decides and acts until nothing is left to do.
func (r *caseRun) run(first failure) {
	r.failure = first
	r.urge = r.newUrge(first.known, first.cause)
	if r.cure = r.urge.first(r.key); r.cure != never {
		r.pay(r.cure, r.cure, byCure)
	}
	r.cureTruth()
	for r.nextNo <= maxRetries && r.decide() {
	}
	r.settle()
}

// pay notes a payment; the earliest one counts.
func (r *caseRun) pay(at, known data.Micros, by road) {
	if at < r.paid {
		r.paid, r.paidKnown, r.road = at, known, by
	}
}

// decide makes the next decision and carries it out. It reports whether the
// case needs another.
func (r *caseRun) decide() bool {
	now := r.failure.known + decisionLag
	if now > r.w.end || r.paidKnown <= now || now >= r.urge.to {
		return false
	}
	s := &r.situation
	r.look(decisionID(r.id, r.nextNo), now)
	candidates(s, r.behaviour.Contacts)
	r.probs = r.behaviour.Policy(r.probs, s)
	if err := distribution(r.probs, len(s.Candidates)); err != nil {
		r.b.err = fmt.Errorf("sim: policy %s: decision %s: %w", r.behaviour.ID, s.DecisionID, err)
		return false
	}
	chosen := draw(r.probs, r.key.sub(uint64(tagDecision)).sub(uint64(r.nextNo)).unit(tagMain))
	r.logDecision(s, chosen)
	executed := r.act(s, chosen)
	r.candidateTruth(s, chosen, executed)
	return executed && s.Candidates[chosen].Action == data.Retry && r.failure.no == s.AttemptNo
}

// look fills the situation with what is public now, but for the candidates.
func (r *caseRun) look(decision string, now data.Micros) {
	f, s := r.failure, &r.situation
	*s = Situation{
		DecisionID: decision, CaseID: r.id, CustomerID: r.c.id, SubscriptionID: r.s.id,
		Rail: r.s.rail, Bank: r.c.bank.code, Amount: r.amount, AttemptNo: r.nextNo, Now: now,
		FirstFailedAt: r.due, FailedAt: f.occurred, KnownAt: f.known, Reason: f.reason, Class: f.reason.Class(),
		NextCharge: r.next, Downtime: r.c.bank.known(r.w.downtimes[r.c.bank.code], r.s.rail, now),
		Candidates: s.Candidates,
	}
}

// distribution checks what a policy answered.
func distribution(probs []float64, n int) error {
	if len(probs) != n {
		return fmt.Errorf("%d probabilities for %d candidates", len(probs), n)
	}
	sum := 0.0
	for i, p := range probs {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("probability %v of candidate %d: expected 0 to 1", p, i)
		}
		sum += p
	}
	if math.Abs(sum-1) > 1e-12 {
		return fmt.Errorf("probabilities sum to %v, expected 1", sum)
	}
	return nil
}

// draw is the inverse of the cumulative distribution at u.
func draw(probs []float64, u float64) int {
	last := 0
	for i, p := range probs {
		if p <= 0 {
			continue
		}
		if last = i; u < p {
			return i
		}
		u -= p
	}
	return last
}

// act carries a choice out and reports whether it came to that: a case that is
// paid meanwhile is left alone.
func (r *caseRun) act(s *Situation, chosen int) bool {
	c, d := s.Candidates[chosen], &r.decisions[len(r.decisions)-1]
	switch c.Action {
	case data.Retry:
		if r.paid <= c.At || c.At > r.w.end {
			return false
		}
		d.attempt, d.spentAt, d.cost = attemptID(r.id, r.nextNo), c.At, retryCost
		r.notify(r.nextNo, c.At, c.NoticeBy-data.Micros(r.dice(r.nextNo, c.At).unit(tagDelay)*float64(min(20*data.Minute, c.NoticeBy-s.Now))))
		v := r.present(r.nextNo, c.At)
		f := r.logAttempt(r.nextNo, c.At, data.ByRecoup, d.id, v)
		if v.paid {
			r.pay(f.occurred, f.known, byRetry)
		} else {
			r.failure = f
			r.cureTruth()
		}
		r.nextNo++
	case data.PaymentLink, data.Nudge:
		d.spentAt, d.cost = c.At, contactCost
		r.logContact(c)
		if t := r.urge.answered(r.key, c.Action, c.At); t < r.cure {
			r.cure = t
			r.pay(t, t, byCure)
		}
	case data.Escalate:
		d.spentAt, d.cost = c.At, escalateCost
	}
	return true
}

// settle writes how the case ended, and what became of each decision.
func (r *caseRun) settle() {
	if r.road == byCure {
		r.logCure()
	}
	// Money that came in twice goes back.
	slices.SortFunc(r.extra, func(a, b data.Attempt) int { return cmp.Compare(a.OccurredAt, b.OccurredAt) })
	for _, a := range r.extra {
		if a.OccurredAt > r.paid {
			r.logRefund(a)
		}
	}
	if r.paid == never {
		r.logGivenUp()
	}
	r.logOutcomes()
	r.logPromise()
	r.b.Tally.close(r)
}

// logOutcomes writes what became of each decision.
func (r *caseRun) logOutcomes() {
	for i, d := range r.decisions {
		until := d.at + judged
		o := data.Outcome{DecisionID: d.id, AttemptID: d.attempt, SettledAt: until, WindowClosed: true}
		if r.paid > d.at && r.paid <= until {
			o.Recovered, o.RecoveredPaise, o.SettledAt = true, r.amount, r.paid
		}
		for _, later := range r.decisions[i:] {
			if later.cost > 0 && later.spentAt <= until {
				o.CostPaise += later.cost
			}
		}
		var ok bool
		if o.Event, ok = r.w.told(eventID(d.id, "o"), until, until); ok {
			r.b.Outcomes = append(r.b.Outcomes, o)
		}
	}
}

// candidateTruth writes what would have come of every candidate.
func (r *caseRun) candidateTruth(s *Situation, chosen int, executed bool) {
	for i, c := range s.Candidates {
		t := CandidateTruth{DecisionID: s.DecisionID, CaseID: r.id, AttemptNo: s.AttemptNo, Action: c.Action, At: c.At}
		switch c.Action {
		case data.Retry:
			t.PTrue = r.chance(s.Now, c.At)
			t.Outcome = r.present(s.AttemptNo, c.At).counts(r.s.rail)
			if i == chosen && executed {
				t.AttemptID = attemptID(r.id, s.AttemptNo)
			}
		default:
			spent := r.urge.spent(s.Now+judged) - r.urge.spent(s.Now)
			cure := r.urge.first(r.key)
			if c.Action != data.Wait && c.Action != data.Escalate {
				spent += r.urge.contactSpent(c.Action, c.At, c.At+judged)
				cure = min(cure, r.urge.answered(r.key, c.Action, c.At))
			}
			t.PTrue = -math.Expm1(-spent)
			t.Outcome = cure <= s.Now+judged
		}
		r.b.Candidates = append(r.b.Candidates, t)
	}
}

// cureTruth writes the hazard of the days after the latest failure, until the
// cure of the world where nothing is done.
func (r *caseRun) cureTruth() {
	const horizon = int(judged / data.Day)
	start := r.failure.known
	if start > r.w.end {
		return
	}
	cure := r.urge.first(r.key)
	f0 := r.urge.within(start, start+judged)
	for d := range horizon {
		from := start + data.Micros(d)*data.Day
		to := from + data.Day
		if cure <= from {
			return
		}
		r.b.Cures = append(r.b.Cures, CureTruth{CaseID: r.id, AttemptNo: r.failure.no, Day: d, At: from,
			Hazard: r.urge.within(from, to), F0: f0, Cured: cure <= to})
	}
}
