package live

import (
	"recoup/data"
	"recoup/data/ledger"
	"recoup/score"
)

// Config says whose present it is and what it works with.
type Config struct {
	Tenant string               // names the book
	Dir    string               // the tenant's folder; its events are folded where there are any
	Ledger *ledger.Ledger       // keeps the book
	Engine func() *score.Engine // what decides now
	Now    func() data.Micros   // the clock; a replay looks at it for nothing
	// Replay takes known_at from the rows that are posted, and its clock is the latest
	// known_at seen.
	Replay bool
	// ReadOnly reads what is there and records nothing.
	ReadOnly bool
}

// How long what was decided waits to be done.
const (
	RetryLapse   = 6 * data.Hour // a retry, from its time: the grid has another slot then
	ContactLapse = data.Day      // a link or a nudge
	WaitLasts    = data.Day      // waiting stands so long
	AnswerBy     = data.Day      // a person answers by then, where nobody stated a deadline

	// Remembered is how far back a desk looks for decisions and what came of them, from
	// the latest entry.
	Remembered = 45 * data.Day
)

// Check reports what is missing; the error Is data.ErrUsage.
func (c *Config) Check() error {
	if c.Tenant == "" || c.Ledger == nil || c.Engine == nil || c.Now == nil {
		return data.Faultf(data.ErrUsage, "live: a desk needs a tenant, a ledger, an engine and a clock")
	}
	return nil
}
