package paired

import (
	"math"
	"testing"

	"recoup/api/report"
)

// four are customers of 1, 2 and 1 cases with 1; 0, 1; 0, in two worlds.
func four() (*Sample, Of) {
	v := []float64{1, 0, 1, 0}
	return New([][]int{{0, 1, 1}, {0}}), func(i int) float64 { return v[i] }
}

// TestMeanByCustomer holds the interval against its definition in small numbers.
func TestMeanByCustomer(t *testing.T) {
	s, of := four()
	e := s.Mean(of, nil)
	// mean 1/2; residuals 1/2, 0, -1/2; 3/2 of their squares' sum 1/2, a root, over 4 cases
	half := 1.959963984540054 * math.Sqrt(0.75) / 4
	if *e.Value != 0.5 || math.Abs(*e.Hi-0.5-half) > 1e-15 || math.Abs(0.5-*e.Lo-half) > 1e-15 || e.N != 4 || s.Cases() != 4 || s.Customers() != 3 {
		t.Errorf("%v [%v, %v] of %d", *e.Value, *e.Lo, *e.Hi, e.N)
	}
	if e := s.Mean(of, func(i int) bool { return i == 3 }); e.Lo != nil || e.Why == "" {
		t.Errorf("one customer has an interval: %+v", e)
	}
	if e := s.Mean(of, func(int) bool { return false }); e.Value != nil || e.Why == "" {
		t.Errorf("no case has a mean: %+v", e)
	}
	// ten comparisons: the quantile of 0.9975 is 2.8070337683438 in place of 1.96
	wide := s.Adjusted(of, nil, 10)
	if got := (*wide.Hi - 0.5) / half * 1.959963984540054; math.Abs(got-2.8070337683438) > 1e-9 {
		t.Errorf("ten comparisons: %v standard errors", got)
	}
	if one := s.Adjusted(of, nil, 1); math.Abs(*one.Hi-*e.Hi) > 1e-12 {
		t.Errorf("one comparison: %v, not %v", *one.Hi, *e.Hi)
	}
}

// TestRatio: a ratio of sums, not a mean of ratios; over 1 each it is the mean.
func TestRatio(t *testing.T) {
	s, of := four()
	e := s.Ratio(of, func(i int) float64 { return float64(i + 1) }, nil)
	// 2 over 10; residuals 1-.2, 1-1, 0-.8; 3/2 of .64+0+.64, a root, over 10
	if half := 1.959963984540054 * math.Sqrt(1.92) / 10; math.Abs(*e.Value-0.2) > 1e-15 || math.Abs(*e.Hi-0.2-half) > 1e-15 {
		t.Errorf("%v to %v", *e.Value, *e.Hi)
	}
	if e := s.Ratio(of, func(int) float64 { return 0 }, nil); e.Value != nil || e.Why == "" {
		t.Errorf("divided by nothing: %+v", e)
	}
}

// TestTest: 9 of 10 customers ahead is 22 in 1024 by the sign test.
func TestTest(t *testing.T) {
	v := []float64{1, 2, 1, 2, 1, 2, 1, 2, 1, -1, 0}
	s := New([][]int{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}})
	of := func(i int) float64 { return v[i] }
	got := s.Test(of, of)
	if got.Ahead != 9 || got.Behind != 1 || math.Abs(*got.Sign.Value-22.0/1024) > 1e-12 {
		t.Errorf("%+v: %v", got, *got.Sign.Value)
	}
	e := s.Mean(of, nil)
	z := *e.Value / ((*e.Hi - *e.Lo) / (2 * 1.959963984540054))
	if want := 2 * (1 - 0.5*(1+math.Erf(z/math.Sqrt2))); math.Abs(*got.P.Value-want) > 1e-12 || *got.P.Value > 0.01 {
		t.Errorf("p %v, want %v", *got.P.Value, want)
	}
	nothing := func(int) float64 { return 0 }
	if half := s.Test(of, nothing); half.Sign.Value != nil || half.Ahead+half.Behind != 0 || *half.P.Value != *got.P.Value {
		t.Errorf("no sign differs: %+v", half)
	}
	if none := s.Test(nothing, nothing); none.P.Value != nil || none.Sign.Value != nil {
		t.Errorf("nothing differs: %+v", none)
	}
	if p := signP(5, 10); p != 1 {
		t.Errorf("half of ten: %v", p)
	}
}

// TestHolm against Holm's own steps: .01 x 4, .02 x 3, then never less than before.
func TestHolm(t *testing.T) {
	in := []report.Estimate{report.Number(.04, 1), report.Number(.01, 1), report.Unknown("none"), report.Number(.02, 1), report.Number(.9, 1)}
	out := Holm(in)
	for i, want := range []float64{.08, .04, -1, .06, .9} {
		if want < 0 {
			if out[i].Value != nil {
				t.Error("the unknown became known")
			}
		} else if math.Abs(*out[i].Value-want) > 1e-15 {
			t.Errorf("%d: %v, want %v", i, *out[i].Value, want)
		}
	}
}

// TestWilson against the published example: 1 of 10 is 0.018 to 0.404.
func TestWilson(t *testing.T) {
	e := Wilson(1, 10)
	if math.Abs(*e.Lo-0.01788) > 1e-5 || math.Abs(*e.Hi-0.40415) > 1e-5 {
		t.Errorf("[%v, %v]", *e.Lo, *e.Hi)
	}
	if e := Wilson(0, 0); e.Value != nil {
		t.Error("nothing of nothing is known")
	}
}

func TestAbove(t *testing.T) {
	for want, e := range map[int]report.Estimate{1: report.Ranged(2, 1, 3, 9), -1: report.Ranged(-2, -3, -1, 9), 0: report.Ranged(0, -1, 1, 9)} {
		if got := Above(e); got != want {
			t.Errorf("%v: %d", e, got)
		}
	}
	if Above(report.Number(1, 1)) != 0 {
		t.Error("a number without interval lies above 0")
	}
}
