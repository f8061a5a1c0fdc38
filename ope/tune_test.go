package ope

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// TestTunersAgainstFormulas: both rules written out for one log, from the plain rows.
func TestTunersAgainstFormulas(t *testing.T) {
	for seed := range uint64(20) {
		rows := randomRows(300, 3, 20, seed)
		for i := range rows.Q {
			rows.Q[i] += float64(seed) / 10 // from a good model to a bad one
		}
		r, plain := estimate(t, rows), plain(rows)
		n := float64(len(plain))
		type point struct{ lambda, theta, half, bound float64 }
		var points []point
		student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(.9)
		for _, l := range []float64{.1, .5, 1, 2, 5, 50} {
			var z []float64
			bias, squares, top := 0.0, 0.0, 0.0
			for _, x := range plain {
				v := l * x.w / (x.w*x.w + l)
				z = append(z, x.qbar+v*(x.r-x.q))
				bias += (x.w - v) * (x.r - x.q) / n
				squares += x.w * x.w / n
				top = math.Max(top, x.w)
			}
			v := variance(z, 0)
			off := math.Abs(bias) + math.Sqrt(2*squares*math.Log(20)/n) + 2*top*math.Log(20)/(3*n)
			points = append(points, point{l, mean(z), student * math.Sqrt(v/(n-1)), v/n + off*off})
		}
		best := slices.MinFunc(points, func(a, b point) int { return int(math.Copysign(1, a.bound-b.bound)) }).lambda
		slices.SortStableFunc(points, func(a, b point) int { return int(math.Copysign(1, b.half-a.half)) })
		slope := points[0].lambda
	wide:
		for i := range points {
			for _, before := range points[:i] {
				if math.Abs(before.theta-points[i].theta) > points[i].half+(math.Sqrt(6)-1)*before.half {
					break wide
				}
			}
			slope = points[i].lambda
		}
		m := Method{"dros", DoublyRobust, Shrink, 0}
		grid := []float64{50, 1, 2, 5, .1, .5}
		a, errA := r.SLOPE(m, grid, .1)
		b, errB := r.MSEBound(m, grid, .1)
		if errA != nil || errB != nil || a.Lambda != slope || b.Lambda != best {
			t.Fatalf("log %d: SLOPE %+v, %v, want %v; bound %+v, %v, want %v", seed, a, errA, slope, b, errB, best)
		}
		for _, p := range points {
			near(t, "half-width", a.Score[slices.Index(a.Grid, p.lambda)], p.half)
			near(t, "bound", b.Score[slices.Index(b.Grid, p.lambda)], p.bound)
		}
	}
}

// TestMSEBoundTies go to plain weights: where nothing is clipped any lambda is as good.
func TestMSEBoundTies(t *testing.T) {
	r := estimate(t, randomRows(100, 3, 0, 1))
	for shape, want := range map[Shape]float64{Clip: 1e9, Switch: 1e9} {
		pick, err := r.MSEBound(Method{"x", DoublyRobust, shape, 0}, []float64{1e8, 1e9, 1e7}, .1)
		if err != nil || pick.Lambda != want {
			t.Errorf("%s: %+v, %v", shape, pick, err)
		}
	}
}

// TestTopShare: the largest hundredth of 250 rows are 3.
func TestTopShare(t *testing.T) {
	w := slices.Repeat([]float64{1}, 250)
	w[3], w[70], w[200] = 11, 12, 13
	if f := weigh(w); math.Abs(f.TopShare-36./283) > 1e-12 || math.Abs(f.MaxShare-13./283) > 1e-12 {
		t.Errorf("%+v", f)
	}
}

// TestSmallWarnings: what one row, idle clips and draws without weight are said to be.
func TestSmallWarnings(t *testing.T) {
	one := estimate(t, square(2, []float64{.5, .5}, nil, []int32{0}, []float64{1}, []float64{.5}))
	if !slices.ContainsFunc(one.Warnings, func(w Warning) bool { return w.Measure == "estimators.ipw.se" && w.Reason == "one_row" }) {
		t.Errorf("%v", one.Warnings)
	}
	idle := estimate(t, square(2, []float64{1, 0, .5, .5}, nil, []int32{0, 1}, []float64{0, 1}, []float64{.01, .5}))
	if s, err := idle.Sweep(Weighted, Clip, []float64{10}); err != nil || s[0].Clipped != 1 || !s[0].NoOp {
		t.Errorf("a clip of a row that earned nothing changes the estimate: %+v, %v", s, err)
	}
	x := slices.Repeat([]float64{math.NaN(), 1, 2}, 10)
	if ci := percentiles(x, .95); ci != nil {
		t.Errorf("a third of the draws had no weight, and there is an interval: %v", *ci)
	}
	x = append(slices.Repeat([]float64{1, 2}, 10), math.NaN())
	if ci := percentiles(x, .95); ci == nil {
		t.Error("one draw of 21 without weight took the interval away")
	}
}
