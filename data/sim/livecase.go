package sim

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"recoup/data"
)

const (
	dailyPass   = 4 * data.Hour    // IST, when cases that wait are decided again
	contactRest = 3 * data.Day     // how long a case rests after a contact; assumption
	maxPolls    = 3                // status checks of an attempt (NPCI)
	pollAfter   = 2 * data.Minute  // from waiting for a status to its check; assumption
	pollBefore  = 15 * data.Minute // how long before a debit a status check is made; assumption
)

// liveCase is a case of which more than one thing can be under way: a decision
// stands until its time comes, a failure or an event asks for another, or the
// case is known to be paid.
type liveCase struct {
	caseRun
	p         *play
	first     data.Class // of the first failure
	plan      int        // number of the decision in force; what an older one planned is void
	decidedAt data.Micros
	begun     bool // the first failure is known
	inFlight  bool // an attempt was presented and its answer is not known
	told      bool // known to be paid
	over      bool // known to be given up
	cured     bool // the customer's own payment is in the log
	halted    bool
	waits     bool // no retry is planned
	polls     int  // of the latest attempt
	contacts  []data.Candidate
	tried     []try
}

// try is a retry that was presented.
type try struct {
	at     data.Micros
	failed bool
	double bool // it took money that had come already
	chance float64
}

// begin puts a case of the Stage on the agenda.
func (p *play) begin(r *caseRun) *liveCase {
	c := &liveCase{caseRun: *r, p: p, first: r.failure.reason.Class()}
	c.b, c.extra = p.out, slices.Clone(r.extra)
	q, m := *r.charge, *r.charge.m
	m.death, m.expired = r.mandate.death, r.mandate.expired
	q.m, c.charge = &m, &q
	p.cases[c.id] = c
	p.mandates[c.m.id] = append(p.mandates[c.m.id], c)
	p.attempts[attemptID(c.id, 0)] = c
	c.later(c.cure, c.pays)
	for _, a := range c.extra {
		c.money(a)
	}
	c.later(c.urge.to, c.giveUp)
	c.promise()
	return c
}

// later does something at a time, in the world's turn; never is never.
func (c *liveCase) later(at data.Micros, do func(now data.Micros) error) {
	if at <= c.w.end {
		c.p.push(entry{at: at, turn: worldTurn, id: c.id, do: do})
	}
}

// planned does something at a time if the decision that is in force now still is,
// and nobody heard of a payment.
func (c *liveCase) planned(at data.Micros, do func(now data.Micros) error) {
	plan := c.plan
	c.later(at, func(now data.Micros) error {
		if plan != c.plan || c.told || c.over {
			return nil
		}
		return do(now)
	})
}

// ask decides at a time.
func (c *liveCase) ask(at data.Micros) {
	c.p.push(entry{at: at, turn: decideTurn, id: c.id, do: c.decide})
}

// askAgain decides at a time if the decision in force still is.
func (c *liveCase) askAgain(at data.Micros) {
	plan := c.plan
	c.p.push(entry{at: at, turn: decideTurn, id: c.id, do: func(now data.Micros) error {
		if plan != c.plan {
			return nil
		}
		return c.decide(now)
	}})
}

// decide asks the decider, unless there is nothing to decide, and plans what it says.
func (c *liveCase) decide(now data.Micros) error {
	if !c.begun || c.told || c.over || c.inFlight || c.decidedAt == now || now > c.w.end || now >= c.urge.to {
		return nil
	}
	c.plan++
	c.decidedAt, c.p.closed, c.waits = now, now, false
	s := &c.situation
	c.look("dec"+c.id[3:]+"_"+strconv.Itoa(c.plan), now)
	if c.nextNo <= maxRetries {
		candidates(s, false)
	} else {
		s.Candidates, s.Ladder, s.Rules = append(s.Candidates[:0], data.Option{Action: data.Wait, At: now}), 0, 0
	}
	t := &Turn{Situation: s, c: c}
	d, err := c.p.d.Decide(t)
	if err == nil {
		err = acceptable(d, now)
	}
	if err != nil {
		return fmt.Errorf("sim: decider %s: decision %s: %w", c.p.d.ID, s.DecisionID, err)
	}
	d.DecisionID = s.DecisionID
	d.Event, _ = c.w.told(eventID(s.DecisionID, "d"), now, now)
	c.b.Decisions = append(c.b.Decisions, *d)
	c.decisions = append(c.decisions, decided{id: s.DecisionID, at: now})
	executed := func() {}
	if c.p.d.Truth {
		executed = c.truths(d)
	}
	c.follow(d.Allowed[d.Chosen], now, executed)
	if o := d.Allowed[d.Chosen]; o.Action == data.Retry && t.PollFrom > 0 {
		c.planned(max(now, t.PollFrom, o.At-pollBefore), c.poll)
	}
	return nil
}

