package lightgbm

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
