package lightgbm

import (
	"fmt"
	"math"
)

// Grid is a forest into which all columns of a row but a few are folded: the slots of
// one case differ in the candidate's columns alone, so all leaves that the fixed columns
// kill are killed once. It answers what Forest.Raw answers, bit for bit. It is not changed
// after Fold and safe for concurrent use.
type Grid struct {
	row    []float64
	varies []bool
	stands []folded
}

// folded is a stand with what the fixed columns leave.
type folded struct {
	*stand
	alive  []uint64
	slots  []*slot // that read a column that varies
	walked bool    // nothing is folded: it is faster to walk the trees
}

// FoldError is a row that differs from the folded one in a column that was not to vary.
type FoldError struct {
	Row         int // of a batch, from 0; -1 = the only one
	Column      int
	Got, Folded float64
}

func (e *FoldError) Error() string {
	row := ""
	if e.Row >= 0 {
		row = fmt.Sprintf("row %d: ", e.Row)
	}
	return fmt.Sprintf("lightgbm: %scolumn %d is %v: %v was folded: name the column among those that vary", row, e.Column, e.Got, e.Folded)
}

// Fold makes a grid of a row, whose values are copied, and the columns that may
// vary from it, in any order.
func (f *Forest) Fold(row []float64, varying []int) (*Grid, error) {
	if len(row) != f.width {
		return nil, &WidthError{Row: -1, Got: len(row), Want: f.width}
	}
	g := &Grid{row: append([]float64{}, row...), varies: make([]bool, len(row)), stands: make([]folded, len(f.stands))}
	for _, c := range varying {
		if c < 0 || c >= len(row) {
			return nil, fmt.Errorf("lightgbm: column %d to vary: the model has columns 0 to %d", c, len(row)-1)
		}
		g.varies[c] = true
	}
	var a alive
	for i, b := range f.stands {
		slots := make([]*slot, len(b.slots))
		fixed, vary := 0, len(slots) // filled from both ends
		for _, s := range b.slots {
			if g.varies[s.column] {
				vary--
				slots[vary] = s
			} else {
				slots[fixed] = s
				fixed++
			}
		}
		g.stands[i] = folded{stand: b, slots: slots[vary:], walked: b.cheaper(slots[vary:])}
		if !g.stands[i].walked {
			copy(a[:], b.rows[:b.words])
			b.ask(&a, slots[:fixed], row)
			g.stands[i].alive = append([]uint64{}, a[:b.words]...)
		}
	}
	return g, nil
}

// Raw is Forest.Raw of a whole row like the folded one. An error is a *WidthError
// or, where a column differs that was not to vary, a *FoldError.
func (g *Grid) Raw(row []float64) (float64, error) {
	if err := g.fits(-1, row); err != nil {
		return 0, err
	}
	var a [1]alive
	var sum [1]float64
	rows := [1][]float64{row}
	for i := range g.stands {
		if f := &g.stands[i]; f.walked {
			f.paths.score(rows[:], sum[:])
		} else {
			f.score(a[:], f.alive, f.slots, rows[:], sum[:])
		}
	}
	return sum[0], nil
}

// RawBatch is Raw of each row into dst, which is as long as rows, and a little faster. On
// an error nothing is written.
func (g *Grid) RawBatch(dst []float64, rows [][]float64) error {
	if len(dst) != len(rows) {
		return fmt.Errorf("lightgbm: %d rows into %d places: expected as many", len(rows), len(dst))
	}
	for i, row := range rows {
		if err := g.fits(i, row); err != nil {
			return err
		}
	}
	clear(dst)
	var a [4]alive
	for i := range g.stands {
		if f := &g.stands[i]; f.walked {
			f.paths.score(rows, dst)
		} else {
			f.score(a[:], f.alive, f.slots, rows, dst)
		}
	}
	return nil
}

// fits refuses a row that is not like the folded one. NaN is like NaN, 0 is not like -0.
func (g *Grid) fits(i int, row []float64) error {
	if len(row) != len(g.row) {
		return &WidthError{Row: i, Got: len(row), Want: len(g.row)}
	}
	for c, v := range row {
		if math.Float64bits(v) != math.Float64bits(g.row[c]) && !g.varies[c] && (v == v || g.row[c] == g.row[c]) {
			return &FoldError{Row: i, Column: c, Got: v, Folded: g.row[c]}
		}
	}
	return nil
}