// acceptable checks what a decider answered.
func acceptable(d *data.Decision, now data.Micros) error {
	if d == nil || d.Chosen < 0 || int(d.Chosen) >= len(d.Allowed) {
		return fmt.Errorf("nothing is chosen")
	}
	sum := 0.0
	for i, o := range d.Allowed {
		if o.At < now {
			return fmt.Errorf("candidate %d is at %s, before now, %s", i, o.At, now)
		}
		sum += o.Propensity
	}
	if math.Abs(sum-1) > 1e-12 || d.Allowed[d.Chosen].Propensity <= 0 {
		return fmt.Errorf("propensities sum to %v, the chosen one is %v", sum, d.Allowed[d.Chosen].Propensity)
	}
	return nil
}

// follow plans what was chosen.
func (c *liveCase) follow(o data.Option, now data.Micros, executed func()) {
	again := data.Micros(0)
	c.waits = o.Action != data.Retry
	switch o.Action {
	case data.Retry:
		if o.NoticeBy > 0 {
			u := c.dice(c.nextNo, o.At).unit(tagDelay)
			c.planned(max(now, o.NoticeBy-data.Micros(u*float64(min(20*data.Minute, max(0, o.NoticeBy-now))))), func(sent data.Micros) error {
				c.notice(c.b, c.decisions[len(c.decisions)-1].id, c.nextNo, o.At, sent)
				return nil
			})
		}
		c.presented(o, now, func(at data.Micros) error {
			executed()
			return c.debit(at)
		})
	case data.PaymentLink, data.Nudge:
		c.presented(o, now, func(at data.Micros) error { return c.contact(o) })
		again = o.At + contactRest
	case data.Escalate:
		c.planned(o.At, func(at data.Micros) error {
			c.spend(at, escalateCost)
			return nil
		})
	default:
		if o.Kind == data.StatusPoll {
			c.planned(now+pollAfter, c.poll)
		}
		again = now
	}
	if c.p.d.Attentive && again > 0 {
		if at := nextPass(again); at < c.failure.known+judged {
			c.askAgain(at)
		}
	}
}

// presented does what was chosen in its time, if it then still may be done.
func (c *liveCase) presented(o data.Option, now data.Micros, do func(at data.Micros) error) {
	c.planned(o.At, func(at data.Micros) error {
		if c.p.d.Recheck != nil && at > now {
			// What becomes known at this very instant is told after the world has moved.
			ok, err := c.p.d.Recheck(c.id, data.Candidate{Action: o.Action, At: o.At}, at-1)
			if err != nil {
				return fmt.Errorf("sim: decider %s: %s of case %s at %s: %w", c.p.d.ID, o.Action, c.id, at, err)
			}
			if !ok {
				c.waits = true
				c.ask(at)
				return nil
			}
		}
		return do(at)
	})
}

// nextPass is the first daily pass after t.
func nextPass(t data.Micros) data.Micros {
	at := midnight(t) + dailyPass
	if at <= t {
		at += data.Day
	}
	return at
}

// truths writes what would have come of every candidate; executed says later
// that the chosen one was carried out.
func (c *liveCase) truths(d *data.Decision) (executed func()) {
	first, no := len(c.b.Candidates), c.nextNo
	for _, o := range d.Allowed {
		t := CandidateTruth{DecisionID: d.DecisionID, CaseID: c.id, AttemptNo: no, Action: o.Action, At: o.At, PTrue: c.truth(o.Action, d.DecidedAt, o.At)}
		switch cure := c.cure; o.Action {
		case data.Retry:
			t.Outcome = c.present(no, o.At).counts(c.s.rail)
		case data.PaymentLink, data.Nudge:
			t.Outcome = min(cure, c.urge.answered(c.key, o.Action, o.At)) <= d.DecidedAt+judged
		default:
			t.Outcome = cure <= d.DecidedAt+judged
		}
		c.b.Candidates = append(c.b.Candidates, t)
	}
	return func() { c.b.Candidates[first+int(d.Chosen)].AttemptID = attemptID(c.id, no) }
}
