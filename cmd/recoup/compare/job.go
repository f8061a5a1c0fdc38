package compare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"recoup/data"
	"recoup/data/sim"
	"recoup/score"
)

// job is one comparison at work.
type job struct {
	Config
	know *knowledge
	mu   sync.Mutex // of Progress
}

// World is what a world's file holds.
type World struct {
	Input string   `json:"input"` // hash of all that decides this file
	Seed  uint64   `json:"seed"`
	Shift float64  `json:"shift"`
	Hands []Played `json:"hands"` // in the order of Hands
}

// Summary is what a comparison came to.
type Summary struct {
	Report  *Report  `json:"report"`
	Files   []string `json:"files"`
	Nothing bool     `json:"nothing_to_do"` // every world was there already
}

// Run does a whole comparison in c.Dir, or what is left of it. Two at once in one
// folder: the second gets data.ErrLocked.
func Run(ctx context.Context, c Config) (*Summary, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Dir, 0o777); err != nil {
		return nil, data.Faultf(data.ErrUsage, "compare: %w", err)
	}
	release, err := data.Lock(filepath.Join(c.Dir, "compare.lock"))
	if err != nil {
		return nil, err
	}
	defer release()
	j := &job{Config: c}
	if j.know, err = j.before(ctx); err != nil {
		return nil, err
	}
	return j.compare(ctx)
}

// compare plays what is left to play, and reports.
func (j *job) compare(ctx context.Context) (*Summary, error) {
	worlds, played, err := j.all(ctx)
	if err != nil {
		return nil, err
	}
	r := j.report(worlds)
	files, err := j.write(r)
	return &Summary{Report: r, Files: files, Nothing: played == 0}, err
}

// progress may be called by several goroutines.
func (j *job) progress(stage string, done, total int64) {
	if j.Progress != nil {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.Progress(stage, done, total)
	}
}

// all plays the worlds that have no file yet, several at once: by shift, then by seed.
func (j *job) all(ctx context.Context) (out []*World, played int, err error) {
	n := len(j.Shifts) * j.Seeds
	out = make([]*World, n)
	var missing []int
	for i := range out {
		if out[i] = j.stored(i); out[i] == nil {
			missing = append(missing, i)
		}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	todo, errs := make(chan int), make([]error, n)
	var running sync.WaitGroup
	done := int64(n - len(missing))
	j.progress("worlds", done, int64(n))
	for range j.Workers {
		running.Go(func() {
			for i := range todo {
				if out[i], errs[i] = j.playWorld(ctx, i); errs[i] != nil {
					stop()
					continue
				}
				j.mu.Lock()
				done++
				so := done
				j.mu.Unlock()
				j.progress("worlds", so, int64(n))
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
			return nil, 0, err
		}
	}
	return out, len(missing), ctx.Err()
}

// at is the seed and the shift of the i-th world.
func (j *job) at(i int) (uint64, float64) { return uint64(i%j.Seeds + 1), j.Shifts[i/j.Seeds] }

func (j *job) worldInput(i int) string {
	seed, shift := j.at(i)
	return j.input("world", j.modelID(), seed, shift)
}

func (j *job) path(i int) string {
	seed, shift := j.at(i)
	return filepath.Join(j.Dir, "worlds", fmt.Sprintf("%04d-%g.json", seed, shift))
}

// stored is what a world's file holds; nil when there is none, or when it was made of
// something else.
func (j *job) stored(i int) *World {
	var w World
	if b, err := os.ReadFile(j.path(i)); err != nil || json.Unmarshal(b, &w) != nil || w.Input != j.worldInput(i) {
		return nil
	}
	return &w
}

// playWorld plays all hands in one world.
func (j *job) playWorld(ctx context.Context, i int) (*World, error) {
	seed, shift := j.at(i)
	w := &World{Input: j.worldInput(i), Seed: seed, Shift: shift}
	wrap := func(err error) error { return fmt.Errorf("compare: seed %d, shift %g: %w", seed, shift, err) }
	stage, err := sim.NewStage(ctx, j.world(seed, shift))
	if err != nil {
		return nil, wrap(err)
	}
	rules, err := score.New(score.Default(), nil)
	if err != nil {
		return nil, wrap(err)
	}
	hands, err := j.hands()
	if err != nil {
		return nil, wrap(err)
	}
	for _, h := range hands {
		p, err := playHand(ctx, stage, rules, h, j.Attempts)
		if err != nil {
			return nil, wrap(err)
		}
		w.Hands = append(w.Hands, p)
	}
	return w, writeJSON(j.path(i), w)
}

// hands are fresh ones for a world.
func (j *job) hands() (out []hand, err error) {
	out = []hand{{name: Ladder, pick: byLadder}, {name: Rules, pick: func(s *scene) (int, error) { return s.ruled, nil }}, {name: Tuned, pick: byGrid(j.know.Grid)}}
	for _, make := range []func() (*beta, error){flatBandit, func() (*beta, error) { return sharingBandit(Cold, nil) }, func() (*beta, error) { return sharingBandit(Bandit, j.know.Known) }} {
		b, err := make()
		if err != nil {
			return nil, err
		}
		out = append(out, b.hand())
	}
	if j.know.model != nil { // without one, in tests, the others play
		model, err := score.New(score.Default(), j.know.model)
		if err != nil {
			return nil, err
		}
		l, err := logisticBandit(model)
		if err != nil {
			return nil, err
		}
		out = append(out, l.hand(), hand{name: Model, pick: dearest(model)})
	}
	return append(out, hand{name: Oracle, pick: truest}), nil
}

// modelID names the model; "" = there is none.
func (j *job) modelID() string {
	if j.know.model == nil {
		return ""
	}
	return string(j.know.model.ID)
}

// writeJSON writes v whole or not at all.
func writeJSON(path string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("compare: %s: %w", path, err)
	}
	return writeFile(path, append(b, '\n'))
}

func writeFile(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return data.WriteFile(path, func(w io.Writer) error { _, err := w.Write(b); return err })
}
