package score

import (
	"math"
	"testing"

	"recoup/data"
)

// A contribution is the difference that its column makes; without products they sum to
// the whole.
func TestContributions(t *testing.T) {
	b := testBundle(t, map[string]float64{"hours_since_failure": 0.5})
	d, past := decided(t, engine(t, b), "insufficient_funds")
	i := find(d.Allowed, data.Retry, d.Allowed[d.Chosen].At)
	row, err := past.AttemptRow(nil, data.Candidate{Action: data.Retry, At: d.Allowed[i].At})
	must(t, err)
	all, err := Contributions(b.Attempt, row)
	must(t, err)
	whole, err := b.Attempt.Logistic.Margin(row)
	must(t, err)
	for k, c := range all {
		if k > 0 && math.Abs(c.LogOdds) > math.Abs(all[k-1].LogOdds) {
			t.Errorf("%s is larger than %s", c.Column, all[k-1].Column)
		}
		col := -1
		for n, in := range b.Attempt.Logistic.Inputs {
			if in.Name == c.Column {
				col = n
			}
		}
		without := append([]float64(nil), row...)
		if without[col] = 0; c.Level == "" {
			for n, name := range b.Attempt.Logistic.Columns() {
				if name == c.Column {
					without[col] = b.Attempt.Logistic.Mean[n]
				}
			}
		}
		m, err := b.Attempt.Logistic.Margin(without)
		must(t, err)
		if got, want := c.LogOdds, -b.Attempt.Platt.A*(whole-m); got != want || row[col] != c.Value {
			t.Errorf("%s: %v, expected %v", c.Column, got, want)
		}
	}
	if len(all) < 10 || all[0].LogOdds == 0 {
		t.Errorf("%+v", all)
	}
	if _, err := Contributions(b.Attempt, row[1:]); err == nil {
		t.Error("a row of another width")
	}
}
