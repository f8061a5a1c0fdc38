package ope

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"recoup/data"
)

// Tuning is how a lambda was picked.
type Tuning struct {
	Lambda float64   `json:"lambda"`
	Grid   []float64 `json:"grid"`  // in the order in which it was tried
	Score  []float64 `json:"score"` // of the grid: the interval's half-width (SLOPE), or the bound of the squared error
}

// slopeFactor is the constant of Lepski's rule in SLOPE.
var slopeFactor = math.Sqrt(6) - 1

// SLOPE picks a lambda by intervals alone (Su, Srinath and Krishnamurthy 2020;
// Tucker and Lee 2021): from the widest interval to the narrowest, as long as the
// estimate stays within the intervals of all before it. Half-widths are Student's at
// level 1-delta. The method's own Lambda is ignored.
func (r *Result) SLOPE(m Method, grid []float64, delta float64) (*Tuning, error) {
	type point struct{ lambda, theta, half float64 }
	var points []point
	err := r.tune(m, grid, delta, func(m Method, z []float64) {
		n := float64(len(z))
		t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(1 - delta)
		points = append(points, point{m.Lambda, mean(z), math.Sqrt(variance(z, 0)/(n-1)) * t})
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(b.half, a.half) })
	pick := &Tuning{}
	agree := func(i int) bool {
		for j := range i {
			if math.Abs(points[j].theta-points[i].theta) > points[i].half+slopeFactor*points[j].half {
				return false
			}
		}
		return true
	}
	stopped := false
	for i, p := range points {
		pick.Grid, pick.Score = append(pick.Grid, p.lambda), append(pick.Score, p.half)
		if stopped = stopped || !agree(i); !stopped {
			pick.Lambda = p.lambda
		}
	}
	return pick, nil
}

// MSEBound picks the lambda with the smallest bound on the squared error (Su et al.
// 2020): the variance of the mean and the square of a bound on the bias, which holds
// with probability 1-delta. Ties go to the lambda nearest plain weights. The last two
// terms of the bias do not depend on lambda but multiply it: the rule leans to large
// lambdas.
//
//	|mean (w - s)(r - q)| + sqrt(2 mean(w²) ln(2/δ)/n) + 2 max(w) ln(2/δ)/3n
func (r *Result) MSEBound(m Method, grid []float64, delta float64) (*Tuning, error) {
	pick := &Tuning{}
	best := math.Inf(1)
	sorted := slices.Clone(grid)
	slices.Sort(sorted)
	if m.Shape != Shrink && m.Shape != SubGaussian {
		slices.Reverse(sorted)
	}
	b := r.base
	err := r.tune(m, sorted, delta, func(m Method, z []float64) {
		n := float64(len(z))
		var bias, squares sum
		top := 0.0
		for i, w := range b.w {
			residual := b.rows.Reward[i]
			if m.NeedsQ() {
				residual -= b.q[i]
			}
			bias.add((w - m.shaped(w)) * residual)
			squares.add(w * w)
			top = max(top, w)
		}
		l := math.Log(2 / delta)
		off := math.Abs(bias.value()/n) + math.Sqrt(2*squares.value()/n*l/n) + 2*top*l/(3*n)
		score := variance(z, 0)/n + off*off
		pick.Grid, pick.Score = append(pick.Grid, m.Lambda), append(pick.Score, score)
		if score < best {
			best, pick.Lambda = score, m.Lambda
		}
	})
	if err != nil {
		return nil, err
	}
	return pick, nil
}

// tune checks what it is given and shows each lambda's terms.
func (r *Result) tune(m Method, grid []float64, delta float64, try func(Method, []float64)) error {
	b := r.base
	switch {
	case m.Shape == AsIs:
		return data.Faultf(data.ErrUsage, "ope: tune %s: it has no lambda", m.Name)
	case len(grid) == 0:
		return data.Faultf(data.ErrUsage, "ope: tune %s: an empty grid", m.Name)
	case !(delta > 0 && delta < 1):
		return data.Faultf(data.ErrUsage, "ope: tune %s: delta %v: between 0 and 1", m.Name, delta)
	case m.NeedsQ() && b.qbar == nil:
		return data.Faultf(data.ErrUsage, "ope: tune %s: %s: it needs a reward model", m.Name, QMissing)
	case r.N < 2 || allZero(b.w):
		return data.Faultf(data.ErrTooLittle, "ope: tune %s: one row, or no weight above 0", m.Name)
	}
	z := make([]float64, r.N)
	for _, l := range grid {
		m.Lambda = l
		if err := m.check(); err != nil {
			return err
		}
		b.rounds(m, z)
		try(m, z)
	}
	return nil
}
