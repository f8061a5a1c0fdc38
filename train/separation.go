package train

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"recoup/data"
)

// separated refuses classes that a combination of columns separates: then there
// is a direction in which no row gets worse and some get better for ever (Albert &
// Anderson 1984), and no finite optimum. step is the search's last step; while the
// search runs off to infinity it turns into that direction.
//
// The direction is proved, not guessed. Rows with next to no margin along it are
// taken to have none; it is made exactly orthogonal to them and then must have no row on the
// wrong side. Data that are nearly separated fail this and keep their optimum.
func (p *problem) separated(ctx context.Context, step []float64) error {
	d := make([]float64, len(step))
	for k, v := range step {
		d[k] = -v
	}
	lo, hi, err := p.sides(ctx, d)
	if err != nil || !(hi > 0) || lo < -1e-2*hi {
		return err
	}
	// With every row strictly on its side the direction is its own proof.
	complete := lo > 1e-12*hi
	if !complete {
		l := p.shape.lookAt(d, wantEdge)
		l.edge = 1e-4*hi + 2*max(0, -lo)
		a, err := reduce(ctx, p.rows, l.empty, l.add, mergeSums)
		if err != nil {
			return err
		}
		if a.loss > 0 && !flatten(d, p.shape.hessian(a)) {
			return nil
		}
		if lo, hi, err = p.sides(ctx, d); err != nil || !(hi > 0) || lo < -1e-9*hi {
			return err
		}
	}
	kind := "quasi-complete"
	if complete {
		kind = "complete"
	}
	return data.Faultf(data.ErrContract, "train: logistic: %s separation: %s and so there is no finite optimum: leave a column out, or give a penalty (l2 > 0)", kind, p.splitters(d))
}

// sides are the extremes of the margins along d, on the side of the outcome.
func (p *problem) sides(ctx context.Context, d []float64) (lo, hi float64, err error) {
	l := p.shape.lookAt(d, wantSides)
	a, err := reduce(ctx, p.rows, l.empty, l.add, mergeSums)
	if err != nil {
		return 0, 0, err
	}
	return a.lo, a.hi, nil
}

// flatten projects d on the null space of a Gram matrix; false when nothing is left.
func flatten(d, g []float64) bool {
	n := len(d)
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(n, g), true) {
		return false
	}
	values := e.Values(nil)
	var v mat.Dense
	e.VectorsTo(&v)
	out := make([]float64, n)
	for j, value := range values {
		if value > 1e-12*values[n-1] {
			continue
		}
		dot := 0.0
		for k := range d {
			dot += v.At(k, j) * d[k]
		}
		for k := range d {
			out[k] += dot * v.At(k, j)
		}
	}
	before := largest(d)
	copy(d, out)
	return largest(out) > 1e-6*before
}

// splitters names the columns of the direction.
func (p *problem) splitters(d []float64) string {
	top := 0.0
	for k := 1; k < len(d); k++ {
		top = max(top, math.Abs(d[k]))
	}
	var names []string
	for k := 1; k < len(d); k++ {
		if math.Abs(d[k]) > 1e-5*top {
			names = append(names, p.shape.names[k])
		}
	}
	switch {
	case len(names) == 1:
		return fmt.Sprintf("%s alone separates the outcomes", names[0])
	case len(names) > 8:
		names = append(names[:8], fmt.Sprintf("%d more", len(names)-8))
	}
	return fmt.Sprintf("a combination of %s separates the outcomes", strings.Join(names, ", "))
}
