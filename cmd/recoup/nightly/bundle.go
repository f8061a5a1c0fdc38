package nightly

import (
	"encoding/json"
	"slices"

	"recoup/api/report"
	"recoup/features"
	"recoup/models"
	"recoup/train"
)

// goldenRows is how many rows a model must answer bit for bit wherever it is loaded.
const goldenRows = 64

// bundle puts together what is registered of the logistic models.
func (f *field) bundle(e *evaluation) (*models.Bundle, error) {
	attempt, cure, log := f.attempt, f.cure, f.log
	config, err := json.Marshal(map[string]any{"draws": f.Draws, "seed": f.Seed, "l2": "chosen on the select slice", "calibration": "platt on the logit"})
	if err != nil {
		return nil, err
	}
	b := &models.Bundle{Manifest: models.Manifest{
		AsOf: f.AsOf.String(), Currency: log.Data.Currency, KnownAtAssumed: log.Data.KnownAtAssumed, HorizonDays: log.Data.HorizonDays,
		AttemptWindow: log.Data.AttemptWindow, DataManifest: log.Data.ManifestHash,
		AttemptSchema: features.AttemptSchema().Fingerprint(), CureSchema: features.CureSchema().Fingerprint(),
		CureNotAssessed: cure.NotAssessed, Config: config, Attempt: e.AttemptJudged, Cure: e.CureJudged, Limits: e.Warnings,
	}}
	for _, s := range attempt.Fitted.Slices.Slices {
		b.Manifest.Slices = append(b.Manifest.Slices, models.TimeSlice{Name: s.Part.String(), From: stamp(s.From), To: stamp(s.To), Rows: s.Rows})
	}
	b.Attempt = &models.Scorer{Logistic: attempt.Fitted.Logistic, Platt: attempt.Fitted.Platt, Seen: attempt.Fitted.Seen}
	if b.Golden.Attempt, err = golden(f.task, b.Attempt, f.test); err != nil {
		return nil, err
	}
	if cure.Fitted == nil {
		return b, nil
	}
	b.Cure = &models.Scorer{Logistic: cure.Fitted.Logistic, Platt: cure.Fitted.Platt, Seen: cure.Fitted.Seen}
	return b, f.withCure(func(t train.Task, test train.Slice) error {
		b.Golden.Cure, err = golden(t, b.Cure, test)
		return err
	})
}

// withCure lends the cure model's table.
func (f *field) withCure(use func(train.Task, train.Slice) error) error {
	t, done, err := f.cureTask()
	if err != nil {
		return err
	}
	defer done()
	return use(t, *f.cure.Fitted.Slices.Of(train.ForTest))
}

// forestBundle is the logistic bundle with LightGBM's attempt model in the place of its
// own, and LightGBM's cure model where that is used.
func (f *field) forestBundle(b models.Bundle, fit *train.FittedForest) (*models.Bundle, error) {
	made := map[string]any{"version": fit.Version, "attempt": fit.Trials}
	var err error
	b.Attempt = fit.Scorer()
	if b.Golden.Attempt, err = golden(f.task, b.Attempt, f.test); err != nil {
		return nil, err
	}
	b.Manifest.Attempt, err = f.judgeForest(f.task, b.Attempt, f.test, fit, attemptCuts, slices.Concat(cutColumns, attemptBeside))
	if err != nil {
		return nil, err
	}
	cure := forest{}
	if b.Cure != nil {
		if cure, err = f.readForest("cure"); err != nil {
			return nil, err
		}
	}
	if cure.Fitted != nil {
		made["cure"] = cure.Fitted.Trials
		b.Cure = cure.Fitted.Scorer()
		if err := f.withCure(func(t train.Task, test train.Slice) error {
			if b.Golden.Cure, err = golden(t, b.Cure, test); err != nil {
				return err
			}
			j, err := f.judgeForest(t, b.Cure, test, cure.Fitted, cureCuts, slices.Concat(cutColumns, cureBeside))
			b.Manifest.Cure = &j
			return err
		}); err != nil {
			return nil, err
		}
	} else if cure.NotUsed != "" {
		b.Manifest.Limits = append(slices.Clone(b.Manifest.Limits), "The cure model is the logistic regression: LightGBM's was not used: "+cure.NotUsed+".")
	}
	b.Manifest.Config, err = json.Marshal(map[string]any{"draws": f.Draws, "seed": f.Seed, "calibration": "platt on the logit", "lightgbm": made})
	return &b, err
}

// judgeForest is what a manifest keeps of a LightGBM model's test slice.
func (f *field) judgeForest(t train.Task, s *models.Scorer, test train.Slice, fit *train.FittedForest, cuts func(*train.Scored) []groupBy, beside []string) (models.Judged, error) {
	got, err := train.Score(t, *s, test, beside...)
	if err != nil {
		return models.Judged{}, err
	}
	r := rowsOf(got, nil)
	d, m := &draws{customers: r.customers}, report.Model{}
	all, err := f.measure(&m.All, d, r, fit.Train.Rate)
	if err != nil {
		return models.Judged{}, err
	}
	m.Groups = groups(d, r, cuts(got), fit.Train.Rate)
	d.run(f.Draws, f.Seed, f.Workers)
	return summary(&m, fit.Train, 0, all), nil
}

func golden(t train.Task, s *models.Scorer, slice train.Slice) ([]models.GoldenRow, error) {
	rows, err := train.Sample(t, s, slice, goldenRows)
	if err != nil {
		return nil, err
	}
	return models.NewGolden(s, rows)
}
