package ope

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

var kernels = []Kernel{Gaussian, Epanechnikov, Triangular, Cosine}

// TestKernelMass: it is the integral of the kernel, by sums.
func TestKernelMass(t *testing.T) {
	for _, k := range kernels {
		for _, c := range [][2]float64{{-9, 9}, {-1, 0}, {0, .3}, {-.7, .2}, {.5, 1}, {-1, 4}} {
			const n = 200_000
			sum, width := 0.0, (c[1]-c[0])/n
			for i := range n {
				sum += k.at(c[0]+(float64(i)+.5)*width) * width
			}
			if got := k.within(c[0], c[1]); math.Abs(got-sum) > 1e-9 {
				t.Errorf("%s from %v to %v: %v, summed %v", k, c[0], c[1], got, sum)
			}
		}
	}
}

// TestKernelBoundary: times come evenly from 0 to 10, and the target takes the last one:
// half of the kernel lies where nobody could go. Rewards are the same at every time, so
// that the value is known; uncorrected, kipw and the mean weight are half of it.
func TestKernelBoundary(t *testing.T) {
	const n, truth = 40_000, 7.0
	in := &Times{Reward: make([]float64, n), Logged: make([]float64, n), Eval: make([]float64, n), Density: make([]float64, n), From: make([]float64, n), To: make([]float64, n), Q: make([]float64, n)}
	dice := rand.New(rand.NewPCG(3, 5))
	for i := range n {
		in.Logged[i], in.Density[i], in.From[i], in.To[i] = 10*dice.Float64(), .1, 0, 10
		in.Reward[i] = truth + dice.NormFloat64()
		in.Eval[i] = 10 * float64(i%2) // either end
	}
	plain := *in
	plain.From, plain.To = nil, nil
	for _, k := range kernels {
		got, err := EstimateTimes(in, k, .5, .95)
		if err != nil {
			t.Fatal(err)
		}
		uncorrected, err := EstimateTimes(&plain, k, .5, .95)
		if err != nil {
			t.Fatal(err)
		}
		if !got.Boundary || uncorrected.Boundary {
			t.Error("which of the two is corrected?")
		}
		for _, name := range []string{"kipw", "ksnipw", "kdr"} {
			x, y := got.Estimators.Find(name), uncorrected.Estimators.Find(name)
			if z := (*x.Value - truth) / *x.SE; math.Abs(z) > 5 {
				t.Errorf("%s %s: %v, %v standard errors off", k, name, *x.Value, z)
			}
			if z := (*y.Value - truth/2) / *y.SE; name != "ksnipw" && math.Abs(z) > 5 {
				t.Errorf("%s %s, uncorrected: %v is not half of %v", k, name, *y.Value, truth)
			}
		}
		if math.Abs(got.Weights.Mean-1) > .05 || math.Abs(uncorrected.Weights.Mean-.5) > .025 {
			t.Errorf("%s: mean weights %v and %v", k, got.Weights.Mean, uncorrected.Weights.Mean)
		}
	}
}

// TestKernelWithin: far from the ends the correction does nothing.
func TestKernelWithin(t *testing.T) {
	in := &Times{Reward: []float64{1, 0, 1}, Logged: []float64{4.9, 5, 5.2}, Eval: []float64{5, 5.1, 5}, Density: []float64{.1, .2, .1}}
	wide := *in
	wide.From, wide.To = []float64{0, 0, 0}, []float64{10, 10, 10}
	for _, k := range kernels {
		a, err := EstimateTimes(in, k, .5, .95)
		if err != nil {
			t.Fatal(err)
		}
		b, err := EstimateTimes(&wide, k, .5, .95)
		if err != nil {
			t.Fatal(err)
		}
		if x, y := *a.Estimators.Find("kipw").Value, *b.Estimators.Find("kipw").Value; math.Abs(x-y) > 1e-12*x {
			t.Errorf("%s: %v, and %v in a wide window", k, x, y)
		}
	}
}

// TestTimesWindow: a window that its own row contradicts is refused by row and column;
// its very ends are inside.
func TestTimesWindow(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		logged, eval, from, to float64
		want                   string
	}{
		{1, 1, 1, 2, ""}, {2, 2, 1, 2, ""},
		{.9, 1, 1, 2, "row 1, column t_logged: time_outside_window"},
		{2.1, 1, 1, 2, "row 1, column t_logged: time_outside_window"},
		{1, .9, 1, 2, "row 1, column t_eval: time_outside_window"},
		{1, 2.1, 1, 2, "row 1, column t_eval: time_outside_window"},
		{1, 1, 1, 1, "row 1, column t_to: time_outside_window"},
		{1, 1, nan, 2, "row 1, column t_from: time_missing"},
		{1, 1, 1, math.Inf(1), "row 1, column t_to: time_missing"},
	} {
		in := &Times{Reward: []float64{1}, Logged: []float64{c.logged}, Eval: []float64{c.eval}, Density: []float64{1}, From: []float64{c.from}, To: []float64{c.to}}
		err := in.Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	one := &Times{Reward: []float64{1}, Logged: []float64{1}, Eval: []float64{1}, Density: []float64{1}, From: []float64{0}}
	if r := (*Refusal)(nil); !errors.As(one.Check(), &r) || r.Reason != LengthsDiffer {
		t.Errorf("a window with one end: %v", one.Check())
	}
	// A window so narrow that it has no mass.
	tiny := &Times{Reward: []float64{1}, Logged: []float64{1}, Eval: []float64{1}, Density: []float64{1}, From: []float64{1}, To: []float64{math.Nextafter(1, 2)}}
	if r := (*Refusal)(nil); !func() bool { _, err := EstimateTimes(tiny, Triangular, 1e9, .95); return errors.As(err, &r) }() || r.Reason != Overflow {
		t.Errorf("a window without mass: %+v", r)
	}
}
