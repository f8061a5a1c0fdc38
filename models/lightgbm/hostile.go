package lightgbm

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// hostile makes up rows that a wrong reading of a model would score wrong: half of them
// follow splits of the model with values on the thresholds and one ulp beside them, half
// are odd values without a plan. Two of one model give the same rows.
type hostile struct {
	model *Model
	dice  *rand.Rand
	set   []bool // the features that a row's way down a tree has given a value
	n     int
}

func newHostile(m *Model) *hostile {
	return &hostile{model: m, dice: rand.New(rand.NewPCG(2, 35)), set: make([]bool, len(m.Names))}
}

// odd numbers: missing, zeros, LightGBM's zero edge from both sides, the ends of float64.
var odd = []float64{
	math.NaN(), 0, math.Copysign(0, -1), 1e-36, -1e-36, 1e-35, -1e-35, ZeroEdge, -ZeroEdge, math.Nextafter(ZeroEdge, 1), -math.Nextafter(ZeroEdge, 1),
	5e-324, 1, -1, 1e300, -1e300, math.Inf(1), math.Inf(-1), math.MaxFloat64,
}

// oddCodes of categories: missing, negative, between two, beyond what an int32 holds.
var oddCodes = []float64{
	math.NaN(), -1, -0.5, 0, math.Copysign(0, -1), 0.99, 1.5, 31, 32, 63, 64, 1e6, math.MaxInt32, math.MaxInt32 + 0.5, math.MaxInt32 + 1, math.MinInt32, math.MinInt32 - 1,
	1 << 53, 1e300, math.Inf(1), math.Inf(-1), -1000,
}

// fill makes the next row.
func (h *hostile) fill(row []float64) {
	for j, kind := range h.model.Kinds {
		if h.set[j] = false; kind == Categorical {
			row[j] = oddCodes[h.dice.IntN(len(oddCodes))]
		} else {
			row[j] = odd[h.dice.IntN(len(odd))]
		}
	}
	if h.n++; h.n%2 == 0 {
		return
	}
	for range min(len(h.model.Trees), 3) {
		h.follow(row, &h.model.Trees[h.dice.IntN(len(h.model.Trees))])
	}
}

// follow goes down a tree and gives each feature that it meets for the first time a
// value at the edge of the split.
func (h *hostile) follow(row []float64, t *Tree) {
	if len(t.Nodes) == 0 {
		return
	}
	for at := int32(0); at >= 0; {
		n := &t.Nodes[at]
		if j := n.Feature; !h.set[j] {
			h.set[j] = true
			row[j] = h.edge(t, h.ahead(t, n))
		}
		if t.left(n, snapped(row[n.Feature])) {
			at = n.Left
		} else {
			at = n.Right
		}
	}
}

// ahead is a split on the same feature as n: n itself, or one under it, which only a
// value of its own threshold may reach at its edge.
func (h *hostile) ahead(t *Tree, n *Node) *Node {
	found, seen := n, 1
	for at := n; ; {
		next := at.Left
		if h.dice.IntN(2) == 0 {
			next = at.Right
		}
		if next < 0 {
			return found
		}
		at = &t.Nodes[next]
		if at.Feature == n.Feature {
			if seen++; h.dice.IntN(seen) == 0 {
				found = at
			}
		}
	}
}

// edge is a value near a split's threshold, or a category in its set or beside it.
func (h *hostile) edge(t *Tree, n *Node) float64 {
	if n.Category < 0 {
		switch h.dice.IntN(8) {
		case 0:
			return math.NaN()
		case 1:
			return 0
		case 2, 3:
			return math.Nextafter(n.Threshold, math.Inf(1))
		case 4, 5:
			return math.Nextafter(n.Threshold, math.Inf(-1))
		}
		return n.Threshold
	}
	from, to := t.CatBoundaries[n.Category], t.CatBoundaries[n.Category+1]
	if from == to {
		return 0
	}
	at := from + h.dice.Int32N(to-from)
	word := t.CatBits[at]
	if h.dice.IntN(3) == 0 {
		word = ^word // a category that is not in the set
	}
	if word == 0 {
		return float64((to - from) * 32)
	}
	skip := h.dice.IntN(bits.OnesCount32(word))
	for range skip {
		word &= word - 1
	}
	return float64(int(at-from)*32 + bits.TrailingZeros32(word))
}
