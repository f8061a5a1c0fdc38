package score

import (
	"fmt"

	"recoup/data"
)

// Breaker is a circuit breaker: it stands where decisions become deeds. Every act
// of a run is shown to it just before; what one debit may not do it refuses alone,
// and where the run has done all that it may, it stops it. It knows no model and no
// policy but its limits. It is for one goroutine.
type Breaker struct {
	limits   Limits
	look     func(caseID string) (data.MandateStatus, error)
	done     Tally
	warned   [3]bool
	warnings []string
	tripped  *Tripped
}

// Tally is what a run has done.
type Tally struct {
	Attempts    int        `json:"attempts"`
	Paise       data.Paise `json:"paise"`
	Escalations int        `json:"escalations"`
}

// Act is something about to be done.
type Act struct {
	CaseID    string
	Action    data.Action
	Amount    data.Paise         // of a debit, more than 0
	Presented int                // attempts of the charge so far
	Mandate   data.MandateStatus // that the decision was made on; 0 = none was known
}

// RefusedAct is the error of one act that may not be; the run goes on.
type RefusedAct struct{ CaseID, Why string }

func (r *RefusedAct) Error() string { return r.Why }

// Tripped is the error that ends a run: this act and all after it are not done.
type Tripped struct {
	Limit string
	Done  Tally
}

func (t *Tripped) Error() string {
	return fmt.Sprintf("the circuit breaker stopped the run: %s; done until then: %d attempts of %s rupees in all, %d escalations",
		t.Limit, t.Done.Attempts, t.Done.Paise, t.Done.Escalations)
}

// NewBreaker makes one for a run. look tells the state of a case's mandate now; it
// is asked before each debit.
func NewBreaker(l Limits, look func(caseID string) (data.MandateStatus, error)) (*Breaker, error) {
	if look == nil || l.DebitAttempts < 1 || l.DebitPaise < 1 || l.RunAttempts < 1 || l.RunPaise < 1 || l.RunEscalations < 1 || l.WarnAt < 0 || l.WarnAt > wholeShare {
		return nil, data.Faultf(data.ErrUsage, "score: breaker: %+v: every limit is at least 1, and mandates are looked at", l)
	}
	return &Breaker{limits: l, look: look}, nil
}

// Act counts what is about to be done; an error, a RefusedAct or a Tripped, says
// not to do it, and then it is not counted. Any other error is the look's.
func (b *Breaker) Act(a Act) error {
	if b.tripped != nil {
		return b.tripped
	}
	switch a.Action {
	case data.Retry:
		return b.debit(a)
	case data.Escalate:
		if b.done.Escalations >= b.limits.RunEscalations {
			return b.trip(fmt.Sprintf("its limit of %d escalations is reached", b.limits.RunEscalations))
		}
		b.done.Escalations++
		b.warn(2, "escalations", int64(b.done.Escalations), int64(b.limits.RunEscalations))
	}
	return nil
}

// debit checks one debit, looks at the mandate, and checks the run.
func (b *Breaker) debit(a Act) error {
	if why := b.limits.debit(a.Amount, a.Presented); why != "" {
		return &RefusedAct{a.CaseID, why}
	}
	m, err := b.look(a.CaseID)
	switch {
	case err != nil:
		return fmt.Errorf("score: breaker: case %s: its mandate cannot be looked at: %w", a.CaseID, err)
	case m != data.MandateActive && (m != 0 || a.Mandate != 0):
		return &RefusedAct{a.CaseID, fmt.Sprintf("The mandate is %s now", orUnknown(m))}
	case b.done.Attempts >= b.limits.RunAttempts:
		return b.trip(fmt.Sprintf("its limit of %d attempts is reached", b.limits.RunAttempts))
	case a.Amount > b.limits.RunPaise-b.done.Paise:
		return b.trip(fmt.Sprintf("its limit of %s rupees has no room for %s more", b.limits.RunPaise, a.Amount))
	}
	b.done.Attempts++
	b.done.Paise += a.Amount
	b.warn(0, "attempts", int64(b.done.Attempts), int64(b.limits.RunAttempts))
	b.warn(1, "paise", int64(b.done.Paise), int64(b.limits.RunPaise))
	return nil
}

func orUnknown(m data.MandateStatus) string {
	if m == 0 {
		return "unknown"
	}
	return m.String()
}

func (b *Breaker) trip(limit string) error {
	b.tripped = &Tripped{limit, b.done}
	return b.tripped
}

// warn notes once that a limit is near.
func (b *Breaker) warn(i int, what string, done, limit int64) {
	if near := limit - limit/wholeShare*(wholeShare-b.limits.WarnAt) - limit%wholeShare*(wholeShare-b.limits.WarnAt)/wholeShare; done >= near && !b.warned[i] {
		b.warned[i] = true
		b.warnings = append(b.warnings, fmt.Sprintf("the circuit breaker: %d of at most %d %s", done, limit, what))
	}
}

// Warnings are the limits that came near, in the order in which they did.
func (b *Breaker) Warnings() []string { return b.warnings }

// Done is what the run has done.
func (b *Breaker) Done() Tally { return b.done }
