package lightgbm

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/dmitryikh/leaves"
)

// comparison holds a compiled model against two other readings of it.
type comparison struct {
	model  *Model
	forest *Forest
	plain  *Forest // with the plain values of linear leaves; forest itself where there are none
	second *leaves.Ensemble
	row2   []float64 // as leaves wants it
	out    [1]float64
}

// newComparison loads the model by leaves.
func newComparison(m *Model, f *Forest, blocks []treeText) (*comparison, error) {
	c := &comparison{model: m, forest: f, plain: f, row2: make([]float64, len(m.Names))}
	if p := m.withoutLinear(); p != m {
		var err error
		if c.plain, err = Compile(p); err != nil {
			return nil, err
		}
	}
	err := safely(func() (err error) {
		c.second, err = leaves.LGEnsembleFromReader(bufio.NewReader(bytes.NewReader(m.forLeaves(blocks))), false)
		return err
	})
	return c, err
}

// safely turns a panic of leaves into an error.
func safely(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
		if err != nil {
			err = fmt.Errorf("lightgbm: the leaves library cannot read what was accepted: %w", err)
		}
	}()
	return do()
}

// row compares the raw scores of one row.
func (c *comparison) row(rows string, i int, row []float64) error {
	got, err := c.forest.Raw(row)
	if err != nil {
		return err
	}
	want, err := c.model.Raw(row)
	if err != nil {
		return err
	}
	if !same(got, want) {
		return &MismatchError{Row: i, Rows: rows, Of: "the compiled form", Got: got, Want: want, By: "the plain walk"}
	}
	if c.plain != c.forest {
		if got, err = c.plain.Raw(row); err != nil {
			return err
		}
	}
	if err := c.leaves(row); err != nil {
		return err
	}
	if want = c.out[0]; !same(got, want) {
		return &MismatchError{Row: i, Rows: rows, Of: "the compiled form", Got: got, Want: want, By: "leaves"}
	}
	return nil
}

// leaves scores a row by leaves, which takes NaN for category 0 on some processors, and
// does not snap values to 0.
func (c *comparison) leaves(row []float64) error {
	for j, x := range row {
		x = snapped(x)
		if c.model.Kinds[j] == Categorical && !(x > -1 && x <= math.MaxInt32) {
			x = -1
		}
		c.row2[j] = x
	}
	return safely(func() error { return c.second.Predict(c.row2, 0, c.out[:]) })
}

// withoutLinear is the model with the plain values of its leaves; itself where it has
// no others.
func (m *Model) withoutLinear() *Model {
	p, linear := *m, false
	p.Trees = make([]Tree, len(m.Trees))
	for i, t := range m.Trees {
		linear = linear || t.Linear != nil
		t.Linear = nil
		p.Trees[i] = t
	}
	if !linear {
		return m
	}
	return &p
}

// forLeaves is the text that leaves can read: version 3, names without "=", no
// average_output, since the raw score is the sum, and the trees as they are in the file,
// so that leaves reads them on its own.
func (m *Model) forLeaves(blocks []treeText) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree\nversion=v3\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=%d\n", len(m.Names)-1)
	b.WriteString("tree_sizes=0" + strings.Repeat(" 0", len(blocks)-1) + "\n\n") // only counted
	for i, t := range blocks {
		m.Trees[i].forLeaves(&b, t.text)
	}
	return b.Bytes()
}

// forLeaves writes a tree. Sets of no category, which leaves refuses, become a split that
// sends nothing left: x <= -inf, with a missing value as 0; c.leaves gives categories no -Inf.
func (t *Tree) forLeaves(b *bytes.Buffer, text []byte) {
	empty, sets := false, false
	for i := range t.Nodes {
		empty = empty || t.emptySet(i)
		sets = sets || t.Nodes[i].Category >= 0 && !t.emptySet(i)
	}
	if !empty {
		b.Write(text)
		return
	}
	for line := range bytes.Lines(text) {
		key, value, _ := bytes.Cut(bytes.TrimSuffix(line, newline), []byte{'='})
		switch string(key) {
		case treeKeyNames[threshold], treeKeyNames[decisionType]:
			fmt.Fprintf(b, "%s=%s\n", key, t.replaced(string(key), strings.Split(string(value), " ")))
		default:
			if string(key) == treeKeyNames[numCat] && !sets { // there may be no words to read either
				line = []byte("num_cat=0\n")
			}
			b.Write(line)
		}
	}
}

// replaced gives the splits on sets of no category another threshold and type.
func (t *Tree) replaced(key string, values []string) string {
	for i := range t.Nodes {
		if !t.emptySet(i) {
			continue
		}
		if values[i] = "-inf"; key == treeKeyNames[decisionType] {
			values[i] = "0"
		}
	}
	return strings.Join(values, " ")
}

// emptySet says whether split i is on a set of no category.
func (t *Tree) emptySet(i int) bool {
	k := t.Nodes[i].Category
	if k < 0 {
		return false
	}
	for _, w := range t.CatBits[t.CatBoundaries[k]:t.CatBoundaries[k+1]] {
		if w != 0 {
			return false
		}
	}
	return true
}
