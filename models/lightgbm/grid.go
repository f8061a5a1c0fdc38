package lightgbm

import (
	"fmt"
	"math"
)

// Grid is a forest into which all columns of a row but a few are folded: the
// slots of one case, which differ in the candidate's columns alone, are scored by what
// is left. It answers what Forest.Raw answers, bit for bit. It is not changed after Fold
// and safe for concurrent use.
type Grid struct {
	forest *Forest
	row    []float64
	varies []bool
}

// FoldError is a row that differs from the folded one in a column that was not to vary.
type FoldError struct {
	Column      int
	Got, Folded float64
}

func (e *FoldError) Error() string {
	return fmt.Sprintf("lightgbm: column %d is %v: %v was folded: name the column among those that vary", e.Column, e.Got, e.Folded)
}

// Fold makes a grid of a row, whose values are copied, and the columns that may
// vary from it, in any order.
func (f *Forest) Fold(row []float64, varying []int) (*Grid, error) {
	if len(row) != f.Width() {
		return nil, &WidthError{Row: -1, Got: len(row), Want: f.Width()}
	}
	g := &Grid{forest: f, row: append([]float64{}, row...), varies: make([]bool, len(row))}
	for _, c := range varying {
		if c < 0 || c >= len(row) {
			return nil, fmt.Errorf("lightgbm: column %d to vary: the model has columns 0 to %d", c, len(row)-1)
		}
		g.varies[c] = true
	}
	return g, nil
}

// Raw is Forest.Raw of a whole row like the folded one. An error is a *WidthError
// or, where a column differs that was not to vary, a *FoldError.
func (g *Grid) Raw(row []float64) (float64, error) {
	if len(row) != len(g.row) {
		return 0, &WidthError{Row: -1, Got: len(row), Want: len(g.row)}
	}
	for i, v := range row {
		if math.Float64bits(v) != math.Float64bits(g.row[i]) && !g.varies[i] {
			return 0, &FoldError{Column: i, Got: v, Folded: g.row[i]}
		}
	}
	return g.forest.raw(row), nil
}

// RawBatch is Raw of each row into dst, which is as long as rows. On an error
// nothing is written.
func (g *Grid) RawBatch(dst []float64, rows [][]float64) error {
	if err := g.forest.fit(dst, rows); err != nil {
		return err
	}
	out := make([]float64, len(rows))
	for i, row := range rows {
		var err error
		if out[i], err = g.Raw(row); err != nil {
			return fmt.Errorf("row %d: %w", i, err)
		}
	}
	copy(dst, out)
	return nil
}
