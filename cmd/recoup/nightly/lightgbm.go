package nightly

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"recoup/data"
	"recoup/train"
)

// LightGBM asks for a LightGBM challenger beside the logistic one.
type LightGBM struct {
	Python string       // an interpreter that has the package; "" = an environment in D/venv, made where it is missing
	Say    func(string) // what takes a while; nil = silent
}

func (g *LightGBM) say(line string) {
	if g.Say != nil {
		g.Say(line)
	}
}

// forest is what the lightgbm stage leaves behind, a file a model; the model's text lies
// beside it.
type forest struct {
	NotUsed string              `json:"not_used,omitempty"` // why the logistic model stands in for it
	Fitted  *train.FittedForest `json:"fitted"`
}

func (j *job) forestPath(name, ext string) string {
	return filepath.Join(j.run, "train", "lightgbm", name+ext)
}

// lightgbmStage fits LightGBM on what the train stage fitted, through Python.
func (j *job) lightgbmStage() (stage, error) {
	return stage{
		name:    "lightgbm",
		version: 1,
		setting: map[string]any{"packages": fmt.Sprintf("%x", sha256.Sum256(train.LightGBMRequirements))},
		inputs: map[string]string{
			"attempts": j.path(j.attemptsPath()),
			"periods":  j.path(j.periodsPath()),
			"attempt":  j.path(j.fittedPath("attempt")),
			"cure":     j.path(j.fittedPath("cure")),
		},
		// The cure model's text is written too, where it is used.
		outputs: []string{j.forestPath("attempt", ".json"), j.forestPath("attempt", ".txt"), j.forestPath("cure", ".json")},
		run:     j.fitForests,
	}, nil
}

func (j *job) fitForests(ctx context.Context) error {
	var attempt, cure fitted
	if err := readJSON(j.path(j.fittedPath("attempt")), &attempt); err != nil {
		return err
	}
	if err := readJSON(j.path(j.fittedPath("cure")), &cure); err != nil {
		return err
	}
	python, err := train.Python(ctx, j.LightGBM.Python, j.path("venv"), j.LightGBM.say)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(j.path(j.run, "train", "lightgbm"), 0o777); err != nil {
		return err
	}
	tasks := []struct {
		name string
		like *train.Fitted
		open func() (train.Task, func() error, error)
	}{{"attempt", attempt.Fitted, j.attemptTask}, {"cure", cure.Fitted, j.cureTask}}
	for i, t := range tasks {
		j.progress("lightgbm", int64(i), int64(len(tasks)))
		if t.like == nil {
			if err := writeJSON(j.path(j.forestPath(t.name, ".json")), forest{NotUsed: cure.NotAssessed}); err != nil {
				return err
			}
			continue
		}
		task, done, err := t.open()
		if err != nil {
			return err
		}
		f, err := train.RunLightGBM(ctx, task, t.like, train.LightGBM{
			Python: python, Dir: j.path(j.run, "train", "lightgbm", t.name), Seed: 1,
			Progress: func(line string) { j.LightGBM.say(t.name + " model: " + line) },
		})
		done()
		if t.name == "cure" && errors.Is(err, train.ErrBackwards) {
			err = writeJSON(j.path(j.forestPath(t.name, ".json")), forest{NotUsed: err.Error()})
		} else if err == nil {
			err = j.keepForest(t.name, f, t.like)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keepForest writes a model down. A cure model that is no better than the logistic one
// on the select slice is not used: its text is not kept.
func (j *job) keepForest(name string, f *train.FittedForest, like *train.Fitted) error {
	out := forest{Fitted: f}
	if mine, its := f.SelectLoss(), like.SelectLoss(); name == "cure" && !(mine < its) {
		out = forest{NotUsed: fmt.Sprintf("its log loss on the select slice is %.6f, the logistic regression's %.6f", mine, its)}
	} else if err := data.WriteFile(j.path(j.forestPath(name, ".txt")), writes(f.Forest.Text)); err != nil {
		return err
	}
	return writeJSON(j.path(j.forestPath(name, ".json")), out)
}

// readForest reads a model back, ready to be asked; nil Fitted = not used.
func (j *job) readForest(name string) (forest, error) {
	var f forest
	if err := readJSON(j.path(j.forestPath(name, ".json")), &f); err != nil || f.Fitted == nil {
		return f, err
	}
	text, err := os.ReadFile(j.path(j.forestPath(name, ".txt")))
	if err != nil {
		return f, err
	}
	return f, f.Fitted.Forest.Attach(text)
}
