package experiment

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

// version is raised when the same settings make other bytes: when code changes what
// a world does (data/sim), what an arm chooses (score, but for its policy, whose id
// is in the hash), what the gate refuses with the same policy, what a model learns
// (train, models), what a breach of law is, or what these files hold. Feature schemas
// have fingerprints of their own. A change that makes the same figures faster leaves it.
const version = 6

// Config says what to play. The zero value of Policy is the embedded one.
type Config struct {
	Dir        string      // the files go here
	Seeds      int         // worlds; their seeds are 1 to Seeds
	Elsewhere  int         // worlds of each other kind: in outages, shifted
	Frozen     int         // worlds on which numbers of the policy are chosen; 0 = they are not
	Validation int         // other worlds, on which what was chosen is judged
	Curve      []int       // how many of the explorer's cases are learned from, one by one
	CurveSeeds int         // worlds in which what was learned from each is judged
	Moved      int         // worlds for each constant of the world, moved up and down; 0 = none is
	Cases      int         // of each world
	Months     int         // of each world
	Start      data.Micros // of all worlds
	TrainCases int         // of the worlds that the models learn from
	TrainMonth int         // its months
	Draws      int         // bootstrap draws of its report
	Ablation   bool        // also without each rule of the gate
	LightGBM   bool        // also a LightGBM model of the explorer's log, through Python
	Python     string      // that has the package; "" = an environment is made
	Policy     *score.Policy
	PolicyText []byte                                // the file that Policy was read from; nil with it
	Workers    int                                   // goroutines, at least 1; changes no byte
	Progress   func(stage string, done, total int64) // one goroutine at a time; nil = silent
}

// Full is the experiment as it is reported, Quick one for the impatient and for
// tests. Both fit two processors: Full with its ablation within an hour, Quick within
// three minutes.
func Full() Config {
	return Config{Seeds: 40, Elsewhere: 40, Frozen: 5, Validation: 10, Curve: []int{250, 500, 1000, 2000, 3000, 4000, 5000, 6000, 8000, 10000}, CurveSeeds: 10, Moved: 5,
		Cases: 400, Months: 6, Start: data.IST(2026, 5, 1, 0, 0), TrainCases: 12000, TrainMonth: 14, Draws: 200}
}

// Quick is a small experiment.
func Quick() Config {
	return Config{Seeds: 4, Elsewhere: 2, Frozen: 1, Validation: 2, Curve: []int{2500}, CurveSeeds: 2, Moved: 1,
		Cases: 200, Months: 5, Start: data.IST(2026, 5, 1, 0, 0), TrainCases: 7000, TrainMonth: 14, Draws: 100}
}

// Fewer is the experiment in at most n worlds of a kind.
func (c Config) Fewer(n int) Config {
	c.Seeds = n
	for _, kind := range []*int{&c.Elsewhere, &c.Frozen, &c.Validation, &c.CurveSeeds, &c.Moved} {
		*kind = min(*kind, n)
	}
	return c
}

// trainSeed is the seed of the world that the model learns from: far from those
// that it is judged on.
const trainSeed = 1_000_001

// Check reports every fault at once.
func (c Config) Check() error {
	var faults []error
	if c.Dir == "" {
		faults = append(faults, errors.New("no folder for the files"))
	}
	if c.Seeds < 1 || c.Seeds > 1000 {
		faults = append(faults, fmt.Errorf("%d seeds: expected 1 to 1000", c.Seeds))
	}
	if c.Cases < 20 || c.Cases > 100_000 {
		faults = append(faults, fmt.Errorf("%d cases a seed: expected 20 to 100000", c.Cases))
	}
	if c.TrainCases < 1000 || c.TrainCases > 1_000_000 {
		faults = append(faults, fmt.Errorf("%d cases to learn from: expected 1000 to 1000000", c.TrainCases))
	}
	if c.Frozen > 0 && c.Validation < 1 {
		faults = append(faults, fmt.Errorf("%d worlds to validate what %d chose: expected 1 or more", c.Validation, c.Frozen))
	}
	if (c.Policy == nil) != (c.PolicyText == nil) {
		faults = append(faults, errors.New("a policy comes with its text"))
	}
	if c.Workers < 1 {
		faults = append(faults, fmt.Errorf("%d workers: expected 1 or more", c.Workers))
	}
	if len(faults) > 0 {
		return data.Faultf(data.ErrUsage, "experiment: %w", errors.Join(faults...))
	}
	return nil
}

func (c *Config) policy() *score.Policy {
	if c.Policy != nil {
		return c.Policy
	}
	return score.Default()
}

// text is the policy's file.
func (c *Config) text() []byte {
	if c.PolicyText != nil {
		return c.PolicyText
	}
	return score.DefaultText()
}

// world is the simulation of a seed; nature nil = as usual.
func (c *Config) world(seed uint64, nature *sim.Nature) sim.Config {
	return sim.Config{Seed: seed, Cases: c.Cases, Start: c.Start, Months: c.Months, Nature: nature, Workers: 1}
}

// trainStart lets the world to learn from end where the others begin.
func (c *Config) trainStart() data.Micros {
	y, m, d := c.Start.ISTDate()
	for range c.TrainMonth {
		if m--; m == 0 {
			y, m = y-1, 12
		}
	}
	return data.IST(y, m, d, 0, 0)
}

// input is the hash of everything that decides the bytes of a file: of is what is
// special about it.
func (c *Config) input(kind string, of any, seed uint64) string {
	b, err := json.Marshal([]any{version, kind, of, seed, c.Cases, c.Months, c.Start, c.TrainMonth, c.Draws, c.policy().ID(), score.GateName,
		features.AttemptSchema().Fingerprint(), features.CureSchema().Fingerprint()})
	if err != nil {
		panic(err) // numbers and texts alone
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
