package experiment

import (
	"strings"
	"testing"

	"recoup/api/report"
)

// TestCurveFinish: a number counts only with all larger ones.
func TestCurveFinish(t *testing.T) {
	point := func(cases int, lo float64) CurvePoint {
		return CurvePoint{Cases: cases, Over: []CurvePointOf{{Net: report.Ranged(lo+100, lo, lo+200, 9), Spent: report.Number(float64(cases)*50, 9)}}}
	}
	for _, x := range []struct {
		lows              []float64
		refused           int // so many points from the first on
		from, bare, short float64
		repaid            float64
		words             string
	}{
		{[]float64{-1, 1, 1}, 0, 2000, -1, 1000, 991, "From 2,000 explored cases on"},
		{[]float64{1, -1, 1}, 0, 3000, -1, 2000, 1486, "of 2,000 it is not shown to"},
		{[]float64{1, 1, -1}, 0, -1, -1, 3000, -1, "is not known"},
		{[]float64{1, 1, 1}, 2, 3000, 1000, -1, 1486, "from 3,000 on, and a bare model does from 1,000 on"},
		{[]float64{-1, 1, 1}, 2, 3000, 2000, 1000, 1486, "a bare model does from 2,000 on; of 1,000 it is not shown to"},
	} {
		c := Curve{Over: []CurveOver{{Arm: Rules, Cost: report.Unknown("")}}}
		for i, lo := range x.lows {
			p := point(1000*(i+1), lo)
			if i < x.refused {
				p.Why = "too few"
			}
			c.Points = append(c.Points, p)
		}
		c.finish(0)
		o := &c.Over[0]
		for k, e := range []report.Estimate{o.From, o.Bare, o.Short, o.Repaid} {
			if want := []float64{x.from, x.bare, x.short, x.repaid}[k]; want < 0 && e.Value != nil || want >= 0 && (e.Value == nil || *e.Value != want) {
				t.Errorf("%v, %d refused: number %d is %v, want %v", x.lows, x.refused, k, e.Text(), want)
			}
		}
		if said := strings.Join(c.says(), " "); !strings.Contains(said, x.words) || (x.refused > 0) != strings.Contains(said, "Of 2,000 cases or fewer a night makes no model") {
			t.Errorf("%v: %s", x.lows, said)
		}
	}
}

// TestTuningSays: what does not hold on other worlds is not taken over, and the words say so.
func TestTuningSays(t *testing.T) {
	if (&Tuning{}).says() != nil {
		t.Error("something was said of nothing")
	}
	for want, e := range map[string]report.Estimate{
		"on the others it is not shown: 1.0 [−1.0, 3.0] rupees (p 0.5000). The policy keeps":                 report.Ranged(100, -100, 300, 9),
		"on the others it is the other way round: −2.0 [−3.0, −1.0] rupees (p 0.5000). The policy keeps":     report.Ranged(-200, -300, -100, 9),
		"it holds on the others: 2.0 [1.0, 3.0] rupees (p 0.5000). All other sections still play the policy": report.Ranged(200, 100, 300, 9),
	} {
		x := &Tuning{Chosen: &tried()[0], There: report.Ranged(900, 800, 1000, 9), Here: notCompared()}
		x.Here.Difference.Net, x.Here.Test.P = e, report.Number(.5, 9)
		if said := strings.Join(x.says(), ""); !strings.Contains(said, want) {
			t.Errorf("%q is not in %q", want, said)
		}
	}
}
