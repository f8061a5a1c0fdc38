package nightly

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"recoup/api/report"
	"recoup/data"
	"recoup/features"
	"recoup/models"
	"recoup/train"
)

// describe fills what is known of a model before the test slice is looked at.
func describe(m *report.Model, s features.Schema, f *train.Fitted) {
	m.Train = report.Counts{Rows: f.Train.Rows, Positives: f.Train.Positives, Customers: f.Train.Customers}
	m.Inputs = len(f.Logistic.Coef)
	m.L2, m.Iterations, m.GradInf = f.L2, f.Fit.Iterations, f.Fit.GradInf
	m.Platt = report.Platt{A: f.Platt.A, B: f.Platt.B}
	for _, t := range f.Trials {
		m.L2Trials = append(m.L2Trials, report.L2Try{L2: t.L2, LogLoss: t.LogLoss, Chosen: t.Chosen})
	}
	for _, d := range f.Logistic.Dropped {
		m.Dropped = append(m.Dropped, report.Dropped{Column: d.Column, Why: d.Why})
	}
	m.Coefficients = coefficients(f)
}

// coefficients lists every coefficient in log odds per standard deviation of its
// column, largest first, with the interval from the inverse Hessian.
func coefficients(f *train.Fitted) []report.Coefficient {
	l := f.Logistic
	dropped := map[string]bool{}
	for _, d := range l.Dropped {
		dropped[d.Column] = true
	}
	var out []report.Coefficient
	for _, p := range l.Layout().Parts {
		for k := p.Offset; k < p.Offset+p.Width; k++ {
			name := l.Columns()[k]
			if dropped[name] {
				continue
			}
			v := l.Coef[k] * l.SD[k]
			c := report.Coefficient{Name: name, Group: l.Terms[p.Term].Name, Raw: l.Coef[k], Value: report.Number(v, f.Train.Rows)}
			if len(f.Fit.StdErr) == len(l.Coef) {
				half := 1.959963984540054 * f.Fit.StdErr[k] * l.SD[k]
				c.Value = report.Ranged(v, v-half, v+half, f.Train.Rows)
			}
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b report.Coefficient) int {
		return cmp.Compare(math.Abs(*b.Value.Value), math.Abs(*a.Value.Value))
	})
	return out
}

// calibrators compares the maps fitted on the calibrate slice, on the test rows.
func (j *job) calibrators(m *report.Model, d *draws, r rows, got *train.Judged) error {
	m.Calibrators = make([]report.Calibrator, len(got.Calibrators))
	for i, c := range got.Calibrators {
		to := &m.Calibrators[i]
		to.Name, to.Used = c.Name, c.Name == "platt"
		if c.P == nil {
			why := report.Unknown(c.Why)
			to.Brier, to.LogLoss, to.ECE, to.LeftOnTable = why, why, why, why
			continue
		}
		got, err := models.Evaluate(c.P, r.y, r.w)
		if err != nil {
			return err
		}
		ms := report.MeasuresOf(got, nil)
		to.LogLoss, to.ECE = ms["log_loss"], ms["ece_mass"]
		d.estimate(&to.Brier, r.brier(r.all(), of(c.P)))
		d.estimate(&to.LeftOnTable, r.gain(r.all(), of(r.p), of(c.P)))
	}
	return nil
}

// blocks says what each part of the schema is worth.
func blocks(m *report.Model, d *draws, r rows, got *train.Judged) {
	m.Blocks = make([]report.Block, len(got.Without))
	for i, w := range got.Without {
		to := &m.Blocks[i]
		to.Name, to.Columns = w.Name, w.Columns
		if w.P == nil {
			to.Without, to.Worth = report.Unknown(w.Why), report.Unknown(w.Why)
			continue
		}
		d.estimate(&to.Without, r.brier(r.all(), of(w.P)))
		d.estimate(&to.Worth, r.gain(r.all(), of(w.P), of(r.p)))
	}
}

// summary is what the model's manifest keeps of the judgement. c is its train slice.
func summary(m *report.Model, c train.Counts, l2 float64, all measured) models.Judged {
	j := models.Judged{
		Rows: m.All.Rows, Positives: m.All.Positives, Customers: m.All.Customers,
		Train: c.Rows, TrainRate: c.Rate, L2: l2,
		Raw: all.raw, Calibrated: all.calibrated, Intervals: map[string]models.Interval{},
	}
	for name, e := range m.All.Calibrated {
		if i := interval(e); i != nil {
			j.Intervals[string(name)] = *i
		}
	}
	if v := m.All.OverBase.Value; v != nil {
		j.OverBase, j.OverBaseInterval = *v, interval(m.All.OverBase)
	}
	for _, g := range m.Groups {
		for _, l := range g.Levels {
			j.Slices = append(j.Slices, models.SliceGap{By: g.By, Level: l.Level, Rows: l.Gap.N, Rate: *l.Rate.Value, MeanP: l.MeanP, Gap: *l.Gap.Value, Interval: interval(l.Gap)})
		}
	}
	slices.SortStableFunc(j.Slices, func(a, b models.SliceGap) int { return cmp.Compare(beyond(b.Interval), beyond(a.Interval)) })
	return j
}

// beyond is the distance of an interval from 0, 0 when it holds 0.
func beyond(i *models.Interval) float64 {
	if i == nil {
		return 0
	}
	return max(0, i[0], -i[1])
}

func interval(e report.Estimate) *models.Interval {
	if e.Lo == nil || e.Hi == nil {
		return nil
	}
	return &models.Interval{*e.Lo, *e.Hi}
}

// wilson is a rate with its interval, row by row.
func wilson(rate float64, n int64) report.Estimate {
	if lo, hi, ok := models.Wilson(rate*float64(n), float64(n)); ok {
		return report.Ranged(rate, lo, hi, n)
	}
	return report.Unknown("no rows")
}

// tooFew says why rows cannot be judged; "" = they can.
func tooFew(rows, positives int64, what string) string {
	const least = 50 // of either outcome, as in a slice
	if positives >= least && rows-positives >= least {
		return ""
	}
	return fmt.Sprintf("%d rows of %s in the test slice, %d of them positive: at least %d positive and %d negative are needed", rows, what, positives, least, least)
}

// splits lists the slices of both models.
func splits(a, c *train.Fitted) []report.Split {
	var out []report.Split
	if a.Slices.WarmUp > 0 {
		out = append(out, report.Split{Name: "warm_up", From: stamp(a.Slices.WarmUp - 60*data.Day), To: stamp(a.Slices.WarmUp)})
	}
	for i, s := range a.Slices.Slices {
		p := report.Split{Name: s.Part.String(), From: stamp(s.From), To: stamp(s.To), AttemptRows: s.Rows, AttemptPositives: s.Positives}
		if c != nil {
			p.PeriodRows, p.PeriodPositives = c.Slices.Slices[i].Rows, c.Slices.Slices[i].Positives
		}
		out = append(out, p)
	}
	return out
}

// stamp is a time as the report writes it.
func stamp(t data.Micros) string { return t.Time().Format(time.RFC3339Nano) }
