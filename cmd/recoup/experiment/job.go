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
	"sync"

	"recoup/data"
	"recoup/models"
)

// job is one experiment at work.
type job struct {
	Config
	bundle *models.Bundle
	model  string
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
func Run(ctx context.Context, c Config) (*Summary, error) { return start(ctx, c, (*job).train) }

// start is Run with a model from wherever.
func start(ctx context.Context, c Config, train func(*job, context.Context) (*models.Bundle, error)) (_ *Summary, err error) {
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
	j := &job{Config: c}
	if j.bundle, err = train(j, ctx); err != nil {
		return nil, err
	}
	j.model = string(j.bundle.ID)
	worlds, played, err := each(ctx, j, "seeds", j.playWorld)
	if err != nil {
		return nil, err
	}
	var without []*Without
	if c.Ablation {
		var more int
		if without, more, err = each(ctx, j, "ablation", j.ablate); err != nil {
			return nil, err
		}
		played += more
	}
	r, err := j.report(worlds, without)
	if err != nil {
		return nil, err
	}
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

// each plays every world that has no file yet, several at once, and returns what
// all files hold, by seed. played is how many were missing.
func each[T any](ctx context.Context, j *job, kind string, play func(context.Context, uint64) (*T, error)) (out []*T, played int, err error) {
	out = make([]*T, j.Seeds)
	var missing []int
	for i := range out {
		if out[i], err = stored[T](j, kind, uint64(i+1)); err != nil {
			return nil, 0, err
		}
		if out[i] == nil {
			missing = append(missing, i)
		}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	todo := make(chan int)
	errs := make([]error, j.Seeds)
	var running sync.WaitGroup
	var done int64
	j.progress(kind, int64(j.Seeds-len(missing)), int64(j.Seeds))
	for range j.Workers {
		running.Go(func() {
			for i := range todo {
				if errs[i] = playOne(ctx, j, kind, uint64(i+1), play, &out[i]); errs[i] != nil {
					stop()
					continue
				}
				j.mu.Lock()
				done++
				n := done
				j.mu.Unlock()
				j.progress(kind, int64(j.Seeds-len(missing))+n, int64(j.Seeds))
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
	return out, len(missing), errors.Join(ctxErr(ctx, errs))
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
func stored[T any](j *job, kind string, seed uint64) (*T, error) {
	b, err := os.ReadFile(j.path(kind, seed))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var head struct{ Input string }
	if json.Unmarshal(b, &head) != nil || head.Input != j.input(kind, j.model, seed) {
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
