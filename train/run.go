package train

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"recoup/data"
	"recoup/features"
	"recoup/models"
)

// Task is one model to be made: a table, what its rows mean, and how it is cut.
// The attempt model and the cure model are two tasks of the same steps.
type Task struct {
	Table   Table
	Schema  features.Schema
	Slices  Slices
	Weight  string // a column of weights, "" = 1 each
	Workers int    // changes no byte
}

// Counts are the rows of a slice.
type Counts struct {
	Rows      int64   `json:"rows"`
	Positives int64   `json:"positives"`
	Customers int64   `json:"customers"`
	Rate      float64 `json:"rate"` // weighted share of positives: what a constant forecast would say
}

// Fitted is one model with how it came about.
type Fitted struct {
	Slices   Slices
	Train    Counts
	L2       float64 // of the sum of log losses, on standardised columns
	Trials   []Trial
	Fit      Fit
	Logistic *models.Logistic
	Platt    models.Platt
	Seen     *models.Seen // of the train slice
	Warnings []string
}

// Run makes one model: slices, design, penalty, coefficients, calibration. The
// test slice is counted and not looked at. Errors: ErrTooLittle names the slice
// that is too thin, ErrUnsafe a second fit that differs or a score that ranks
// backwards.
func Run(ctx context.Context, t Task) (*Fitted, error) {
	f := &Fitted{}
	var err error
	if f.Slices, err = t.count(); err != nil {
		return nil, err
	}
	if err := f.Slices.Enough(t.Table.Name); err != nil {
		return nil, err
	}
	rows, err := t.parts(f.Slices, everybody)
	if err != nil {
		return nil, err
	}
	if f.Train, err = t.describe(rows.train); err != nil {
		return nil, err
	}
	if f.Seen, err = seen(t.Schema, rows.train); err != nil {
		return nil, err
	}
	refs, err := commonest(t.Schema, rows.train)
	if err != nil {
		return nil, err
	}
	d := design(t.Schema, refs, "")
	if f.L2, f.Trials, err = t.choose(ctx, d, rows, f.Train.Rows); err != nil {
		return nil, err
	}
	if f.Logistic, f.Fit, err = t.fit(ctx, d, rows.train, Options{L2: f.L2, Workers: t.Workers, StandardErrors: true}); err != nil {
		return nil, err
	}
	if err := t.sameAgain(ctx, f, d, rows.train); err != nil {
		return nil, err
	}
	var info PlattInfo
	scored, err := t.score(logistic(f.Logistic), rows.calibrate)
	if err != nil {
		return nil, err
	}
	if f.Platt, info, err = t.platt(scored); err != nil {
		return nil, err
	}
	scored.through(f.Platt)
	f.Seen.Scores = models.CutsOf(scored.P)
	if info.Flag != "" {
		f.Warnings = append(f.Warnings, fmt.Sprintf("Platt: %s", info.Flag))
	}
	return f, nil
}

// ErrBackwards is a score that ranks the calibrate slice the wrong way round: it
// has learnt nothing that lasts. It comes with data.ErrUnsafe.
var ErrBackwards = errors.New("nothing was learnt")

// everybody wants every customer.
func everybody(string) bool { return true }

// sources are the rows of the slices that a fit needs.
type sources struct{ train, pick, calibrate Source }

// parts opens the slices before the test slice, for some customers.
func (t Task) parts(s Slices, who func(string) bool) (out sources, err error) {
	for _, p := range []struct {
		part Part
		to   *Source
	}{{ForTrain, &out.train}, {ForSelect, &out.pick}, {ForCalibrate, &out.calibrate}} {
		if *p.to, err = t.Table.rows(t.columns(), within(*s.Of(p.part)).of(who)); err != nil {
			return out, err
		}
	}
	return out, nil
}

// columns are the features of the schema, and the weight.
func (t Task) columns() []string {
	var out []string
	for _, c := range t.Schema.Columns {
		out = append(out, c.Name)
	}
	if t.Weight != "" {
		out = append(out, t.Weight)
	}
	return out
}

// count counts the slices in one pass over two columns.
func (t Task) count() (Slices, error) {
	s := t.Slices
	for f, err := range t.Table.Frames(colAt, colY) {
		if err != nil {
			return s, fmt.Errorf("train: %s: %w", t.Table.Name, err)
		}
		at, y := f.Column(colAt), f.Column(colY)
		for i := range f.N {
			s.Count(data.Micros(at.I[i]), y.I[i])
		}
	}
	return s, nil
}

// describe counts rows, positives and customers.
func (t Task) describe(rows Source) (Counts, error) {
	var c Counts
	var w, wy models.Sum
	seen := map[string]bool{}
	for f, err := range rows() {
		if err != nil {
			return c, err
		}
		y, who := f.Column(colY), f.Column(colCustomer)
		weight, err := t.weights(f)
		if err != nil {
			return c, err
		}
		for i := range f.N {
			c.Rows++
			c.Positives += y.I[i]
			seen[who.Text(i)] = true
			m := 1.0
			if weight != nil {
				m = weight[i]
			}
			w.Add(m)
			wy.Add(float64(m * float64(y.I[i])))
		}
	}
	c.Customers = int64(len(seen))
	if w.Value() > 0 {
		c.Rate = wy.Value() / w.Value()
	}
	return c, nil
}

// weights is the chunk's weight column; nil = 1 each.
func (t Task) weights(f *data.Frame) ([]float64, error) {
	if t.Weight == "" {
		return nil, nil
	}
	return models.Weights(f, t.Weight)
}

// fit is the exact optimum under one penalty of the standardised coefficients.
func (t Task) fit(ctx context.Context, d models.Design, rows Source, o Options) (*models.Logistic, Fit, error) {
	o.Standardize = true
	m, fit, err := Logistic(ctx, d, rows, colY, t.Weight, o)
	if err != nil {
		return nil, fit, fmt.Errorf("train: %s: %w", t.Table.Name, err)
	}
	return m, fit, nil
}

// sameAgain fits a second time, with one worker, and demands the same bytes: a
// model that depends on the machine's mood must not be promoted.
func (t Task) sameAgain(ctx context.Context, f *Fitted, d models.Design, rows Source) error {
	again, _, err := t.fit(ctx, d, rows, Options{L2: f.L2, Workers: 1})
	if err != nil {
		return err
	}
	a, err := json.Marshal(f.Logistic)
	if err != nil {
		return err
	}
	b, err := json.Marshal(again)
	if err != nil {
		return err
	}
	if !bytes.Equal(a, b) {
		return data.Faultf(data.ErrUnsafe, "train: %s: a second fit of the same rows gave other bytes", t.Table.Name)
	}
	return nil
}

// logistic is a model that is not calibrated yet.
func logistic(m *models.Logistic) *models.Scorer { return &models.Scorer{Logistic: m} }

// calibrate fits Platt on the logits of a slice that the coefficients have not seen.
func (t Task) calibrate(m *models.Logistic, rows Source) (models.Platt, PlattInfo, error) {
	s, err := t.score(logistic(m), rows)
	if err != nil {
		return models.Platt{}, PlattInfo{}, err
	}
	return t.platt(s)
}

// platt fits Platt on rows that were scored.
func (t Task) platt(s *Scored) (models.Platt, PlattInfo, error) {
	p, info, err := Platt(s.F, s.Y, s.W)
	if err == nil {
		err = p.Check()
	}
	if info.Backwards {
		err = errors.Join(ErrBackwards, err)
	}
	if err != nil {
		return p, info, fmt.Errorf("train: %s: %w", t.Table.Name, err)
	}
	return p, info, nil
}
