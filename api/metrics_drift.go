package api

import (
	"iter"
	"math"

	"recoup/api/live"
	"recoup/models"
)

// driftRows is how many rows a comparison needs: with fewer, the bins that are empty
// by chance say more than a drift would.
const driftRows = 200

// drifts is how far the rows that a model was asked lately are from those that it was
// trained on, by column of the case's state.
type drifts struct {
	rows    int                // compared; 0 = too few, or the model does not say what it was shown
	columns map[string]float64 // population stability index
	score   *float64           // of P; nil = the model's file does not have it
}

// driftOf compares the latest rows that this very model was asked.
func driftOf(b *models.Bundle, recent []live.Scored) drifts {
	out := drifts{columns: map[string]float64{}}
	seen := b.Attempt.Seen
	if seen == nil {
		return out
	}
	var rows []live.Scored
	for _, r := range recent {
		if r.ModelID == string(b.ID) && len(r.Row) == len(seen.Inputs) {
			rows = append(rows, r)
		}
	}
	if len(rows) < driftRows {
		return out
	}
	out.rows = len(rows)
	for i := range seen.Inputs {
		in := &seen.Inputs[i]
		column := func(yield func(float64) bool) {
			for _, r := range rows {
				if !yield(r.Row[i]) {
					return
				}
			}
		}
		switch {
		case in.Rows != nil:
			out.columns[in.Name] = psi(in.Rows, levels(column, len(in.Rows)))
		case in.Cuts != nil:
			out.columns[in.Name] = psi(in.Cuts.Rows, in.Cuts.Count(column))
		}
	}
	if seen.Scores != nil {
		score := psi(seen.Scores.Rows, seen.Scores.Count(func(yield func(float64) bool) {
			for _, r := range rows {
				if !yield(r.P) {
					return
				}
			}
		}))
		out.score = &score
	}
	return out
}

// levels counts the rows of each level.
func levels(column iter.Seq[float64], n int) []int64 {
	counts := make([]int64, n)
	for v := range column {
		if k := int(v); k >= 0 && k < n {
			counts[k]++
		}
	}
	return counts
}

// psi is the population stability index of two counts over the same bins: the sum of
// (a - e) ln(a / e) over the shares. Half a row is added to each bin, so that an empty
// one is no infinity. Customary: below 0.1 no drift, from 0.25 on a large one.
func psi(expected, actual []int64) float64 {
	smooth := func(counts []int64) (total float64) {
		for _, n := range counts {
			total += float64(n) + .5
		}
		return total
	}
	te, ta := smooth(expected), smooth(actual)
	sum := 0.0
	for i := range expected {
		e, a := (float64(expected[i])+.5)/te, (float64(actual[i])+.5)/ta
		sum += (a - e) * math.Log(a/e)
	}
	return sum
}
