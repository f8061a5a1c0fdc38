package ope

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPeekFactorHolds: looked at after every term from the fiftieth to the three
// thousandth, the usual interval misses far more often than it says, and this one seldom.
func TestPeekFactorHolds(t *testing.T) {
	const runs, from, to, truth = 2000, 50, 3000, 3.0
	var factor [to + 1]float64
	for n := from; n <= to; n++ {
		factor[n] = PeekFactor(n, 1000, .05)
	}
	usual, anytime := 0, 0
	for seed := range uint64(runs) {
		dice := rand.New(rand.NewPCG(seed, 5))
		var sum, squares float64
		var once, ever bool
		for n := 1; n <= to && !(once && ever); n++ {
			x := truth * dice.ExpFloat64() // skewed, like rupees
			sum, squares = sum+x, squares+x*x
			if n < from {
				continue
			}
			mean := sum / float64(n)
			off := math.Abs(mean-truth) / math.Sqrt((squares/float64(n)-mean*mean)/float64(n))
			once, ever = once || off > 1.96, ever || off > factor[n]
		}
		if once {
			usual++
		}
		if ever {
			anytime++
		}
	}
	if p := float64(usual) / runs; p < .3 {
		t.Errorf("the usual interval missed in %v of the runs: this test cannot tell the two apart", p)
	}
	if p := float64(anytime) / runs; p > .05 || p < .005 {
		t.Errorf("intervals for every look missed in %v of the runs, expected at most .05, and some", p)
	}
}

// TestPeekFactor: tightest near what was asked for, wider where less may be missed, and
// never as narrow as an interval for one look.
func TestPeekFactor(t *testing.T) {
	if f := PeekFactor(1000, 1000, .05); f > PeekFactor(500, 1000, .05) || math.Abs(f-3.0352) > 1e-4 {
		t.Errorf("at its best %v", f)
	}
	// Width is factor over sqrt(t): against other choices of best, 1000 is narrow at 1000.
	for _, best := range []int{50, 200, 5000, 20000} {
		if PeekFactor(1000, best, .05) < PeekFactor(1000, 1000, .05) {
			t.Errorf("made for %d terms it is narrower at 1,000 than made for 1,000", best)
		}
	}
	for _, n := range []int{1, 10, 1000, 1_000_000} {
		if f := PeekFactor(n, 1000, .05); !(f > 2.5) || PeekFactor(n, 1000, .01) <= f {
			t.Errorf("%d terms: %v", n, f)
		}
	}
	if !math.IsNaN(PeekFactor(0, 1, .05)) || !math.IsNaN(PeekFactor(1, 0, .05)) || !math.IsNaN(PeekFactor(1, 1, 0)) || !math.IsNaN(PeekFactor(1, 1, 1)) {
		t.Error("a factor of nothing")
	}
}
