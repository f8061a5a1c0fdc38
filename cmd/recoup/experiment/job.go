package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"recoup/data"
)

// job is one experiment at work.
type job struct {
	Config
	school school
	model  *lesson   // of the explorer's log
	taught *lesson   // of the rules' log
	forest *lesson   // LightGBM of the explorer's log
	bandit []byte    // what the bandit knows
	fewer  []*lesson // of as many of the explorer's cases as Curve says
	normal *scene
	played int        // worlds that were not there
	mu     sync.Mutex // of Progress
}

// Summary is what an experiment came to.
type Summary struct {
	Report  *Report  `json:"report"`
	Files   []string `json:"files"`
	Nothing bool     `json:"nothing_to_do"` // every world was there already
}

// Run does a whole experiment in c.Dir, or what is left of it. Two at once in
// one folder: the second gets data.ErrLocked.
func Run(ctx context.Context, c Config) (*Summary, error) {
	return start(ctx, c, school{(*job).train, (*job).banditKnows})
}

// school makes what must be learned before anybody plays.
type school struct {
	model  func(*job, context.Context, course) (*lesson, error)
	bandit func(*job, context.Context) ([]byte, error) // nil = the bandit knows nothing
}

// start is Run with another school.
func start(ctx context.Context, c Config, at school) (_ *Summary, err error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Dir, 0o777); err != nil {
		return nil, data.Faultf(data.ErrUsage, "experiment: %w", err)
	}
	release, err := data.Lock(filepath.Join(c.Dir, "experiment.lock"))
	if err != nil {
		return nil, err
	}
	defer release()
	c.Curve = slices.DeleteFunc(slices.Clone(c.Curve), func(cases int) bool { return cases >= c.TrainCases })
	j := &job{Config: c, school: at}
	if err := j.teach(ctx); err != nil {
		return nil, err
	}
	r, err := j.run(ctx)
	if err != nil {
		return nil, err
	}
	files, err := j.write(r)
	return &Summary{Report: r, Files: files, Nothing: j.played == 0}, err
}

// teach makes the models.
func (j *job) teach(ctx context.Context) (err error) {
	if j.model, err = j.school.model(j, ctx, course{Log: Explorer, Cases: j.TrainCases}); err != nil {
		return err
	}
	if j.model.Bundle == nil {
		return data.Faultf(data.ErrTooLittle, "experiment: no model from %d cases of the explorer: %s: give more with --train", j.TrainCases, j.model.Why)
	}
	if j.taught, err = j.school.model(j, ctx, course{Log: Rules, Cases: j.TrainCases}); err != nil {
		return err
	}
	j.forest = &lesson{Why: "not asked for: --lightgbm"}
	if j.LightGBM {
		if j.forest, err = j.school.model(j, ctx, course{Log: Explorer, Cases: j.TrainCases, Forest: true}); err != nil {
			return err
		}
	}
	if j.bandit, err = j.school.bandit(j, ctx); err != nil {
		return err
	}
	for _, cases := range j.Curve {
		l, err := j.school.model(j, ctx, course{Log: Explorer, Cases: cases})
		if err != nil {
			return err
		}
		j.fewer = append(j.fewer, l)
	}
	return nil
}

// hands are the arms that can be played, in the order of the headline table.
func (j *job) hands() []hand {
	out := []hand{{Name: Ladder, Arm: Ladder}, {Name: Rules, Arm: Rules}, {Name: PayDay, Arm: PayDay}}
	for _, m := range []struct {
		name string
		from *lesson
	}{{RulesTaught, j.taught}, {Model, j.model}, {Forest, j.forest}} {
		if m.from.Bundle != nil {
			out = append(out, hand{Name: m.name, Arm: Model, Bundle: m.from.Bundle})
		}
	}
	return append(out, hand{Name: Bandit, Arm: Bandit, Known: j.bandit}, hand{Name: Explorer, Arm: Explorer}, hand{Name: Oracle, Arm: Oracle}, hand{Name: Control, Arm: Control})
}

