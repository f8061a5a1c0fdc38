package nightly

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"recoup/api/report"
	"recoup/data"
	"recoup/features"
	"recoup/models"
	"recoup/train"
)

func (j *job) decisionPath() string { return filepath.Join(j.run, "decision.json") }

// compareStage registers the new model and compares it with the champion on the
// same test rows. The decision is written down before anything is promoted, so
// that a killed job carries out the decision it had made.
func (j *job) compareStage() (stage, error) {
	return stage{
		name:    "compare",
		version: 1,
		setting: map[string]any{"draws": j.Draws, "seed": j.Seed},
		inputs: map[string]string{
			"log":        j.path(j.factsPath()),
			"features":   j.path(j.builtPath()),
			"attempts":   j.path(j.attemptsPath()),
			"periods":    j.path(j.periodsPath()),
			"attempt":    j.path(j.fittedPath("attempt")),
			"cure":       j.path(j.fittedPath("cure")),
			"evaluation": j.path(j.evaluationPath()),
		},
		outputs: []string{j.decisionPath()},
		run:     j.compare,
	}, nil
}

func (j *job) compare(ctx context.Context) error {
	var e evaluation
	if err := readJSON(j.path(j.evaluationPath()), &e); err != nil {
		return err
	}
	registry, err := models.OpenRegistry(j.path("models"))
	if err != nil {
		return err
	}
	aliases, err := registry.Aliases()
	if err != nil {
		return err
	}
	b, task, slice, err := j.bundle(&e)
	if err != nil {
		return err
	}
	defer task.close()
	id, err := registry.Save(b)
	if err != nil {
		return err
	}
	d := report.Decision{Challenger: string(id), Champion: string(aliases.Champion), Against: "base rate", Difference: e.Attempt.All.OverBase}
	if aliases.Champion != "" {
		if err := j.against(&d, registry, aliases.Champion, id, task.Task, slice); err != nil {
			return err
		}
	}
	decide(&d)
	return writeJSON(j.path(j.decisionPath()), d)
}

// against puts the champion on the same test rows, or says why it cannot be.
func (j *job) against(d *report.Decision, registry *models.Registry, champion, challenger models.ID, t train.Task, slice train.Slice) error {
	if champion == challenger {
		d.Why = "the same model as the champion"
		return nil
	}
	b, err := registry.Load(string(champion))
	if err != nil {
		return err
	}
	if b.Manifest.AsOf > j.AsOf.String() {
		d.Why = fmt.Sprintf("the champion was made as of %s: a night of the past replaces nothing", b.Manifest.AsOf)
		return nil
	}
	if b.Manifest.AttemptSchema != t.Schema.Fingerprint() {
		d.Checks = append(d.Checks, report.Check{Name: "comparison with the champion", Why: "the champion's rows have another schema and can no longer be made: compared with the base rate"})
		return nil
	}
	old, err := train.Score(t, *b.Attempt, slice)
	if err != nil {
		return err
	}
	new, err := j.readScores("attempt")
	if err != nil {
		return err
	}
	if len(old.P) != new.N {
		return data.Faultf(data.ErrContract, "nightly: the champion has %d test rows, the challenger %d", len(old.P), new.N)
	}
	r := rowsOf(old, nil)
	dr := &draws{customers: r.customers}
	d.Against = "champion"
	dr.estimate(&d.Difference, r.gain(r.all(), of(r.p), of(new.Column("p").F)))
	dr.run(j.Draws, j.Seed, j.Workers)
	return nil
}

