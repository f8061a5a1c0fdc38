package compare

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/score"
)

// version is raised when the same settings make other bytes: when a hand chooses
// otherwise, a world does something else, or the files hold something else.
const version = 2

// Config says what to play.
type Config struct {
	Dir        string
	Seeds      int         // worlds at each shift
	First      uint64      // seed of the first of them; the others follow. The settings of the hands were chosen on 1001 and up
	Shifts     []float64   // from 0 to 1, ascending, the first is 0
	Cases      int         // failed charges of each world
	Months     int         // of each world
	Start      data.Micros // of all worlds; the world before ends here
	Attempts   int         // retries that a hand may use on a case, 1 to 3
	TuneCases  int         // of the world before
	TuneMonths int
	Workers    int                                   // changes no byte
	Progress   func(stage string, done, total int64) // one goroutine at a time; nil = silent
}

// Full is the comparison as it is reported.
func Full() Config {
	return Config{Seeds: 40, First: 1, Shifts: []float64{0, .2, .4, .6, .8, 1}, Cases: 1000, Months: 6, Start: data.IST(2026, 5, 1, 0, 0), TuneCases: 12000, Attempts: 1, TuneMonths: 14}
}

// Quick is a small one, for the impatient and for tests.
func Quick() Config {
	return Config{Seeds: 4, First: 1, Shifts: []float64{0, .4, 1}, Cases: 400, Months: 5, Start: data.IST(2026, 5, 1, 0, 0), TuneCases: 5000, Attempts: 1, TuneMonths: 14}
}

// Seeds of the world before, of a second one like it that the bandits learn from, and of
// those in which the rules are tuned anew.
const (
	tuneSeed  = 2_000_003
	learnSeed = 2_000_004
	anewSeed  = 2_000_005
)

// Check reports every fault at once.
func (c Config) Check() error {
	var faults []error
	if c.Dir == "" {
		faults = append(faults, errors.New("no folder for the files"))
	}
	if c.Seeds < 2 || c.Seeds > 1000 {
		faults = append(faults, fmt.Errorf("%d seeds: expected 2 to 1000: an interval needs two", c.Seeds))
	}
	if c.First < 1 || c.First > 1_000_000 {
		faults = append(faults, fmt.Errorf("first seed %d: expected 1 to 1000000", c.First))
	}
	if c.Months < 1 || c.Months > 24 {
		faults = append(faults, fmt.Errorf("%d months: expected 1 to 24", c.Months))
	}
	if c.Cases < 20 || c.Cases > 100_000 {
		faults = append(faults, fmt.Errorf("%d cases a world: expected 20 to 100000", c.Cases))
	}
	if c.Attempts < 1 || c.Attempts > 3 {
		faults = append(faults, fmt.Errorf("%d retries a case: expected 1 to 3", c.Attempts))
	}
	if c.TuneCases < 1000 || c.TuneCases > 1_000_000 {
		faults = append(faults, fmt.Errorf("%d cases to tune on: expected 1000 to 1000000", c.TuneCases))
	}
	for i, s := range c.Shifts {
		if !(s >= 0 && s <= 1) || i > 0 && s <= c.Shifts[i-1] {
			faults = append(faults, fmt.Errorf("shift %v: expected 0 to 1, ascending", s))
		}
	}
	if len(c.Shifts) == 0 || c.Shifts[0] != 0 {
		faults = append(faults, errors.New("shifts: expected the first to be 0"))
	}
	if c.Workers < 1 {
		faults = append(faults, fmt.Errorf("%d workers: expected 1 or more", c.Workers))
	}
	if len(faults) > 0 {
		return data.Faultf(data.ErrUsage, "compare: %w", errors.Join(faults...))
	}
	return nil
}

// world is the simulation of a seed at a shift.
func (c *Config) world(seed uint64, shift float64) sim.Config {
	n := sim.UsualNature().Shifted(shift)
	return sim.Config{Seed: seed, Cases: c.Cases, Start: c.Start, Months: c.Months, Nature: &n, Workers: 1}
}

// before is the world that everybody was tuned on.
func (c *Config) before() sim.Config {
	y, m, d := c.Start.ISTDate()
	for range c.TuneMonths {
		if m--; m == 0 {
			y, m = y-1, 12
		}
	}
	return sim.Config{Seed: tuneSeed, Cases: c.TuneCases, Start: data.IST(y, m, d, 0, 0), Months: c.TuneMonths, Workers: 1}
}

// input is the hash of everything that decides the bytes of a file.
func (c *Config) input(kind, model string, seed uint64, shift float64) string {
	shape := []any{c.Cases, c.Months, c.Start, shift}
	switch kind {
	case "tune", "learn":
		shape = nil
	case "anew":
		shape = []any{shift}
	}
	b, err := json.Marshal([]any{version, kind, seed, shape, c.TuneCases, c.TuneMonths, c.Start, c.Attempts, score.Default().ID(), score.GateName, model,
		features.AttemptSchema().Fingerprint(), features.CureSchema().Fingerprint()})
	if err != nil {
		panic(err) // numbers and texts alone
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
