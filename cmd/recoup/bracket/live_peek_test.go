package bracket_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"recoup/api/report"
	. "recoup/cmd/recoup/bracket"
	"recoup/data"
)

// arrivals are cases of two arms in the order in which they come: customers with several
// cases, alike in what they pay, and about half of the later cases of customers seen
// before. Both arms are worth the same, 100 rupees a case.
func arrivals(dice *rand.Rand, n int) []Decision {
	var spends []float64
	out := make([]Decision, n)
	for i := range out {
		who := len(spends)
		if who > 0 && dice.Float64() < .5 {
			who = dice.IntN(who)
		} else {
			spends = append(spends, 200*dice.ExpFloat64())
		}
		d := Decision{CaseID: fmt.Sprint("case", i), CustomerID: fmt.Sprint("customer", who), At: data.Micros(i), Assigned: data.ArmRules, Share: .5}
		if dice.Float64() < .5 {
			d.Assigned = data.ArmControl
		}
		if d.Recovered = dice.Float64() < .5; d.Recovered {
			d.Paid = data.Paise(100 * spends[who])
		}
		out[i] = d
	}
	return out
}

// TestLivePeeking: whoever looks again and again, and stops at the first difference he
// likes, is misled by the interval for one look, and seldom by the one for every look.
func TestLivePeeking(t *testing.T) {
	const runs, cases, step, truth = 200, 1500, 60, 100.0
	outside := func(e report.Estimate, v float64) bool { return e.Lo != nil && (*e.Lo > v || *e.Hi < v) }
	var missed struct{ armOnce, armEver, minusOnce, minusEver int }
	count := func(n *int, on bool) {
		if on {
			*n++
		}
	}
	for seed := range uint64(runs) {
		all := arrivals(rand.New(rand.NewPCG(seed, 8)), cases)
		var armOnce, armEver, minusOnce, minusEver bool
		for n := 240; n <= cases; n += step {
			got := Live(&Log{Given: all[:n]})
			arm, minus := got.Arms[0], got.Differences[0]
			if minus.NetAnytime.Lo == nil {
				t.Fatalf("%d cases: %+v", n, minus)
			}
			armOnce, armEver = armOnce || outside(arm.Net, truth), armEver || outside(arm.NetAnytime, truth)
			minusOnce, minusEver = minusOnce || outside(minus.Net, 0), minusEver || outside(minus.NetAnytime, 0)
		}
		count(&missed.armOnce, armOnce)
		count(&missed.armEver, armEver)
		count(&missed.minusOnce, minusOnce)
		count(&missed.minusEver, minusEver)
	}
	t.Logf("of %d runs: %+v", runs, missed)
	if missed.armOnce < runs/8 || missed.minusOnce < runs/8 {
		t.Errorf("of %d runs the interval for one look missed in %+v: this test cannot tell the two apart", runs, missed)
	}
	if missed.armEver > runs/20 || missed.minusEver > runs/20 {
		t.Errorf("of %d runs the interval for every look missed in %+v, expected at most %d", runs, missed, runs/20)
	}
}

// TestLivePeekingWaits: it rests on the limit of many, so that there is none before the
// hundredth customer, and the value stands without it.
func TestLivePeekingWaits(t *testing.T) {
	all := arrivals(rand.New(rand.NewPCG(1, 8)), 400)
	var seen [2]bool
	for n := 20; n <= len(all); n++ {
		for _, a := range Live(&Log{Given: all[:n]}).Arms {
			e := a.NetAnytime
			if many := a.Customers >= 100; e.Value == nil || *e.Value != *a.Net.Value || (e.Lo != nil) != many || strings.Contains(e.Why, "100 customers") == many {
				t.Fatalf("%d customers: %+v", a.Customers, e)
			} else if many {
				seen[1] = true
				if !(*e.Lo < *a.Net.Lo && *e.Hi > *a.Net.Hi) {
					t.Fatalf("%+v is not wider than %+v", e, a.Net)
				}
			} else {
				seen[0] = true
			}
		}
	}
	if seen != [2]bool{true, true} {
		t.Error("one side of the edge was not seen")
	}
}
