package score

import (
	"slices"

	"recoup/data"
	"recoup/features"
)

// Pass decides many cases of a state that goes on changing: as Batch does, with the
// day's people, the explorer's budget and the circuit breaker's limits shared. All
// cases are shown to Ask first, then each is decided. It is for one goroutine.
type Pass struct {
	run   *batchRun
	pleas []plea
	left  int // people of the day
}

// NewPass begins a pass. done is what the passes of the same day did before it, spent
// what the explorer did.
func (e *Engine) NewPass(done Tally, spent Spent) (*Pass, error) {
	r := &batchRun{engine: e, spent: spent}
	b, err := NewBreaker(e.policy.choice.breaker, r.look)
	if err != nil {
		return nil, err
	}
	b.done = done
	r.breaker = b
	return &Pass{run: r, left: max(0, e.policy.choice.escalations-done.Escalations)}, nil
}

// Ask looks whether a case asks for a person.
func (p *Pass) Ask(st *features.State, caseID string, t data.Micros) error {
	e := p.run.engine
	if e.policy.choice.recovers == 0 { // nobody asks but where it is demanded, and that needs no model
		f, err := st.Facts(caseID, t)
		if err != nil {
			return err
		}
		if s := situationOf(e.policy, &f, t); !s.asks() {
			return nil
		}
	}
	d, err := e.Decide(st, caseID, t)
	if err == nil && d.Allowed[d.Chosen].Action == data.Escalate {
		p.pleas = append(p.pleas, plea{caseID, d.stake()})
	}
	return err
}

// Decide decides a case. An error that is a Tripped ends the pass: neither this case
// nor a later one is decided.
func (p *Pass) Decide(st *features.State, caseID string, t data.Micros) (Decision, error) {
	if p.run.persons == nil {
		p.run.persons = topDown(slices.Clone(p.pleas), p.left)
	}
	d, err := p.run.engine.Decide(st, caseID, t)
	if err != nil {
		return d, err
	}
	p.run.t = t
	return d, p.run.settle(&d, st)
}

// Escalated and Unattended count the cases that got a person, and those that had the
// next best instead.
func (p *Pass) Escalated() int  { return p.run.escalated }
func (p *Pass) Unattended() int { return p.run.unattended }

// Warnings are the breaker's limits that came near.
func (p *Pass) Warnings() []string { return p.run.breaker.Warnings() }
