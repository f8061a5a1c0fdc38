package sim

import (
	"math"

	"recoup/data"
)

// Decider is who plays a Stage: told everything in the order of knowing, asked
// about one case at a time. Its funcs are called from one goroutine.
type Decider struct {
	ID string // names it in the summary

	// Fold is told every row of the log as it becomes known, in cursor order and
	// with a provisional seq that keeps this order; decisions and outcomes are
	// left out. May be nil.
	Fold func(row data.AnyRow) error

	// Decide answers for a case. Every row with known_at <= t.Now was folded, none
	// after it. The answer is a whole row of the decisions table but for its Event;
	// the world does what Allowed[Chosen] says.
	Decide func(t *Turn) (*data.Decision, error)

	// Recheck asks again, in the moment before a retry is presented or a customer written
	// to, whether it still may be: false lets the plan lapse, and the case is decided
	// again. t is that moment; every row with known_at <= t was folded. May be nil.
	Recheck func(caseID string, c data.Candidate, t data.Micros) (bool, error)

	// Attentive decides again at the daily pass (04:00 IST) while a case waits, three
	// days after a contact, and after each event of the case; else only a failure
	// asks for a decision.
	Attentive bool

	// Truth also writes the oracle's rows.
	Truth bool
}

// Turn is the moment at which somebody decides about a case. Candidates are the
// merchant's own: waiting and every slot that notice, window and budget leave,
// whatever the reason of the failure, as for the ladder outside the gate.
type Turn struct {
	*Situation
	// PollFrom is for the decider to set: the chosen retry needs a status check of
	// the failed attempt, not before this time, that says failed; 0 = none.
	PollFrom data.Micros

	c *liveCase
}

// AsOf is the cursor of what was known.
func (t *Turn) AsOf() data.Cursor { return data.AsOf(t.Now) }

// Truth is what only the world knows. Of a retry it is the chance that it
// captures within the rail's horizon, if the case is still owed at its time; of
// waiting and of contacts the chance that the customer pays within 21 days of
// now when nothing else is done. For judging in simulation alone.
func (t *Turn) Truth(a data.Action, at data.Micros) float64 { return t.c.truth(a, t.Now, at) }

// NoticeFloor is how long before a debit of the case its notice must be out.
func (t *Turn) NoticeFloor() data.Micros { return noticeFloor(t.Rail) }

func (c *liveCase) truth(a data.Action, now, at data.Micros) float64 {
	until := now + judged
	switch a {
	case data.Retry:
		return c.chance(now, at)
	case data.PaymentLink, data.Nudge:
		return -math.Expm1(-c.cureSpent(now, until) - c.urge.contactSpent(a, at, until))
	}
	return -math.Expm1(-c.cureSpent(now, until))
}

// cureSpent is the hazard of a cure in (from, to], contacts made so far included.
func (c *liveCase) cureSpent(from, to data.Micros) float64 {
	spent := c.urge.spent(to) - c.urge.spent(from)
	for _, o := range c.contacts {
		spent += c.urge.contactSpent(o.Action, o.At, to) - c.urge.contactSpent(o.Action, o.At, from)
	}
	return spent
}

// afaCap is what may be debited without a second factor (RBI).
const afaCap = data.Paise(15_000_00)

// Ladder is the fixed schedule outside the gate, as a decider: a retry a day
// after each failure, three times, whatever the reason. It keeps to notices,
// windows and caps (the budget, the mandate's amount, RBI's), and to nothing else.
func (s *Stage) Ladder() Decider {
	b := Ladder()
	return Decider{ID: b.ID, Decide: func(t *Turn) (*data.Decision, error) {
		d := t.row(b.ID, b.Arm)
		slot := t.Ladder
		if t.Amount > min(afaCap, t.c.m.maxAmount) {
			slot = 0 // waiting
		}
		d.Chosen = int32(slot)
		for i, c := range t.Candidates {
			if i == slot {
				c.Propensity, c.Mix = 1, 1
			}
			d.Allowed = append(d.Allowed, c)
		}
		return d, nil
	}}
}

// row is a decision without its choice.
func (t *Turn) row(id string, arm data.Arm) *data.Decision {
	return &data.Decision{DecisionID: t.DecisionID, CaseID: t.CaseID, CustomerID: t.CustomerID, DecidedAt: t.Now, AsOf: t.AsOf(), Arm: arm,
		ArmShare: 1, Logger: "sim/" + id, PolicyID: id, Class: t.Class}
}
