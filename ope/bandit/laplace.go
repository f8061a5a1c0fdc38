package bandit

import (
	"math"

	"recoup/data"
)

// Logistic learns a logistic model's posterior batch by batch: the posterior so far is
// the prior of the next batch, and Laplace's method makes a normal of the result
// (Chapelle and Li 2011, algorithm 3, with the whole precision matrix). What was learned
// ages toward the first prior by elapsed time, in precision and in precision times mean.
// It is for one goroutine.
type Logistic struct {
	keep          float64 // share that is left after a day
	first, prec   []float64
	start, weight []float64 // precision times mean: of the first prior, and now
	at            data.Micros
}

// NewLogistic begins at N(mean, diag(sd^2)); keep as in Config.
func NewLogistic(mean, sd []float64, keep float64) (*Logistic, error) {
	n := len(mean)
	if n == 0 || len(sd) != n {
		return nil, refuse(MalformedArm, "posterior: %d means and %d deviations", n, len(sd))
	}
	if !(keep > 0 && keep <= 1) {
		return nil, refuse(OutOfRange, "keep %v: expected a share above 0, at most 1", keep)
	}
	l := &Logistic{keep: keep, first: make([]float64, n*n), start: make([]float64, n)}
	for i := range mean {
		if !(sd[i] > 0 && sd[i] < 1e6) || math.IsNaN(mean[i]) || math.IsInf(mean[i], 0) {
			return nil, refuse(NotFinite, "posterior: coefficient %d: mean %v, sd %v", i, mean[i], sd[i])
		}
		l.first[i*n+i] = 1 / float64(sd[i]*sd[i])
		l.start[i] = float64(l.first[i*n+i] * mean[i])
	}
	l.prec, l.weight = append([]float64(nil), l.first...), append([]float64(nil), l.start...)
	return l, nil
}

// Age brings the posterior to a later time.
func (l *Logistic) Age(to data.Micros) {
	if k := left(l.keep, to-l.at); k < 1 {
		for i := range l.prec {
			l.prec[i] = l.first[i] + float64(k*(l.prec[i]-l.first[i]))
		}
		for i := range l.weight {
			l.weight[i] = l.start[i] + float64(k*(l.weight[i]-l.start[i]))
		}
	}
	l.at = max(l.at, to)
}

// Fade leaves a share in (0, 1] of the precision that was learned, and the mean as it is:
// what another shop taught, or the time before a change, is worth no more than that.
func (l *Logistic) Fade(share float64) error {
	if err := checkShare(share); err != nil {
		return err
	}
	mean, err := l.mean()
	if err != nil {
		return err
	}
	for i := range l.prec {
		l.prec[i] = l.first[i] + float64(share*(l.prec[i]-l.first[i]))
	}
	l.weight = times(l.prec, mean)
	return nil
}

// times is a square matrix times a vector.
func times(a, x []float64) []float64 {
	n := len(x)
	out := make([]float64, n)
	for i := range n {
		for j := range n {
			out[i] += float64(a[i*n+j] * x[j])
		}
	}
	return out
}

// Learn takes a batch of closed trials at a time: rows, whether each succeeded, and
// what is added to each row's score (nil = nothing). The order of the rows decides the
// last bits of the sums.
func (l *Logistic) Learn(rows [][]float64, success []bool, offset []float64, at data.Micros) error {
	n := len(l.weight)
	if len(rows) != len(success) || offset != nil && len(offset) != len(rows) {
		panic("bandit: as many rows as outcomes and offsets expected")
	}
	for i, row := range rows {
		if len(row) != n {
			return refuse(MalformedArm, "row %d: %d inputs: expected %d", i, len(row), n)
		}
		for k, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return refuse(NotFinite, "row %d: input %d is %v", i, k, v)
			}
		}
	}
	l.Age(at)
	if len(rows) == 0 {
		return nil
	}
	prior, pull := l.prec, l.weight
	mean, err := l.mean()
	if err != nil {
		return err
	}
	for range 50 {
		h, g := append([]float64(nil), prior...), make([]float64, n)
		for i := range n { // gradient of the log posterior
			g[i] = pull[i]
			for j := range n {
				g[i] -= float64(prior[i*n+j] * mean[j])
			}
		}
		for r, row := range rows {
			z := 0.0
			if offset != nil {
				z = offset[r]
			}
			for k, v := range row {
				z += float64(v * mean[k])
			}
			p := 1 / (1 + math.Exp(-z))
			off, w := -p, float64(p*(1-p))
			if success[r] {
				off = 1 - p
			}
			for i, v := range row {
				if v == 0 {
					continue
				}
				g[i] += float64(off * v)
				for j := range i + 1 {
					h[i*n+j] += float64(float64(w*v) * row[j])
				}
			}
		}
		for i := range n {
			for j := range i {
				h[j*n+i] = h[i*n+j]
			}
		}
		root, ok := cholesky(h, n)
		if !ok {
			return refuse(NotPositive, "posterior: the batch of %d rows has no optimum", len(rows))
		}
		step := solve(root, g, n)
		size := 0.0
		for i := range mean {
			size = max(size, math.Abs(step[i]))
		}
		shrink := min(1, 4/max(size, 1e-300)) // no leap beyond what a logit can mean
		for i := range mean {
			mean[i] += float64(shrink * step[i])
		}
		l.prec = h
		if size < 1e-10 {
			break
		}
	}
	l.weight = times(l.prec, mean)
	return nil
}

func (l *Logistic) mean() ([]float64, error) {
	n := len(l.weight)
	root, ok := cholesky(l.prec, n)
	if !ok {
		return nil, refuse(NotPositive, "posterior: the precision is singular")
	}
	return solve(root, l.weight, n), nil
}

// Normal is the posterior as it stands.
func (l *Logistic) Normal() (*Normal, error) {
	n := len(l.weight)
	mean, err := l.mean()
	if err != nil {
		return nil, err
	}
	root, _ := cholesky(l.prec, n)
	cov, unit := make([]float64, n*n), make([]float64, n)
	for j := range n {
		clear(unit)
		unit[j] = 1
		for i, v := range solve(root, unit, n) {
			cov[i*n+j] = v
		}
	}
	for i := range n {
		for j := range i {
			cov[i*n+j] = (cov[i*n+j] + cov[j*n+i]) / 2
			cov[j*n+i] = cov[i*n+j]
		}
	}
	return NewNormal(mean, cov)
}

// cholesky is the lower root of a symmetric matrix; false = it is not positive definite.
func cholesky(a []float64, n int) ([]float64, bool) {
	root := make([]float64, n*n)
	for i := range n {
		for j := 0; j <= i; j++ {
			v := a[i*n+j]
			for k := range j {
				v -= float64(root[i*n+k] * root[j*n+k])
			}
			switch {
			case i != j:
				root[i*n+j] = v / root[j*n+j]
			case !(v > 0 && v <= math.MaxFloat64):
				return nil, false
			default:
				root[i*n+i] = math.Sqrt(v)
			}
		}
	}
	return root, true
}

// solve is x of (root root^T) x = b.
func solve(root, b []float64, n int) []float64 {
	x := append([]float64(nil), b...)
	for i := range n {
		for k := range i {
			x[i] -= float64(root[i*n+k] * x[k])
		}
		x[i] /= root[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= float64(root[k*n+i] * x[k])
		}
		x[i] /= root[i*n+i]
	}
	return x
}
