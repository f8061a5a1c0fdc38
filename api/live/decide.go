package live

import (
	"context"
	"errors"

	"recoup/data"
	"recoup/data/ledger"
	"recoup/score"
)

// Question asks for a decision on the present.
type Question struct {
	CaseID string        // "" = the one open case of the events
	Events []data.AnyRow // recorded first
	// Once makes the job that records the answer happen once; nil, or a nil Once = no key.
	Once func(*Answer) *ledger.Once
	// Again decides although a decision stands, unless it is of the same day in India:
	// the day's pass.
	Again bool
}

// Answer is a decision that is durable.
type Answer struct {
	Decision score.Decision
	Standing bool // it was made before, and stands
	Seq      int64
	KnownAt  data.Micros      // of its entry
	Recorded []ledger.Receipt // of the question's events
	Done     ledger.Done      // Replayed = the answer of an earlier request with the key, and nothing else of Answer is filled in
}

// Decide records the question's events, decides on the state that they lead to, and
// records the decision. The error Is ErrUnknown, ErrUndecidable or one of the ledger's.
func (d *Desk) Decide(ctx context.Context, q Question) (Answer, error) {
	return Answer{}, errors.ErrUnsupported
}

// Score is the decision that would be made, not recorded.
func (d *Desk) Score(ctx context.Context, caseID string) (score.Decision, error) {
	return score.Decision{}, errors.ErrUnsupported
}

// Keep records a decision made from a request's own events; the night job does not
// see it.
func (d *Desk) Keep(ctx context.Context, s *score.Decision, once *ledger.Once) (ledger.Done, error) {
	return ledger.Done{}, errors.ErrUnsupported
}

// Pass is what came of deciding many cases with the day's people and limits shared.
type Pass struct {
	At          data.Micros
	Answers     []Answer // by case id
	Undecided   []Refused
	PastHorizon int            // open, but their first failure is older than the horizon
	Stopped     *score.Stopped // the circuit breaker ended the run here
	Escalated   int
	Unattended  int // had the next best, the day's people being spent
	Warnings    []string
}

// Refused is a case that no decision was made about.
type Refused struct{ CaseID, Why string }

// Batch decides the cases, nil = all open ones within the horizon: the day's pass. A
// decision of the same day that stands stays.
func (d *Desk) Batch(ctx context.Context, cases []string, once func(*Pass) *ledger.Once) (Pass, error) {
	return Pass{}, errors.ErrUnsupported
}
