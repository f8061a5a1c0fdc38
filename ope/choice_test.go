package ope

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSensitivityAgainstCorners: the bounds are the extremes over all corners, where
// each weight is w/g or w g.
func TestSensitivityAgainstCorners(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := drawRows(t)
		rows = shuffled(rows, seq(rows.Len())[:min(rows.Len(), 2+rows.Len()%9)])
		r, err := Estimate(rows, Options{})
		if err != nil || r.Weights.Matched == 0 {
			t.Skip("no weight")
		}
		g := 1 + rapid.Float64Range(0, 3).Draw(t, "g")
		plain := plain(rows)
		for _, m := range []Method{standard[1], standard[3], standard[4], standard[6]} {
			low, high := math.Inf(1), math.Inf(-1)
			for corner := range 1 << len(plain) {
				bent := slices.Clone(plain)
				for i := range bent {
					if corner>>i&1 == 1 {
						bent[i].w *= g
					} else {
						bent[i].w /= g
					}
				}
				v, _, _ := oracle(m.Name, bent)
				low, high = min(low, v), max(high, v)
			}
			s, err := r.Sensitivity(m, g)
			if err != nil {
				t.Fatal(err)
			}
			agree(t, m.Name+" low", s.Low, low)
			agree(t, m.Name+" high", s.High, high)
		}
	})
}

func TestSensitivityOfOne(t *testing.T) {
	r := estimate(t, randomRows(300, 3, 0, 1))
	for _, m := range []Method{standard[1], standard[3], standard[4], standard[6]} {
		s, err := r.Sensitivity(m, 1)
		if err != nil {
			t.Fatal(err)
		}
		near(t, m.Name, s.Low, *r.Estimators.Find(m.Name).Value)
		near(t, m.Name, s.High, *r.Estimators.Find(m.Name).Value)
	}
	for _, g := range []float64{0, .5, math.NaN(), math.Inf(1)} {
		if _, err := r.Sensitivity(standard[1], g); err == nil {
			t.Errorf("factor %v went through", g)
		}
	}
	if _, err := r.Sensitivity(standard[2], 2); err == nil {
		t.Error("clipped weights have no such bound, and got one")
	}
}

// TestSLOPE: with a good reward model and wild weights it takes the narrow end; with a
// bad one and mild weights it stays near plain weights.
func TestSLOPE(t *testing.T) {
	grid := Shrink.Lambdas()
	m := Method{"dros", DoublyRobust, Shrink, 0}
	rows := randomRows(2000, 3, 0, 3)
	r := estimate(t, rows)
	good, err := r.SLOPE(m, grid, .1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows.Q {
		rows.Q[i] = 50
	}
	bad, err := estimate(t, rows).SLOPE(m, grid, .1)
	if err != nil {
		t.Fatal(err)
	}
	if good.Lambda != 1 || bad.Lambda < 100 {
		t.Errorf("lambda %v with a good model, %v with a bad one", good.Lambda, bad.Lambda)
	}
	if !slices.IsSortedFunc(good.Score, func(a, b float64) int { return int(math.Copysign(1, b-a)) }) || len(good.Grid) != len(grid) {
		t.Errorf("%+v", good)
	}
}

// TestTuningRefuses what has no answer.
func TestTuningRefuses(t *testing.T) {
	r := estimate(t, randomRows(50, 3, 0, 1))
	clip := Method{"c", Weighted, Clip, 0}
	noQ := randomRows(50, 3, 0, 1)
	noQ.Q = nil
	for name, try := range map[string]func() error{
		"no lambda":  func() error { _, err := r.SLOPE(standard[1], []float64{1}, .1); return err },
		"empty grid": func() error { _, err := r.MSEBound(clip, nil, .1); return err },
		"delta":      func() error { _, err := r.SLOPE(clip, []float64{1}, 1); return err },
		"negative":   func() error { _, err := r.MSEBound(clip, []float64{-1}, .1); return err },
		"no model": func() error {
			_, err := estimate(t, noQ).SLOPE(Method{"d", DoublyRobust, Clip, 0}, []float64{1}, .1)
			return err
		},
		"sweep of nothing": func() error { _, err := r.Sweep(Direct, Clip, nil); return err },
		"sweep of no kind": func() error { _, err := r.Sweep(Weighted, AsIs, nil); return err },
	} {
		if try() == nil {
			t.Errorf("%s went through", name)
		}
	}
}

// TestSweep: each point is the method at that lambda.
func TestSweep(t *testing.T) {
	rows := randomRows(400, 3, 30, 5)
	r := estimate(t, rows)
	for _, shape := range []Shape{Clip, Switch, Shrink, SubGaussian} {
		swept, err := r.Sweep(DoublyRobust, shape, nil)
		if err != nil || len(swept) != len(shape.Lambdas()) {
			t.Fatal(err, len(swept))
		}
		for _, s := range swept {
			near(t, shape.String(), *s.Figure.Value, valueOf(t, rows, Method{"x", DoublyRobust, shape, s.Lambda}))
		}
	}
	if s, _ := r.Sweep(Weighted, Clip, []float64{.5}); s[0].Clipped == 0 || s[0].ESS <= r.Weights.ESS {
		t.Errorf("a clip at 0.5 changes %d rows, worth %v of %v", s[0].Clipped, s[0].ESS, r.Weights.ESS)
	}
}

func TestFolds(t *testing.T) {
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprint("c", i/3)
	}
	f, err := MakeFolds(names, 5, "key")
	if err != nil {
		t.Fatal(err)
	}
	counts := make([]int, 5)
	for i, k := range f.Of {
		counts[k]++
		if i%3 > 0 && f.Of[i-1] != k {
			t.Fatalf("customer %s is in two folds", names[i])
		}
	}
	if slices.Min(counts) < 120 {
		t.Errorf("folds of %v rows", counts)
	}
	other, _ := MakeFolds(names, 5, "another key")
	if slices.Equal(f.Of, other.Of) {
		t.Error("the key does nothing")
	}
	if _, err := MakeFolds([]string{"a", "a", "b"}, 5, ""); err == nil {
		t.Error("two customers filled five folds")
	}
}

