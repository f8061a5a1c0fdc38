package lightgbm

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// finish lays out what the splits of a stand's trees kill, column by column.
func (b *stand) finish(splits []split, used int) {
	b.words = (used + 63) / 64
	b.rows = make([]uint64, b.words) // row 0 kills nothing
	for i := range b.rows {
		b.rows[i] = math.MaxUint64
	}
	slices.SortStableFunc(splits, func(x, y split) int {
		return cmp.Or(cmp.Compare(x.Feature, y.Feature), cmp.Compare(x.rule(), y.rule()), cmp.Compare(x.Threshold, y.Threshold))
	})
	for len(splits) > 0 {
		n := 1
		for n < len(splits) && splits[n].Feature == splits[0].Feature && splits[n].rule() == splits[0].rule() {
			n++
		}
		if splits[0].Category >= 0 {
			b.slots = append(b.slots, b.codes(splits[:n]))
		} else {
			b.slots = append(b.slots, b.numbers(splits[:n]))
		}
		splits = splits[n:]
	}
}

// rule is what sets the splits of a column apart: how a value is to be read.
func (n *Node) rule() rule {
	if n.Category >= 0 {
		return ruleCodes
	}
	return rule(n.Missing)
}

// numbers compiles the splits of one column by <=, in the order of their thresholds.
func (b *stand) numbers(splits []split) *slot {
	s := &slot{column: splits[0].Feature, rule: splits[0].rule()}
	var absent []kill
	for i := range splits {
		edge := splits[i].Threshold
		kills := splits[i].kills()
		if !splits[i].DefaultLeft {
			absent = append(absent, kills...)
		}
		if !math.IsInf(edge, 1) { // no number goes right
			s.kills = append(s.kills, kills...)
			for range kills {
				s.edges = append(s.edges, edge)
			}
		}
	}
	if s.rule != ruleNone {
		s.absent = absent
		if len(absent) > b.many() {
			s.absent, s.absentRow = nil, b.row(0, absent)
		}
	}
	for len(s.edges)&(len(s.edges)+1) != 0 {
		s.edges = append(s.edges, math.Inf(1))
	}
	if n := len(s.kills) / stride; n > 0 && len(s.kills) > stride+b.many() {
		last := 0
		for k := range n {
			last = b.row(last, s.kills[k*stride:(k+1)*stride])
			if k == 0 {
				s.marked = last
			}
		}
	}
	return s
}

// many is how many kills one by one take as long as a whole row.
func (b *stand) many() int { return b.words / 2 }

// row appends a row, that at from with more kills, and returns where it is.
func (b *stand) row(from int, kills []kill) int {
	at := len(b.rows)
	b.rows = append(b.rows, b.rows[from:from+b.words]...)
	b.kill(at, kills)
	return at
}

func (b *stand) kill(row int, kills []kill) {
	for _, k := range kills {
		b.rows[row+int(k.word)] &= k.mask
	}
}

// kills are the bits of a split as words.
func (s *split) kills() []kill {
	var out []kill
	for from := s.from; from < s.to; {
		to := min(s.to, from&^63+64)
		dead := uint64(math.MaxUint64) >> (64 - (to - from)) << (from % 64)
		out = append(out, kill{mask: ^dead, word: uint8(from / 64)})
		from = to
	}
	return out
}

// codes compiles the splits of a column by sets of categories: a row for each
// category that some set names and one for all others, or, where these would be too
// many, or the splits few, the sets.
func (b *stand) codes(splits []split) *slot {
	s := &slot{column: splits[0].Feature, rule: ruleCodes}
	named := 0
	for i := range splits {
		named = max(named, len(splits[i].set())*32)
	}
	if named <= maxCodes && len(splits) > b.many()/4 {
		if rows := b.codeRows(splits, named); rows != nil {
			s.byCode = rows
			return s
		}
	}
	for i := range splits {
		for _, k := range splits[i].kills() {
			s.sets = append(s.sets, set{kill: k, left: splits[i].set()})
		}
	}
	return s
}

// set are the bits of the categories that go left.
func (s *split) set() []uint32 {
	return s.tree.CatBits[s.tree.CatBoundaries[s.Category]:s.tree.CatBoundaries[s.Category+1]]
}

// codeRows makes the rows of the categories below named; the last is that of all
// others, which those share that no set names. It is nil if they would take too much.
func (b *stand) codeRows(splits []split, named int) []int {
	used, n := make([]uint32, named/32), 1
	for i := range splits {
		for k, w := range splits[i].set() {
			n += bits.OnesCount32(w &^ used[k])
			used[k] |= w
		}
	}
	if b.table+n*b.words*8 > maxTable {
		return nil
	}
	b.table += n * b.words * 8
	kills := make([][]kill, len(splits))
	for i := range splits {
		kills[i] = splits[i].kills()
	}
	rows := make([]int, named+1)
	for c := range rows {
		if c < named && !has(used, uint32(c)) {
			continue
		}
		rows[c] = b.row(0, nil)
		for i := range splits {
			if !has(splits[i].set(), uint32(c)) {
				b.kill(rows[c], kills[i])
			}
		}
	}
	for c := range named {
		if !has(used, uint32(c)) {
			rows[c] = rows[named]
		}
	}
	return rows
}

// has says whether a set of categories names c.
func has(set []uint32, c uint32) bool { return int(c/32) < len(set) && set[c/32]>>(c%32)&1 == 1 }
