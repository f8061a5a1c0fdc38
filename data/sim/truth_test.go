package sim

import (
	"math"
	"testing"

	"recoup/data"
)

// TestTruth: p_true of what was executed, and the hazards, agree with what
// happened, decile by decile; and p_true ranks neither too well nor too badly.
func TestTruth(t *testing.T) {
	for _, b := range Behaviours() {
		all, s := gather(t, config(6000), b)
		var bins deciles
		for _, c := range all.Candidates {
			if c.AttemptID != "" {
				bins.add(c.PTrue, c.Outcome)
			}
		}
		bins.check(t, b.ID+": p_true")
		if auc := *s.Truth.AUC; auc < .72 || auc > .86 {
			t.Errorf("%s: ROC-AUC of p_true is %.4f, outside 0.72 to 0.86", b.ID, auc)
		}
		if b.ID != "uniform" {
			continue
		}
		var days, wait deciles
		for _, c := range all.Cures {
			if c.AttemptNo == 0 { // later failures of a case share its cure
				days.into(int(min(9, 250*c.Hazard)), c.Hazard, c.Cured)
			}
		}
		days.check(t, "hazard")
		for _, c := range all.Candidates {
			if c.Action == data.Wait && c.AttemptNo == 1 {
				wait.add(c.PTrue, c.Outcome)
			}
		}
		wait.check(t, "waiting")
	}
}

// deciles compares probabilities with outcomes in ten bins.
type deciles struct{ n, p, hits, variance [10]float64 }

func (d *deciles) add(p float64, y bool) { d.into(min(9, int(10*p)), p, y) }

func (d *deciles) into(i int, p float64, y bool) {
	d.n[i]++
	d.p[i] += p
	d.variance[i] += p * (1 - p)
	d.hits[i] += float64(bit(y))
}

func (d *deciles) check(t *testing.T, name string) {
	t.Helper()
	for i := range d.n {
		v := d.variance[i]
		if v == 0 {
			if d.hits[i] != d.p[i] {
				t.Errorf("%s: bin %d: %v hits, expected %v for certain", name, i, d.hits[i], d.p[i])
			}
			continue
		}
		if z := (d.hits[i] - d.p[i]) / math.Sqrt(v); math.Abs(z) > 5 {
			t.Errorf("%s: bin %d: %.0f of %.0f, expected %.1f (z %.1f)", name, i, d.hits[i], d.n[i], d.p[i], z)
		}
	}
}

// TestNothingActsUnseen: hidden chance is never 1 and never negative, and a
// candidate that p_true excludes never succeeds.
func TestNothingActsUnseen(t *testing.T) {
	all, _ := gather(t, config(2000), Rules())
	kinds := map[data.Action]int{}
	for _, c := range all.Candidates {
		kinds[c.Action]++
		if !(c.PTrue >= 0 && c.PTrue < 1) {
			t.Fatalf("%s %s at %s: p_true %v", c.DecisionID, c.Action, c.At, c.PTrue)
		}
		if c.PTrue == 0 && c.Outcome {
			t.Fatalf("%s %s at %s: happened against p_true 0", c.DecisionID, c.Action, c.At)
		}
	}
	for _, a := range data.Actions() {
		if kinds[a] == 0 {
			t.Errorf("no candidate to %s", a)
		}
	}
}
