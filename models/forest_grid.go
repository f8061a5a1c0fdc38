package models

import (
	"recoup/data"
	"recoup/models/lightgbm"
)

// ForestGrid is a forest into which all inputs of one row but a few are folded, so that
// rows like it are answered in a fraction of the time. It answers what Margin answers,
// bit for bit, and is safe for concurrent use.
type ForestGrid struct {
	forest *Forest
	grid   *lightgbm.Grid
}

// Fold makes a grid of a row that fits, and of the inputs that may vary from it.
func (f *Forest) Fold(row []float64, varying []int) (*ForestGrid, error) {
	if err := checkRow(f.Inputs, row); err != nil {
		return nil, err
	}
	g, err := f.loaded.Forest.Fold(row, varying)
	if err != nil {
		return nil, data.Faultf(data.ErrContract, "models: forest: %w", err)
	}
	return &ForestGrid{f, g}, nil
}

// Margin is Forest.Margin of a row. One that does not fit, or differs where it was not
// to vary, is an error.
func (g *ForestGrid) Margin(row []float64) (float64, error) {
	if err := checkRow(g.forest.Inputs, row); err != nil {
		return 0, err
	}
	raw, err := g.grid.Raw(row)
	if err != nil {
		return 0, data.Faultf(data.ErrContract, "models: forest: %w", err)
	}
	return g.forest.logit(raw)
}
