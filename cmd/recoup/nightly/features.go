package nightly

import (
	"context"
	"path/filepath"

	"recoup/data"
	"recoup/features"
)

func (j *job) attemptsPath() string { return filepath.Join(j.tables, features.AttemptsFile) }
func (j *job) periodsPath() string  { return filepath.Join(j.tables, features.PeriodsFile) }
func (j *job) builtPath() string    { return filepath.Join(j.run, "features.json") }

// featuresStage builds both training tables as of T.
func (j *job) featuresStage() (stage, error) {
	return stage{
		name:    "features",
		version: 1,
		setting: map[string]any{
			"as_of":   j.AsOf,
			"attempt": features.AttemptSchema().Fingerprint(),
			"cure":    features.CureSchema().Fingerprint(),
		},
		inputs:  map[string]string{"events/manifest.json": j.path("events", "manifest.json")},
		outputs: []string{j.attemptsPath(), j.periodsPath(), j.builtPath()},
		run: func(ctx context.Context) error {
			sum, err := features.Build(ctx, j.log, features.BuildOptions{
				AsOf:     data.AsOf(j.AsOf),
				Dir:      j.path(j.tables),
				Workers:  j.Workers,
				Progress: func(done, total int64) { j.progress("features", done, total) },
			})
			if err != nil {
				return err
			}
			// The done-file must not depend on where D lies.
			sum.Attempts.Path, sum.Periods.Path = j.attemptsPath(), j.periodsPath()
			b := built{Summary: sum}
			if b.Cut, err = cut(j.path(j.periodsPath())); err != nil {
				return err
			}
			return writeJSON(j.path(j.builtPath()), b)
		},
	}, nil
}

// built is what the features stage leaves behind beside the tables.
type built struct {
	features.Summary
	Cut int64 // failures whose last day at risk was cut short, as a rule by the next attempt
}

// cut counts the days that are only partly at risk: each is a failure's last.
func cut(path string) (n int64, err error) {
	err = eachChunk(context.Background(), path, func(f *data.Frame) {
		for _, e := range f.Column("exposure").F {
			if e < 1 {
				n++
			}
		}
	}, "exposure")
	return n, err
}

// readBuilt reads it back.
func (j *job) readBuilt() (built, error) {
	var b built
	return b, readJSON(j.path(j.builtPath()), &b)
}
