package nightly

import (
	"errors"
	"fmt"

	"recoup/api/report"
	"recoup/data"
	"recoup/models"
	"recoup/train"
)

// field is where the contenders meet: the test slice, and what the night knows of it.
type field struct {
	*job
	log     logFacts
	attempt fitted
	cure    fitted
	task    train.Task
	close   func() error
	test    train.Slice
}

// openField opens the attempt table for the comparison.
func (j *job) openField() (*field, error) {
	f := &field{job: j}
	if err := errors.Join(readJSON(j.path(j.factsPath()), &f.log), readJSON(j.path(j.fittedPath("attempt")), &f.attempt), readJSON(j.path(j.fittedPath("cure")), &f.cure)); err != nil {
		return nil, err
	}
	var err error
	if f.task, f.close, err = j.attemptTask(); err != nil {
		return nil, err
	}
	f.test = *f.attempt.Fitted.Slices.Of(train.ForTest)
	return f, nil
}

// ofTheNight registers the models of the night: the logistic one, and LightGBM's.
func (f *field) ofTheNight(registry *models.Registry, e *evaluation) ([]*entrant, error) {
	b, err := f.bundle(e)
	if err != nil {
		return nil, err
	}
	first, err := f.enter(registry, b)
	if err != nil {
		return nil, err
	}
	all := []*entrant{first}
	if f.LightGBM == nil {
		return all, nil
	}
	attempt, err := f.readForest("attempt")
	if err != nil {
		return nil, err
	}
	if b, err = f.forestBundle(*b, attempt.Fitted); err != nil {
		return nil, err
	}
	second, err := f.enter(registry, b)
	if err != nil {
		return nil, err
	}
	for _, t := range attempt.Fitted.Trials {
		second.Trials = append(second.Trials, report.ForestTry{Leaves: t.Parameters.Leaves, MinRows: t.Parameters.MinRows, Rate: t.Parameters.Rate, L2: t.Parameters.L2,
			Features: t.Parameters.Features, Trees: t.Rounds, LogLoss: t.LogLoss, Chosen: t.Chosen})
	}
	return append(all, second), nil
}

// enter registers a model of the night and scores the test rows with it.
func (f *field) enter(registry *models.Registry, b *models.Bundle) (*entrant, error) {
	id, err := registry.Save(b)
	if err != nil {
		return nil, err
	}
	b.ID = id
	x := entrantOf(b, report.ThisNight)
	return x, f.ask(x)
}

// ask scores the test rows with a contender. The evaluation has written down what the
// logistic model says of them.
func (f *field) ask(x *entrant) (err error) {
	if x.test, err = train.Score(f.task, *x.scorer, f.test, attemptBeside...); err != nil || x.scorer.Forest == nil && x.From == report.ThisNight {
		return err
	}
	return f.writePredictions(f.contenderPath(x.Model), x.test)
}

// entrantOf is a contender that has not been asked yet.
func entrantOf(b *models.Bundle, from report.Origin) *entrant {
	x := &entrant{scorer: b.Attempt, Contender: report.Contender{Model: string(b.ID), From: from, Kind: string(b.Kind()), Cure: "none"}}
	if b.Cure != nil {
		x.Cure = string(b.Cure.Kind())
	}
	if b.Attempt.Forest != nil {
		for _, g := range b.Attempt.Forest.Shares() {
			x.Gains = append(x.Gains, report.Gain{Column: g.Column, Share: g.Share})
		}
	}
	return x
}

// foreign is a registered challenger that was trained elsewhere, or why it cannot be judged.
func (f *field) foreign(registry *models.Registry, id models.ID) (*entrant, error) {
	b, err := registry.Load(string(id))
	if err != nil {
		return nil, err
	}
	x := entrantOf(b, report.Added)
	m := &b.Manifest
	switch {
	case m.AsOf > f.AsOf.String():
		x.NotJudged = fmt.Sprintf("it was made as of %s, after this night: it may have been taught by these rows", m.AsOf)
	case m.AttemptSchema != f.task.Schema.Fingerprint():
		x.NotJudged = "its rows have another schema than this recoup builds"
	case m.Currency != f.log.Data.Currency:
		x.NotJudged = fmt.Sprintf("it was made of money in %s, the log is in %s", m.Currency, f.log.Data.Currency)
	case m.HorizonDays != f.log.Data.HorizonDays:
		x.NotJudged = fmt.Sprintf("its horizon is %v days, the log's %v", m.HorizonDays, f.log.Data.HorizonDays)
	default:
		err = f.ask(x)
	}
	return x, err
}

// champion puts the champion on the test rows, or says why it cannot be: nil.
func (f *field) champion(registry *models.Registry, out *contenders) (*train.Scored, error) {
	aliases, err := registry.Aliases()
	if err != nil || aliases.Champion == "" {
		return nil, err
	}
	out.Champion = aliases.Champion
	b, err := registry.Load(string(aliases.Champion))
	if err != nil {
		return nil, err
	}
	out.ChampionKind = b.Kind()
	switch {
	case b.Manifest.AsOf > f.AsOf.String():
		out.NotReplaced = fmt.Sprintf("the champion was made as of %s: a night of the past replaces nothing", b.Manifest.AsOf)
		return nil, nil
	case b.Manifest.AttemptSchema != f.task.Schema.Fingerprint():
		out.Note = "the champion's rows have another schema and can no longer be made: compared with the base rate"
		return nil, nil
	}
	out.Against = "champion"
	return train.Score(f.task, *b.Attempt, f.test)
}

// compare measures everybody on the same rows, with the same draws of customers.
func (f *field) compare(all []*entrant, champion *train.Scored, out *contenders) error {
	first := rowsOf(all[0].test, nil)
	if champion != nil && len(champion.P) != len(first.y) {
		return data.Faultf(data.ErrContract, "nightly: the champion has %d test rows, the challenger %d", len(champion.P), len(first.y))
	}
	d := &draws{customers: first.customers}
	against := constant(f.attempt.Fitted.Train.Rate)
	if champion != nil {
		against = of(champion.P)
	}
	for _, x := range all {
		switch {
		case x.Model == string(out.Champion):
			x.NotJudged = "the same model as the champion"
		case x.NotJudged == "":
			x.NotJudged = out.NotReplaced
		}
		if x.test == nil {
			continue
		}
		r := rowsOf(x.test, nil)
		m, err := models.Evaluate(r.p, r.y, r.w)
		if err != nil {
			return err
		}
		ms := report.MeasuresOf(m, nil)
		x.LogLoss, x.AUC = ms["log_loss"], ms["roc_auc"]
		d.estimate(&x.Brier, r.brier(r.all(), of(r.p)))
		d.estimate(&x.OverBase, r.gain(r.all(), constant(f.attempt.Fitted.Train.Rate), of(r.p)))
		d.estimate(&x.Difference, r.gain(r.all(), against, of(r.p)))
		if x != all[0] {
			d.estimate(&x.OverFirst, r.gain(r.all(), of(first.p), of(r.p)))
		}
	}
	d.run(f.Draws, f.Seed, f.Workers)
	return nil
}
