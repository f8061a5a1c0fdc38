package nightly

import (
	"recoup/api/report"
	"recoup/data"
	"recoup/train"
)

// recovery is what happens when nothing is done: the curve of being paid by the
// end of each day, and whether a failed retry changes the hazard.
// first is the start of each case's first failure.
func recovery(to *report.Recovery, d *draws, r rows, meta *data.Frame, first map[string]data.Micros) {
	day, attempt := meta.Column("day"), meta.Column("attempt_no")
	p := train.PersonDays{Day: day.I, Exposure: r.w, Y: r.y, P: r.p, Customer: r.customer}
	at, caseID := meta.Column("at"), meta.Column("case_id")
	retried, age := make([]bool, len(r.y)), make([]int64, len(r.y))
	var failures int64
	for i := range retried {
		retried[i] = attempt.I[i] > 0
		age[i] = day.I[i]
		if t, ok := first[caseID.Text(i)]; ok {
			age[i] = int64((data.Micros(at.I[i]) - t) / data.Day)
		}
		if day.I[i] == 0 {
			failures++
		}
	}
	c := train.CureCurve(p, nil)
	to.Curve = make([]report.F0Point, train.Days)
	for k := range to.Curve {
		to.Curve[k] = report.F0Point{Day: k + 1, Predicted: known(c.Predicted[k], c.Rows[k]), Observed: known(c.Observed[k], c.Rows[k])}
	}
	to.F0 = known(c.Predicted[train.Days-1], failures)
	before, after, ratio := train.HazardRatio(p, age, retried, nil)
	n := int64(len(r.y))
	to.Before, to.After, to.Ratio = known(before, n), known(after, n), known(ratio, n)

	d.addAll(train.Days+1, func(times, out []float64) {
		c := train.CureCurve(p, times)
		copy(out, c.Observed[:])
		out[train.Days] = c.Predicted[train.Days-1]
	}, func(k int, lo, hi float64) {
		if k == train.Days {
			widen(&to.F0, lo, hi)
			return
		}
		widen(&to.Curve[k].Observed, lo, hi)
	})
	d.addAll(3, func(times, out []float64) {
		out[0], out[1], out[2] = train.HazardRatio(p, age, retried, times)
	}, func(k int, lo, hi float64) {
		widen([]*report.Estimate{&to.Before, &to.After, &to.Ratio}[k], lo, hi)
	})
}

// known is a number, or why there is none.
func known(v float64, n int64) report.Estimate {
	if v-v != 0 {
		return report.Unknown("no failure was at risk")
	}
	return report.Number(v, n)
}

// widen gives a number its interval.
func widen(e *report.Estimate, lo, hi float64) {
	if e.Value != nil {
		*e = report.Ranged(*e.Value, lo, hi, e.N)
	}
}

// firstFailures is when the days of each case began.
func firstFailures(t train.Table) (map[string]data.Micros, error) {
	out := map[string]data.Micros{}
	for f, err := range t.Frames("case_id", "at") { // oldest first
		if err != nil {
			return nil, err
		}
		id, at := f.Column("case_id"), f.Column("at")
		for i := range f.N {
			if _, ok := out[id.Text(i)]; !ok {
				out[id.Text(i)] = data.Micros(at.I[i])
			}
		}
	}
	return out, nil
}
