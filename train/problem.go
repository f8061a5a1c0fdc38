package train

import (
	"context"
	"math"
	"slices"

	"recoup/data"
)

// problem is the objective in standardised coordinates.
type problem struct {
	rows       *fitRows
	shape      *shape
	w          float64   // summed weight
	start      float64   // logit of the base rate
	pen        []float64 // by position: the penalty's second derivative
	finite     bool      // a penalty makes the optimum finite
	coarse     bool      // an estimate will do
	iterations int
}

func newProblem(r *fitRows, s *shape, m *moments, o Options) *problem {
	p := &problem{rows: r, shape: s, w: m.w1 + m.w0, start: math.Log(m.w1) - math.Log(m.w0), pen: make([]float64, s.size()), finite: o.L2 > 0}
	for k := 1; k < len(p.pen); k++ {
		p.pen[k] = o.L2
		if !o.Standardize {
			p.pen[k] = o.L2 / s.sd[k] / s.sd[k]
		}
	}
	return p
}

// point is the objective at t.
type point struct {
	t        []float64
	nll, obj float64
	far      float64   // largest |logit| of a row
	g        []float64 // gradient
	h        []float64 // Hessian, by rows; nil when it was not asked for
	guess    []float64 // a multiple of it, estimated from a sample of rows
}

// at looks at all rows.
func (p *problem) at(ctx context.Context, t []float64, w want) (*point, error) {
	l := p.shape.lookAt(t, w)
	a, err := reduce(ctx, p.rows, l.empty, l.add, mergeSums)
	if err != nil {
		return nil, err
	}
	out := &point{t: t, nll: a.loss, obj: a.loss, far: a.hi, g: p.shape.gradient(a)}
	for k, v := range t {
		out.obj += p.pen[k] / 2 * v * v
		out.g[k] += p.pen[k] * v
	}
	if w == wantHessian {
		out.h = p.shape.hessian(a)
		for k := range t {
			out.h[k*len(t)+k] += p.pen[k]
		}
	}
	if math.IsNaN(out.obj) || math.IsInf(out.obj, 0) {
		return nil, data.Faultf(data.ErrContract, "train: logistic: the objective is %v: the columns' values are too far apart", out.obj)
	}
	return out, nil
}

// gradient turns sums over columns as they stand into standardised coordinates.
func (s *shape) gradient(a *sums) []float64 {
	g := make([]float64, s.size())
	g[0] = a.g[0]
	for k := 1; k < len(g); k++ {
		g[k] = a.g[k]
		if k > len(s.dense) || !s.far[k-1] {
			g[k] -= s.center[k] * a.g[0]
		}
		g[k] /= s.sd[k]
	}
	return g
}

// hessian puts the three blocks together, sparse columns centered and scaled.
func (s *shape) hessian(a *sums) []float64 {
	n, nd := s.size(), len(s.dense)+1
	ns := n - nd + 1
	h := make([]float64, n*n)
	set := func(i, j int, v float64) { h[i*n+j], h[j*n+i] = v, v }
	for i := range nd {
		for j := 0; j <= i; j++ {
			set(i, j, a.dd[i*nd+j])
		}
	}
	total := a.dd[0]
	for j := nd; j < n; j++ {
		cj, qj := s.center[j], a.cross[j-nd]
		for i := range nd {
			set(i, j, (a.cross[i*ns+j-nd]-cj*a.dd[i*nd])/s.sd[j])
		}
		for i := nd; i <= j; i++ {
			v := a.ss[(j-nd)*ns+i-nd]
			if i != j {
				v += a.ss[(i-nd)*ns+j-nd]
			}
			v -= s.center[i]*qj + cj*a.cross[i-nd] - s.center[i]*cj*total
			set(i, j, v/s.sd[j]/s.sd[i])
		}
	}
	return h
}

// tolerance is how small the largest entry of the gradient must be: 1e-10, less
// for small sums of weights and more for large ones, where rounding is felt earlier.
// Over a million rows 1e-7 moves a coefficient of a standardised column by about 1e-12.
func (p *problem) tolerance() float64 {
	if p.coarse {
		return 1e-7 * p.w
	}
	return max(min(1e-10, 1e-12*p.w), 1e-13*p.w)
}

func largest(v []float64) float64 {
	m := 0.0
	for _, x := range v {
		m = max(m, math.Abs(x))
	}
	return m
}

// report fills the fit from the optimum.
func (p *problem) report(ctx context.Context, best *point, errors bool, f *Fit) error {
	f.NLL, f.Objective, f.LogitAtMean, f.GradInf = best.nll, best.obj, best.t[0], largest(best.g)
	if slices.Contains(p.shape.far, true) {
		// The mean of a far column has no float64 near enough: what is left of it counts.
		one := make([]float64, len(best.t))
		one[0] = 1
		rest, err := p.at(ctx, one, wantMoments)
		if err != nil {
			return err
		}
		for k := 1; k < len(one); k++ {
			f.LogitAtMean += best.t[k] * rest.g[k] / p.w
		}
	}
	h := best.h
	if h == nil && errors {
		again, err := p.at(ctx, best.t, wantHessian)
		if err != nil {
			return err
		}
		h = again.h
	}
	f.Passes, f.Iterations = p.rows.passes, p.iterations
	if h == nil {
		h = best.guess
	}
	f.Condition = condition(h, len(best.t))
	if errors {
		se := inverseRoots(h, len(best.t))
		if se == nil {
			return nil
		}
		f.StdErrAtMean = se[0]
		f.StdErr = make([]float64, len(p.shape.mean))
		for k := 1; k < len(best.t); k++ {
			f.StdErr[p.shape.column[k]] = se[k] / p.shape.sd[k]
		}
	}
	return nil
}
