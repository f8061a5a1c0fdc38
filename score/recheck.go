package score

import (
	"recoup/data"
	"recoup/features"
)

// ruleNotOwed is told where there is nothing to recover any more.
const ruleNotOwed = "not_owed"

// Recheck asks the gate, risk and the breaker's limits of one debit again about a
// candidate that was chosen before: t is now, c.At when it will be done, not before
// t. The choice says what is still needed for it, a notice or a status check. A
// refusal says that it may not be done; then the choice means nothing.
func (e *Engine) Recheck(st *features.State, caseID string, c data.Candidate, t data.Micros) (Choice, *Refusal, error) {
	if c.At < t {
		return Choice{}, nil, data.Faultf(data.ErrUsage, "score: recheck: case %s: %s lies before %s", caseID, c, t)
	}
	f, err := st.Facts(caseID, t)
	if err != nil {
		return Choice{}, nil, err
	}
	if !f.Owed && c.Action != data.Wait {
		return Choice{}, &Refusal{Rule: ruleNotOwed, Action: c.Action, Why: "The case is paid or has ended"}, nil
	}
	s := situationOf(e.policy, &f, t)
	if r := s.refusesAction(c.Action); r != nil {
		return Choice{}, r, nil
	}
	if r, refused := s.refusesAt(c); refused {
		return Choice{}, &r, nil
	}
	d := Decision{Allowed: []Choice{s.choice(c.Action, c.At)}}
	if s.watch(&d); len(d.Allowed) == 0 {
		return Choice{}, &d.Refusals[0], nil
	}
	return d.Allowed[0], nil, nil
}
