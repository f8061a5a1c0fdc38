package experiment

import (
	"fmt"
	"slices"

	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/score"
)

// payDayColumns are where a row says how sure the learned pay day is, and how many
// days before a candidate it lies.
func payDayColumns() (evidence, since int, err error) {
	columns := features.AttemptSchema().Columns
	of := func(name string) int {
		return slices.IndexFunc(columns, func(c features.Column) bool { return c.Name == name })
	}
	if evidence, since = of("cust_payday_evidence"), of("cand_payday_since"); evidence < 0 || since < 0 {
		return 0, 0, fmt.Errorf("experiment: the attempt schema has no learned pay day any more")
	}
	return evidence, since, nil
}

// ownPayDay is the rules arm but for one thing, the best that hands can do: a scheduled
// retry waits for the customer's own pay day, where his captures and failures have
// shown it and the gate has a slot there; the first slot after noon, when pay is in, or
// else of the day after.
func ownPayDay() (Chooser, error) {
	evidence, since, err := payDayColumns()
	if err != nil {
		return nil, err
	}
	return func(st *features.State, t *sim.Turn, d *score.Decision) (int, error) {
		if d.Class != data.RetryScheduled || d.Allowed[d.Chosen].Action != data.Retry {
			return d.Chosen, nil
		}
		past, err := st.Past(d.CaseID, t.Now)
		if err != nil {
			return 0, err
		}
		var row []float64
		for i, c := range d.Allowed { // of one action, by time
			if c.Action != data.Retry {
				continue
			}
			if row, err = past.AttemptRow(row[:0], data.Candidate{Action: c.Action, At: c.At}); err != nil {
				return 0, err
			}
			if row[evidence] > 0 && (row[since] == 0 && c.At.ISTTimeOfDay() >= data.Day/2 || row[since] == 1) {
				return i, nil
			}
		}
		return d.Chosen, nil
	}, nil
}
