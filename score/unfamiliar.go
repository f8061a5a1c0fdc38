package score

import (
	"slices"

	"recoup/data"
	"recoup/features"
)

// unfamiliar says what in the case the model was hardly shown in training; nothing
// where its file does not tell. Where a retry may be chosen the attempt model is
// asked, else the cure model.
func (e *Engine) unfamiliar(d *Decision, s *situation) (out []string) {
	asked, what := e.bundle.Attempt, "attempt"
	i := slices.IndexFunc(d.Allowed, func(c Choice) bool { return c.Action == data.Retry })
	if i < 0 {
		asked, what = e.bundle.Cure, "cure"
	}
	if asked == nil || asked.Seen == nil {
		return nil
	}
	var row []float64
	var err error
	if i < 0 {
		day := int((s.t - s.LastFailure) / data.Day)
		row, err = d.past.CureRow(nil, min(day, features.CureDays-1), nil)
	} else {
		row, err = d.past.AttemptRow(nil, data.Candidate{Action: data.Retry, At: d.Allowed[i].At})
	}
	if err != nil { // no answer rests on such a row
		return nil
	}
	for _, u := range asked.Unfamiliar(row) {
		out = append(out, "the "+what+" model was hardly shown such a case, so its answer is to be trusted less: "+u)
	}
	return out
}
