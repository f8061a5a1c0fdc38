package sim

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"recoup/data"
)

// Write makes a world and stores its event log in folder dir and, unless
// oracleDir is "", its oracle there. The two may not lie in each other, so that
// nothing that reads a log can come across the truth. A folder that already
// holds a log is refused: worlds do not mix.
func Write(ctx context.Context, c Config, b Behaviour, dir, oracleDir string) (Summary, error) {
	return store(ctx, c, b, dir, oracleDir, func(emit func(*Batch) error) (Summary, error) { return Run(ctx, c, b, emit) })
}

// WritePlay is Write for a decider that plays the world event by event.
func WritePlay(ctx context.Context, c Config, d Decider, dir, oracleDir string) (Summary, error) {
	d.Truth = oracleDir != ""
	return store(ctx, c, Behaviour{ID: d.ID}, dir, oracleDir, func(emit func(*Batch) error) (Summary, error) {
		stage, err := NewStage(ctx, c)
		if err != nil {
			return Summary{}, err
		}
		s, _, err := stage.Play(ctx, d, emit)
		return s, err
	})
}

// store writes what a run emits.
func store(ctx context.Context, c Config, b Behaviour, dir, oracleDir string, run func(emit func(*Batch) error) (Summary, error)) (s Summary, err error) {
	if err := c.Validate(); err != nil {
		return s, err
	}
	if err := apart(dir, oracleDir); err != nil {
		return s, err
	}
	if _, err := os.Stat(filepath.Join(dir, "events", "manifest.json")); err == nil {
		return s, data.Faultf(data.ErrUsage, "sim: %s: holds an event log already: name a new folder, or remove this one's events", dir)
	}
	w, err := data.NewWriter(dir, data.WriteOptions{Currency: "INR"})
	if err != nil {
		return s, err
	}
	defer w.Abort() // after Commit it does nothing
	o, err := createOracle(oracleDir, c, b)
	if err != nil {
		return s, err
	}
	defer o.abort()
	s, err = run(func(batch *Batch) error {
		if err := batch.addTo(w); err != nil {
			return err
		}
		return o.write(batch)
	})
	if err != nil {
		return s, err
	}
	if err := o.close(); err != nil {
		return s, err
	}
	_, err = w.Commit(ctx)
	return s, err
}

// apart refuses an oracle in the log's folder or the log in the oracle's.
func apart(dir, oracleDir string) error {
	if dir == "" {
		return data.Faultf(data.ErrUsage, "sim: dir: empty: name the folder of the log")
	}
	if oracleDir == "" {
		return nil
	}
	a, err := resolve(dir)
	if err != nil {
		return err
	}
	b, err := resolve(oracleDir)
	if err != nil {
		return err
	}
	if inside(a, b) || inside(b, a) {
		return data.Faultf(data.ErrUsage, "sim: oracle %s: lies in the folder of the log %s, or that in it: name one apart from it",
			oracleDir, dir)
	}
	return nil
}

// resolve is a path without links, as far as it exists.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("sim: %w", err)
	}
	for rest := ""; ; {
		if r, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(r, rest), nil
		}
		up := filepath.Dir(path)
		if up == path {
			return filepath.Join(path, rest), nil
		}
		path, rest = up, filepath.Join(filepath.Base(path), rest)
	}
}

// inside reports whether b is a or lies in it.
func inside(a, b string) bool {
	rel, err := filepath.Rel(a, b)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// addTo hands the batch's rows to the log.
func (b *Batch) addTo(w *data.Writer) error {
	return errors.Join(
		data.Add(w, b.Attempts...),
		data.Add(w, b.CaseEvents...),
		data.Add(w, b.Subscriptions...),
		data.Add(w, b.Mandates...),
		data.Add(w, b.Notices...),
		data.Add(w, b.Polls...),
		data.Add(w, b.Promises...),
		data.Add(w, b.Downtimes...),
		data.Add(w, b.Decisions...),
		data.Add(w, b.Outcomes...),
	)
}
