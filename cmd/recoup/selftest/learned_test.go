package selftest

import (
	"math"
	"testing"

	"recoup/ope"
)

// TestLearn: the explorer's probabilities move while it learns, what it logged is what it
// drew by, and both estimates are made.
func TestLearn(t *testing.T) {
	p, err := exploringPolicy()
	if err != nil {
		t.Fatal(err)
	}
	l, err := newLab(p, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := learn(t.Context(), kind{"learned", 400, learnedSeed}, l, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got.Cases < 300 || got.Nights < 100 || len(got.Estimates) != len(learnedTargets()) {
		t.Fatalf("%d cases, %d posteriors, %d targets", got.Cases, got.Nights, len(got.Estimates))
	}
	for _, e := range got.Estimates {
		if e.DR == nil || e.Weighted == nil || e.WeightCI == nil || *e.DR < -1 || *e.DR > 2 || *e.Weighted == *e.DR {
			t.Errorf("%s: %+v", e.Target, e)
		}
	}
	rolls, err := learnedRolls(t.Context(), kind{"learned-rollouts", 400, learnedTruth}, l, 1)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range rolls.Targets {
		if v.Target != learnedTargets()[k].Name || v.Cases < 300 || v.Earned.Recovered <= 0 || v.Earned.Recovered > float64(v.Cases) {
			t.Errorf("%+v", v)
		}
	}
}

func TestLearnedLine(t *testing.T) {
	f := func(v float64) *float64 { return &v }
	log := func(dr, weighted float64, light ope.Level) *Learned {
		return &Learned{Nights: 10, Estimates: []LearnedOf{{Target: "soon", DR: f(dr), SE: f(.1), CI: &ope.Interval{dr - .2, dr + .2},
			Weighted: f(weighted), WeightSE: f(.2), WeightCI: &ope.Interval{weighted - .4, weighted + .4}, ESS: .5, Light: light}}}
	}
	rolls := []*Worth{{Targets: []Value{{Cases: 10, Earned: Earned{Recovered: 5}}}}, {Targets: []Value{{Cases: 10, Earned: Earned{Recovered: 5}}}}}
	l := learnedLine(&found{learned: []*Learned{log(.5, .5, ope.Green), log(.75, .8, ope.Amber), log(.1, .2, ope.Green), log(9, 9, ope.Red)}, learnedRolls: rolls}, 0)
	if l.Target != "soon" || l.Truth != .5 || l.Logs != 4 || l.Red != 1 || l.Usual != (Counted{3, 1}) || l.Weighted != (Counted{3, 3}) || math.Abs(*l.WeightedSE-.2) > 1e-15 || l.ESS != .5 {
		t.Errorf("%+v", l)
	}
}
