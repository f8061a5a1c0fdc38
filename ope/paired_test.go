package ope

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// twoTargets is a world of n rows and two targets that part at a share of them. Where
// they agree they want an action that the logger takes with probability agreed, where
// they part two that it takes with probability parted. Customers have two rows each,
// differ in what they spend and pay alike. It returns the rows as each target has
// them, and the true difference.
func twoTargets(dice *rand.Rand, n int, share, agreed, parted, paid, model float64) (a, b *Rows, truth float64) {
	const k = 4
	r := &Rows{Actions: make([]string, k), Start: Square(n, k), Target: make([]float64, n*k), Q: make([]float64, n*k), Taken: make([]int32, n), Reward: make([]float64, n),
		Propensity: make([]float64, n), Cluster: make([]int32, n), Behaviour: [][]float64{make([]float64, n*k)}}
	for j := range r.Actions {
		r.Actions[j] = strconv.Itoa(j)
	}
	other := make([]float64, n*k)
	var spends, leans float64
	for i := range n {
		if r.Cluster[i] = int32(i / 2); i%2 == 0 {
			spends, leans = math.Exp(5+.9*dice.NormFloat64()), dice.NormFloat64()
		}
		p := r.Behaviour[0][i*k : (i+1)*k]
		apart := dice.Float64() < share
		if apart {
			p[0], p[1], p[2] = parted, parted, (1-2*parted)/2
			r.Target[i*k], other[i*k+1] = 1, 1
		} else {
			p[0], p[1], p[2] = agreed, (1-agreed)/3, (1-agreed)/3
			r.Target[i*k], other[i*k] = 1, 1
		}
		p[3] = 1 - p[0] - p[1] - p[2]
		chance := func(j int) float64 {
			return 1 / (1 + math.Exp(-(math.Log(paid/(1-paid)) + .5*leans + .4*float64(1-j%2))))
		}
		for j := range k {
			r.Q[i*k+j] = model * spends * paid
		}
		if apart {
			truth += spends * (chance(0) - chance(1)) / float64(n)
		}
		u, taken := dice.Float64(), k-1
		for j, q := range p {
			if u < q {
				taken = j
				break
			}
			u -= q
		}
		r.Taken[i], r.Propensity[i] = int32(taken), p[taken]
		if dice.Float64() < chance(taken) {
			r.Reward[i] = spends
		}
	}
	return r, r.WithTarget(other, r.Q), truth
}

// TestPairedLight: where two targets agree at rows of which the log cannot tell, and
// part at rows of which it can, their difference can be told though neither can be by
// itself; and where they part at a few rows, it cannot, though both can.
func TestPairedLight(t *testing.T) {
	const worlds = 500
	for _, c := range []struct {
		name                               string
		n                                  int
		share, agreed, parted, paid, model float64
		own, pair                          Level
		coverLo, coverHi                   float64
	}{
		{"part where much was tried", 1500, .4, .02, .2, .4, 1, Red, Green, .925, .975},
		{"part at a handful of rows", 1500, .01, .5, .2, .3, 0, Green, Red, 0, .88},
	} {
		cover, known, own, pair := 0, 0, 0, 0
		for w := range uint64(worlds) {
			a, b, truth := twoTargets(rand.New(rand.NewPCG(w, 17)), c.n, c.share, c.agreed, c.parted, c.paid, c.model)
			x, err := Estimate(a, Options{Methods: []Method{{Name: "dr", Family: DoublyRobust}}})
			if err != nil {
				t.Fatal(err)
			}
			y, err := Estimate(b, Options{Methods: []Method{{Name: "dr", Family: DoublyRobust}}})
			if err != nil {
				t.Fatal(err)
			}
			f, err := Compare(x.Estimators.Find("dr"), y.Estimators.Find("dr"), .95)
			if err != nil {
				t.Fatal(err)
			}
			if f.CI != nil {
				known++
				if f.CI[0] <= truth && truth <= f.CI[1] {
					cover++
				}
			}
			if x.Light.Level == c.own && y.Light.Level == c.own {
				own++
			}
			p, err := Pair(a, b)
			if err != nil {
				t.Fatal(err)
			}
			if l := p.Light(); l.Level == c.pair {
				pair++
			}
		}
		share := float64(cover) / float64(known)
		t.Logf("%s: %d of %d worlds have both lights %s, %d the pair's %s; intervals cover %.3f of %d", c.name, own, worlds, c.own, pair, c.pair, share, known)
		if own < worlds*9/10 || pair < worlds*9/10 {
			t.Errorf("%s: both lights %s in %d of %d worlds, the pair's %s in %d", c.name, c.own, own, worlds, c.pair, pair)
		}
		if share < c.coverLo || share > c.coverHi {
			t.Errorf("%s: intervals cover %.3f", c.name, share)
		}
	}
}
