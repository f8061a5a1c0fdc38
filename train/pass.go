package train

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// blockRows is how many rows the kernels work on at a time: a block of every
// column stays in the processor's cache between the margin and the gradient.
const blockRows = 512

// want says what a pass sums.
type want uint8

const (
	wantGradient want = iota // objective and gradient
	wantHessian              // and the Hessian
	wantMoments              // sum of w*z*column and w*z^2 for the margins z; the largest |z| (collinearity)
	wantSides                // smallest and largest margin on the side of the outcome (separation)
	wantEdge                 // the Gram matrix of the rows with |margin| <= edge; loss counts them
)

// look is one pass over rows at a point.
type look struct {
	s    *shape
	want want
	edge float64
	beta []float64 // by position: slope a unit of the column; the last is 0
	base float64   // intercept for columns that are used as they stand
}

// lookAt prepares a pass at t, coefficients of standardised columns.
func (s *shape) lookAt(t []float64, w want) *look {
	l := &look{s: s, want: w, beta: make([]float64, len(t)+1), base: t[0]}
	for k := 1; k < len(t); k++ {
		l.beta[k] = t[k] / s.sd[k]
		if k > len(s.dense) || !s.far[k-1] {
			l.base -= l.beta[k] * s.center[k]
		}
	}
	return l
}

// sums are what a pass adds up, still in the columns' own units (dense ones of
// the Hessian standardised).
type sums struct {
	loss    float64
	lo, hi  float64   // wantSides: extremes of the margin; else hi = largest |z|
	g       []float64 // by position
	cross   []float64 // Hessian: (dense incl. intercept) x sparse+1
	dd      []float64 // Hessian: dense incl. intercept, lower half
	ss      []float64 // Hessian: sparse+1 squared, later group by earlier
	scratch *scratch
}

type scratch struct {
	z, x, s []float64
	block   []float64 // dense+1 rows of blockRows
	pos     []int32   // groups x blockRows: sparse position from 0
	val     []float64 // groups x blockRows: what stands there times the row's factor
}

func (l *look) empty() *sums {
	nd := len(l.s.dense) + 1
	ns := l.s.size() - nd + 1
	a := &sums{g: make([]float64, l.s.size()+1), scratch: &scratch{z: make([]float64, blockRows), x: make([]float64, blockRows), s: make([]float64, blockRows)}}
	if l.full() {
		a.dd, a.cross, a.ss = make([]float64, nd*nd), make([]float64, nd*ns), make([]float64, ns*ns)
		a.scratch.block = make([]float64, nd*blockRows)
	}
	a.reset()
	return a
}

func (l *look) full() bool { return l.want == wantHessian || l.want == wantEdge }

func (a *sums) reset() {
	a.loss, a.lo, a.hi = 0, math.Inf(1), math.Inf(-1)
	clear(a.g)
	clear(a.dd)
	clear(a.cross)
	clear(a.ss)
}

func mergeSums(a, b *sums) {
	a.loss += b.loss
	a.lo, a.hi = min(a.lo, b.lo), max(a.hi, b.hi)
	addTo(a.g, b.g)
	addTo(a.dd, b.dd)
	addTo(a.cross, b.cross)
	addTo(a.ss, b.ss)
	b.reset()
}

func addTo(a, b []float64) {
	for i, v := range b {
		a[i] += v
	}
}

// add sums rows lo .. hi-1 of a chunk.
func (l *look) add(a *sums, c *chunk, lo, hi int) {
	for ; lo < hi; lo += blockRows {
		l.block(a, c, lo, min(hi, lo+blockRows))
	}
}

func (l *look) block(a *sums, c *chunk, lo, hi int) {
	n := hi - lo
	z := a.scratch.z[:n]
	l.margins(z, a, c, lo, hi)
	var w []float64
	if c.w != nil {
		w = c.w[lo:hi]
	}
	y := c.y[lo:hi]
	switch l.want {
	case wantSides:
		sides(a, z, y)
		return
	case wantMoments:
		squares(a, z, w)
	case wantEdge:
		edge(a, z, l.edge)
		l.hessian(a, c, lo, hi)
		return
	case wantGradient:
		a.loss += residuals(z, y, w, nil, &a.hi)
	case wantHessian:
		a.loss += residuals(z, y, w, a.scratch.s[:n], &a.hi)
	}
	l.gradient(a, c, lo, hi)
	if l.want == wantHessian {
		l.hessian(a, c, lo, hi)
	}
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Data: x, Inc: 1} }

// margins fills z with the logits of rows lo .. hi-1.
func (l *look) margins(z []float64, a *sums, c *chunk, lo, hi int) {
	for i := range z {
		z[i] = l.base
	}
	for k, j := range l.s.dense {
		x := c.dense[j][lo:hi]
		if l.s.far[k] {
			x = shifted(a.scratch.x[:len(z)], x, l.s.center[k+1])
		}
		blas64.Axpy(l.beta[k+1], vector(x), vector(z))
	}
	for g := range c.groups {
		code := c.groups[g].code[lo:hi]
		if v := c.groups[g].value; v != nil {
			v = v[lo:hi]
			for i, k := range code {
				z[i] += float64(l.beta[l.s.pos[k]] * v[i])
			}
			continue
		}
		for i, k := range code {
			z[i] += l.beta[l.s.pos[k]]
		}
	}
}

func shifted(dst, x []float64, by float64) []float64 {
	for i, v := range x {
		dst[i] = v - by
	}
	return dst
}

