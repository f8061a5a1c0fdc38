package train

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A table of a million rows costs its Hessian far more than its gradient. So the
// search begins on a sample of the rows, and goes on over all rows with exact gradients and
// the sample's Hessian, corrected by what the steps teach about it (L-BFGS: Nocedal &
// Wright 2006, algorithm 7.4, with the sample's inverse Hessian in the middle). It
// ends where Newton's method would, at a zero of the exact gradient.

// sampleRows is how many rows the Hessian is estimated from: the error of a step
// shrinks by about 2*sqrt(columns/rows).
func sampleRows(positions int) int { return max(16384, 768*positions) }

// sampler keeps about want to 2*want rows, chosen by a hash of the row's number:
// the same ones every time, and blind to any period in the table.
type sampler struct {
	want  int
	seen  uint64
	limit uint64 // rows with a hash below it are kept
	hash  []uint64
	rows  *chunk
}

// newSampler expects a table of the given number of rows; 0 = not known.
func newSampler(want int, rows int64) *sampler {
	s := &sampler{want: want, limit: math.MaxUint64}
	if share := 1.5 * float64(want) / float64(rows); share < 1 {
		s.limit = uint64(share*(1<<32)) << 32
	}
	return s
}

// mix is the finaliser of SplitMix64 (Steele, Lea & Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// add looks at the next chunk.
func (s *sampler) add(c *chunk) {
	var keep []int
	for i := range c.n {
		if h := mix(s.seen + uint64(i)); h < s.limit {
			keep = append(keep, i)
			s.hash = append(s.hash, h)
		}
	}
	s.seen += uint64(c.n)
	s.take(c, keep)
	for len(s.hash) > 2*s.want { // too many: keep those of half the hashes
		s.limit /= 2
		keep = keep[:0]
		kept := s.hash[:0]
		for i, h := range s.hash {
			if h < s.limit {
				keep, kept = append(keep, i), append(kept, h)
			}
		}
		all := s.rows
		s.hash, s.rows = kept, nil
		s.take(all, keep)
	}
}

func (s *sampler) take(c *chunk, keep []int) {
	if len(keep) == 0 {
		return
	}
	if s.rows == nil {
		s.rows = &chunk{dense: make([][]float64, len(c.dense)), groups: make([]group, len(c.groups))}
	}
	r := s.rows
	r.n += len(keep)
	r.y, r.w = appendRows(r.y, c.y, keep), appendRows(r.w, c.w, keep)
	for j := range r.dense {
		r.dense[j] = appendRows(r.dense[j], c.dense[j], keep)
	}
	for g := range r.groups {
		r.groups[g].code = appendRows(r.groups[g].code, c.groups[g].code, keep)
		r.groups[g].value = appendRows(r.groups[g].value, c.groups[g].value, keep)
	}
}

// appendRows appends the given rows of a column; a column that is nil stays so.
func appendRows[T any](to, from []T, rows []int) []T {
	if from == nil {
		return to
	}
	to = slices.Grow(to, len(rows))
	for _, r := range rows {
		to = append(to, from[r])
	}
	return to
}

// sampled makes the sample: of the rows in memory, or the one the first pass took.
func (r *fitRows) sampled(want int) *sampler {
	if r.sample == nil && r.whole {
		rows := int64(0)
		for _, c := range r.kept {
			rows += int64(c.n)
		}
		r.sample = newSampler(want, rows)
		if rows < 8*int64(want) {
			return r.sample
		}
		for _, c := range r.kept {
			r.sample.add(c)
		}
	}
	return r.sample
}

// estimate is where the sample says the optimum is, and the inverse of what it
// says about the Hessian there; nil when the sample cannot tell (a level is missing,
// classes are separated in it): the table may be sound all the same.
func (p *problem) estimate(ctx context.Context) (*point, *mat.Cholesky) {
	want := sampleRows(p.shape.size())
	s := p.rows.sampled(want)
	if s == nil || s.rows == nil || s.seen < 8*uint64(want) {
		return nil, nil
	}
	w := float64(s.rows.n)
	if s.rows.w != nil {
		w = 0
		for _, v := range s.rows.w {
			w += v
		}
	}
	q := &problem{shape: p.shape, w: w, start: p.start, pen: make([]float64, len(p.pen)), finite: p.finite, coarse: true}
	q.rows = &fitRows{kept: []*chunk{s.rows}, whole: true, workers: p.rows.workers}
	for k, v := range p.pen {
		q.pen[k] = v * w / p.w
	}
	at, err := q.at(ctx, q.begin(), wantHessian)
	if err != nil || !p.finite && (!filled(at.h, len(at.t)) || len(pivoted(at.h, len(at.t)).rest) > 0) {
		return nil, nil
	}
	if at, err = q.newton(ctx, at); err != nil {
		return nil, nil
	}
	n := len(at.t)
	h := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			h.SetSym(i, j, at.h[i*n+j]*p.w/w)
		}
	}
	var c mat.Cholesky
	if !c.Factorize(h) {
		return nil, nil
	}
	p.iterations += q.iterations
	return at, &c
}

// filled reports whether every diagonal entry is positive.
func filled(h []float64, n int) bool {
	for k := range n {
		if !(h[k*n+k] > 0) {
			return false
		}
	}
	return true
}

// quasi goes on from an estimate. done is false when the gradient stops shrinking
// fast: then the exact Hessian is worth its price.
func (p *problem) quasi(ctx context.Context, start *point, inverse *mat.Cholesky) (at *point, done bool, err error) {
	if at, err = p.at(ctx, start.t, wantGradient); err != nil {
		return nil, false, err
	}
	var steps, changes [][]float64
	for slow := 0; slow < 2; {
		size := largest(at.g)
		if size <= p.tolerance() {
			return at, true, nil
		}
		p.iterations++
		d := direction(at.g, steps, changes, inverse)
		t := make([]float64, len(d))
		for k := range t {
			t[k] = at.t[k] - d[k]
			d[k] = t[k] - at.t[k]
		}
		next, err := p.at(ctx, t, wantGradient)
		if err != nil {
			return nil, false, err
		}
		if next.obj > at.obj+1e-12*math.Abs(at.obj) {
			return at, false, nil
		}
		if largest(next.g) > size/4 {
			slow++
		}
		y := make([]float64, len(d))
		for k := range y {
			y[k] = next.g[k] - at.g[k]
		}
		if dot(d, y) > 0 {
			steps, changes = append(steps, d), append(changes, y)
		}
		at = next
	}
	return at, false, nil
}

// direction is the two-loop recursion: an estimate of inverse Hessian times g.
func direction(g []float64, steps, changes [][]float64, inverse *mat.Cholesky) []float64 {
	q := append([]float64{}, g...)
	a := make([]float64, len(steps))
	for i := len(steps) - 1; i >= 0; i-- {
		a[i] = dot(steps[i], q) / dot(steps[i], changes[i])
		for k := range q {
			q[k] -= a[i] * changes[i][k]
		}
	}
	r := mat.NewVecDense(len(g), nil)
	if err := inverse.SolveVecTo(r, mat.NewVecDense(len(q), q)); err != nil {
		if _, bad := err.(mat.Condition); !bad {
			return q
		}
	}
	q = r.RawVector().Data
	for i := range steps {
		b := a[i] - dot(changes[i], q)/dot(steps[i], changes[i])
		for k := range q {
			q[k] += b * steps[i][k]
		}
	}
	return q
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += float64(v * b[i])
	}
	return s
}
