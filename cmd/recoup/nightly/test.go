package nightly

import (
	"fmt"

	"recoup/api/report"
	"recoup/models"
	"recoup/train"
)

// rows are scored rows with their customers, as the measures want them.
type rows struct {
	y, w, raw, p []float64
	customer     []int32
	customers    int
}

// rowsOf takes some rows (nil = all) of what the trainer scored.
func rowsOf(s *train.Scored, keep []int) rows {
	if keep == nil {
		keep = make([]int, len(s.Y))
		for i := range keep {
			keep[i] = i
		}
	}
	r := rows{customer: make([]int32, 0, len(keep))}
	who := s.Meta.Column("customer_id")
	codes := make([]int32, len(who.Dict)) // 1 + code
	for _, i := range keep {
		r.y, r.raw, r.p = append(r.y, s.Y[i]), append(r.raw, s.Raw[i]), append(r.p, s.P[i])
		if s.W != nil {
			r.w = append(r.w, s.W[i])
		}
		k := &codes[who.Codes[i]]
		if *k == 0 {
			r.customers++
			*k = int32(r.customers)
		}
		r.customer = append(r.customer, *k-1)
	}
	return r
}

// weight is the weight of a row.
func (r *rows) weight(i int) float64 {
	if r.w == nil {
		return 1
	}
	return r.w[i]
}

// brier is the ratio whose value is the Brier score of a forecast.
func (r *rows) brier(keep []int, p func(i int) float64) *ratio {
	return ratioOf(keep, r.customer, func(i int) float64 {
		d := p(i) - r.y[i]
		return float64(r.weight(i) * d * d)
	}, r.weight)
}

// gain is the Brier score of one forecast minus that of another: above 0 = the
// other is better.
func (r *rows) gain(keep []int, one, other func(i int) float64) *ratio {
	return ratioOf(keep, r.customer, func(i int) float64 {
		a, b := one(i)-r.y[i], other(i)-r.y[i]
		return float64(r.weight(i) * (float64(a*a) - float64(b*b)))
	}, r.weight)
}

func (r *rows) all() []int {
	out := make([]int, len(r.y))
	for i := range out {
		out[i] = i
	}
	return out
}

// constant is a forecast that always says the same.
func constant(p float64) func(int) float64 { return func(int) float64 { return p } }

// of is a forecast by row.
func of(p []float64) func(int) float64 { return func(i int) float64 { return p[i] } }

// measured is a set of rows with both sets of measures.
type measured struct {
	raw, calibrated models.Metrics
}

// measure fills one report.Test, and registers the intervals that need draws.
func (j *job) measure(t *report.Test, d *draws, r rows, trainRate float64) (measured, error) {
	var m measured
	boot := models.Bootstrap{Cluster: make([]int, len(r.customer)), Draws: j.Draws, Seed: j.Seed, Workers: j.Workers}
	for i, c := range r.customer {
		boot.Cluster[i] = int(c)
	}
	for _, side := range []struct {
		p  []float64
		m  *models.Metrics
		to *report.Measures
	}{{r.raw, &m.raw, &t.Raw}, {r.p, &m.calibrated, &t.Calibrated}} {
		got, err := models.MetricOptions{TrainRate: &trainRate}.Evaluate(side.p, r.y, r.w)
		if err != nil {
			return m, err
		}
		in, err := boot.Intervals(side.p, r.y, r.w)
		if err != nil {
			return m, err
		}
		*side.m, *side.to = got, report.MeasuresOf(got, byName(in))
		r.skill(d, *side.to, side.p, trainRate)
	}
	if err := t.SetCurves(r.raw, r.p, r.y, r.w); err != nil {
		return m, err
	}
	t.Counts = report.Counts{Rows: int64(len(r.y)), Customers: int64(r.customers)}
	for _, y := range r.y {
		t.Positives += int64(y)
	}
	d.estimate(&t.OverBase, r.gain(r.all(), constant(trainRate), of(r.p)))
	t.IntervalsFrom = fmt.Sprintf("%d draws of whole customers, seed %d", j.Draws, j.Seed)
	return m, nil
}

// byName are the intervals that there are, by their measure.
func byName(in models.Intervals) map[string]models.Interval {
	out := map[string]models.Interval{}
	for _, x := range []struct {
		name string
		in   *models.Interval
	}{{"brier", in.Brier}, {"log_loss", in.LogLoss}, {"roc_auc", in.AUC}, {"ece_mass", in.ECEMass}, {"base_rate", in.BaseRate}} {
		if x.in != nil {
			out[x.name] = *x.in
		}
	}
	return out
}

// skill registers the intervals of both Brier skills.
func (r *rows) skill(d *draws, to report.Measures, p []float64, trainRate float64) {
	train := ratioOf(r.all(), r.customer, func(i int) float64 {
		a, b := trainRate-r.y[i], p[i]-r.y[i]
		return float64(r.weight(i) * (float64(a*a) - float64(b*b)))
	}, func(i int) float64 {
		a := trainRate - r.y[i]
		return float64(r.weight(i) * a * a)
	})
	d.add(train.of, func(lo, hi float64) { set(to, "brier_skill_train", lo, hi) })
	brier := r.brier(r.all(), of(p))
	rate := ratioOf(r.all(), r.customer, func(i int) float64 { return float64(r.weight(i) * r.y[i]) }, r.weight)
	d.add(func(times []float64) float64 {
		o := rate.of(times)
		return 1 - brier.of(times)/float64(o*(1-o))
	}, func(lo, hi float64) { set(to, "brier_skill_test", lo, hi) })
}

// set gives a measure its interval, where it has a value.
func set(to report.Measures, name report.Measure, lo, hi float64) {
	e := to[name]
	widen(&e, lo, hi)
	to[name] = e
}
