package train

import "math"

// Days is T, the horizon of P(recover by T | ...), in days: person-period rows
// number them 0 to Days-1.
const Days = 21

// PersonDays are person-period rows: parallel slices.
type PersonDays struct {
	Day      []int64   // 0 .. Days-1 since the failure
	Exposure []float64 // part of the day at risk, (0, 1]
	Y        []float64 // 1 = paid that day without a new attempt
	P        []float64 // the model's hazard of that day
	Customer []int32   // who; nil where no weights by customer are used
}

// Recovered is the share of failures paid by the end of each day when nothing
// is done: 1 minus the product of (1 - hazard) over the days so far. Observed
// is Kaplan and Meier's (1958), a failure being censored at its next attempt;
// Predicted has the mean predicted hazard of the same rows in its place. Both
// are NaN from the first day on that has no row at risk.
type Recovered struct {
	Observed, Predicted [Days]float64
	Rows                [Days]int64
}

// CureCurve is the curve of some person-days. times is how often each customer
// counts (a bootstrap draw); nil = once.
func CureCurve(d PersonDays, times []float64) Recovered {
	var risk, paid, expected [Days]float64
	var out Recovered
	for i, day := range d.Day {
		m := 1.0
		if times != nil {
			m = times[d.Customer[i]]
		}
		e := float64(m * d.Exposure[i])
		risk[day] += e
		paid[day] += float64(m * d.Y[i])
		expected[day] += float64(e * d.P[i])
		out.Rows[day]++
	}
	o, p := 1.0, 1.0
	for day := range Days {
		if risk[day] == 0 {
			o, p = math.NaN(), math.NaN()
		}
		o *= 1 - min(1, paid[day]/risk[day])
		p *= 1 - expected[day]/risk[day]
		out.Observed[day], out.Predicted[day] = 1-o, 1-p
	}
	return out
}

// HazardRatio compares the daily hazard after a failed retry with the one before
// any retry failed, at the same age of the case: age is in days since the case's
// first failure, by row. Both are means over the ages that both have at risk, an
// age weighing what it has at risk after retries; else the older days of retried
// cases, when few pay by themselves, would be taken for an effect of the retry.
// NaN where no age is shared.
func HazardRatio(d PersonDays, age []int64, retried []bool, times []float64) (before, after, ratio float64) {
	oldest := int64(0)
	for _, a := range age {
		oldest = max(oldest, a)
	}
	risk, paid := [2][]float64{}, [2][]float64{}
	for k := range risk {
		risk[k], paid[k] = make([]float64, oldest+1), make([]float64, oldest+1)
	}
	for i, a := range age {
		m := 1.0
		if times != nil {
			m = times[d.Customer[i]]
		}
		k := 0
		if retried[i] {
			k = 1
		}
		risk[k][a] += float64(m * d.Exposure[i])
		paid[k][a] += float64(m * d.Y[i])
	}
	var w, b, a float64
	for day := range risk[0] {
		if risk[0][day] == 0 || risk[1][day] == 0 {
			continue
		}
		w += risk[1][day]
		b += float64(risk[1][day] / risk[0][day] * paid[0][day])
		a += paid[1][day]
	}
	if w == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	return b / w, a / w, a / b
}
