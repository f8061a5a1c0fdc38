package score

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"recoup/data"
	"recoup/features"
)

// BatchOptions say what to score.
type BatchOptions struct {
	AsOf       data.Micros // nothing known after it counts, and it is the decision time; there is no default
	Out        string      // Out.parquet and Out.csv; a name that ends in one of them writes that one alone
	Candidates bool        // also every allowed candidate, in Out-candidates.parquet and .csv
	Workers    int         // goroutines, at least 1; the result does not depend on it
	// Progress of the pass over the log; may be nil.
	Progress func(done, total int64)
}

// BatchSummary says what was scored.
type BatchSummary struct {
	AsOf           string     `json:"as_of"`
	PolicyID       string     `json:"policy_id"`
	ModelID        *string    `json:"model_id"`         // null = the rules arm answered
	KnownAtAssumed bool       `json:"known_at_assumed"` // the log's known_at is an assumption
	Log            string     `json:"log_sha256"`
	Cases          int        `json:"cases"`        // scored
	PastHorizon    int        `json:"past_horizon"` // open, but their first failure is older than the horizon
	ByRules        int        `json:"by_rules"`     // of the cases, where no model answered or the class left no choice
	Actions        []Count    `json:"actions"`      // chosen, in the order of the actions
	Amount         data.Paise `json:"amount_paise"` // owed
	EV             data.Paise `json:"ev_paise"`     // of what was chosen, where a model spoke
	Files          []string   `json:"files"`
	// Escalated cases got a person, by what is at stake; Unattended ones had the
	// next best instead, the day's capacity being spent.
	Escalated  int      `json:"escalated"`
	Unattended int      `json:"unattended"`
	Refused    int      `json:"refused"`  // decisions that the circuit breaker turned into waiting
	Stopped    *Stopped `json:"stopped"`  // null = the circuit breaker let the run come to its end
	Warnings   []string `json:"warnings"` // of all decisions, each once
}

// Stopped says where a circuit breaker stopped a run: what came before is done
// and kept.
type Stopped struct {
	Case string `json:"case_id"` // the first that was not done
	Done int    `json:"done"`
	Of   int    `json:"of"`
	Why  string `json:"why"`
}

// Count is how often an action was chosen.
type Count struct {
	Action string `json:"action"`
	N      int    `json:"n"`
}

// openCase is a case to decide and the State that holds it.
type openCase struct {
	id    string
	state int
}

// batchChunk is how many decisions are held at once.
const batchChunk = 2048

// Batch decides every open case of a log whose first failure lies within the
// horizon before as_of, in the order of their ids, and writes the files. Each
// appears whole; the same log gives the same bytes for any number of workers.
func (e *Engine) Batch(ctx context.Context, l *data.Log, o BatchOptions) (BatchSummary, error) {
	if o.AsOf == 0 || o.Out == "" || o.Workers < 1 {
		return BatchSummary{}, data.Faultf(data.ErrUsage, "score: an as_of, a name for the files and at least one worker are needed")
	}
	if info, err := os.Stat(filepath.Dir(o.Out)); err != nil || !info.IsDir() { // before the work, not after it
		return BatchSummary{}, data.Faultf(data.ErrUsage, "score: %s: its folder is not there", o.Out)
	}
	states, err := features.FoldLog(ctx, l, data.AsOf(o.AsOf), o.Workers, o.Progress)
	if err != nil {
		return BatchSummary{}, err
	}
	m := l.Manifest()
	sum := BatchSummary{AsOf: o.AsOf.String(), PolicyID: e.policy.id, KnownAtAssumed: m.KnownAtAssumed, Log: m.Hash, Warnings: []string{}}
	if e.bundle != nil {
		id := string(e.bundle.ID)
		sum.ModelID = &id
	}
	for _, a := range data.Actions() {
		sum.Actions = append(sum.Actions, Count{a.String(), 0})
	}
	cases, err := e.toDecide(states, o.AsOf, &sum)
	if err != nil {
		return sum, err
	}
	files := batchFiles(o)
	for _, f := range files {
		sum.Files = append(sum.Files, f.path)
	}
	run, err := e.newRun(ctx, states, cases, o.AsOf)
	if err != nil {
		return sum, err
	}
	err = writeBatch(files, func(write func(*Decision) error) error {
		return e.each(ctx, states, cases, o.AsOf, func(i int, d *Decision) error {
			if err := run.settle(d, states[cases[i].state]); err != nil {
				return err
			}
			sum.count(d)
			return write(d)
		}, &sum)
	})
	sum.Escalated, sum.Unattended, sum.Refused = run.escalated, run.unattended, run.refused
	for _, w := range run.breaker.Warnings() {
		sum.warn(w)
	}
	return sum, err
}

// each decides the cases and hands them over in their order. Where the breaker
// trips it notes how far it came and ends without an error.
func (e *Engine) each(ctx context.Context, states []*features.State, cases []openCase, t data.Micros, use func(int, *Decision) error, sum *BatchSummary) error {
	done := 0
	for chunk := range slices.Chunk(cases, batchChunk) {
		if err := ctx.Err(); err != nil {
			return err
		}
		decisions, err := e.decideAll(states, chunk, t)
		if err != nil {
			return err
		}
		for i := range decisions {
			err := use(done, &decisions[i])
			if tripped := (*Tripped)(nil); errors.As(err, &tripped) {
				sum.Stopped = &Stopped{Case: decisions[i].CaseID, Done: done, Of: len(cases), Why: tripped.Error()}
				return nil
			}
			if err != nil {
				return err
			}
			done++
		}
	}
	return nil
}

// toDecide lists the open cases within the horizon, by id.
func (e *Engine) toDecide(states []*features.State, t data.Micros, sum *BatchSummary) ([]openCase, error) {
	var out []openCase
	for i, s := range states {
		for _, id := range s.OpenCases() {
			f, err := s.Facts(id, t)
			if err != nil {
				return nil, err
			}
			if t-f.FirstFailure >= e.policy.horizon {
				sum.PastHorizon++
				continue
			}
			out = append(out, openCase{id, i})
		}
	}
	slices.SortFunc(out, func(a, b openCase) int { return cmp.Compare(a.id, b.id) })
	return out, nil
}

// decideAll decides cases, each State by one goroutine.
func (e *Engine) decideAll(states []*features.State, cases []openCase, t data.Micros) ([]Decision, error) {
	out, errs := make([]Decision, len(cases)), make([]error, len(cases))
	var running sync.WaitGroup
	for k := range states {
		running.Go(func() {
			for i, c := range cases {
				if c.state == k {
					out[i], errs[i] = e.Decide(states[k], c.id, t)
				}
			}
		})
	}
	running.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *BatchSummary) count(d *Decision) {
	c := &d.Allowed[d.Chosen]
	s.Cases++
	s.Amount += d.Amount
	s.Actions[c.Action-1].N++
	if c.EV != nil {
		s.EV += *c.EV
	}
	if d.Arm == data.ArmRules {
		s.ByRules++
	}
	for _, w := range d.Warnings {
		s.warn(w)
	}
}

func (s *BatchSummary) warn(w string) {
	if !slices.Contains(s.Warnings, w) && len(s.Warnings) < 20 {
		s.Warnings = append(s.Warnings, w)
	}
}
