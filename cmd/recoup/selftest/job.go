package selftest

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
	"recoup/score"
)

// job is one self-test at work.
type job struct {
	Config
	policy *score.Policy
	mu     sync.Mutex // of Progress
}

// Summary is what a self-test came to.
type Summary struct {
	Report  *Report  `json:"report"`
	Files   []string `json:"files"`
	Nothing bool     `json:"nothing_to_do"` // every world was there already
}

// found is what all files hold, by seed.
type found struct {
	logs      []*Judged
	rolls     []*Worth
	sequences []*Sequenced
	seqRolls  []*Worth
}

// Run does a whole self-test in c.Dir, or what is left of it. Two at once in one folder:
// the second gets data.ErrLocked.
func Run(ctx context.Context, c Config) (*Summary, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Dir, 0o777); err != nil {
		return nil, data.Faultf(data.ErrUsage, "ope selftest: %w", err)
	}
	release, err := data.Lock(filepath.Join(c.Dir, "selftest.lock"))
	if err != nil {
		return nil, err
	}
	defer release()
	j := &job{Config: c}
	if j.policy, err = pooledPolicy(); err != nil {
		return nil, err
	}
	f, missing, err := j.play(ctx)
	if err != nil {
		return nil, err
	}
	r, err := j.report(f)
	if err != nil {
		return nil, err
	}
	files, err := j.write(r)
	return &Summary{Report: r, Files: files, Nothing: missing == 0}, err
}

// play does every world that has no file yet.
func (j *job) play(ctx context.Context) (f *found, missing int, err error) {
	f = &found{}
	pooled := func(seed uint64) (*lab, error) { return newLab(j.policy, seed, nil) }
	hesitant := func(seed uint64) (*lab, error) { return hesitantLab(j.policy, seed) }
	for _, do := range []func() (int, error){
		func() (n int, err error) {
			f.rolls, n, err = each(ctx, j, kind{"rollouts", j.rolled(), truthSeed}, j.Truth, pooled, rolls)
			return n, err
		},
		func() (n int, err error) {
			f.sequences, n, err = each(ctx, j, kind{"sequences", j.rolled(), sequenceSeed}, j.Sequences, hesitant, sequences)
			return n, err
		},
		func() (n int, err error) {
			f.seqRolls, n, err = each(ctx, j, kind{"sequence-rollouts", j.rolled(), seqTruthSeed}, j.Sequences, hesitant, seqRolls)
			return n, err
		},
		func() (n int, err error) {
			f.logs, n, err = each(ctx, j, kind{"logs", j.Cases, 0}, j.Seeds, pooled, judge)
			return n, err
		},
	} {
		n, err := do()
		if err != nil {
			return nil, 0, err
		}
		missing += n
	}
	return f, missing, nil
}

// progress may be called by several goroutines.
func (j *job) progress(stage string, done, total int) {
	if j.Progress != nil {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.Progress(stage, int64(done), int64(total))
	}
}

// each does every world of a kind that has no file yet, several at once, and returns what
// all files hold, in the order of the worlds. played is how many were missing.
func each[T any](ctx context.Context, j *job, k kind, worlds int, open func(seed uint64) (*lab, error),
	do func(context.Context, kind, *lab, int) (*T, error)) (out []*T, played int, err error) {
	out = make([]*T, worlds)
	var missing []int
	for i := range out {
		if out[i], err = stored[T](j, k, i+1); err != nil {
			return nil, 0, err
		}
		if out[i] == nil {
			missing = append(missing, i)
		}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	todo := make(chan int)
	errs := make([]error, worlds)
	var running sync.WaitGroup
	var mu sync.Mutex
	done := worlds - len(missing)
	j.progress(k.name, done, worlds)
	for range j.Workers {
		running.Go(func() {
			for i := range todo {
				if errs[i] = j.one(ctx, k, i+1, open, func(l *lab) (any, error) {
					v, err := do(ctx, k, l, i+1)
					out[i] = v
					return v, err
				}); errs[i] != nil {
					stop()
					continue
				}
				mu.Lock()
				done++
				j.progress(k.name, done, worlds)
				mu.Unlock()
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

// one does a world and stores what it came to.
func (j *job) one(ctx context.Context, k kind, n int, open func(uint64) (*lab, error), do func(*lab) (any, error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l, err := open(k.first + uint64(n))
	if err != nil {
		return err
	}
	v, err := do(l)
	if err != nil {
		return fmt.Errorf("ope selftest: %s: seed %d: %w", k.name, l.seed, err)
	}
	return writeJSON(j.path(k, n), v)
}

func (j *job) path(k kind, n int) string {
	return filepath.Join(j.Dir, fmt.Sprintf("%s-%d", k.name, k.cases), fmt.Sprintf("%04d.json", n))
}

// stored is what a world's file holds; nil when there is none, or when it was made of
// something else.
func stored[T any](j *job, k kind, n int) (*T, error) {
	b, err := os.ReadFile(j.path(k, n))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var head struct{ Input string }
	if json.Unmarshal(b, &head) != nil || head.Input != k.input(j.policy.ID(), n) {
		return nil, nil
	}
	var w T
	if json.Unmarshal(b, &w) != nil {
		return nil, nil // damaged: it is done again
	}
	return &w, nil
}

// writeJSON writes v whole or not at all.
func writeJSON(path string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("ope selftest: %s: %w", path, err)
	}
	return writeFile(path, append(b, '\n'))
}

func writeFile(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return data.WriteFile(path, func(w io.Writer) error { _, err := w.Write(b); return err })
}
