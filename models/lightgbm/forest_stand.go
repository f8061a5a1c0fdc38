package lightgbm

import (
	"math/bits"
)

// stand is some trees, one after another in the file, that are asked together.
type stand struct {
	words  int          // of 64 leaves, the bits of all trees
	lanes  []lane       // by tree
	values []float64    // by leaf: lane after lane, from left to right
	linear []linearLeaf // by leaf; nil = all are constant
	slots  []*slot
	rows   []uint64 // of words each; a row is named by where it begins
	table  int      // bytes of the rows of categories
	tall   bool     // nothing of all this: the trees have too many leaves
	paths  *paths   // the same trees to be walked
	walked bool     // which is faster for whole rows
}

// lane is where the leaves of a tree are.
type lane struct {
	word, shift uint8 // of the first leaf's bit
	first       int32 // its value
}

// linearLeaf is a leaf with a linear model; the tree is nil for a constant one.
type linearLeaf struct {
	tree *Tree
	leaf int
}

// slot is all splits of a column that read its values by one rule.
type slot struct {
	column    int32
	rule      rule
	edges     []float64 // of the kills, ascending: a value kills by all that are below it; then +Inf up to a length of 2^m-1
	kills     []kill
	marked    int // the first of a sequence of rows: row k holds the first (k+1)*stride kills; 0 = no rows
	absentRow int // for a missing value, by the default direction
	absent    []kill
	byCode    []int // of a column of categories: the row of each, the last is for all others
	sets      []set // or the sets to ask
}

// kill clears leaves of one word.
type kill struct {
	mask uint64
	word uint8
}

// set kills if a category is not in it.
type set struct {
	kill
	left []uint32
}

// rule is how a value is read: the first three are those of Missing.
type rule uint8

const (
	ruleNone  = rule(MissingNone)
	ruleZero  = rule(MissingZero)
	ruleNaN   = rule(MissingNaN)
	ruleCodes = rule(MissingNaN) + 1
)

// alive are the leaves that no node has killed yet.
type alive [standWords]uint64

// add places a tree's leaves.
func (b *stand) add(t *Tree, at int, order []int32) {
	b.lanes = append(b.lanes, lane{word: uint8(at / 64), shift: uint8(at % 64), first: int32(len(b.values))})
	if t.Linear != nil && b.linear == nil {
		b.linear = make([]linearLeaf, len(b.values))
	}
	for _, leaf := range order {
		b.values = append(b.values, t.Leaves[leaf])
		switch {
		case t.Linear != nil:
			b.linear = append(b.linear, linearLeaf{tree: t, leaf: int(leaf)})
		case b.linear != nil:
			b.linear = append(b.linear, linearLeaf{})
		}
	}
}

// score adds the stand's trees to the sums of some rows. The leaves alive are, at first,
// those begun with, and the slots are those still to be asked. The place for the bits is
// for one row or for four, which are scored side by side.
func (b *stand) score(a []alive, begun []uint64, slots []*slot, rows [][]float64, sums []float64) {
	for len(rows) > 0 {
		n := min(len(rows), len(a))
		for i, row := range rows[:n] {
			copy(a[i][:], begun)
			b.ask(&a[i], slots, row)
		}
		switch {
		case b.linear != nil:
			for i, row := range rows[:n] {
				sums[i] = b.sumLinear(&a[i], sums[i], row)
			}
		case n == 4:
			b.sum4((*[4]alive)(a), sums)
		default:
			for i := range rows[:n] {
				sums[i] = b.sum(&a[i], sums[i])
			}
		}
		rows, sums = rows[n:], sums[n:]
	}
}

// sum adds the values of the leaves that are left, in the order of the trees.
func (b *stand) sum(a *alive, sum float64) float64 {
	for _, l := range b.lanes {
		sum += b.values[l.leaf(a)]
	}
	return sum
}

// sum4 is sum for four rows at once: each sum waits for its last addition, so four
// take the time of one.
func (b *stand) sum4(a *[4]alive, sums []float64) {
	s0, s1, s2, s3 := sums[0], sums[1], sums[2], sums[3]
	for _, l := range b.lanes {
		s0 += b.values[l.leaf(&a[0])]
		s1 += b.values[l.leaf(&a[1])]
		s2 += b.values[l.leaf(&a[2])]
		s3 += b.values[l.leaf(&a[3])]
	}
	sums[0], sums[1], sums[2], sums[3] = s0, s1, s2, s3
}

func (b *stand) sumLinear(a *alive, sum float64, row []float64) float64 {
	for _, l := range b.lanes {
		leaf := l.leaf(a)
		if at := b.linear[leaf]; at.tree != nil {
			sum += at.tree.output(at.leaf, row)
		} else {
			sum += b.values[leaf]
		}
	}
	return sum
}

// leaf is the first leaf alive.
func (l lane) leaf(a *alive) int {
	at, word := int(l.first), l.word
	w := a[word] >> (l.shift & 63)
	for w == 0 { // only in a tree of several words
		at, word = at+64, word+1
		w = a[word]
	}
	return at + bits.TrailingZeros64(w)
}
