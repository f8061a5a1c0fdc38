package experiment

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"recoup/api/report"
	"recoup/cmd/recoup/nightly"
	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/models"
)

// course is what a model learns from.
type course struct {
	Log    string // the arm that left the log: Explorer or Rules
	Cases  int
	Forest bool // LightGBM in place of the logistic regression
}

// lesson is what came of a course.
type lesson struct {
	Bundle *models.Bundle // nil = nothing
	Why    string         // it is nothing
	Bare   *models.Bundle // of a night that refused its rows: for the curve alone; nil = none
	// Attempts is the night's table of retries; "" = there is none.
	Attempts string
	Blocks   []report.Block // what blocks of columns are worth on the night's test slice; nil = not asked
}

// id is the model's; "" = there is none.
func (l *lesson) id() string {
	if l == nil || l.Bundle == nil {
		return ""
	}
	return string(l.Bundle.ID)
}

// train makes a model: an arm plays a world at the gate, and a whole night learns from
// its log. Both are found again when they are there.
func (j *job) train(ctx context.Context, c course) (*lesson, error) {
	dir := filepath.Join(j.Dir, "train-"+j.input("train", []any{c.Log, c.Cases}, trainSeed)[:12])
	if err := j.writeLog(ctx, c, dir); err != nil {
		return nil, err
	}
	night := nightly.Config{Dir: dir, AsOf: j.Start, Seed: 1, Draws: j.Draws, Workers: j.Workers,
		Progress: func(stage string, done, total int64) { j.work.Tell("train: "+stage, done, total) }}
	s, err := nightly.Run(ctx, night)
	if errors.Is(err, data.ErrTooLittle) {
		why := err
		b, err := j.bare(ctx, dir)
		if errors.Is(err, data.ErrTooLittle) {
			b, err = nil, nil
		}
		return &lesson{Bare: b, Why: tooFew(why)}, err
	}
	if err != nil {
		return nil, err
	}
	if c.Forest {
		night.LightGBM = &nightly.LightGBM{Python: j.Python}
		h, err := nightly.TrainLightGBM(ctx, night)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return &lesson{Why: err.Error()}, nil
		}
		b, err := models.LoadFolder(h.ModelDir)
		return &lesson{Bundle: b}, err
	}
	js, err := os.ReadFile(s.JSON)
	if err != nil {
		return nil, err
	}
	r, err := report.Decode(js)
	if err != nil {
		return nil, err
	}
	b, err := models.LoadFolder(s.ModelDir)
	if err != nil {
		return nil, err
	}
	table, err := tableOf(dir, features.AttemptsFile)
	return &lesson{Bundle: b, Blocks: r.Attempt.Blocks, Attempts: table}, err
}

// writeLog lets the arm of a course live through the world to learn from.
func (j *job) writeLog(ctx context.Context, c course, dir string) error {
	_, err := os.Stat(filepath.Join(dir, "events", "manifest.json"))
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	p, err := PlayerOf(c.Log, j.policy(), nil)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil { // what a killed run left
		return err
	}
	cfg := sim.Config{Seed: trainSeed, Cases: c.Cases, Start: j.trainStart(), Months: j.TrainMonth, Workers: 1,
		Progress: func(done, total int64) { j.work.Tell("train: log", done, total) }}
	_, err = sim.WritePlay(ctx, cfg, p.Decider(nil), dir, "")
	return err
}

// tooFew is the night's word without what a simulated log is no case for: where its rows
// lie, and what to do.
func tooFew(err error) string {
	words := err.Error()
	if _, after, ok := strings.Cut(words, "train: attempts: "); ok {
		words = after
	}
	words, _, _ = strings.Cut(words, "; each slice needs")
	return words
}
