package score

import (
	"slices"
	"strings"
	"testing"

	"recoup/data"
	"recoup/models"
)

// shown lets a scorer say that it was shown plenty of everything, except rows of a
// level of one column.
func shown(s *models.Scorer, column, level string, rows int64) {
	s.Seen = &models.Seen{Rows: 5000}
	for _, in := range s.Logistic.Inputs {
		v := models.SeenInput{Name: in.Name}
		if in.Category() {
			v.Rows = slices.Repeat([]int64{1000}, len(in.Levels))
			if k := slices.Index(in.Levels, level); in.Name == column {
				v.Rows[k] = rows
			}
		}
		s.Seen.Inputs = append(s.Seen.Inputs, v)
	}
}

// A decision says when its model was hardly shown such a case: the attempt model
// where a retry may be chosen, else the cure model; and nothing where it was, or
// where its file does not tell.
func TestUnfamiliarCaseIsTold(t *testing.T) {
	for _, tt := range []struct {
		reason string
		who    func(*models.Bundle) *models.Scorer
		model  string
	}{
		{"insufficient_funds", func(b *models.Bundle) *models.Scorer { return b.Attempt }, "attempt"},
		{"card_expired", func(b *models.Bundle) *models.Scorer { return b.Cure }, "cure"},
	} {
		for _, rows := range []int64{-1, models.HardlySeen - 1, models.HardlySeen} {
			b := testBundle(t, nil)
			if rows >= 0 {
				shown(tt.who(b), "bank", "hdfc", rows)
			}
			l := failure(data.MustReason(tt.reason))
			d := l.decide(t, engine(t, b), failedAt+data.Hour)
			var told []string
			for _, w := range d.Warnings {
				if strings.Contains(w, "hardly shown") {
					told = append(told, w)
				}
			}
			if want := rows == models.HardlySeen-1; (len(told) == 1) != want || want && !strings.Contains(told[0], "the "+tt.model+" model was hardly shown such a case, so its answer is to be trusted less: bank ") {
				t.Errorf("%s, %d rows of the bank: %q", tt.reason, rows, told)
			}
		}
	}
}
