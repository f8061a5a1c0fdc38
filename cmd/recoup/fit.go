package main

import (
	"context"
	"fmt"

	"recoup/data"
	"recoup/data/table"
	"recoup/models"
	"recoup/train"
)

type fitCmd struct {
	Data          string            `required:"" placeholder:"F" help:"Table to fit: CSV, JSONL or Parquet. Text columns become one column a level."`
	Target        string            `required:"" placeholder:"COLUMN" help:"Column of outcomes, 0 or 1."`
	Weight        string            `placeholder:"COLUMN" help:"Column of weights >= 0. Rows of weight 0 count nowhere."`
	Features      []string          `placeholder:"A,B" help:"Columns to use (default: all others)."`
	L2            float64           `name:"l2" placeholder:"L" help:"Penalty: L/2 times the sum of squared coefficients of the standardised columns (default 0)."`
	NoStandardize bool              `help:"Penalise the raw coefficients instead (scikit-learn's C = 1/L)."`
	Ref           map[string]string `mapsep:"none" placeholder:"COL=LEVEL" help:"Level without a coefficient (default: first in byte order). May be repeated."`
	Calibrate     string            `placeholder:"F2" help:"Later rows to fit Platt's curve on."`
	Test          string            `placeholder:"F3" help:"Later rows yet to measure on, as evaluate does."`
	JSON          bool              `name:"json" help:"Print one JSON object."`
}

// fitResult is what fit prints.
type fitResult struct {
	train.Fit
	Intercept    float64            `json:"intercept"`
	Coefficients map[string]float64 `json:"coefficients"`
	Mean         map[string]float64 `json:"mean"`
	SD           map[string]float64 `json:"sd"`
	Platt        *models.Platt      `json:"platt"`
	Calibration  *train.PlattInfo   `json:"calibration,omitempty"`
	Test         *fitTest           `json:"test,omitempty"`
	Warnings     []models.Warning   `json:"warnings"`
	columns      []fittedColumn     // in the order of the design
}

type fittedColumn struct {
	name         string
	coef, se, sd float64
}

type fitTest struct {
	Raw        models.Metrics  `json:"raw"`
	Calibrated *models.Metrics `json:"calibrated"`
	FirstRaw   []float64       `json:"first_rows_p_raw"`
	FirstCal   []float64       `json:"first_rows_p_calibrated,omitempty"`
}

func (c *fitCmd) Run(ctx context.Context, e *env) error {
	if c.Target == c.Weight {
		return data.Faultf(data.ErrUsage, "fit: column %s cannot be the target and the weight", c.Target)
	}
	f, err := table.Open(c.Data, table.Options{})
	if err != nil {
		return err
	}
	d, err := train.Discover(f, train.Inputs{Target: c.Target, Weight: c.Weight, Features: c.Features, Ref: c.Ref})
	if err != nil {
		return err
	}
	src := train.SourceOf(f, d, c.Target, c.Weight)
	model, fit, err := train.Logistic(ctx, d, src, c.Target, c.Weight, train.Options{L2: c.L2, Standardize: !c.NoStandardize, StandardErrors: true, Hold: hold(f, d)})
	if err != nil {
		return fmt.Errorf("fit: %s: %w", c.Data, err)
	}
	r := fitResult{Fit: fit, Intercept: model.Intercept, Coefficients: map[string]float64{}, Mean: map[string]float64{}, SD: map[string]float64{}, Warnings: []models.Warning{}}
	for j, name := range model.Columns() {
		if model.SD[j] > 0 {
			col := fittedColumn{name: name, coef: model.Coef[j], sd: model.SD[j]}
			if fit.StdErr != nil {
				col.se = fit.StdErr[j]
			}
			r.columns = append(r.columns, col)
			r.Coefficients[name], r.Mean[name], r.SD[name] = model.Coef[j], model.Mean[j], model.SD[j]
		}
	}
	if err := c.judge(model, &r); err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(r)
	}
	return r.print(e.stdout)
}

// hold lets a Parquet file that is known to fit be read once; a larger one is read
// again on every pass, in little memory.
func hold(f *table.File, d models.Design) int64 {
	const most = 512 << 20
	switch bytes := f.Rows() * 8 * int64(len(d.Inputs)+2); {
	case bytes < 0:
		return 0 // text: not known
	case bytes <= most:
		return most
	}
	return -1
}

// judge calibrates and tests.
func (c *fitCmd) judge(m *models.Logistic, r *fitResult) error {
	r.Warnings = append(r.Warnings, models.Warning{Measure: "platt", Reason: "no rows to calibrate on were given"})
	if c.Calibrate != "" {
		s, err := c.score(m, c.Calibrate)
		if err != nil {
			return err
		}
		curve, info, err := train.Platt(s.f, s.y, s.w)
		if err != nil {
			return fmt.Errorf("fit: %s: %w", c.Calibrate, err)
		}
		r.Platt, r.Calibration, r.Warnings = &curve, &info, []models.Warning{}
		if info.Flag != "" {
			r.Warnings = append(r.Warnings, models.Warning{Measure: "platt", Reason: "only a constant: " + string(info.Flag)})
		}
		if info.Backwards {
			r.Warnings = append(r.Warnings, models.Warning{Measure: "platt", Reason: "a > 0: the model ranks the calibration rows backwards"})
		}
	}
	if c.Test == "" {
		return nil
	}
	s, err := c.score(m, c.Test)
	if err != nil {
		return err
	}
	rate := r.WeightedPositives / r.WeightSum
	o := models.MetricOptions{TrainRate: &rate}
	raw := s.probs(models.Platt{A: -1})
	r.Test = &fitTest{FirstRaw: raw[:min(5, len(raw))]}
	if r.Test.Raw, err = o.Evaluate(raw, s.y, s.w); err == nil && r.Platt != nil {
		var m models.Metrics
		p := s.probs(*r.Platt)
		r.Test.Calibrated, r.Test.FirstCal = &m, p[:min(5, len(p))]
		m, err = o.Evaluate(p, s.y, s.w)
	}
	if err != nil {
		return fmt.Errorf("fit: %s: %w", c.Test, err)
	}
	return nil
}

// scores are the logits, outcomes and weights of a file.
type scores struct{ f, y, w []float64 }

func (s scores) probs(c models.Platt) []float64 {
	p := make([]float64, len(s.f))
	for i, f := range s.f {
		p[i] = c.Prob(f)
	}
	return p
}

func (c *fitCmd) score(m *models.Logistic, path string) (scores, error) {
	f, err := table.Open(path, table.Options{})
	if err != nil {
		return scores{}, err
	}
	var s scores
	s.f, s.y, s.w, err = train.Margins(m, train.SourceOf(f, m.Design, c.Target, c.Weight), c.Target, c.Weight)
	if err == nil && len(s.f) == 0 {
		err = data.Faultf(data.ErrTooLittle, "no rows")
	}
	if err != nil {
		return s, fmt.Errorf("fit: %s: %w", path, err)
	}
	return s, nil
}
