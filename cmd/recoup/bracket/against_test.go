package bracket_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "recoup/cmd/recoup/bracket"
	"recoup/data"
	"recoup/data/sim"
)

// TestIncumbentAgain: a policy that does what was done differs by 0 exactly, and is
// said to be the incumbent; one that does so in nine decisions of ten differs by a
// tenth of what the other policy does.
func TestIncumbentAgain(t *testing.T) {
	l := drawn(t, 400).log(t)
	j, err := Prepare(context.Background(), l, Settings{Seed: 1, Workers: 1, Draws: 100})
	if err != nil {
		t.Fatal(err)
	}
	policies := FromLog()
	incumbent, nothing := policies[0], policies[1]
	tenth := Policy{Name: "tenth", Probs: func(dst []float64, i int, d *Decision) []float64 {
		dst = incumbent.Probs(dst, i, d)
		for k, q := range nothing.Probs(nil, i, d) {
			dst[k] = .9*dst[k] + .1*q
		}
		return dst
	}}
	for _, p := range []Policy{incumbent, nothing, tenth, policies[3]} {
		if err := j.Judge(p); err != nil {
			t.Fatal(err)
		}
	}
	x, err := j.Line(Uniform)
	if err != nil || x.Alike != Incumbent || *x.Minus.Value != 0 || *x.Minus.Lo != 0 || *x.Minus.Hi != 0 || *x.RecMinus.Value != 0 {
		t.Errorf("the draw that made the log: %+v, %v", x, err)
	}
	again := nothing
	again.Name = "again"
	if err := j.Judge(again); err != nil {
		t.Fatal(err)
	}
	if x, err := j.Line("again"); err != nil || x.Alike != Nothing {
		t.Errorf("it chooses as doing nothing does: %q, %v", x.Alike, err)
	}
	whole, err := j.Line(Nothing)
	if err == nil && whole.Alike != "" {
		t.Error(whole.Alike)
	}
	if err != nil {
		t.Fatal(err)
	}
	part, err := j.Line("tenth")
	if err != nil || part.Alike != "" {
		t.Fatal(part, err)
	}
	for _, c := range [][2]*float64{{part.Minus.Value, whole.Minus.Value}, {part.Minus.Lo, whole.Minus.Lo}, {part.RecMinus.Value, whole.RecMinus.Value}} {
		if math.Abs(*c[0]-*c[1]/10) > 1e-6 {
			t.Errorf("a tenth of %v is %v", *c[1], *c[0])
		}
	}
}

// TestNullDifference: where what comes of a decision has nothing to do with what was
// chosen, policies differ by nothing, and nearly all intervals say so, in small logs too.
func TestNullDifference(t *testing.T) {
	held, n := map[string]int{}, 0
	for seed := range uint64(20) {
		cfg := config(300)
		cfg.Seed = 100 + seed
		w := &world{end: data.IST(2026, 11, 1, 0, 0)}
		if _, err := sim.Run(context.Background(), cfg, sim.Uniform(), w.take); err != nil {
			t.Fatal(err)
		}
		l := w.log(t)
		dice := rand.New(rand.NewPCG(seed, 7))
		firsts := l.Firsts()
		dice.Shuffle(len(firsts), func(a, b int) {
			x, y := &l.Decisions[firsts[a]], &l.Decisions[firsts[b]]
			x.Recovered, x.Paid, x.Cost, y.Recovered, y.Paid, y.Cost = y.Recovered, y.Paid, y.Cost, x.Recovered, x.Paid, x.Cost
		})
		j, err := Prepare(context.Background(), l, Settings{Seed: 1, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		n++
		policies := FromLog()
		for _, p := range []Policy{policies[0], Mixed(policies[1], .5), Mixed(policies[2], .5), policies[3]} {
			if err := j.Judge(p); err != nil {
				t.Fatal(err)
			}
			if p.Name == Incumbent {
				continue
			}
			x, err := j.Line(p.Name)
			if err != nil {
				t.Fatal(err)
			}
			if *x.Minus.Lo <= 0 && *x.Minus.Hi >= 0 {
				held[p.Name]++
			}
		}
	}
	t.Logf("%v of %d", held, n)
	for name, k := range held {
		if z := (float64(k) - .95*float64(n)) / math.Sqrt(.95*.05*float64(n)); z < -5 {
			t.Errorf("%s: %d of %d intervals hold 0", name, k, n)
		}
	}
	if held[Uniform] != n {
		t.Errorf("the draw that made the log: %d of %d", held[Uniform], n)
	}
}

// TestFewClusters: with fewer than 100 customers behind it, an estimate is amber.
func TestFewClusters(t *testing.T) {
	for _, customers := range []int{99, 100} {
		l := drawn(t, 400).log(t)
		for i := range l.Decisions {
			l.Decisions[i].CustomerID = ""
		}
		for k, i := range l.Firsts() {
			l.Decisions[i].CustomerID = fmt.Sprint(k % customers)
		}
		j, err := Prepare(context.Background(), l, Settings{Seed: 1, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Judge(Mixed(FromLog()[1], .9)); err != nil {
			t.Fatal(err)
		}
		x, err := j.Line(Nothing + "_explored")
		if err != nil || x.Light == "red" || slices.Contains(x.Why, "few_clusters") != (customers < 100) {
			t.Errorf("%d customers: %s %v, %v", customers, x.Light, x.Why, err)
		}
	}
}
