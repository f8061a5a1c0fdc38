package nightly

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"recoup/data"
	"recoup/features"
	"recoup/train"
)

// fitted is what the train stage leaves behind, a file a model.
type fitted struct {
	NotAssessed string        `json:"not_assessed,omitempty"` // why there is no model; then Fitted is nil
	Fitted      *train.Fitted `json:"fitted"`
	Longest     data.Micros   `json:"longest_horizon_us"`
}

func (j *job) fittedPath(name string) string { return filepath.Join(j.run, "train", name+".json") }

// trainStage makes both models. Without an attempt model there is no night;
// without a cure model F0 = 0 and the report says so.
func (j *job) trainStage() (stage, error) {
	return stage{
		name:    "train",
		version: 1,
		setting: map[string]any{},
		inputs: map[string]string{
			"attempts": j.path(j.attemptsPath()),
			"periods":  j.path(j.periodsPath()),
			"log":      j.path(j.factsPath()),
			"features": j.path(j.builtPath()),
		},
		outputs: []string{j.fittedPath("attempt"), j.fittedPath("cure")},
		run:     j.train,
	}, nil
}

func (j *job) train(ctx context.Context) error {
	var log logFacts
	if err := readJSON(j.path(j.factsPath()), &log); err != nil {
		return err
	}
	attempts, closeAttempts, err := j.attemptTask()
	if err != nil {
		return err
	}
	defer closeAttempts()
	last, longest, err := youngest(attempts.Table)
	if err != nil {
		return err
	}
	if attempts.Slices, err = train.Cut(train.Span{First: log.FirstAttempt, Last: last, AsOf: j.AsOf, Longest: longest}); err != nil {
		return err
	}
	a, err := train.Run(ctx, attempts)
	if err != nil {
		return err
	}
	if err := writeJSON(j.path(j.fittedPath("attempt")), fitted{Fitted: a, Longest: longest}); err != nil {
		return err
	}
	j.progress("train", 1, 2)

	cure, closeCure, err := j.cureTask()
	if err != nil {
		return err
	}
	defer closeCure()
	cure.Slices = attempts.Slices.ForPeriods()
	c := fitted{Longest: longest}
	c.Fitted, err = train.Run(ctx, cure)
	if errors.Is(err, data.ErrTooLittle) || errors.Is(err, train.ErrBackwards) {
		if c.NotAssessed, err = j.whyNoCure(err); err != nil {
			return err
		}
		c.Fitted = nil
	}
	if err != nil {
		return err
	}
	return writeJSON(j.path(j.fittedPath("cure")), c)
}

// whyNoCure says in words why there is no cure model.
func (j *job) whyNoCure(cause error) (string, error) {
	b, err := j.readBuilt()
	switch {
	case err != nil:
		return "", err
	case b.Periods.Rows == 0:
		return "the log has no person-time: no failed case waits for a new attempt", nil
	case b.Periods.Positives == 0:
		return fmt.Sprintf("nobody in the log pays without a new attempt: %d person-days, no payment on any of them", b.Periods.Rows), nil
	}
	return cause.Error(), nil
}

// attemptTask and cureTask open a table as a task for the trainer.
func (j *job) attemptTask() (train.Task, func() error, error) {
	return j.task("attempts", j.attemptsPath(), features.AttemptSchema(), "")
}

func (j *job) cureTask() (train.Task, func() error, error) {
	return j.task("person-periods", j.periodsPath(), features.CureSchema(), "exposure")
}

func (j *job) task(name, path string, s features.Schema, weight string) (train.Task, func() error, error) {
	f, err := data.OpenFrames(j.path(path))
	if err != nil {
		return train.Task{}, nil, err
	}
	return train.Task{
		Table:   train.Table{Name: name, Rows: f.Rows(), Frames: f.Frames},
		Schema:  s,
		Weight:  weight,
		Workers: j.Workers,
	}, f.Close, nil
}

// youngest is the last presentation and the longest H of the attempt table.
func youngest(t train.Table) (last, longest data.Micros, err error) {
	for f, err := range t.Frames("at", "horizon_us") {
		if err != nil {
			return 0, 0, err
		}
		at, h := f.Column("at"), f.Column("horizon_us")
		for i := range f.N {
			last, longest = max(last, data.Micros(at.I[i])), max(longest, data.Micros(h.I[i]))
		}
	}
	if longest == 0 {
		return 0, 0, data.Faultf(data.ErrTooLittle, "nightly: no retry whose window has closed: there is nothing to learn from; give a longer log or a later as_of")
	}
	return last, longest, nil
}