// run plays every scene and tells what came of it.
func (j *job) run(ctx context.Context) (*Report, error) {
	j.normal = &scene{Name: "seeds", Seeds: seedsFrom(1, j.Seeds), Hands: j.hands()}
	worlds, err := j.show(ctx, j.normal)
	if err != nil {
		return nil, err
	}
	var without []*Without
	if j.Ablation {
		if without, err = each(ctx, j, "ablation", j.normal.Seeds, j.ablationInput, j.ablate); err != nil {
			return nil, err
		}
	}
	r, err := j.report(worlds, without)
	if err != nil {
		return nil, err
	}
	if r.Elsewhere, err = j.elsewhere(ctx); err != nil {
		return nil, err
	}
	if r.Tuning, err = j.tuning(ctx); err != nil {
		return nil, err
	}
	if r.Curve, err = j.curve(ctx, r); err != nil {
		return nil, err
	}
	if r.Moved, err = j.moved(ctx); err != nil {
		return nil, err
	}
	r.Says = says(r)
	r.Notes = j.notes(r)
	return r, nil
}

// progress may be called by several goroutines.
func (j *job) progress(stage string, done, total int64) {
	if j.Progress != nil {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.Progress(stage, done, total)
	}
}

// each plays every world that has no file yet, several at once, and returns what
// all files hold, in the order of the seeds. input names what a file is made of.
func each[T any](ctx context.Context, j *job, kind string, seeds []uint64, input func(seed uint64) string, play func(context.Context, uint64) (*T, error)) (out []*T, err error) {
	out = make([]*T, len(seeds))
	var missing []int
	for i, seed := range seeds {
		if out[i], err = stored[T](j.path(kind, seed), input(seed)); err != nil {
			return nil, err
		}
		if out[i] == nil {
			missing = append(missing, i)
		}
	}
	j.played += len(missing)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	todo := make(chan int)
	errs := make([]error, len(seeds))
	var running sync.WaitGroup
	done, whole := int64(len(seeds)-len(missing)), int64(len(seeds))
	j.progress(kind, done, whole)
	for range j.Workers {
		running.Go(func() {
			for i := range todo {
				if errs[i] = playOne(ctx, j, kind, seeds[i], play, &out[i]); errs[i] != nil {
					stop()
					continue
				}
				j.mu.Lock()
				done++
				n := done
				j.mu.Unlock()
				j.progress(kind, n, whole)
			}
		})
	}
	for _, i := range missing {
		select {
		case todo <- i:
		case <-ctx.Done():
		}
	}
	close(todo)
	running.Wait()
	for _, err := range errs { // the cause before its consequences
		if err != nil && !errors.Is(err, context.Canceled) {
			return nil, err
		}
	}
	return out, ctxErr(ctx, errs)
}

// ctxErr is why the worlds were not all played; nil = they were.
func ctxErr(ctx context.Context, errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

func playOne[T any](ctx context.Context, j *job, kind string, seed uint64, play func(context.Context, uint64) (*T, error), out **T) error {
	w, err := play(ctx, seed)
	if err != nil {
		return fmt.Errorf("experiment: seed %d: %w", seed, err)
	}
	*out = w
	return writeJSON(j.path(kind, seed), w)
}

func (j *job) path(kind string, seed uint64) string {
	return filepath.Join(j.Dir, kind, fmt.Sprintf("%04d.json", seed))
}

// stored is what a world's file holds; nil when there is none, or when it was
// made of something else.
func stored[T any](path, input string) (*T, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var head struct{ Input string }
	if json.Unmarshal(b, &head) != nil || head.Input != input {
		return nil, nil
	}
	var w T
	if json.Unmarshal(b, &w) != nil {
		return nil, nil // damaged: it is played again
	}
	return &w, nil
}

// writeJSON writes v whole or not at all.
func writeJSON(path string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("experiment: %s: %w", path, err)
	}
	return writeFile(path, append(b, '\n'))
}

func writeFile(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return data.WriteFile(path, func(w io.Writer) error { _, err := w.Write(b); return err })
}
