package score

import (
	"errors"
	"testing"

	"recoup/data"
)

// What was done before counts against the day's people and the breaker's limits.
func TestPassGoesOnWithTheDay(t *testing.T) {
	e := engine(t, nil)
	st, at := failedFor(t, "bank_not_enabled")
	at += data.Hour
	people := e.policy.choice.escalations
	for before, want := range map[int]data.Action{people - 1: data.Escalate, people: data.Wait} {
		p, err := e.NewPass(Tally{Escalations: before}, Spent{})
		must(t, err)
		must(t, p.Ask(st, "c", at))
		d, err := p.Decide(st, "c", at)
		if must(t, err); d.Allowed[d.Chosen].Action != want || p.Escalated()+p.Unattended() != 1 {
			t.Errorf("%d before: %s, %d escalated, %d unattended", before, d.Allowed[d.Chosen].Action, p.Escalated(), p.Unattended())
		}
	}
	st, at = failedFor(t, "insufficient_funds")
	p, err := e.NewPass(Tally{Attempts: e.policy.choice.breaker.RunAttempts}, Spent{})
	must(t, err)
	must(t, p.Ask(st, "c", at+data.Hour))
	var tripped *Tripped
	if _, err := p.Decide(st, "c", at+data.Hour); !errors.As(err, &tripped) {
		t.Errorf("%v", err)
	}
}
