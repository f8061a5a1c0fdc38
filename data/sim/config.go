package sim

import (
	"errors"
	"strings"

	"recoup/data"
)

// Mechanism is a set of the things that make a debit fail or a case end. A
// world without one of them is an ablation.
type Mechanism uint16

// The mechanisms.
const (
	Funds       Mechanism = 1 << iota // balances that run dry
	Mandates                          // revocations, expiries and pauses
	Banks                             // technical decline, health and outages
	Gateway                           // faults of gateway and provider
	Instruments                       // blocks, declines by mood, card expiry
	Limits                            // price above the mandate's maximum, daily limits
	Notices                           // undelivered notices, opt-outs
	Timeouts                          // answers that are lost, late authorisations
	Cures                             // customers who pay by themselves
	Lateness                          // events that are known late
	ReasonNoise                       // reasons that are not the true one
)

var mechanismNames = []string{"funds", "mandates", "banks", "gateway", "instruments", "limits", "notices", "timeouts",
	"cures", "lateness", "reason_noise"}

func (m Mechanism) String() string {
	var words []string
	for i, n := range mechanismNames {
		if m&(1<<i) != 0 {
			words = append(words, n)
		}
	}
	return strings.Join(words, "+")
}

// AllMechanisms lists every mechanism, each alone.
func AllMechanisms() []Mechanism {
	out := make([]Mechanism, len(mechanismNames))
	for i := range out {
		out[i] = 1 << i
	}
	return out
}

// Config says which world to make.
type Config struct {
	Seed    uint64
	Cases   int         // charges whose first attempt fails; the world ends with the last of them
	Start   data.Micros // first day of charges
	Months  int         // length of the log, 1 to 60
	Without Mechanism   // switched off; 0 in the full world
	Nature  *Nature     // what the world is like; nil = UsualNature
	Workers int         // goroutines; 0 = GOMAXPROCS; no influence on the bytes

	Progress func(done, total int64) // told of cases as they come; may be nil
}

// maxCases keeps identifiers and memory within reason.
const maxCases = 50_000_000

// Validate reports every fault at once.
func (c Config) Validate() error {
	var faults []error
	if c.Cases < 1 || c.Cases > maxCases {
		faults = append(faults, data.Faultf(data.ErrUsage, "sim: cases: %d: expected 1 to %d", c.Cases, maxCases))
	}
	if c.Months < 1 || c.Months > 60 {
		faults = append(faults, data.Faultf(data.ErrUsage, "sim: months: %d: expected 1 to 60", c.Months))
	}
	if lo, hi := data.IST(2000, 1, 1, 0, 0), data.IST(2100, 1, 1, 0, 0); c.Start < lo || c.Start > hi {
		faults = append(faults, data.Faultf(data.ErrUsage, "sim: start: %s: expected a day between 2000 and 2100", c.Start))
	}
	if all := Funds | Mandates | Banks | Gateway | Instruments | Limits | Notices | Timeouts; c.Without&all == all {
		faults = append(faults, data.Faultf(data.ErrUsage, "sim: without %s: nothing is left that fails: leave one in", c.Without))
	}
	if c.Workers < 0 {
		faults = append(faults, data.Faultf(data.ErrUsage, "sim: workers: %d: expected 0 or more", c.Workers))
	}
	if c.Nature != nil {
		for _, f := range c.Nature.check() {
			faults = append(faults, data.Faultf(data.ErrUsage, "sim: nature: %w", f))
		}
	}
	return errors.Join(faults...)
}

// end is the end of the log: nothing known later is written.
func (c Config) end() data.Micros {
	y, m, d := c.Start.ISTDate()
	return data.IST(y, m+monthOf(c.Months), d, 0, 0)
}
