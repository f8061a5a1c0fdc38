package score

import "recoup/data"

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
