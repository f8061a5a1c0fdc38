// Package worlds does the same work in many simulated worlds, several at once. What a
// world came to is a file of its own, so that a run that was killed, or asked for more
// worlds, does again only what is missing.
package worlds

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
)

// Run is what the works of one command share.
type Run struct {
	Workers  int                                   // goroutines; below 1 = 1; changes no byte
	Progress func(stage string, done, total int64) // one goroutine at a time; nil = silent

	mu     sync.Mutex // of Progress and of done counts
	played int
}

// Played is how many worlds were not there already, over all works of the run.
func (r *Run) Played() int { return r.played }

// Tell says how far a stage is. Several goroutines may call it.
func (r *Run) Tell(stage string, done, total int64) {
	if r.Progress != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.Progress(stage, done, total)
	}
}

// Work is one kind of work. Input, Path and Do are asked for worlds 0 to Worlds-1.
type Work[T any] struct {
	Stage  string
	Worlds int
	Path   func(i int) string                           // of the world's file
	Input  func(i int) string                           // hash of all that decides the file's bytes
	Do     func(ctx context.Context, i int) (*T, error) // fills in the JSON field input; called by several goroutines
}

// Each does a work in every world that has no file of the same input yet, and returns
// what all files hold, in the order of the worlds. An error is that of the first world
// that has one; the files of the worlds that were done stay.
func Each[T any](ctx context.Context, r *Run, w Work[T]) ([]*T, error) {
	out := make([]*T, w.Worlds)
	var missing []int
	for i := range out {
		var err error
		if out[i], err = Stored[T](w.Path(i), w.Input(i)); err != nil {
			return nil, err
		}
		if out[i] == nil {
			missing = append(missing, i)
		}
	}
	r.played += len(missing)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	todo, errs := make(chan int), make([]error, w.Worlds)
	done, total := int64(w.Worlds-len(missing)), int64(w.Worlds)
	r.Tell(w.Stage, done, total)
	var running sync.WaitGroup
	for range max(1, r.Workers) {
		running.Go(func() {
			for i := range todo {
				if out[i], errs[i] = one(ctx, w, i); errs[i] != nil {
					stop()
					continue
				}
				r.mu.Lock()
				done++
				so := done
				r.mu.Unlock()
				r.Tell(w.Stage, so, total)
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
	return out, ctx.Err()
}

// one does the work in a world and stores what it came to.
func one[T any](ctx context.Context, w Work[T], i int) (*T, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v, err := w.Do(ctx, i)
	if err != nil {
		return nil, err
	}
	return v, WriteJSON(w.Path(i), v)
}

// Stored is what a world's file holds; nil when there is none, or when it is damaged or
// was made of something else.
func Stored[T any](path, input string) (*T, error) {
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
	v := new(T)
	if json.Unmarshal(b, v) != nil {
		return nil, nil
	}
	return v, nil
}

// WriteJSON writes v as one line of JSON, whole or not at all, and makes the folder that
// it goes into.
func WriteJSON(path string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return WriteFile(path, append(b, '\n'))
}

// WriteFile writes b whole or not at all, and makes the folder that it goes into.
func WriteFile(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return data.WriteFile(path, func(w io.Writer) error { _, err := w.Write(b); return err })
}

// Open makes a command's folder and keeps others out of it until release: they get
// data.ErrLocked. The lock is DIR/NAME.lock.
func Open(dir, name string) (release func(), err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, data.Faultf(data.ErrUsage, "%s: %w", name, err)
	}
	return data.Lock(filepath.Join(dir, name+".lock"))
}
