package nightly

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"recoup/cmd/recoup/thompson"
	"recoup/data"
)

// Relearned is what a night made of the bandit that the explorer draws by.
type Relearned struct {
	Kind    thompson.Kind `json:"kind"`
	Trials  int           `json:"trials"`  // decisions whose windows were closed
	Formula string        `json:"formula"` // names the posterior in every decision that is drawn by it
	Why     string        `json:"why"`     // why the state is the old one; "" = it is of this night
}

func (j *job) banditPath() string    { return filepath.Join(j.run, thompson.StateFile) }
func (j *job) relearnedPath() string { return filepath.Join(j.run, "relearned.json") }

// banditStage learns the bandit's state anew from the whole log, of the kind that is asked
// for or that D/bandit.json is of. A server that draws by that file takes the new one over
// as it takes over a model; a copy stays with the run, so that every decision's
// probabilities can be worked out again. A night of an earlier day leaves a later state,
// and where nothing has closed yet, a new bandit knows nothing. It comes before the
// training: a bandit learns from less than a model does.
func (j *job) banditStage() (stage, error) {
	now, err := j.banditNow()
	if err != nil {
		return stage{}, err
	}
	return stage{
		name:    "bandit",
		version: 1,
		setting: map[string]any{"as_of": j.AsOf, "kind": now.Kind},
		inputs:  map[string]string{"events/manifest.json": j.path("events", "manifest.json")},
		outputs: []string{j.banditPath(), j.relearnedPath()},
		run: func(context.Context) error {
			out := Relearned{Kind: now.Kind}
			f, err := thompson.Learn(j.log, now.Kind, j.AsOf)
			switch {
			case errors.Is(err, data.ErrTooLittle):
				f, out.Why = now, "no decision has a closed window yet"
			case err != nil:
				return err
			case now.AsOf > j.AsOf:
				f, out.Why = now, "it was learned as of a later time: "+now.AsOf.String()
			}
			out.Trials = f.N
			if _, out.Formula, err = f.Propose(); err != nil { // what cannot be used is not written
				return err
			}
			for _, path := range []string{j.banditPath(), thompson.StateFile} {
				if err := f.Write(j.path(path)); err != nil {
					return err
				}
			}
			return writeJSON(j.path(j.relearnedPath()), out)
		},
	}, nil
}

// hasBandit says whether the explorer of D draws by a bandit, or is to.
func (j *job) hasBandit() bool { return j.Bandit != "" || exists(j.path(thompson.StateFile)) }

// banditNow is the state before the night: one that knows nothing where there is none of
// the kind that is asked for, or what is there cannot be read.
func (j *job) banditNow() (*thompson.File, error) {
	now, err := thompson.Read(j.path(thompson.StateFile))
	if j.Bandit != "" && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, data.ErrContract) || err == nil && now.Kind != j.Bandit) {
		return thompson.Begin(j.Bandit, j.AsOf)
	}
	return now, err
}

// relearned is what the night's stage left; nil = there is no bandit.
func (j *job) relearned() (*Relearned, error) {
	var out Relearned
	err := readJSON(j.path(j.relearnedPath()), &out)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return &out, err
}
