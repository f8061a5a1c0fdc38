package experiment

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"recoup/cmd/recoup/nightly"
	"recoup/data/sim"
	"recoup/models"
)

// train makes the model: the explorer plays a world at the gate, and a whole
// night learns from its log. Both are found again when they are there.
func (j *job) train(ctx context.Context) (*models.Bundle, error) {
	dir := filepath.Join(j.Dir, "train-"+j.input("train", "", trainSeed)[:12])
	cfg := sim.Config{Seed: trainSeed, Cases: j.TrainCases, Start: j.trainStart(), Months: j.TrainMonth, Workers: 1,
		Progress: func(done, total int64) { j.progress("train: log", done, total) }}
	if _, err := os.Stat(filepath.Join(dir, "events", "manifest.json")); errors.Is(err, fs.ErrNotExist) {
		p, err := PlayerOf(Explorer, j.policy(), nil)
		if err != nil {
			return nil, err
		}
		if err := os.RemoveAll(dir); err != nil { // what a killed run left
			return nil, err
		}
		if _, err := sim.WritePlay(ctx, cfg, p.Decider(nil), dir, ""); err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	s, err := nightly.Run(ctx, nightly.Config{Dir: dir, AsOf: j.Start, Seed: 1, Draws: j.Draws, Workers: j.Workers,
		Progress: func(stage string, done, total int64) { j.progress("train: "+stage, done, total) }})
	if err != nil {
		return nil, err
	}
	return models.LoadFolder(s.ModelDir)
}