// residuals turns logits into w*(p-y), fills root with sqrt(w*p*(1-p)) where it is
// not nil, and answers the summed loss. Without weights the logarithms of a block are taken
// at once, of the product of 1+exp(-|z|): at most 2^blockRows.
func residuals(z, y, w, root []float64, far *float64) float64 {
	loss, product, top := 0.0, 1.0, *far
	for i, v := range z {
		size := math.Abs(v)
		top = max(top, size)
		e := math.Exp(-size)
		d := 1 / (1 + e)
		likely, rare := d, e*d // of the outcome that z favours, of the other
		u := 1.0
		if w != nil {
			u = w[i]
			loss += float64(u * math.Log1p(e))
		} else if e < 1e-5 {
			loss += float64(e * (1 - e/2))
		} else {
			product *= 1 + e
		}
		if root != nil {
			root[i] = math.Sqrt(u*e) * d
		}
		r := rare // of the outcome that did not happen
		if (v >= 0) != (y[i] == 1) {
			r = likely
			loss += float64(u * size)
		}
		if y[i] == 1 {
			r = -r
		}
		z[i] = u * r
	}
	*far = top
	return loss + math.Log(product)
}

// squares turns margins into w*z.
func squares(a *sums, z, w []float64) {
	for i, v := range z {
		u := v
		if w != nil {
			u = float64(w[i] * v)
		}
		a.loss += float64(u * v)
		a.hi = max(a.hi, math.Abs(v))
		z[i] = u
	}
}

// sides looks for the row that is furthest on the wrong side of z = 0.
func sides(a *sums, z, y []float64) {
	for i, v := range z {
		if y[i] == 0 {
			v = -v
		}
		a.lo, a.hi = min(a.lo, v), max(a.hi, v)
	}
}

// edge marks with 1 the rows whose margin is nearly 0, with 0 the others.
func edge(a *sums, z []float64, edge float64) {
	root := a.scratch.s[:len(z)]
	for i, v := range z {
		root[i] = 0
		if math.Abs(v) <= edge {
			root[i] = 1
			a.loss++
		}
	}
}

// gradient adds z*column for every column, z being a residual.
func (l *look) gradient(a *sums, c *chunk, lo, hi int) {
	z := a.scratch.z[:hi-lo]
	for _, v := range z {
		a.g[0] += v
	}
	for k, j := range l.s.dense {
		x := c.dense[j][lo:hi]
		if l.s.far[k] {
			x = shifted(a.scratch.x[:len(z)], x, l.s.center[k+1])
		}
		a.g[k+1] += blas64.Dot(vector(x), vector(z))
	}
	for g := range c.groups {
		code := c.groups[g].code[lo:hi]
		if v := c.groups[g].value; v != nil {
			v = v[lo:hi]
			for i, k := range code {
				a.g[l.s.pos[k]] += float64(z[i] * v[i])
			}
			continue
		}
		for i, k := range code {
			a.g[l.s.pos[k]] += z[i]
		}
	}
}

// hessian adds the products of all pairs of columns, each row times the square
// of its factor in scratch.s. Sparse columns are counted, never spread out.
func (l *look) hessian(a *sums, c *chunk, lo, hi int) {
	n, nd := hi-lo, len(l.s.dense)+1
	root := a.scratch.s[:n]
	m := blas64.General{Rows: nd, Cols: n, Stride: n, Data: a.scratch.block[:nd*n]}
	copy(m.Data[:n], root)
	for k, j := range l.s.dense {
		row, by, per := m.Data[(k+1)*n:(k+2)*n], l.s.center[k+1], 1/l.s.sd[k+1]
		for i, v := range c.dense[j][lo:hi] {
			row[i] = (v - by) * per * root[i]
		}
	}
	for k := range nd {
		head := m
		head.Rows, head.Data = k+1, m.Data[:(k+1)*n]
		blas64.Gemv(blas.NoTrans, 1, head, vector(m.Data[k*n:(k+1)*n]), 1, vector(a.dd[k*nd:k*nd+k+1]))
	}
	l.scatter(a, c, lo, n)
}

// scatter adds the pairs with a sparse column.
func (l *look) scatter(a *sums, c *chunk, lo, n int) {
	ng, nd := len(c.groups), len(l.s.dense)+1
	if ng == 0 {
		return
	}
	ns := l.s.size() - nd + 1
	if a.scratch.pos == nil {
		a.scratch.pos, a.scratch.val = make([]int32, ng*blockRows), make([]float64, ng*blockRows)
	}
	for g := range c.groups {
		pos, val := a.scratch.pos[g*blockRows:][:n], a.scratch.val[g*blockRows:][:n]
		copy(val, a.scratch.s[:n])
		for i, k := range c.groups[g].code[lo : lo+n] {
			pos[i] = l.s.pos[k] - int32(nd)
		}
		if v := c.groups[g].value; v != nil {
			for i, x := range v[lo : lo+n] {
				val[i] *= x
			}
		}
		for k := range nd {
			row, out := a.scratch.block[k*n:(k+1)*n], a.cross[k*ns:(k+1)*ns]
			for i, p := range pos {
				out[p] += float64(row[i] * val[i])
			}
		}
		for h := 0; h <= g; h++ {
			ph, vh := a.scratch.pos[h*blockRows:][:n], a.scratch.val[h*blockRows:][:n]
			for i, p := range pos {
				a.ss[int(p)*ns+int(ph[i])] += float64(val[i] * vh[i])
			}
		}
	}
}
