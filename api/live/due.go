package live

import (
	"context"
	"errors"

	"recoup/data"
)

// StepKind is what is to be done.
type StepKind uint8

// The kinds of steps, in the order in which they are listed.
const (
	StepRetry StepKind = iota + 1
	StepPoll
	StepNotice
	StepLink
	StepNudge
)

// Step is something to do now.
type Step struct {
	Kind       StepKind
	CaseID     string
	CustomerID string
	DecisionID string
	AttemptKey string     // case:n of the attempt to present, and for a notice of the one announced
	AttemptNo  int32      // n
	AttemptID  string     // of a poll; "" = the latest attempt, whose id is not known
	Route      data.Route // of a link or nudge
	Amount     data.Paise
	Rail       data.Rail
	At         data.Micros // it was to be done from then on
	Until      data.Micros // and makes no sense after
}

// Held is a step that would be due and may not be done now.
type Held struct {
	Step
	Rule, Why string
}

// List is what to do at a moment.
type List struct {
	At    data.Micros
	Steps []Step // by time, then case
	Held  []Held
}

// Due lists what to do at t, 0 = now: the standing decisions whose time has come,
// each asked of the gate again.
func (d *Desk) Due(ctx context.Context, t data.Micros) (List, error) {
	return List{}, errors.ErrUnsupported
}
