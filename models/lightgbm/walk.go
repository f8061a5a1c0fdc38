package lightgbm

import (
	"fmt"
	"math"
)

// ZeroEdge is LightGBM's zero: a value within it, edge included, is 0 before anything
// else looks at it. It is the float32 next to 1e-35.
const ZeroEdge = 1.0000000180025095e-35

// Raw is the raw score of a row by the plain walk: tree after tree, the leaves' values
// added in the order of the file, from 0. The row has a value for every feature, in the
// order of Names: categories as codes, NaN where missing. It is the oracle of what is
// faster; the error is that of a row of another width.
func (m *Model) Raw(row []float64) (float64, error) {
	if len(row) != len(m.Names) {
		return 0, fmt.Errorf("lightgbm: row: %d values, the model has %d features", len(row), len(m.Names))
	}
	sum := 0.0
	for i := range m.Trees {
		t := &m.Trees[i]
		sum += t.output(t.leaf(row), row)
	}
	return sum, nil
}

// snapped is the value as LightGBM sees it.
func snapped(x float64) float64 {
	if math.Abs(x) <= ZeroEdge {
		return 0
	}
	return x
}

// leaf is the leaf that a row falls in.
func (t *Tree) leaf(row []float64) int {
	if len(t.Nodes) == 0 {
		return 0
	}
	for at := int32(0); ; {
		n := &t.Nodes[at]
		if t.left(n, snapped(row[n.Feature])) {
			at = n.Left
		} else {
			at = n.Right
		}
		if at < 0 {
			return int(^at)
		}
	}
}

// left says whether a value goes left.
func (t *Tree) left(n *Node, x float64) bool {
	if n.Category >= 0 {
		return t.contains(n.Category, x)
	}
	if math.IsNaN(x) && n.Missing != MissingNaN {
		x = 0
	}
	if n.Missing == MissingZero && x == 0 || n.Missing == MissingNaN && math.IsNaN(x) {
		return n.DefaultLeft
	}
	return x <= n.Threshold
}

// contains says whether the code of a category is in a set. Codes are cut to whole
// numbers, so -0.5 is category 0; missing, negative, unseen and huge ones are in none.
func (t *Tree) contains(set int32, x float64) bool {
	if !(x > -1 && x < math.MaxInt32+1) {
		return false
	}
	c := int32(x)
	words := t.CatBits[t.CatBoundaries[set]:t.CatBoundaries[set+1]]
	return int(c>>5) < len(words) && words[c>>5]>>(c&31)&1 == 1
}

// output is what a leaf gives for a row.
func (t *Tree) output(leaf int, row []float64) float64 {
	if t.Linear == nil {
		return t.Leaves[leaf]
	}
	l := &t.Linear[leaf]
	sum := l.Const
	for i, j := range l.Features {
		x := snapped(row[j])
		if math.IsNaN(x) {
			return t.Leaves[leaf]
		}
		sum += float64(l.Coef[i] * x) // rounded before it is added: no fused multiply-add
	}
	return sum
}
