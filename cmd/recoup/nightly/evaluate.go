package nightly

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"recoup/api/report"
	"recoup/features"
	"recoup/models"
	"recoup/train"
)

// evaluation is what the evaluate stage leaves behind.
type evaluation struct {
	Splits   []report.Split  `json:"splits"`
	Attempt  report.Model    `json:"attempt"`
	Cure     report.Model    `json:"cure"`
	Recovery report.Recovery `json:"recovery"`
	Warnings []string        `json:"warnings"`
	// For the model's manifest.
	AttemptJudged models.Judged  `json:"attempt_judged"`
	CureJudged    *models.Judged `json:"cure_judged"`
}

func (j *job) evaluationPath() string { return filepath.Join(j.run, "evaluate", "evaluation.json") }

// evaluateStage judges both models on the test slice.
func (j *job) evaluateStage() (stage, error) {
	return stage{
		name:    "evaluate",
		version: 1,
		setting: map[string]any{"draws": j.Draws, "seed": j.Seed},
		inputs: map[string]string{
			"attempts": j.path(j.attemptsPath()),
			"periods":  j.path(j.periodsPath()),
			"attempt":  j.path(j.fittedPath("attempt")),
			"cure":     j.path(j.fittedPath("cure")),
		},
		// The cure model's scores are written too, where there is a cure model.
		outputs: []string{j.evaluationPath(), j.predictionsPath(), j.scoresPath("attempt")},
		run:     j.evaluate,
	}, nil
}

func (j *job) evaluate(ctx context.Context) error {
	if err := os.MkdirAll(j.path(j.run, "evaluate"), 0o777); err != nil {
		return err
	}
	var attempt, cure fitted
	if err := readJSON(j.path(j.fittedPath("attempt")), &attempt); err != nil {
		return err
	}
	if err := readJSON(j.path(j.fittedPath("cure")), &cure); err != nil {
		return err
	}
	var e evaluation
	e.Splits = splits(attempt.Fitted, cure.Fitted)
	if err := j.evaluateAttempt(ctx, attempt.Fitted, &e); err != nil {
		return err
	}
	j.progress("evaluate", 1, 2)
	if cure.Fitted == nil {
		e.Cure.NotAssessed = cure.NotAssessed
		e.Recovery.NotAssessed = "there is no cure model, F0 = 0: " + cure.NotAssessed
	} else if err := j.evaluateCure(ctx, cure.Fitted, &e); err != nil {
		return err
	}
	return writeJSON(j.path(j.evaluationPath()), e)
}

func (j *job) evaluateAttempt(ctx context.Context, f *train.Fitted, e *evaluation) error {
	task, done, err := j.attemptTask()
	if err != nil {
		return err
	}
	defer done()
	got, err := train.Judge(ctx, task, f, slices.Concat(cutColumns, attemptBeside)...)
	if err != nil {
		return err
	}
	if err := j.writeScores("attempt", got.Test, attemptBeside); err != nil {
		return err
	}
	if err := j.writePredictions(j.predictionsPath(), got.Test); err != nil {
		return err
	}
	e.AttemptJudged, err = j.judged(&e.Attempt, features.AttemptSchema(), f, got, attemptCuts(got.Test), nil)
	return err
}

func (j *job) evaluateCure(ctx context.Context, f *train.Fitted, e *evaluation) error {
	task, done, err := j.cureTask()
	if err != nil {
		return err
	}
	defer done()
	got, err := train.Judge(ctx, task, f, slices.Concat(cutColumns, cureBeside)...)
	if err != nil {
		return err
	}
	if err := j.writeScores("cure", got.Test, cureBeside); err != nil {
		return err
	}
	first, err := firstFailures(task.Table)
	if err != nil {
		return err
	}
	m, err := j.judged(&e.Cure, features.CureSchema(), f, got, cureCuts(got.Test), func(d *draws, r rows) {
		recovery(&e.Recovery, d, r, got.Test.Meta, first)
	})
	e.CureJudged = &m
	return err
}

// judged fills one model's part of the report, and the summary for its manifest.
// more registers further statistics of the test rows.
func (j *job) judged(m *report.Model, s features.Schema, f *train.Fitted, got *train.Judged, by []groupBy, more func(*draws, rows)) (models.Judged, error) {
	describe(m, s, f)
	r := rowsOf(got.Test, nil)
	d := &draws{customers: r.customers}
	all, err := j.measure(&m.All, d, r, f.Train.Rate)
	if err != nil {
		return models.Judged{}, err
	}
	d.estimate(&m.BaseRates.Test, ratioOf(r.all(), r.customer, func(i int) float64 { return float64(r.weight(i) * r.y[i]) }, r.weight))
	m.BaseRates.Train = wilson(f.Train.Rate, f.Train.Rows)
	if err := j.calibrators(m, d, r, got); err != nil {
		return models.Judged{}, err
	}
	blocks(m, d, r, got)
	m.Groups = groups(d, r, by, f.Train.Rate)
	if more != nil {
		more(d, r)
	}
	d.run(j.Draws, j.Seed, j.Workers)

	if err := j.others(m, got, f.Train.Rate); err != nil {
		return models.Judged{}, err
	}
	return summary(m, f.Train, f.L2, all), nil
}

// others are the test rows of customers that the model, or a second fit, had
// not seen.
func (j *job) others(m *report.Model, got *train.Judged, rate float64) error {
	var unseen []int
	var positives int64
	for i, seen := range got.Seen {
		if !seen {
			unseen = append(unseen, i)
			positives += int64(got.Test.Y[i])
		}
	}
	if why := tooFew(int64(len(unseen)), positives, "customers without rows in train"); why != "" {
		m.Unseen.NotAssessed = why
	} else if err := j.measureAlone(&m.Unseen, rowsOf(got.Test, unseen), rate); err != nil {
		return err
	}
	if got.Held == nil {
		m.Held.NotAssessed = got.HeldWhy
		return nil
	}
	return j.measureAlone(&m.Held, rowsOf(got.Held, nil), rate)
}

// measureAlone measures rows with draws of their own customers.
func (j *job) measureAlone(t *report.Test, r rows, rate float64) error {
	d := &draws{customers: r.customers}
	if _, err := j.measure(t, d, r, rate); err != nil {
		return err
	}
	d.run(j.Draws, j.Seed, j.Workers)
	return nil
}
