package nightly

import (
	"context"
	"errors"
	"math"
	"path/filepath"

	"recoup/api/report"
	"recoup/data"
	"recoup/data/sim"
	"recoup/models"
)

// The oracle's files.
const (
	candidatesFile = sim.CandidatesFile
	curesFile      = sim.CuresFile
)

// truth is the oracle's word on test rows: parallel to the scores. NaN where the
// oracle has none.
type truth struct {
	p  []float64 // of the row's outcome
	f0 []float64 // of being paid within T when nothing is done; cure rows only
}

// oracle compares both models with the truth, on the test rows.
func (j *job) oracle(ctx context.Context, e *evaluation) (*report.Oracle, error) {
	out := &report.Oracle{}
	scores, err := j.readScores("attempt")
	if err != nil {
		return nil, err
	}
	p, err := j.captures(ctx, scores)
	if err != nil {
		return nil, err
	}
	if err := j.ceiling(&out.Attempt, scores, p, *e.Attempt.BaseRates.Train.Value); err != nil {
		return nil, err
	}
	if e.Cure.NotAssessed != "" {
		out.Cure.NotAssessed = e.Cure.NotAssessed
		out.F0Predicted, out.F0True = report.Unknown(e.Cure.NotAssessed), report.Unknown(e.Cure.NotAssessed)
		return out, nil
	}
	if scores, err = j.readScores("cure"); err != nil {
		return nil, err
	}
	hazard, err := j.cures(ctx, scores)
	if err != nil {
		return nil, err
	}
	if err := j.ceiling(&out.Cure, scores, hazard.p, *e.Cure.BaseRates.Train.Value); err != nil {
		return nil, err
	}
	out.F0Predicted = e.Recovery.F0
	j.trueF0(&out.F0True, scores, hazard.f0)
	return out, nil
}

// captures finds p_true of every scored attempt.
func (j *job) captures(ctx context.Context, scores *data.Frame) ([]float64, error) {
	row := map[string]int{}
	id := scores.Column("attempt_id")
	for i := range scores.N {
		row[id.Text(i)] = i
	}
	out := unknown(scores.N)
	err := eachChunk(ctx, filepath.Join(j.Oracle, candidatesFile), func(f *data.Frame) {
		id, p := f.Column("attempt_id"), f.Column("p_true")
		for i := range f.N {
			if k, ok := row[id.Text(i)]; ok {
				out[k] = p.F[i]
			}
		}
	}, "attempt_id", "p_true")
	return out, err
}

// failureDay names a row of the cure model.
type failureDay struct {
	caseID       string
	attempt, day int64
}

// cures finds the true hazard of every scored day.
func (j *job) cures(ctx context.Context, scores *data.Frame) (truth, error) {
	row := map[failureDay]int{}
	c, no, day := scores.Column("case_id"), scores.Column("attempt_no"), scores.Column("day")
	for i := range scores.N {
		row[failureDay{c.Text(i), no.I[i], day.I[i]}] = i
	}
	out := truth{unknown(scores.N), unknown(scores.N)}
	err := eachChunk(ctx, filepath.Join(j.Oracle, curesFile), func(f *data.Frame) {
		c, no, day := f.Column("case_id"), f.Column("attempt_no"), f.Column("day")
		h, f0 := f.Column("h_true"), f.Column("f0_true")
		for i := range f.N {
			if k, ok := row[failureDay{c.Text(i), no.I[i], day.I[i]}]; ok {
				out.p[k], out.f0[k] = h.F[i], f0.F[i]
			}
		}
	}, "case_id", "attempt_no", "day", "h_true", "f0_true")
	return out, err
}

func unknown(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}

// eachChunk reads some columns of a flat table.
func eachChunk(ctx context.Context, path string, use func(*data.Frame), columns ...string) error {
	file, err := data.OpenFrames(path)
	if err != nil {
		return err
	}
	for f, err := range file.Frames(columns...) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return errors.Join(err, file.Close())
		}
		use(f)
	}
	return file.Close()
}

// ceiling says how far the model came between the base rate and the truth, on
// the rows whose truth is known.
func (j *job) ceiling(to *report.Ceiling, scores *data.Frame, p []float64, rate float64) error {
	r := rows{y: scores.Column("y").F, w: scores.Column("weight").F, raw: scores.Column("p_raw").F, p: scores.Column("p").F}
	who := scores.Column("customer_id")
	r.customers = len(who.Dict)
	for _, c := range who.Codes {
		r.customer = append(r.customer, int32(c))
	}
	var keep []int
	var y, q, w []float64
	for i, v := range p {
		if v-v == 0 {
			keep = append(keep, i)
			y, q, w = append(y, r.y[i]), append(q, v), append(w, r.w[i])
		}
	}
	if len(keep) == 0 {
		to.NotAssessed = "the oracle knows none of the test rows: it is of another log"
		return nil
	}
	m, err := models.Evaluate(q, y, w)
	if err != nil {
		return err
	}
	if m.AUC == nil {
		to.AUCTrue = report.Unknown("one class")
	} else {
		to.AUCTrue = report.Number(*m.AUC, int64(len(keep)))
	}
	d := &draws{customers: r.customers}
	d.estimate(&to.BrierBase, r.brier(keep, constant(rate)))
	d.estimate(&to.BrierRaw, r.brier(keep, of(r.raw)))
	d.estimate(&to.Brier, r.brier(keep, of(r.p)))
	d.estimate(&to.BrierTrue, r.brier(keep, of(p)))
	gained := r.gain(keep, constant(rate), of(r.p))
	possible := r.gain(keep, constant(rate), of(p))
	d.estimate(&to.Captured, &ratio{who: gained.who, num: gained.num, den: possible.num, n: gained.n})
	d.run(j.Draws, j.Seed, j.Workers)
	if v := possible.of(nil); !(v > 0) {
		to.Captured = report.Unknown("the truth is no better than the base rate on these rows")
	}
	return nil
}

// trueF0 is the mean true self-cure rate of the failures whose first day is in
// the test slice.
func (j *job) trueF0(to *report.Estimate, scores *data.Frame, f0 []float64) {
	day, who := scores.Column("day"), scores.Column("customer_id")
	customer := make([]int32, scores.N)
	var first []int
	for i := range customer {
		customer[i] = int32(who.Codes[i])
		if day.I[i] == 0 && f0[i]-f0[i] == 0 {
			first = append(first, i)
		}
	}
	if len(first) == 0 {
		*to = report.Unknown("the oracle knows none of the test slice's failures")
		return
	}
	d := &draws{customers: len(who.Dict)}
	d.estimate(to, ratioOf(first, customer, of(f0), constant(1)))
	d.run(j.Draws, j.Seed, j.Workers)
}
