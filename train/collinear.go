package train

import (
	"context"
	"fmt"
	"math"
	"strings"

	"recoup/data"
)

const (
	// doubtful: a column whose variance, given the columns before it, is less
	// than this share of its own is looked at closely.
	doubtful = 1e-8
	// dependent: it is a combination of them when what is left of it has a
	// standard deviation below this share. Exact combinations leave about 1e-15.
	dependent = 1e-9
)

// collinear refuses columns that are linear combinations of others. h is any
// multiple of the Gram matrix of the standardised columns, the intercept first.
func (p *problem) collinear(ctx context.Context, h []float64) error {
	c := pivoted(h, p.shape.size())
	var found []string
	for _, j := range c.rest {
		d := c.combination(j)
		// The Gram matrix knows squares, so half of the digits: correct the
		// combination once by what is left of the column, row by row.
		at, err := p.at(ctx, d, wantMoments)
		if err != nil {
			return err
		}
		for i, a := range c.solve(at.g) {
			d[c.kept[i]] -= a / p.w
		}
		if at, err = p.at(ctx, d, wantMoments); err != nil {
			return err
		}
		if math.Sqrt(at.nll/p.w) > dependent {
			continue
		}
		if found = append(found, p.equation(j, d)); len(found) == 5 {
			break
		}
	}
	if found == nil {
		return nil
	}
	return data.Faultf(data.ErrContract, "train: logistic: collinear columns: %s: leave one of each out, or give a penalty (l2 > 0)", strings.Join(found, "; "))
}

// equation writes the combination d, in which j has 1, in the columns' own units.
func (p *problem) equation(j int, d []float64) string {
	s := p.shape
	var b strings.Builder
	fmt.Fprintf(&b, "%s =", s.names[j])
	rest, terms := s.center[j], 0
	for k := 1; k < len(d); k++ {
		if k == j || math.Abs(d[k]) < 1e-7 {
			continue
		}
		a := -d[k] * s.sd[j] / s.sd[k]
		rest -= a * s.center[k]
		if terms++; terms > 8 {
			continue
		}
		sign := "+"
		if a < 0 {
			sign = "-"
		}
		if terms == 1 && a > 0 {
			sign = ""
		}
		if size := math.Abs(a); math.Abs(size-1) > 1e-7 {
			fmt.Fprintf(&b, " %s%.6g*%s", sign, size, s.names[k])
		} else {
			fmt.Fprintf(&b, " %s%s", sign, s.names[k])
		}
	}
	if terms > 8 {
		fmt.Fprintf(&b, " and %d more", terms-8)
	}
	if math.Abs(rest) > 1e-6*(s.sd[j]+math.Abs(s.center[j])) {
		fmt.Fprintf(&b, " %+.6g", rest)
	}
	return b.String()
}

// gram is a Gram matrix scaled to a diagonal of 1 and its Cholesky factor, the
// column with the largest rest first, until the rests are small.
type gram struct {
	n          int
	g          []float64
	l          [][]float64 // by kept column, then by column
	kept, rest []int
}

// pivoted factorises. The intercept is always the first pivot.
func pivoted(h []float64, n int) *gram {
	c := &gram{n: n, g: make([]float64, n*n)}
	for i := range n {
		for j := range n {
			c.g[i*n+j] = h[i*n+j] / math.Sqrt(h[i*n+i]) / math.Sqrt(h[j*n+j])
		}
	}
	left, taken := make([]float64, n), make([]bool, n)
	for i := range left {
		left[i] = 1
	}
	for len(c.kept) < n {
		best := 0
		if len(c.kept) > 0 {
			best = -1
			for j := range n {
				if !taken[j] && (best < 0 || left[j] > left[best]) {
					best = j
				}
			}
			if left[best] < doubtful {
				break
			}
		}
		row, root := make([]float64, n), math.Sqrt(left[best])
		for j := range n {
			if taken[j] {
				continue
			}
			v := c.g[best*n+j]
			for _, l := range c.l {
				v -= l[best] * l[j]
			}
			row[j] = v / root
			left[j] -= row[j] * row[j]
		}
		taken[best] = true
		c.kept, c.l = append(c.kept, best), append(c.l, row)
	}
	for j := range n {
		if !taken[j] {
			c.rest = append(c.rest, j)
		}
	}
	return c
}

// combination is column j less its projection on the kept ones.
func (c *gram) combination(j int) []float64 {
	d := make([]float64, c.n)
	d[j] = 1
	b := make([]float64, len(c.kept))
	for i := range b {
		b[i] = c.l[i][j]
	}
	for i, a := range c.back(b) {
		d[c.kept[i]] = -a
	}
	return d
}

// solve answers x with G x = v for the kept columns.
func (c *gram) solve(v []float64) []float64 {
	b := make([]float64, len(c.kept))
	for i, k := range c.kept {
		b[i] = v[k]
		for m := range i {
			b[i] -= c.l[m][k] * b[m]
		}
		b[i] /= c.l[i][k]
	}
	return c.back(b)
}

// back solves with the factor's transpose, in place.
func (c *gram) back(b []float64) []float64 {
	for i := len(b) - 1; i >= 0; i-- {
		for m := i + 1; m < len(b); m++ {
			b[i] -= c.l[i][c.kept[m]] * b[m]
		}
		b[i] /= c.l[i][c.kept[i]]
	}
	return b
}
