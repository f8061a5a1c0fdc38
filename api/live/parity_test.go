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
	rows := stream(t, 11, 200)
	g := rand.New(rand.NewPCG(1, 2))
	made := 0
	var before []data.AnyRow // as one post: a commit is slow, and what comes of it the same
	for i, row := range rows {
		before = append(before, row)
		id := caseOf(row.Row)
		asks := id != "" && g.IntN(4) == 0
		if cut := i == len(rows)/3 || i == len(rows)/2 || i == len(rows)*2/3 || i == len(rows)-1; asks || cut {
			o.post(before...)
			before = nil
		}
		switch i {
		case len(rows) / 3, len(rows) / 2:
			o.restart()
		case len(rows) * 2 / 3:
			o.export()
			o.restart()
		}
		if !asks {
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
	if p.Decisions != made || p.Checked < made*9/10 || p.Different != 0 || p.Waiting != 0 || made < 100 {
		t.Errorf("%d decisions: %+v", made, p)
	}
}
