package train

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"recoup/data"
)

// search finds the optimum. A large table is searched with its sample's Hessian; where
// that does not do, and for small tables, Newton's method has the exact one.
func (p *problem) search(ctx context.Context) (*point, error) {
	t := p.begin()
	if sample, inverse := p.estimate(ctx); sample != nil {
		at, done, err := p.quasi(ctx, sample, inverse)
		if err != nil {
			return nil, err
		}
		if done {
			at.guess = sample.h
			return at, nil
		}
		// The sample has full rank, and so has the table.
		if at, err = p.at(ctx, at.t, wantHessian); err != nil {
			return nil, err
		}
		return p.newton(ctx, at)
	}
	at, err := p.at(ctx, t, wantHessian)
	if err != nil {
		return nil, err
	}
	if !p.finite {
		// With no slopes the Hessian is p(1-p) times the Gram matrix.
		if err := p.collinear(ctx, at.h); err != nil {
			return nil, err
		}
	}
	return p.newton(ctx, at)
}

// begin is the base rate and no slopes.
func (p *problem) begin() []float64 {
	t := make([]float64, p.shape.size())
	t[0] = p.start
	return t
}

const maxIterations = 200

// newton takes Newton steps, halved while the objective does not fall, until the
// gradient is as small as rounding lets it be and the steps have died down. Without a
// penalty it watches for a direction in which the objective falls for ever.
func (p *problem) newton(ctx context.Context, at *point) (*point, error) {
	n, tol, last := len(at.t), p.tolerance(), math.Inf(1)
	for it := 1; it <= maxIterations; it++ {
		p.iterations++
		step, ok := solve(at.h, at.g, n)
		size := largest(step) / (1 + largest(at.t))
		if ok && largest(at.g) <= tol && size <= 1e-6 {
			return p.last(ctx, at, step, size)
		}
		if suspicious := !ok || it > 8 && at.far > 12; !p.finite && suspicious {
			if err := p.separated(ctx, step); err != nil {
				return nil, err
			}
		}
		next, err := p.stepFrom(ctx, at, step, 1)
		for _, share := range []float64{0, 1e-6, 1e-3, 1} { // nearer and nearer to the gradient's own direction
			if err != nil || next != nil || largest(at.g) <= 1e3*tol {
				break
			}
			if share > 0 {
				step, _ = solve(damped(at.h, n, share), at.g, n)
			}
			next, err = p.stepFrom(ctx, at, step, min(1, reach/largest(step)))
		}
		if err != nil {
			return nil, err
		}
		if next == nil || size < 1e-9 && size >= last/2 && largest(next.g) >= largest(at.g) {
			// Rounding is all that is left.
			if largest(at.g) <= 1e3*tol {
				return at, nil
			}
			if next == nil {
				break
			}
		}
		at, last = next, size
	}
	return nil, data.Faultf(data.ErrContract, "train: logistic: no optimum after %d steps (gradient %.3g, largest logit %.3g): "+
		"columns are nearly collinear or nearly separate the classes; give a penalty (l2 > 0)", p.iterations, largest(at.g), at.far)
}

// last takes the step that is left where it still shows: under weights of very
// different size the gradient is within rounding long before the coefficients are.
func (p *problem) last(ctx context.Context, at *point, step []float64, size float64) (*point, error) {
	if size < 1e-11 {
		return at, nil
	}
	t := make([]float64, len(step))
	for k := range t {
		t[k] = at.t[k] - step[k]
	}
	next, err := p.at(ctx, t, wantHessian)
	if err != nil || largest(next.g) > largest(at.g) {
		return at, err
	}
	return next, nil
}

// reach bounds a step that halving could not save, in coefficients of standardised
// columns. Where all rows are saturated the Hessian is next to nothing and the step
// next to endless.
const reach = 20

// stepFrom halves the share h of the step until the objective does not rise; nil when
// it always does.
func (p *problem) stepFrom(ctx context.Context, at *point, step []float64, h float64) (*point, error) {
	for end := h * 1e-10; h > end; h /= 2 {
		t := make([]float64, len(step))
		for k := range t {
			t[k] = at.t[k] - h*step[k]
		}
		next, err := p.at(ctx, t, wantHessian)
		if err != nil {
			return nil, err
		}
		if next.obj <= at.obj+1e-12*math.Abs(at.obj) {
			return next, nil
		}
	}
	return nil, nil
}

// solve is the Newton step: h*step = g. ok is false when h is not positive definite
// in float64; the step then comes from h with its diagonal raised a little.
func solve(h, g []float64, n int) (step []float64, ok bool) {
	for raise := 0.0; ; raise = max(1e-14, 10*raise) {
		var c mat.Cholesky
		s := mat.NewSymDense(n, append([]float64{}, h...))
		for k := range n {
			s.SetSym(k, k, h[k*n+k]*(1+raise)+math.SmallestNonzeroFloat64)
		}
		if !c.Factorize(s) {
			continue
		}
		x := mat.NewVecDense(n, nil)
		if err := c.SolveVecTo(x, mat.NewVecDense(n, g)); err != nil {
			if _, bad := err.(mat.Condition); !bad {
				continue
			}
		}
		return x.RawVector().Data, raise == 0
	}
}

// damped is h with a share of its largest diagonal entry added to the diagonal
// (Levenberg 1944).
func damped(h []float64, n int, share float64) []float64 {
	out, top := append([]float64{}, h...), 0.0
	for k := range n {
		top = max(top, h[k*n+k])
	}
	for k := range n {
		out[k*n+k] += float64(share * top)
	}
	return out
}

// condition is the ratio of the largest to the smallest eigenvalue.
func condition(h []float64, n int) float64 {
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(n, append([]float64{}, h...)), false) {
		return math.MaxFloat64
	}
	v := e.Values(nil)
	if v[0] <= 0 {
		return math.MaxFloat64
	}
	return v[n-1] / v[0]
}

// inverseRoots are the roots of the diagonal of the inverse; nil when there is none.
func inverseRoots(h []float64, n int) []float64 {
	var c mat.Cholesky
	if !c.Factorize(mat.NewSymDense(n, append([]float64{}, h...))) {
		return nil
	}
	var inv mat.SymDense
	if err := c.InverseTo(&inv); err != nil {
		if _, bad := err.(mat.Condition); !bad {
			return nil
		}
	}
	out := make([]float64, n)
	for k := range out {
		out[k] = math.Sqrt(inv.At(k, k))
	}
	return out
}
