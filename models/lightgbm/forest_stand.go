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

// ask kills what the row's values kill in the given slots. It first finds, for some slots
// at a time, where their values stand, which takes no branch that could be foreseen
// wrongly, and then kills.
func (b *stand) ask(a *alive, slots []*slot, row []float64) {
	for len(slots) > 0 {
		var rows [abreast]int
		var rest [abreast][]kill
		n := 0 // of rows
		some := slots[:min(len(slots), abreast)]
		slots = slots[len(some):]
		for i, s := range some {
			x := snapped(row[s.column])
			whole := 0
			switch {
			case s.rule == ruleCodes:
				whole = s.code(a, x)
			case x != x && s.rule != ruleNone || x == 0 && s.rule == ruleZero:
				whole, rest[i] = s.absentRow, s.absent
			default:
				if x != x {
					x = 0
				}
				k := below(s.edges, x)
				rest[i] = s.kills[k&^(stride-1) : k]
				if k >= stride && s.marked > 0 {
					whole = s.marked + (k/stride-1)*b.words
				} else if s.marked == 0 {
					rest[i] = s.kills[:k]
				}
			}
			if whole != 0 {
				rows[n] = whole
				n++
			}
		}
		if n > 0 {
			b.and(a, (*[4]int)(rows[:]))
		}
		if n > 4 {
			b.and(a, (*[4]int)(rows[4:]))
		}
		for _, kills := range rest[:len(some)] {
			for i := range kills {
				a[kills[i].word] &= kills[i].mask
			}
		}
	}
}

// abreast is how many slots are asked at a time.
const abreast = 8

// below is how many of the edges are below x: a search without branches on what it
// finds, half of which would be foreseen wrongly. There are 2^m-1 edges, ascending.
func below(edges []float64, x float64) int {
	k := 0
	for step := uint(len(edges)+1) / 2; step > 0; step /= 2 {
		up := 0
		if edges[k+int(step)-1] < x {
			up = 1
		}
		k += int(step) & -up
	}
	return k
}

// and keeps what four rows keep.
func (b *stand) and(a *alive, rows *[4]int) {
	n := b.words
	p, q, r, s := b.rows[rows[0]:][:n], b.rows[rows[1]:][:n], b.rows[rows[2]:][:n], b.rows[rows[3]:][:n]
	for i := range a[:n] {
		a[i] &= p[i] & q[i] & r[i] & s[i]
	}
}

// code is number for a category.
func (s *slot) code(a *alive, x float64) (row int) {
	c := -1
	if x > -1 && x < 1<<31 { // towards 0, as a conversion in C
		c = int(x)
	}
	if s.byCode != nil {
		last := len(s.byCode) - 1
		if c < 0 || c > last {
			c = last
		}
		return s.byCode[c]
	}
	for i := range s.sets {
		if k := &s.sets[i]; c < 0 || !has(k.left, uint32(c)) {
			a[k.word] &= k.mask
		}
	}
	return 0
}

// cost is about how many nanoseconds the slots take, as measured on a server of 2023;
// only which way is taken hangs on it.
func (b *stand) cost(slots []*slot) float64 {
	sum := float64(len(b.lanes)) * 1.2
	for _, s := range slots {
		switch {
		case s.marked > 0:
			sum += 40 + 0.23*float64(b.words) + 2*stride/2
		case s.byCode != nil:
			sum += 10 + 0.23*float64(b.words)
		case s.rule == ruleCodes:
			sum += 10 + 4*float64(len(s.sets))
		default:
			sum += 40 + 2*float64(len(s.kills))/2
		}
	}
	return sum
}

// cost is about how many nanoseconds a row takes.
func (p *paths) cost() float64 {
	sum := 3*float64(len(p.inputs)) + 1.2*float64(len(p.at))
	each := 1.5
	if len(p.sets) > 0 {
		each = 8
	}
	for _, r := range p.at {
		sum += each * float64(r.depth)
	}
	return sum
}

// cheaper says whether to walk rather than to ask some slots.
func (b *stand) cheaper(slots []*slot) bool {
	return b.tall || len(b.paths.inputs) <= maxInputs && b.paths.cost() < b.cost(slots)
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
