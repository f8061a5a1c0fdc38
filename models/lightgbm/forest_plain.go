package lightgbm

import "math"

// zeroEdge: LightGBM takes a number of at most this size for 0 (its float32 1e-35).
const zeroEdge = 1.0000000180025095e-35

// plain walks the trees one after another.
func (m *Model) plain(row []float64) float64 {
	sum := 0.0
	for i := range m.Trees {
		t := &m.Trees[i]
		sum += t.plainLeaf(t.plainWalk(row), row)
	}
	return sum
}

func snapped(x float64) float64 {
	if math.Abs(x) <= zeroEdge {
		return 0
	}
	return x
}

func (t *Tree) plainWalk(row []float64) int32 {
	if len(t.Nodes) == 0 {
		return 0
	}
	at := int32(0)
	for at >= 0 {
		n := &t.Nodes[at]
		if t.plainLeft(n, snapped(row[n.Feature])) {
			at = n.Left
		} else {
			at = n.Right
		}
	}
	return ^at
}

func (t *Tree) plainLeft(n *Node, x float64) bool {
	if n.Category >= 0 {
		if !(x > -1 && x < 1<<31) {
			return false
		}
		c := uint32(x)
		set := t.CatBits[t.CatBoundaries[n.Category]:t.CatBoundaries[n.Category+1]]
		return int(c/32) < len(set) && set[c/32]>>(c%32)&1 == 1
	}
	if n.Missing != MissingNaN && x != x {
		x = 0
	}
	if n.Missing == MissingZero && x == 0 || n.Missing == MissingNaN && x != x {
		return n.DefaultLeft
	}
	return x <= n.Threshold
}

func (t *Tree) plainLeaf(leaf int32, row []float64) float64 {
	if t.Linear == nil {
		return t.Leaves[leaf]
	}
	l := &t.Linear[leaf]
	sum := l.Const
	for i, f := range l.Features {
		x := snapped(row[f])
		if x != x {
			return t.Leaves[leaf]
		}
		sum += float64(l.Coef[i] * x)
	}
	return sum
}
