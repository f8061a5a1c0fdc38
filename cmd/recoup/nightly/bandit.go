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

func (j *job) banditPath() string { return filepath.Join(j.run, "bandit.json") }

// banditStage learns the bandit's state anew from the whole log where D/bandit.json says
// that there is a bandit, and of which kind. A server that draws by that file takes the
// new one over as it takes over a model. A night of an earlier day leaves a later state.
func (j *job) banditStage() (stage, error) {
	now, err := thompson.Read(j.path(thompson.StateFile))
	if err != nil {
		return stage{}, err
	}
	return stage{
		name:    "bandit",
		version: 1,
		setting: map[string]any{"as_of": j.AsOf, "kind": now.Kind},
		inputs:  map[string]string{"events/manifest.json": j.path("events", "manifest.json")},
		outputs: []string{j.banditPath()},
		run: func(context.Context) error {
			log, err := data.OpenLog(j.Dir)
			if err != nil {
				return err
			}
			out := Relearned{Kind: now.Kind}
			f, err := thompson.Learn(log, now.Kind, j.AsOf)
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
			if out.Why == "" {
				if err := f.Write(j.path(thompson.StateFile)); err != nil {
					return err
				}
			}
			return writeJSON(j.path(j.banditPath()), out)
		},
	}, nil
}

// hasBandit says whether the explorer of D draws by a bandit.
func (j *job) hasBandit() bool { return exists(j.path(thompson.StateFile)) }

// relearned is what the night's stage left; nil = there is no bandit.
func (j *job) relearned() (*Relearned, error) {
	var out Relearned
	err := readJSON(j.path(j.banditPath()), &out)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return &out, err
}