// decide applies the rule: the challenger's Brier score must be better than what
// it is compared with by the whole interval.
func decide(d *report.Decision) {
	yes, no := true, false
	better := d.Difference.Lo != nil && *d.Difference.Lo > 0
	brier := report.Check{Name: "held-out Brier, paired by customer", Passed: &no, Why: fmt.Sprintf("%s minus challenger", d.Against)}
	if better {
		brier.Passed = &yes
	}
	d.Checks = append([]report.Check{brier,
		{Name: "same bytes on a second fit", Passed: &yes, Why: "both models were fitted twice, the second time with one worker"},
		{Name: "golden rows", Passed: &yes, Why: "the registered folder answers bit for bit"}}, d.Checks...)
	d.Checks = append(d.Checks,
		report.Check{Name: "paired OPE difference", Why: "off-policy evaluation is not built yet"},
		report.Check{Name: "gate violations on replay", Why: "there is no policy gate yet"})
	d.Outcome = report.Kept
	switch {
	case d.Why != "": // decided already
	case better && d.Against == "champion":
		d.Outcome, d.Why = report.Promoted, "its held-out Brier score is better than the champion's, with the whole interval above 0"
	case better:
		d.Outcome, d.Why = report.Promoted, "its held-out Brier score is better than the base rate's, with the whole interval above 0"
	case d.Against == "champion":
		d.Why = "its held-out Brier score is not surely better than the champion's"
	default:
		d.Why = "it is not surely better than the base rate"
	}
}

// openTask is a task with its file.
type openTask struct {
	train.Task
	close func() error
}

// goldenRows is how many rows a model must answer bit for bit wherever it is loaded.
const goldenRows = 64

// bundle puts together what is registered. The attempt task stays open for the
// comparison.
func (j *job) bundle(e *evaluation) (*models.Bundle, openTask, train.Slice, error) {
	var none openTask
	var log logFacts
	var attempt, cure fitted
	for path, v := range map[string]any{j.factsPath(): &log, j.fittedPath("attempt"): &attempt, j.fittedPath("cure"): &cure} {
		if err := readJSON(j.path(path), v); err != nil {
			return nil, none, train.Slice{}, err
		}
	}
	config, err := json.Marshal(map[string]any{"draws": j.Draws, "seed": j.Seed, "l2": "chosen on the select slice", "calibration": "platt on the logit"})
	if err != nil {
		return nil, none, train.Slice{}, err
	}
	b := &models.Bundle{Manifest: models.Manifest{
		AsOf: j.AsOf.String(), Currency: log.Data.Currency, KnownAtAssumed: log.Data.KnownAtAssumed, HorizonDays: log.Data.HorizonDays,
		AttemptWindow: log.Data.AttemptWindow, DataManifest: log.Data.ManifestHash,
		AttemptSchema: features.AttemptSchema().Fingerprint(), CureSchema: features.CureSchema().Fingerprint(),
		CureNotAssessed: cure.NotAssessed, Config: config, Attempt: e.AttemptJudged, Cure: e.CureJudged, Limits: e.Warnings,
	}}
	for _, s := range attempt.Fitted.Slices.Slices {
		b.Manifest.Slices = append(b.Manifest.Slices, models.TimeSlice{Name: s.Part.String(), From: stamp(s.From), To: stamp(s.To), Rows: s.Rows})
	}
	task, done, err := j.attemptTask()
	if err != nil {
		return nil, none, train.Slice{}, err
	}
	t := openTask{task, done}
	test := *attempt.Fitted.Slices.Of(train.ForTest)
	b.Attempt = &models.Scorer{Logistic: attempt.Fitted.Logistic, Platt: attempt.Fitted.Platt, Seen: attempt.Fitted.Seen}
	if b.Golden.Attempt, err = golden(task, b.Attempt, test); err != nil {
		return nil, none, test, errors.Join(err, done())
	}
	if cure.Fitted != nil {
		ct, close, err := j.cureTask()
		if err != nil {
			return nil, none, test, errors.Join(err, done())
		}
		defer close()
		b.Cure = &models.Scorer{Logistic: cure.Fitted.Logistic, Platt: cure.Fitted.Platt, Seen: cure.Fitted.Seen}
		if b.Golden.Cure, err = golden(ct, b.Cure, *cure.Fitted.Slices.Of(train.ForTest)); err != nil {
			return nil, none, test, errors.Join(err, done())
		}
	}
	return b, t, test, nil
}

func golden(t train.Task, s *models.Scorer, slice train.Slice) ([]models.GoldenRow, error) {
	rows, err := train.Sample(t, s, slice, goldenRows)
	if err != nil {
		return nil, err
	}
	return models.NewGolden(s, rows)
}
