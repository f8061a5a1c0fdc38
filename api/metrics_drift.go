package api

import (
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
		if in.Rows == nil {
			continue
		}
		now := make([]int64, len(in.Rows))
		for _, r := range rows {
			if k := int(r.Row[i]); k >= 0 && k < len(now) {
				now[k]++
			}
		}
		out.columns[in.Name] = psi(in.Rows, now)
	}
	return out
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
