package nightly

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recoup/api/report"
	"recoup/cmd/recoup/thompson"
	"recoup/data"
)

// Config says which night to run.
type Config struct {
	Dir      string                                // D
	AsOf     data.Micros                           // every event with known_at <= AsOf counts, none after it
	Oracle   string                                // "" or the folder of a simulation's truth, for the report alone
	Seed     uint64                                // of the bootstrap draws
	Draws    int                                   // bootstrap draws of whole customers
	Workers  int                                   // goroutines; changes no byte
	Progress func(stage string, done, total int64) // nil = silent
	LightGBM *LightGBM                             // nil = no LightGBM challenger
	Bandit   thompson.Kind                         // of the bandit that the explorer is to draw by; "" = that of D/bandit.json, and none without it
	// Export adds what a ledger has recorded to the event log before the night begins; nil
	// = there is no ledger.
	Export func(context.Context) (Recorded, error)
}

// Check reports every fault of the configuration at once.
func (c Config) Check() error {
	var faults []error
	if c.Dir == "" {
		faults = append(faults, errors.New("no directory"))
	}
	if c.AsOf <= 0 {
		faults = append(faults, errors.New("no as_of: it has no default, give the time up to which events count"))
	}
	if c.Bandit != "" && c.Bandit != thompson.Beta && c.Bandit != thompson.Logistic {
		faults = append(faults, fmt.Errorf("bandit %q: expected beta or logistic", c.Bandit))
	}
	if c.Draws < 100 {
		faults = append(faults, fmt.Errorf("%d bootstrap draws: at least 100", c.Draws))
	}
	if c.Oracle != "" {
		for _, name := range []string{candidatesFile, curesFile} {
			if _, err := os.Stat(filepath.Join(c.Oracle, name)); err != nil {
				faults = append(faults, fmt.Errorf("%s is no oracle: there is no %s in it", c.Oracle, name))
			}
		}
	}
	if len(faults) > 0 {
		return data.Faultf(data.ErrUsage, "nightly: %w", errors.Join(faults...))
	}
	return nil
}

// Step is one stage of a night.
type Step struct {
	Stage string `json:"stage"`
	Ran   bool   `json:"ran"` // false: its output was already there
}

// Summary is what a night came to.
type Summary struct {
	AsOf      string         `json:"as_of"`
	Outcome   report.Outcome `json:"outcome"`
	Why       string         `json:"why"`
	Model     string         `json:"model"`    // the challenger's id
	Kind      string         `json:"kind"`     // of it: logistic regression or LightGBM
	Champion  string         `json:"champion"` // after the night; "" = none
	Nothing   bool           `json:"nothing_to_do"`
	Stages    []Step         `json:"stages"`
	ModelDir  string         `json:"model_dir"`
	HTML      string         `json:"report_html"`
	Markdown  string         `json:"report_md"`
	JSON      string         `json:"report_json"`
	Scores    string         `json:"predictions"`
	Headlines []string       `json:"headlines"` // the report's first sentences
	Ledger    *Recorded      `json:"ledger"`    // null = there is none
	Bandit    *Relearned     `json:"bandit"`    // null = the explorer draws by none
}

// job is one night at work.
type job struct {
	Config
	run      string // runs/<as_of>
	tables   string // features/<as_of>
	log      *data.Log
	afterFor func(stage string) error // tests stop the job here
}

func (c Config) hasLog() error {
	if _, err := os.Stat(filepath.Join(c.Dir, "events")); err != nil {
		return data.Faultf(data.ErrUsage, "nightly: %s holds no event log: make one with recoup ingest or recoup simulate", c.Dir)
	}
	return nil
}

// Run does a whole night in D, or what is left of it. Two at once: the second
// gets data.ErrLocked. Too thin a slice is data.ErrTooLittle, a file that is not
// what its manifest says data.ErrContract, a second fit with other bytes
// data.ErrUnsafe.
func Run(ctx context.Context, c Config) (Summary, error) { return start(ctx, c, nil) }

// begin checks the configuration and keeps other jobs out of D until release.
func (c Config) begin(after func(string) error) (j *job, release func(), err error) {
	if err := c.Check(); err != nil {
		return nil, nil, err
	}
	if err := c.hasLog(); err != nil && c.Export == nil {
		return nil, nil, err
	}
	if release, err = data.Lock(filepath.Join(c.Dir, "nightly.lock")); err != nil {
		return nil, nil, err
	}
	stamp := c.AsOf.Time().Format("20060102T150405Z")
	j = &job{Config: c, run: filepath.Join("runs", stamp), tables: filepath.Join("features", stamp), afterFor: after}
	if err := j.sweep(); err != nil {
		release()
		return nil, nil, err
	}
	return j, release, nil
}

func start(ctx context.Context, c Config, after func(string) error) (Summary, error) {
	j, release, err := c.begin(after)
	if err != nil {
		return Summary{}, err
	}
	defer release()
	s := Summary{AsOf: c.AsOf.String(), Nothing: true}
	if err := j.export(ctx, &s); err != nil {
		return s, err
	}
	if err := c.hasLog(); err != nil {
		return s, err
	}
	stages := j.trainingStages()
	if j.hasBandit() {
		stages = slices.Insert(stages, 1, j.banditStage) // the log is checked first
	}
	if err := j.through(ctx, &s, append(stages, j.opeStage, j.replayStage, j.compareStage, j.promoteStage, j.reportStage)); err != nil {
		return s, err
	}
	return s, j.summarise(&s)
}

// through does stages one after the other, and notes them.
func (j *job) through(ctx context.Context, s *Summary, stages []func() (stage, error)) error {
	for _, next := range stages {
		st, err := next()
		if err != nil {
			return err
		}
		j.progress(st.name, 0, 1)
		ran, err := j.do(ctx, st)
		if err != nil {
			return err
		}
		j.progress(st.name, 1, 1)
		s.Stages = append(s.Stages, Step{st.name, ran})
		s.Nothing = s.Nothing && !ran
		if j.afterFor != nil {
			if err := j.afterFor(st.name); err != nil {
				return err
			}
		}
	}
	return nil
}

// trainingStages are the steps that make models and measure them, in their order.
func (j *job) trainingStages() []func() (stage, error) {
	out := []func() (stage, error){j.logStage, j.featuresStage, j.trainStage}
	if j.LightGBM != nil {
		out = append(out, j.lightgbmStage)
	}
	return append(out, j.evaluateStage, j.contendersStage)
}

func (j *job) progress(stage string, done, total int64) {
	if j.Progress != nil {
		j.Progress(stage, done, total)
	}
}

// sweep removes the temporary files that a killed run left behind. The lock is
// held: nobody else is writing them.
func (j *job) sweep() error {
	for _, dir := range []string{j.run, j.tables, "models"} {
		err := filepath.WalkDir(j.path(dir), func(path string, d os.DirEntry, err error) error {
			if errors.Is(err, os.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			if !temporary(d.Name()) {
				return nil
			}
			if err := os.RemoveAll(path); err != nil || !d.IsDir() {
				return err
			}
			return filepath.SkipDir
		})
		if err != nil {
			return fmt.Errorf("nightly: sweeping %s: %w", dir, err)
		}
	}
	return nil
}

// temporary reports whether a name is one that data.WriteFile gives to a file
// that is not whole yet.
func temporary(name string) bool { return strings.HasPrefix(name, ".tmp-") }
