package bracket

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"recoup/data"
	"recoup/models"
	"recoup/score"
)

// Config says which bracket to make.
type Config struct {
	Dir    string      // D, that holds the event log; policy file and registry are looked for there
	AsOf   data.Micros // nothing known after it counts; there is no default
	From   data.Micros // cases decided first from then on; 0 = from where the models' test slices begin
	Oracle string      // folder of a simulation's truth; "" = none
	// Models are registered models that take part. Aliases takes champion and challenger
	// from the registry's aliases instead, where there are any.
	Models   []Model
	Aliases  bool
	Seed     uint64
	Draws    int                                   // bootstrap draws of whole customers
	Workers  int                                   // goroutines; changes no byte
	Progress func(stage string, done, total int64) // nil = silent
}

// Model is a registered model under the name of its policy: Champion, or another that
// is compared with it.
type Model struct {
	Name string
	ID   models.ID
}

// Check reports every fault at once.
func (c Config) Check() error {
	var faults []error
	if c.Dir == "" {
		faults = append(faults, errors.New("no directory"))
	} else if err := HasLog(c.Dir); err != nil {
		faults = append(faults, err)
	}
	if c.AsOf <= 0 {
		faults = append(faults, errors.New("no as_of: it has no default, give the time up to which events count"))
	}
	if c.From > c.AsOf {
		faults = append(faults, fmt.Errorf("from %s lies after as_of, %s", c.From, c.AsOf))
	}
	if c.Draws < 100 {
		faults = append(faults, fmt.Errorf("%d bootstrap draws: at least 100", c.Draws))
	}
	if len(faults) > 0 {
		return data.Faultf(data.ErrUsage, "ope: %w", errors.Join(faults...))
	}
	return nil
}

// HasLog refuses a folder without an event log.
func HasLog(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "events")); err != nil {
		return data.Faultf(data.ErrUsage, "ope: %s holds no event log: make one with recoup ingest or recoup simulate", dir)
	}
	return nil
}

// learner is a registered model that takes part.
type learner struct {
	Engine
	id   models.ID
	test data.Micros // where its test slice begins: it learned from what was presented before
}

// learners loads the models that take part, and warns of those that cannot.
func (c Config) learners(p *score.Policy) (out []learner, warnings []string, err error) {
	all := c.Models
	var registry *models.Registry
	if _, err := os.Stat(filepath.Join(c.Dir, "models")); err == nil {
		if registry, err = models.OpenRegistry(filepath.Join(c.Dir, "models")); err != nil {
			return nil, nil, err
		}
	}
	if registry == nil {
		if len(all) > 0 {
			return nil, nil, data.Faultf(data.ErrUsage, "ope: %s holds no registry of models", c.Dir)
		}
		return nil, nil, nil
	}
	if c.Aliases {
		a, err := registry.Aliases()
		if err != nil {
			return nil, nil, err
		}
		all = nil
		if a.Champion != "" {
			all = append(all, Model{Champion, a.Champion})
		}
		if a.Challenger != "" && a.Challenger != a.Champion {
			all = append(all, Model{Challenger, a.Challenger})
		}
	}
	for _, x := range all {
		b, err := registry.Load(string(x.ID))
		if err != nil {
			return nil, nil, err
		}
		e, err := score.New(p, b)
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("The %s %s cannot be asked: %v", x.Name, x.ID, err))
			continue
		}
		l := learner{Engine: Engine{x.Name, e}, id: x.ID}
		for _, s := range b.Manifest.Slices {
			if s.Name == "test" {
				if l.test, err = parseTime(s.From); err != nil {
					return nil, nil, data.Faultf(data.ErrContract, "ope: model %s: test slice: %w", x.ID, err)
				}
			}
		}
		out = append(out, l)
	}
	return out, warnings, nil
}
