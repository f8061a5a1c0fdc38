package score

import (
	"fmt"

	"recoup/data"
)

// Limits of a circuit breaker: what one debit and one run may do at most.
type Limits struct {
	DebitAttempts  int        // presentations of one charge, the original included
	DebitPaise     data.Paise // of one debit
	RunAttempts    int
	RunPaise       data.Paise // of all debits of a run
	RunEscalations int
	WarnAt         int64 // permille of a run's limit
}

// Breaker gives the policy's limits.
func (p *Policy) Breaker() Limits { return p.choice.breaker }

// debit says why one debit may not be; "" = it may. presented counts the
// attempts before it.
func (l *Limits) debit(amount data.Paise, presented int) string {
	switch {
	case amount <= 0:
		return fmt.Sprintf("A debit of %s rupees: expected more than nothing", amount)
	case amount > l.DebitPaise:
		return fmt.Sprintf("A debit of %s rupees: the breaker's limit is %s", amount, l.DebitPaise)
	case presented >= l.DebitAttempts:
		return fmt.Sprintf("%d attempts were presented: the breaker's limit is %d", presented, l.DebitAttempts)
	}
	return ""
}
