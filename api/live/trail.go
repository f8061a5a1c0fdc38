package live

import (
	"context"
	"errors"

	"recoup/data"
	"recoup/data/ledger"
	"recoup/features"
	"recoup/score"
)

// Status is what became of a decision.
type Status uint8

// The statuses.
const (
	Standing   Status = iota + 1
	Superseded        // by an event of the case, a model, a policy or a later decision
	Lapsed            // its time went by
	Closed            // the case is paid or has ended
)

// Trail is everything about one decision: why it was made, and what came of it.
type Trail struct {
	Decision score.Decision
	Entry    ledger.Entry // as it is in the chain
	Row      []float64    // the feature row of what was decided; nil = no model was asked
	Columns  []string     // of Row
	Status   Status
	Why      string         // of the status
	Outcomes []data.Outcome // oldest first
	Results  []Escalation   // states of the escalation, oldest first
	Attempts []ledger.Attempt
	Answer   bool // made from a request's own events
}

// Trail reads a decision; the error Is ErrUnknown where there is none.
func (d *Desk) Trail(ctx context.Context, decisionID string) (Trail, error) {
	return Trail{}, errors.ErrUnsupported
}

// Timeline is what the ledger has about a case, oldest first.
type Timeline struct {
	CaseID  string
	Facts   *features.Facts // now; nil = no failure is known
	Entries []Moment
}

// Moment is an entry of the timeline.
type Moment struct {
	Entry    ledger.Entry
	Row      *data.AnyRow    // of an event or outcome; nil = erased, or none
	Decision *score.Decision // of a decision or answer
	Result   *Escalation
}

// Case reads a case's timeline. The error Is ErrUnknown where neither the ledger nor
// the state knows it.
func (d *Desk) Case(ctx context.Context, caseID string) (Timeline, error) {
	return Timeline{}, errors.ErrUnsupported
}
