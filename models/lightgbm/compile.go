package lightgbm

import "fmt"

// Trees are compiled in two ways, and each stand of them is scored by the one that
// should be faster. To be walked, they are laid out flat: see paths. To be asked, a tree
// of not too many leaves becomes bits, one for each leaf, from left to right. A
// node that sends the row right kills the leaves under its left child; once every node
// of the tree has been asked, in any order, the first leaf alive is the one that a walk
// from the root ends in (Lucchese and others, QuickScorer, SIGIR 2015). So the nodes need
// not be asked tree by tree: those of one column are sorted by threshold, and a value
// finds at once all that send it right, in all trees of a stand. Every so many nodes of
// a column a whole row of bits is stored with the kills so far, so that few are left
// to be done one by one; a category has a row of its own. How deep a tree is, and how
// lopsided, costs nothing; and the columns that stay the same need be asked only once.
const (
	standWords = 256     // of 64 bits: what a stand's trees may take; it fits the first cache, and a word's number fits a byte
	maxLeaves  = 4 * 64  // of such a tree; taller ones are walked
	stride     = 32      // kills between two rows of a column
	maxTable   = 4 << 20 // bytes that a column's rows by category may take in a stand
	maxCodes   = 1 << 16 // above which categories have no rows; their sets are asked
)

// Compile makes a forest of a model that Parse has checked. It takes time and memory
// in proportion to the model. An error is a tree whose nodes do not make a tree, or ask
// for a column that is not there.
func Compile(m *Model) (*Forest, error) {
	f := &Forest{width: len(m.Kinds), scale: m.Objective.Sigmoid, trees: 1}
	if m.Average && len(m.Trees) > 0 {
		f.trees = float64(len(m.Trees))
	}
	for first := 0; first < len(m.Trees); {
		b, n, err := compileStand(m, first)
		if err != nil {
			return nil, err
		}
		f.stands = append(f.stands, b)
		first += n
	}
	return f, nil
}

// compileStand compiles as many trees from the first on as fit one stand: short ones
// both ways, tall ones to be walked.
func compileStand(m *Model, first int) (*stand, int, error) {
	b, splits, bits := &stand{}, []split{}, 0
	var trees []*Tree
	for i := first; i < len(m.Trees) && len(trees) < standTrees; i++ {
		t := &m.Trees[i]
		tall := len(t.Leaves) > maxLeaves
		at := roomFor(bits, len(t.Leaves))
		if i > first && tall != b.tall || !tall && at+len(t.Leaves) > standWords*64 {
			break
		}
		trees, b.tall = append(trees, t), tall
		if tall {
			continue
		}
		bits = at + len(t.Leaves)
		order, found, err := t.fromLeft(len(m.Kinds))
		if err != nil {
			return nil, 0, fmt.Errorf("lightgbm: tree %d: %w", i, err)
		}
		for _, s := range found {
			s.from, s.to = s.from+at, s.to+at
			splits = append(splits, s)
		}
		b.add(t, at, order)
	}
	var err error
	if b.paths, err = compilePaths(trees, len(m.Kinds)); err != nil {
		return nil, 0, fmt.Errorf("lightgbm: of trees %d to %d: %w", first, first+len(trees)-1, err)
	}
	b.finish(splits, bits)
	b.walked = b.cheaper(b.slots)
	return b, len(trees), nil
}

// roomFor is the first bit for a tree of n leaves: within one word where it can be,
// else from the start of a word on.
func roomFor(used, n int) int {
	if used%64+n <= 64 {
		return used
	}
	return (used + 63) &^ 63
}

// split is a node and the leaves under its left child, as bits.
type split struct {
	*Node
	tree     *Tree
	from, to int
}

// fromLeft lists the leaves from left to right, and the nodes with the leaves that
// they keep from what they send right, counted from the tree's first.
func (t *Tree) fromLeft(width int) (order []int32, splits []split, err error) {
	if len(t.Nodes)+1 != len(t.Leaves) || t.Linear != nil && len(t.Linear) != len(t.Leaves) {
		return nil, nil, fmt.Errorf("%d nodes and %d leaves: expected one leaf more than nodes", len(t.Nodes), len(t.Leaves))
	}
	if len(t.Nodes) == 0 {
		return []int32{0}, nil, nil
	}
	var visit func(at int32) error
	visit = func(at int32) error {
		switch {
		case at < 0 && int(^at) < len(t.Leaves) && len(order) < len(t.Leaves):
			order = append(order, ^at)
			return nil
		case at < 0 || int(at) >= len(t.Nodes) || len(splits) == len(t.Nodes):
			return fmt.Errorf("child %d: the nodes do not make a tree", at)
		}
		n := &t.Nodes[at]
		if n.Feature < 0 || int(n.Feature) >= width {
			return fmt.Errorf("node %d: column %d of %d", at, n.Feature, width)
		}
		k := len(splits)
		splits = append(splits, split{Node: n, tree: t, from: len(order)})
		if err := visit(n.Left); err != nil {
			return err
		}
		splits[k].to = len(order)
		return visit(n.Right)
	}
	if err := visit(0); err != nil {
		return nil, nil, err
	}
	if len(splits) < len(t.Nodes) {
		return nil, nil, fmt.Errorf("%d of %d nodes: the others have no parent", len(splits), len(t.Nodes))
	}
	return order, splits, nil
}
