package selftest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"recoup/data"
	"recoup/data/sim"
	"recoup/score"
)

// version is raised when the same settings make other bytes.
const version = 2

// Config says how much to test.
type Config struct {
	Dir       string                                // the files go here
	Seeds     int                                   // logs to be judged, seeds 1 to Seeds
	Cases     int                                   // failed charges in each
	Truth     int                                   // worlds of roll-outs, for every target
	Sequences int                                   // logs to be judged as sequences, and as many worlds of roll-outs for them
	Learned   int                                   // logs whose explorer learns as it goes, and as many worlds of roll-outs for them
	Workers   int                                   // goroutines, at least 1; changes no byte
	Progress  func(stage string, done, total int64) // one goroutine at a time; nil = silent
}

// Of fills in what is not asked for: as many worlds of roll-outs as the truth needs to
// be known several times better than one log can tell it, and no more than 320 of 5,000
// cases would take.
func Of(seeds, cases int) Config {
	most := max(20, 320*5000/max(5000, cases))
	return Config{Seeds: seeds, Cases: cases, Truth: min(most, max(10, 2*seeds)), Sequences: min(20, max(2, seeds)), Learned: min(200, max(2, seeds))}
}

// Check reports every fault at once.
func (c Config) Check() error {
	var faults []error
	if c.Dir == "" {
		faults = append(faults, errors.New("no folder for the files"))
	}
	for _, n := range []struct {
		what      string
		n, lo, hi int
	}{{"seeds", c.Seeds, 2, 100_000}, {"cases a seed", c.Cases, 100, 100_000}, {"worlds of roll-outs", c.Truth, 2, 100_000}, {"sequences", c.Sequences, 2, 10_000}, {"logs of a learner", c.Learned, 2, 10_000}} {
		if n.n < n.lo || n.n > n.hi {
			faults = append(faults, fmt.Errorf("%d %s: expected %d to %d", n.n, n.what, n.lo, n.hi))
		}
	}
	if c.Workers < 1 {
		faults = append(faults, fmt.Errorf("%d workers: expected 1 or more", c.Workers))
	}
	if len(faults) > 0 {
		return data.Faultf(data.ErrUsage, "ope selftest: %w", errors.Join(faults...))
	}
	return nil
}

// The worlds: half a year each. Seeds of different purposes never meet.
const (
	months       = 6
	truthSeed    = 10_000_000
	sequenceSeed = 20_000_000
	seqTruthSeed = 30_000_000
	learnedSeed  = 40_000_000
	learnedTruth = 50_000_000
	largest      = 5000 // cases of a world whose policies are valued as sequences: more of them tell more than larger ones
)

var start = data.IST(2026, 5, 1, 0, 0)

// end is the end of all logs.
var end = data.IST(2026, 5+months, 1, 0, 0)

func world(seed uint64, cases int) sim.Config {
	return sim.Config{Seed: seed, Cases: cases, Start: start, Months: months, Workers: 1}
}

// sequenced is how many cases a world has whose policies are valued as sequences. Worlds
// of roll-outs for the logs are as large as the logs are: the gate shrinks a bank's
// failures of six hours by 20 outcomes, so what it allows, and with it the worth of a
// decision, depends a little on how many payments a world has.
func (c *Config) sequenced() int { return min(largest, c.Cases) }

// kind is one of the stages, with everything that decides the bytes of its files.
type kind struct {
	name  string // of the folder
	cases int
	first uint64 // seed of the first world, less 1
}

func (k kind) input(policy string, n int) string {
	b, err := json.Marshal([]any{version, k.name, k.cases, k.first + uint64(n), months, start, policy, score.GateName, names(targets())})
	if err != nil {
		panic(err) // numbers and texts alone
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
