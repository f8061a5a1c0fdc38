package score

import (
	"math"

	"recoup/models"
)

// folded is what a begun row of a forest is told from: the forest with that row folded
// into it but for the inputs that rows like it were seen to differ in.
type folded struct {
	grid    *models.ForestGrid // nil = no other row came yet
	varies  []bool             // by input
	varying []int
}

// beginForest is begin for a forest. It folds nothing: there may be no row like it.
func (f *swift) beginForest(b *begun, row []float64) (float64, error) {
	p, err := f.scorer.Prob(row)
	if err != nil {
		return 0, err
	}
	b.row, b.fold = row, folded{}
	return p, nil
}

// likeForest is like for a forest.
func (f *swift) likeForest(b *begun, row []float64) (float64, error) {
	if err := b.fold.cover(f.scorer.Forest, b.row, row); err != nil {
		return f.scorer.Prob(row) // says what is wrong
	}
	z, err := b.fold.grid.Margin(row)
	if err != nil {
		return f.scorer.Prob(row)
	}
	return f.scorer.Platt.Prob(z), nil
}

// cover folds once more when a row differs where none did so far. Rows of one case
// differ in the same few inputs, so that the first ones teach all there is.
func (g *folded) cover(forest *models.Forest, base, row []float64) error {
	if g.varies == nil {
		g.varies = make([]bool, len(base))
	}
	missed := g.grid == nil
	for i, v := range row {
		if math.Float64bits(v) != math.Float64bits(base[i]) && !g.varies[i] {
			g.varies[i], missed = true, true
			g.varying = append(g.varying, i)
		}
	}
	if !missed {
		return nil
	}
	var err error
	g.grid, err = forest.Fold(base, g.varying)
	return err
}
