package ope

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// shocked is a log of rewards that customers and weeks both move: 150 customers with
// four rows each, 40 weeks, a target that does half of what was done.
func shocked(seed uint64, size float64) *Rows {
	dice := rand.New(rand.NewPCG(seed, 7))
	var customer [150]float64
	var week [40]float64
	for i := range customer {
		customer[i] = dice.NormFloat64()
	}
	for i := range week {
		week[i] = size * dice.NormFloat64()
	}
	r := &Rows{Actions: []string{"wait", "retry"}, Start: Square(600, 2)}
	for i := range 600 {
		c, w := i%150, dice.IntN(40)
		taken := int32(dice.IntN(2))
		r.Taken, r.Propensity = append(r.Taken, taken), append(r.Propensity, .5)
		r.Target = append(r.Target, .25, .75)
		r.Reward = append(r.Reward, float64(taken)+customer[c]+week[w]+dice.NormFloat64())
		r.Cluster, r.Shared = append(r.Cluster, int32(c)), append(r.Shared, int32(w))
	}
	return r
}

// TestSharedCovers: where weeks move all customers alike, the error by customer is too
// small and the one of both is right; where they do not, the two agree.
func TestSharedCovers(t *testing.T) {
	const logs, truth = 2000, .75
	for _, c := range []struct {
		size             float64
		narrow, lo, most float64 // by customer at most; by both at least and at most
	}{{1, .80, .92, .965}, {0, 1, .945, .985}} {
		var byCustomer, byBoth int
		for seed := range uint64(logs) {
			res, err := Estimate(shocked(seed, c.size), Options{Methods: []Method{{Name: "ipw", Family: Weighted}}})
			if err != nil {
				t.Fatal(err)
			}
			f := res.Estimators.Find("ipw")
			if f.SEShared == nil || *f.SEShared < *f.SECluster || f.StandardError() != f.SEShared {
				t.Fatalf("seed %d: %+v: expected an error by both, no smaller than that by customer", seed, f)
			}
			if math.Abs(*f.Value-truth) <= normalQuantile(.95)**f.SECluster {
				byCustomer++
			}
			if f.CI[0] <= truth && truth <= f.CI[1] {
				byBoth++
			}
		}
		if p := float64(byCustomer) / logs; p > c.narrow {
			t.Errorf("shocks of %v: intervals by customer hold the truth in %v, expected at most %v", c.size, p, c.narrow)
		}
		if p := float64(byBoth) / logs; p < c.lo || p > c.most {
			t.Errorf("shocks of %v: intervals by both hold the truth in %v, expected %v to %v", c.size, p, c.lo, c.most)
		}
	}
}

// TestSharedIsPlain: the sum over all pairs of rows that have a customer or a week in
// common is the same number, but for the factors of small samples.
func TestSharedIsPlain(t *testing.T) {
	r := shocked(3, 1)
	res, err := Estimate(r, Options{Methods: []Method{{Name: "ipw", Family: Weighted}}})
	if err != nil {
		t.Fatal(err)
	}
	f := res.Estimators.Find("ipw")
	psi := f.Influence()
	pairs := map[string]float64{}
	for i := range psi {
		for j := range psi {
			c, s := r.Cluster[i] == r.Cluster[j], r.Shared[i] == r.Shared[j]
			if c {
				pairs["cluster"] += psi[i] * psi[j]
			}
			if s {
				pairs["shared"] += psi[i] * psi[j]
			}
			if c && s {
				pairs["both"] += psi[i] * psi[j]
			}
		}
	}
	small := func(groups []int32) float64 { g := float64(countGroups(groups)); return g / (g - 1) }
	v := small(r.Cluster)*pairs["cluster"] + small(r.Shared)*pairs["shared"] - small(groupingOf(r.Cluster, r.Shared, nil).both)*pairs["both"]
	if want := math.Sqrt(v) / float64(len(psi)); math.Abs(want-*f.SEShared) > 1e-12 {
		t.Errorf("%v, expected %v", *f.SEShared, want)
	}

	if g := f.Sharing(); g != *f.SEShared / *f.SECluster || g <= 1 {
		t.Errorf("sharing %v", g)
	}
	three, two, one := 3.0, 2.0, 1.0
	if i := (&Figure{Value: &three, SECluster: &one, SEShared: &two, CIBootstrap: &Interval{1, 7}}).DrawnCI(); *i != (Interval{-1, 11}) {
		t.Errorf("widened to %v", *i)
	}
	if (&Figure{}).Sharing() != 1 || (&Figure{Value: &one}).DrawnCI() != nil {
		t.Error("nothing is known: expected no widening")
	}

	// What nobody shares adds nothing; a difference of a policy to itself has no error.
	own := *r
	own.Shared = make([]int32, r.Len())
	for i := range own.Shared {
		own.Shared[i] = int32(i)
	}
	alone, err := Estimate(&own, Options{Methods: []Method{{Name: "ipw", Family: Weighted}}})
	if err != nil {
		t.Fatal(err)
	}
	if g := alone.Estimators.Find("ipw"); math.Abs(*g.SEShared-*g.SECluster) > 1e-12 {
		t.Errorf("nothing shared: %v and %v", *g.SEShared, *g.SECluster)
	}
	if d, err := Compare(f, f, .95); err != nil || d.SEShared == nil || *d.SEShared != 0 {
		t.Errorf("less itself: %+v %v", d, err)
	}
	own.Shared = make([]int32, r.Len())
	if one, err := Estimate(&own, Options{}); err != nil || one.Estimators.Find("ipw").SEShared != nil || one.Estimators.Find("ipw").CI == nil {
		t.Errorf("all share one thing: expected the error by customer alone, %v", err)
	}
	unclustered := own
	unclustered.Cluster = nil
	if one, err := Estimate(&unclustered, Options{}); err != nil || !slices.ContainsFunc(one.Warnings, func(w Warning) bool { return w.Measure == "shared" }) {
		t.Errorf("shared without a cluster: %v, expected a word on it", err)
	}
	own.Shared = own.Shared[1:]
	if _, err := Estimate(&own, Options{}); err == nil || !strings.Contains(err.Error(), "Shared has 599 rows") {
		t.Errorf("%v: expected a refusal", err)
	}
	own.Shared = make([]int32, r.Len())
	own.Shared[4] = 2
	if _, err := Estimate(&own, Options{}); err == nil || !strings.Contains(err.Error(), "column shared: cluster_missing: group 1 has no row") {
		t.Errorf("%v: expected a refusal", err)
	}
}