// TestCrossFit: no row's prediction knows the reward of its own customer.
func TestCrossFit(t *testing.T) {
	rows := randomRows(600, 3, 60, 8)
	names := make([]string, 600)
	for i, g := range rows.Cluster {
		names[i] = fmt.Sprint(g)
	}
	f, err := MakeFolds(names, 5, "k")
	if err != nil {
		t.Fatal(err)
	}
	q, err := CrossFit(rows, f, BaseRate(rows, 1))
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows.Len() {
		if rows.Cluster[i] == rows.Cluster[0] {
			rows.Reward[i] = 1e6
		}
	}
	again, err := CrossFit(rows, f, BaseRate(rows, 1))
	if err != nil {
		t.Fatal(err)
	}
	moved := false
	for i := range rows.Len() {
		lo, hi := rows.Candidates(i)
		same := slices.Equal(q[lo:hi], again[lo:hi])
		if f.Of[i] == f.Of[0] && !same {
			t.Fatalf("row %d of the same fold was told", i+1)
		}
		moved = moved || !same
	}
	if !moved {
		t.Fatal("nobody learned")
	}
	flat, err := CrossFit(rows, f, BaseRate(rows, 1e12))
	if err != nil {
		t.Fatal(err)
	}
	g, err := GradeModel(rows, again, flat)
	if err != nil || g.Skill == nil || g.Worse != (*g.Skill < 0) {
		t.Errorf("%+v, %v", g, err)
	}
	if _, err := GradeModel(rows, q[1:], flat); err == nil {
		t.Error("predictions of other rows were graded")
	}
}

func TestLight(t *testing.T) {
	l := Light{Level: Green}
	if l.Raise(Amber, WideInterval); l.Level != Amber {
		t.Error(l)
	}
	l.Raise(Red, MeanWeight)
	if l.Raise(Amber, PoorModel); l.Level != Red || len(l.Amber) != 2 {
		t.Error(l)
	}
	f := func(lo, hi float64) *Figure { return &Figure{CI: &Interval{lo, hi}} }
	if Disagree(f(0, 1), f(1, 2)) || !Disagree(f(0, 1), f(1.1, 2)) || Disagree(nil, f(0, 1)) || Disagree(&Figure{}, f(0, 1)) {
		t.Error("intervals that meet agree, and those that do not disagree")
	}
	edge := func(ess, fraction, z, share float64) Level {
		w := Weights{ESS: ess, ESSFraction: fraction, MeanZ: &z, MaxShare: share}
		return w.light().Level
	}
	for _, c := range []struct {
		got, want Level
	}{
		{edge(100, .1, 3, .05), Green}, {edge(99.9, .5, 0, 0), Red}, {edge(1000, .0499, 0, 0), Red}, {edge(1000, .05, 0, 0), Amber},
		{edge(1000, .0999, 0, 0), Amber}, {edge(1000, .5, 3.01, 0), Red}, {edge(1000, .5, -3.01, 0), Red}, {edge(1000, .5, 0, .0501), Amber},
	} {
		if c.got != c.want {
			t.Errorf("%+v", c)
		}
	}
}

// TestCompareRefuses figures of other rows.
func TestCompareRefuses(t *testing.T) {
	a, b := estimate(t, randomRows(50, 3, 5, 1)), estimate(t, randomRows(51, 3, 5, 1))
	if _, err := Compare(&a.Estimators[4], &b.Estimators[4], .95); err == nil {
		t.Error("50 rows were paired with 51")
	}
	c := estimate(t, randomRows(50, 3, 7, 1))
	if _, err := Compare(&a.Estimators[4], &c.Estimators[4], .95); err == nil {
		t.Error("other customers were paired")
	}
	null := Figure{Name: "dr", Reason: QMissing}
	if d, err := Compare(&a.Estimators[4], &null, .95); err != nil || d.Value != nil || d.Reason != QMissing {
		t.Error(d, err)
	}
	if d, err := Compare(&a.Estimators[4], &a.Estimators[4], .95); err != nil || *d.Value != 0 || *d.SECluster != 0 {
		t.Error(d, err)
	}
}
