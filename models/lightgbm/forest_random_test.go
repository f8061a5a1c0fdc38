package lightgbm

import (
	"math"
	"math/rand/v2"
)

// wood says what random models are made of.
type wood struct {
	features, trees int
	leaves          int     // at most, by tree
	categorical     float64 // share of the columns
	codes           int     // categories are below it
	linear          float64 // share of the trees
	lopsided        bool    // trees are grown at their right end
	mixed           bool    // a column's nodes have several rules for missing values
	coarse          bool    // few distinct thresholds
}

// randomModel grows trees that no training made: with thresholds at the zero edge,
// infinite ones, empty sets, several rules for missing values in one column.
func randomModel(r *rand.Rand, w wood) *Model {
	m := &Model{Version: 4, Objective: Objective{Name: "binary", Sigmoid: 1}}
	rules := make([]Missing, w.features)
	for j := range w.features {
		kind := Numeric
		if r.Float64() < w.categorical {
			kind = Categorical
		}
		m.Names, m.Infos, m.Kinds = append(m.Names, "x"), append(m.Infos, ""), append(m.Kinds, kind)
		rules[j] = Missing(r.IntN(3))
	}
	for range w.trees {
		n := 1 + r.IntN(w.leaves)
		if r.IntN(3) > 0 {
			n = w.leaves
		}
		t := Tree{CatBoundaries: []int32{0}, Leaves: make([]float64, n), Nodes: make([]Node, 0, n)} // the nodes stay where they are
		for i := range t.Leaves {
			t.Leaves[i] = r.NormFloat64() * math.Pow(2, float64(r.IntN(20)-15))
		}
		// Leaves are numbered as they come: leaf 0 is split first, the right half is new.
		where := []*int32{nil} // of each leaf: the child that names it
		for k := 1; k < n; k++ {
			leaf := r.IntN(k)
			if w.lopsided {
				leaf = k - 1
			}
			node := w.node(r, m, rules, &t)
			node.Left, node.Right = ^int32(leaf), ^int32(k)
			t.Nodes = append(t.Nodes, node)
			if p := where[leaf]; p != nil {
				*p = int32(len(t.Nodes) - 1)
			}
			at := &t.Nodes[len(t.Nodes)-1]
			where[leaf] = &at.Left
			where = append(where, &at.Right)
		}
		if r.Float64() < w.linear {
			for range n {
				l := Linear{Const: r.NormFloat64()}
				for range r.IntN(4) {
					l.Features, l.Coef = append(l.Features, int32(r.IntN(w.features))), append(l.Coef, r.NormFloat64())
				}
				t.Linear = append(t.Linear, l)
			}
		}
		m.Trees = append(m.Trees, t)
	}
	return m
}

func (w *wood) node(r *rand.Rand, m *Model, rules []Missing, t *Tree) Node {
	j := r.IntN(w.features)
	n := Node{Feature: int32(j), Category: -1, Missing: rules[j], DefaultLeft: r.IntN(2) == 0}
	if w.mixed {
		n.Missing = Missing(r.IntN(3))
	}
	if m.Kinds[j] == Numeric {
		n.Threshold = w.number(r)
		return n
	}
	n.Category = int32(len(t.CatBoundaries) - 1)
	words := make([]uint32, r.IntN(w.codes/32+2))
	for i := range words {
		words[i] = r.Uint32() & r.Uint32()
	}
	t.CatBits = append(t.CatBits, words...)
	t.CatBoundaries = append(t.CatBoundaries, int32(len(t.CatBits)))
	return n
}

var oddNumbers = []float64{0, math.Copysign(0, -1), ZeroEdge, -ZeroEdge, math.Nextafter(ZeroEdge, 1), math.Nextafter(-ZeroEdge, -1), 1e-36, -1e-36, 5e-324,
	math.Inf(1), math.Inf(-1), 1e300, -1e300, math.MaxFloat64}

// number is a threshold.
func (w *wood) number(r *rand.Rand) float64 {
	switch {
	case r.IntN(12) == 0:
		return oddNumbers[r.IntN(len(oddNumbers))]
	case w.coarse:
		return float64(r.IntN(9)) - 4
	}
	return r.NormFloat64()
}

// hostile is a row near the model's thresholds and codes, or far from everything.
func (w *wood) hostile(r *rand.Rand, m *Model) []float64 {
	row := make([]float64, w.features)
	odd := []float64{0, 0.1, 0.5, 1}[r.IntN(4)]
	for j := range row {
		switch {
		case r.Float64() < odd/2:
			row[j] = math.NaN()
		case r.Float64() < odd:
			row[j] = append([]float64{-1, -0.5, 0.99, 1.5, 1 << 31, 1<<31 - 1, 1 << 32, -1 << 40}, oddNumbers...)[r.IntN(8+len(oddNumbers))]
		case m.Kinds[j] == Categorical:
			row[j] = float64(r.IntN(w.codes + 40))
		default:
			row[j] = r.NormFloat64() * 1.5
		}
	}
	if t := &m.Trees[r.IntN(len(m.Trees))]; len(t.Nodes) > 0 && r.IntN(2) == 0 {
		n := t.Nodes[r.IntN(len(t.Nodes))]
		if n.Category < 0 {
			row[n.Feature] = []float64{n.Threshold, math.Nextafter(n.Threshold, math.Inf(1)), math.Nextafter(n.Threshold, math.Inf(-1)), -n.Threshold}[r.IntN(4)]
		}
	}
	return row
}
