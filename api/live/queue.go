package live

import (
	"context"
	"errors"

	"recoup/data"
	"recoup/data/ledger"
)

// Escalation is a case that a person is asked about.
type Escalation struct {
	DecisionID string
	CaseID     string
	CustomerID string
	Route      data.Route // human_review or merchant_alert
	Amount     data.Paise
	Reason     data.Reason
	Since      data.Micros
	Owner      string // "" = nobody yet
	Deadline   data.Micros
	Result     Result // 0 = open
	Note       string
	Changes    int // how often a person changed it
}

// Result is what a person found.
type Result uint8

// The results.
const (
	Resolved   Result = iota + 1 // nothing is left to do: events tell what
	Promised                     // the customer promised to pay
	Unreached                    // nobody answered
	GivenUp                      // the charge is written off
	HandedBack                   // recoup may decide again
)

// Change is what a person says about an escalation; what is zero stays.
type Change struct {
	Owner    string
	Deadline data.Micros
	Result   Result
	Note     string
}

// Queue lists the escalations without a result whose case is still owed, the
// earliest deadline first.
func (d *Desk) Queue(ctx context.Context) ([]Escalation, error) { return nil, errors.ErrUnsupported }

// Resolve records what a person says. The error Is ErrUnknown where no such
// escalation is, and ledger.ErrConflict where somebody else changed it meanwhile.
func (d *Desk) Resolve(ctx context.Context, decisionID string, c Change, once *ledger.Once) (Escalation, ledger.Done, error) {
	return Escalation{}, ledger.Done{}, errors.ErrUnsupported
}