// TestLasting: banks and weeks that differ in the same way in every log widen no interval,
// the shocks of a bank in a week do; a loop over the terms without both levels agrees.
func TestLasting(t *testing.T) {
	const logs, truth = 600, .75
	for _, c := range []struct {
		level, shock float64
		raw, lo, hi  float64 // coverage with the levels left in at least; and without them between
	}{{3, 0, .985, .93, .975}, {0, 1, 0, .92, .965}, {3, 1, .985, .92, .97}} {
		raw, without := 0, 0
		for seed := range uint64(logs) {
			dice := rand.New(rand.NewPCG(seed, 3))
			var shock [8][20]float64
			for b := range shock {
				for w := range shock[b] {
					shock[b][w] = c.shock * dice.NormFloat64()
				}
			}
			r := &Rows{Actions: []string{"wait", "retry"}, Start: Square(1600, 2)}
			banks, weeks := make([]int32, 1600), make([]int32, 1600)
			var cells []string
			b := 0
			for i := range 1600 {
				if i%4 == 0 { // a customer's
					b = dice.IntN(8)
				}
				w := dice.IntN(20)
				taken := int32(dice.IntN(2))
				r.Taken, r.Propensity, r.Target = append(r.Taken, taken), append(r.Propensity, .5), append(r.Target, .25, .75)
				// The levels are 0 on average: the truth is that of the action.
				levels := c.level * ((float64(b)-3.5)/4 + (float64(w)-9.5)/10)
				r.Reward = append(r.Reward, float64(taken)+levels+shock[b][w]+dice.NormFloat64())
				r.Cluster, cells = append(r.Cluster, int32(i/4)), append(cells, fmt.Sprint(b, w))
				banks[i], weeks[i] = int32(b), int32(w)
			}
			r.Shared = Groups(cells)
			dr := Options{Methods: []Method{{Name: "dr", Family: DoublyRobust}}}
			r.Q = make([]float64, 3200)
			for i := range 1600 {
				r.Q[2*i+1] = 1
			}
			holds := func() bool {
				res, err := Estimate(r, dr)
				if err != nil {
					t.Fatal(err)
				}
				ci := res.Estimators.Find("dr").CI
				return ci[0] <= truth && truth <= ci[1]
			}
			if holds() {
				raw++
			}
			r.Lasting = [][]int32{banks, weeks}
			if holds() {
				without++
			}
		}
		if p := float64(raw) / logs; p < c.raw {
			t.Errorf("levels of %v, shocks of %v: with the levels left in, %v hold the truth, expected at least %v", c.level, c.shock, p, c.raw)
		}
		if p := float64(without) / logs; p < c.lo || p > c.hi {
			t.Errorf("levels of %v, shocks of %v: %v hold the truth, expected %v to %v", c.level, c.shock, p, c.lo, c.hi)
		}
	}
	r := &Rows{Reward: []float64{1, 2}, Lasting: [][]int32{{0}}}
	if err := r.checkWhole(); err == nil || !strings.Contains(err.Error(), "Lasting has 1 rows") {
		t.Errorf("%v: expected a refusal", err)
	}
}
