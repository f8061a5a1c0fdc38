package ope

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestDrawsAgainstRows: a draw is what Value says of the rows repeated as often as
// their cluster came up.
func TestDrawsAgainstRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := drawRows(t)
		methods := append(Standard(), more[:7]...)
		r, err := Estimate(rows, Options{Methods: methods})
		if err != nil {
			t.Fatal(err)
		}
		if r.Weights.Matched == 0 {
			t.Skip("no weight")
		}
		seed := rapid.Uint64().Draw(t, "dice")
		d, err := r.Bootstrap(Bootstrap{Draws: 20, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		counts := make([]uint8, countGroups(rows.Cluster))
		for b := range 20 {
			drawCounts(counts, seed, uint64(b))
			var order []int
			for i, g := range rows.Cluster {
				for range counts[g] {
					order = append(order, i)
				}
			}
			again := shuffled(rows, order)
			for _, m := range methods {
				got := d.Of(m.Name)[b]
				base, err := newBase(again)
				if err != nil {
					t.Skip("certain rows only")
				}
				if want, ok := base.value(m); !ok {
					if !math.IsNaN(got) {
						t.Fatalf("%s: %v without weight", m.Name, got)
					}
				} else {
					agree(t, m.Name, got, want)
				}
			}
			agree(t, meanReward, d.Of(meanReward)[b], mean(again.Reward))
		}
	})
}

// TestDrawCounts: counts are multinomial with equal chances.
func TestDrawCounts(t *testing.T) {
	for _, g := range []int{1, 2, 7, 300} {
		const draws = 20_000
		counts := make([]uint8, g)
		sums, squares, together := make([]float64, g), make([]float64, g), 0.0
		for b := range draws {
			drawCounts(counts, 5, uint64(b))
			total := 0
			for i, c := range counts {
				total += int(c)
				sums[i] += float64(c)
				squares[i] += float64(c) * float64(c)
			}
			if total != g {
				t.Fatalf("%d clusters: %d drawn", g, total)
			}
			together += float64(counts[0]) * float64(counts[g-1])
		}
		if g == 1 {
			continue
		}
		n := float64(g)
		variance := 1 - 1/n // g draws with chance 1/g
		for i := range sums {
			if z := (sums[i]/draws - 1) / math.Sqrt(variance/draws); math.Abs(z) > 5 {
				t.Errorf("%d clusters: number %d comes up %v times a draw, z %v", g, i, sums[i]/draws, z)
			}
			if v := squares[i]/draws - 1; math.Abs(v-variance) > 5*2*math.Sqrt(1./draws) {
				t.Errorf("%d clusters: variance %v of number %d, want %v", g, v, i, variance)
			}
		}
		if c := together/draws - 1; math.Abs(c+1/n) > 5*1.5/math.Sqrt(draws) {
			t.Errorf("%d clusters: covariance %v, want %v", g, c, -1/n)
		}
	}
}

// TestBootstrapSpread: the draws spread as the standard error by cluster says, and
// pairing makes a difference known better than its parts.
func TestBootstrapSpread(t *testing.T) {
	rows := randomRows(4000, 4, 400, 8)
	r, err := Estimate(rows, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := r.Bootstrap(Bootstrap{Draws: 2000, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Estimators {
		sd := math.Sqrt(variance(d.Of(f.Name), 1))
		if q := sd / *f.SECluster; q < .9 || q > 1.1 {
			t.Errorf("%s: draws spread %v, standard error %v", f.Name, sd, *f.SECluster)
		}
		if f.CIBootstrap == nil || !(f.CIBootstrap[0] < *f.Value && *f.Value < f.CIBootstrap[1]) {
			t.Errorf("%s: %v around %v", f.Name, f.CIBootstrap, *f.Value)
		}
	}
	same, err := d.Difference("dr", d, "dr")
	if err != nil || *same != (Interval{0, 0}) {
		t.Errorf("dr less itself: %v, %v", same, err)
	}
	other, err := r.Bootstrap(Bootstrap{Draws: 2000, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Difference("dr", other, "dr"); err == nil {
		t.Error("draws of two seeds were paired")
	}
}

// TestBootstrapNormaliser: obp keeps the normaliser of the sample; here it is drawn
// again, which is the whole spread when every reward is the same.
func TestBootstrapNormaliser(t *testing.T) {
	rows := randomRows(500, 4, 50, 2)
	for i := range rows.Reward {
		rows.Reward[i] = 3
	}
	r, err := Estimate(rows, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Bootstrap(Bootstrap{Draws: 100, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	f := r.Estimators.Find("snipw")
	if w := f.CIBootstrap[1] - f.CIBootstrap[0]; w > 1e-12 {
		t.Errorf("a constant reward of 3 is %v", *f.CIBootstrap)
	}
	if z := *f.SETerms; z < 1e-3 {
		t.Errorf("the frozen normaliser should have shown a spread: %v", z)
	}
}

func TestBootstrapOneCluster(t *testing.T) {
	rows := randomRows(50, 3, 0, 1)
	rows.Cluster = make([]int32, 50)
	r, err := Estimate(rows, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Bootstrap(Bootstrap{Draws: 10}); err != nil || r.Estimators[4].CIBootstrap != nil {
		t.Errorf("one customer has an interval: %v, %v", r.Estimators[4].CIBootstrap, err)
	}
	for _, bad := range []Bootstrap{{}, {Draws: 1}, {Draws: 10, Level: 1}, {Draws: 10, Level: math.NaN()}} {
		if _, err := r.Bootstrap(bad); err == nil {
			t.Errorf("%+v went through", bad)
		}
	}
}
