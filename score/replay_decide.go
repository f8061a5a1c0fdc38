package score

import (
	"recoup/data"
	"recoup/features"
)

// Among is what the engine would have decided about a case if only some candidates
// could be had, beside waiting: those that another policy had when it decided at t.
// The gate is asked about them as it is about all others. A look back at a log asks
// so: what was never on the table there cannot be judged by what came of it. The
// State is as it was at that decision's as_of.
func (e *Engine) Among(s *features.State, caseID string, t data.Micros, candidates []data.Candidate) (Decision, error) {
	if candidates == nil {
		candidates = []data.Candidate{} // nil would be all slots of the policy
	}
	return e.decide(s, caseID, t, candidates)
}
