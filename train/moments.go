package train

import (
	"context"
	"math"

	"recoup/data"
	"recoup/models"
)

// moment is the weighted mean and the sum of squares about it, merged as Chan,
// Golub & LeVeque 1979 do.
type moment struct {
	w, mean, m2 float64
	lo, hi      float64
}

func (a *moment) merge(b moment) {
	if b.w == 0 {
		return
	}
	if a.w == 0 {
		*a = b
		return
	}
	w, d := a.w+b.w, b.mean-a.mean
	a.mean += d * (b.w / w)
	a.m2 += b.m2 + d*d*(a.w*(b.w/w))
	a.w, a.lo, a.hi = w, min(a.lo, b.lo), max(a.hi, b.hi)
}

// moments describe the rows that count, before any model.
type moments struct {
	n1, n0 int64   // rows of each class
	w1, w0 float64 // their weight
	dense  []moment
	sparse []moment   // by layout column + 1, over the rows that fill it
	class  [][2]int64 // by layout column + 1: rows that fill it, by class
}

// measure is the first pass.
func (r *fitRows) measure(ctx context.Context) (*moments, error) {
	nd := 0
	for i := range r.layout.Parts {
		if r.layout.Parts[i].Dense() {
			nd++
		}
	}
	empty := func() *moments {
		n := len(r.layout.Columns) + 1
		return &moments{dense: make([]moment, nd), sparse: make([]moment, n), class: make([][2]int64, n)}
	}
	m, err := reduce(ctx, r, empty, (*moments).add, func(a, b *moments) { a.merge(b); b.clear() })
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (m *moments) clear() {
	m.n1, m.n0, m.w1, m.w0 = 0, 0, 0, 0
	clear(m.dense)
	clear(m.sparse)
	clear(m.class)
}

func (m *moments) merge(b *moments) {
	m.n1, m.n0, m.w1, m.w0 = m.n1+b.n1, m.n0+b.n0, m.w1+b.w1, m.w0+b.w0
	for j := range m.dense {
		m.dense[j].merge(b.dense[j])
	}
	for j := range m.sparse {
		m.sparse[j].merge(b.sparse[j])
		m.class[j][0] += b.class[j][0]
		m.class[j][1] += b.class[j][1]
	}
}

func (m *moments) add(c *chunk, lo, hi int) {
	y := c.y[lo:hi]
	var w []float64
	if c.w != nil {
		w = c.w[lo:hi]
	}
	for i, v := range y {
		u := 1.0
		if w != nil {
			u = w[i]
		}
		if v == 1 {
			m.n1++
			m.w1 += u
		} else {
			m.n0++
			m.w0 += u
		}
	}
	for j, x := range c.dense {
		m.dense[j].merge(momentOf(x[lo:hi], w))
	}
	for _, g := range c.groups {
		m.addGroup(g, y, w, lo)
	}
}

// momentOf takes two looks: the second about the mean of the first, so that a far
// offset costs nothing.
func momentOf(x, w []float64) moment {
	a := moment{w: float64(len(x)), lo: x[0], hi: x[0]}
	from, sum := x[0], 0.0
	for _, v := range x {
		if v < a.lo {
			a.lo = v
		} else if v > a.hi {
			a.hi = v
		}
	}
	if w == nil {
		sum = sumFrom(x, from)
	} else {
		a.w = 0
		for i, v := range x {
			a.w += w[i]
			sum += float64(w[i] * (v - from))
		}
	}
	a.mean = from + sum/a.w
	sum = 0
	if w == nil {
		sum, a.m2 = squaresFrom(x, a.mean)
	} else {
		for i, v := range x {
			d := v - a.mean
			sum += float64(w[i] * d)
			a.m2 += float64(w[i] * d * d)
		}
	}
	a.m2 -= sum * sum / a.w
	return a
}

// sumFrom is the sum of x - from, in four strands.
func sumFrom(x []float64, from float64) float64 {
	var a, b, c, d float64
	for ; len(x) >= 4; x = x[4:] {
		a += x[0] - from
		b += x[1] - from
		c += x[2] - from
		d += x[3] - from
	}
	for _, v := range x {
		a += v - from
	}
	return (a + b) + (c + d)
}

// squaresFrom is the sum of x - from and of its square, in two strands.
func squaresFrom(x []float64, from float64) (sum, square float64) {
	var s1, q1, s2, q2 float64
	for ; len(x) >= 2; x = x[2:] {
		d, e := x[0]-from, x[1]-from
		s1, s2 = s1+d, s2+e
		q1, q2 = q1+float64(d*d), q2+float64(e*e)
	}
	for _, v := range x {
		d := v - from
		s1, q1 = s1+d, q1+float64(d*d)
	}
	return s1 + s2, q1 + q2
}

// addGroup sums each level about the first value it shows.
func (m *moments) addGroup(g group, y, w []float64, lo int) {
	part := make([]moment, len(m.sparse)) // m2 about lo, until it is turned
	first := make([]float64, len(m.sparse))
	for i, v := range y {
		k := g.code[lo+i]
		u, x := 1.0, 1.0
		if w != nil {
			u = w[i]
		}
		if g.value != nil {
			x = g.value[lo+i]
		}
		p := &part[k]
		if p.w == 0 {
			first[k], p.lo, p.hi = x, x, x
		}
		d := x - first[k]
		p.w += u
		p.mean += float64(u * d)
		p.m2 += float64(u * d * d)
		p.lo, p.hi = min(p.lo, x), max(p.hi, x)
		if k > 0 {
			m.class[k][int(v)]++
		}
	}
	for k := 1; k < len(part); k++ { // row "none" belongs to no column
		if p := part[k]; p.w > 0 {
			d := p.mean / p.w
			m.sparse[k].merge(moment{p.w, first[k] + d, max(0, p.m2-d*p.mean), p.lo, p.hi})
		}
	}
}

// column is the moment of a layout column over all rows, the zeros of a sparse
// column included.
func (m *moments) column(k int) moment {
	a := m.sparse[k+1]
	if rest := m.w1 + m.w0 - a.w; rest > 0 && a.w > 0 && m.filled(k) < m.n1+m.n0 {
		a.merge(moment{w: rest})
	}
	return a
}

func (m *moments) filled(k int) int64 { return m.class[k+1][0] + m.class[k+1][1] }

// oneClassLevel refuses a level all of whose rows have one outcome: its
// coefficient has no finite optimum (Albert & Anderson 1984, quasi-complete separation).
func (m *moments) oneClassLevel(d models.Design, l *models.Layout) error {
	for i := range l.Parts {
		p := &l.Parts[i]
		if p.Kind != models.Category && p.Kind != models.CategoryCategory {
			continue
		}
		ref := [2]int64{m.n0, m.n1}
		for j := p.Offset; j < p.Offset+p.Width; j++ {
			c := m.class[j+1]
			ref[0], ref[1] = ref[0]-c[0], ref[1]-c[1]
			if err := oneClass(l.Columns[j], c); err != nil {
				return err
			}
		}
		if in := d.Inputs[p.A]; p.Kind == models.Category && p.Width > 0 {
			if err := oneClass(in.Name+"="+in.Levels[in.Ref], ref); err != nil {
				return err
			}
		}
	}
	return nil
}

func oneClass(name string, rows [2]int64) error {
	n := rows[0] + rows[1]
	if n == 0 || rows[0] > 0 && rows[1] > 0 {
		return nil
	}
	return data.Faultf(data.ErrContract, "train: logistic: quasi-complete separation: all %d rows with %s have outcome %d, so its coefficient has no finite optimum: "+
		"merge the level with another, leave the column out, or give a penalty (l2 > 0)", n, name, min(rows[1], 1))
}

// sd is the population standard deviation.
func (a moment) sd() float64 { return math.Sqrt(a.m2 / a.w) }
