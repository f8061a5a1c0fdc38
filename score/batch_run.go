package score

import (
	"context"
	"errors"

	"recoup/data"
	"recoup/features"
)

// batchRun is what the decisions of a batch share: the day's people, the
// explorer's budget, the circuit breaker. It takes them in the order of their
// cases, one at a time, so that the result does not depend on goroutines.
type batchRun struct {
	engine  *Engine
	persons map[string]bool // cases that get one
	spent   Spent
	breaker *Breaker
	state   *features.State // of the case at hand, for the breaker's look
	t       data.Micros

	escalated, unattended, refused int
}

// newRun finds out who gets a person.
func (e *Engine) newRun(ctx context.Context, states []*features.State, cases []openCase, t data.Micros) (*batchRun, error) {
	r := &batchRun{engine: e, t: t}
	b, err := NewBreaker(e.policy.choice.breaker, r.look)
	if err != nil {
		return nil, err
	}
	r.breaker = b
	persons, err := e.ration(ctx, states, cases, t)
	r.persons = persons
	return r, err
}

// look is the mandate's state as of the batch: nothing fresher is known to it.
func (r *batchRun) look(caseID string) (data.MandateStatus, error) {
	f, err := r.state.Facts(caseID, r.t)
	return f.Mandate, err
}

// settle makes a decision final: a person or the next best, the explorer's
// budget, the breaker. What one of them takes away is chosen again without it, so
// that the probabilities are those that held. An error that is a Tripped stops the
// run before this decision.
func (r *batchRun) settle(d *Decision, st *features.State) error {
	r.state = st
	x := r.engine.dealer
	again := x != nil && r.spent != (Spent{}) && x.spent(r.spent, d.Amount)
	for {
		if again {
			if err := r.engine.settle(d, d.situation, r.spent); err != nil {
				return err
			}
		}
		again = true
		c := &d.Allowed[d.Chosen]
		if c.Action == data.Escalate && !r.persons[d.CaseID] {
			r.unattended++
			d.situation.takeOut(d, Refusal{Rule: ruleCapacity, Why: "The people of the day have more pressing cases"}, data.Escalate)
			continue
		}
		err := r.breaker.Act(Act{CaseID: d.CaseID, Action: c.Action, Amount: d.Amount, Presented: d.situation.presented, Mandate: d.situation.Mandate})
		if refused := (*RefusedAct)(nil); errors.As(err, &refused) {
			r.refused++
			d.Breaker = refused.Why
			d.situation.takeOut(d, Refusal{Rule: ruleBreaker, Route: data.HumanReview, Why: refused.Why}, c.Action)
			continue
		}
		if err != nil {
			return err
		}
		r.count(d, c)
		return nil
	}
}

// count notes what was decided.
func (r *batchRun) count(d *Decision, c *Choice) {
	if d.Arm == data.ArmExplorer && c.Action == data.Retry {
		r.spent.Attempts++
		r.spent.Paise += d.Amount
	}
	if c.Action == data.Escalate {
		r.escalated++
	}
}
