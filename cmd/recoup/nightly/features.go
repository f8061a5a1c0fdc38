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
			return writeJSON(j.path(j.builtPath()), sum)
		},
	}, nil
}

// built reads what the features stage left behind.
func (j *job) built() (features.Summary, error) {
	var s features.Summary
	return s, readJSON(j.path(j.builtPath()), &s)
}
