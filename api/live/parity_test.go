package live

import (
	"errors"
	"math/rand/v2"
	"testing"

	"recoup/data"
)

// A world's stream is posted row by row, decisions are made on the way, the desk is
// opened anew in the middle and once more after an export; then the log gives every
// row of every decision again, byte by byte.
func TestParity(t *testing.T) {
	o := begin(t, true)
	rows := stream(t, 11, 400)
	g := rand.New(rand.NewPCG(1, 2))
	made := 0
	for i, row := range rows {
		o.post(row)
		switch i {
		case len(rows) / 3, len(rows) / 2:
			o.restart()
		case len(rows) * 2 / 3:
			o.export()
			o.restart()
		}
		id := caseOf(row.Row)
		if id == "" || g.IntN(2) > 0 {
			continue
		}
		a, err := o.Decide(t.Context(), Question{CaseID: id})
		if errors.Is(err, ErrUndecidable) || errors.Is(err, ErrUnknown) {
			continue
		}
		must(t, err)
		if !a.Standing {
			made++
		}
	}
	o.export()
	p, err := CheckParity(t.Context(), "main", o.dir, o.book, nil)
	must(t, err)
	t.Logf("%d rows, %d decisions: %+v", len(rows), made, p)
	if p.Decisions != made || p.Checked < made*9/10 || p.Different != 0 || p.Waiting != 0 || made < 400 {
		t.Errorf("%d decisions: %+v", made, p)
	}
	_ = data.Day
}
