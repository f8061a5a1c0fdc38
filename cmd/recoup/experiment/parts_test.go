package experiment

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"recoup/cmd/recoup/experiment/paired"
	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/score"
)

// TestOwnPayDay: the arm leaves the rules only for a slot on the customer's own pay
// day after noon, or on the day after; and it does so.
func TestOwnPayDay(t *testing.T) {
	choose, err := ownPayDay()
	if err != nil {
		t.Fatal(err)
	}
	evidence, since, err := payDayColumns()
	if err != nil {
		t.Fatal(err)
	}
	moved, stayed := 0, 0
	p, err := PlayerOf(PayDay, score.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Choose = func(st *features.State, turn *sim.Turn, d *score.Decision) (int, error) {
		chosen, err := choose(st, turn, d)
		if err != nil || chosen == d.Chosen {
			stayed++
			return chosen, err
		}
		moved++
		c, by := d.Allowed[chosen], d.Allowed[d.Chosen]
		if c.Action != data.Retry || by.Action != data.Retry || d.Class != data.RetryScheduled {
			t.Errorf("%s of class %s became %s", by.Action, d.Class, c.Action)
		}
		past, err := st.Past(d.CaseID, turn.Now)
		if err != nil {
			return 0, err
		}
		row, err := past.AttemptRow(nil, data.Candidate{Action: c.Action, At: c.At})
		if err != nil {
			return 0, err
		}
		if day := row[since]; row[evidence] <= 0 || day > 1 || day == 0 && c.At.ISTTimeOfDay() < 12*data.Hour {
			t.Errorf("%s: %v days after a pay day of evidence %v", c.At, day, row[evidence])
		}
		return chosen, nil
	}
	stage, err := sim.NewStage(context.Background(), sim.Config{Seed: 9, Cases: 60, Start: data.IST(2026, 5, 1, 0, 0), Months: 4, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := stage.Play(context.Background(), p.Decider(nil), nil); err != nil {
		t.Fatal(err)
	}
	if moved < 5 || stayed < 20 {
		t.Errorf("%d decisions moved, %d stayed: too few to tell", moved, stayed)
	}
}

// TestNumbers: the numbers are put in their places, and nothing else changes.
func TestNumbers(t *testing.T) {
	plain, err := score.ParsePolicy("policy.yaml", score.DefaultText())
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, n := range tried() {
		p, err := n.in(score.DefaultText())
		if err != nil {
			t.Fatal(err)
		}
		ids[p.ID()] = true
	}
	if len(ids) != len(tried()) || !ids[plain.ID()] {
		t.Errorf("%d policies of %d settings; the policy as it is among them: %v", len(ids), len(tried()), ids[plain.ID()])
	}
	if _, err := tried()[0].in([]byte("version: 1\n")); err == nil || !strings.Contains(err.Error(), "0 places") {
		t.Errorf("a policy without places: %v", err)
	}
	twice := append(score.DefaultText()[:len(score.DefaultText()):len(score.DefaultText())], "# again: 1\n"...)
	if _, err := tried()[0].in(twice); err == nil || !strings.Contains(err.Error(), "2 places") {
		t.Errorf("a policy with two places: %v", err)
	}
}

// anywhere is two arms in a world: what the model is ahead by, of each case.
func anywhere(ahead ...float64) (*paired.Sample, []*World, map[string]*arm) {
	w := &World{}
	model, other := &arm{name: Model}, &arm{}
	for i, v := range ahead {
		w.Customers, w.Classes, w.Amounts = append(w.Customers, i), append(w.Classes, []string{"STOP", "RETRY_NOW"}[i%2]), append(w.Amounts, 100_00)
		w.Rails, w.Banks, w.Days = append(w.Rails, "card"), append(w.Banks, "HDFC"), append(w.Days, 1+i%28)
		for _, a := range []*arm{model, other} {
			a.recovered, a.cost, a.retries = append(a.recovered, 1), append(a.cost, 10), append(a.retries, 1)
			a.wasted, a.halted, a.unpaid, a.refuse, a.law = append(a.wasted, 0), append(a.halted, 0), append(a.unpaid, 0), append(a.refuse, 0), append(a.law, 0)
		}
		model.net, other.net = append(model.net, v), append(other.net, 0)
	}
	arms := map[string]*arm{Model: model}
	for _, name := range []string{Ladder, Control, Rules, PayDay} {
		a := *other
		a.name, a.net = name, slices.Clone(other.net)
		arms[name] = &a
	}
	worlds := []*World{w}
	return sampleOf(worlds), worlds, arms
}

// TestSegments: what loses stands first, and one interval of many is wider than alone.
func TestSegments(t *testing.T) {
	ahead := make([]float64, 200)
	for i := range ahead {
		ahead[i] = float64(i%5) + []float64{-12, 20}[i%2]
	}
	s, worlds, arms := anywhere(ahead...)
	g := segments(s, worlds, arms)[0]
	if g.Over != Rules || g.Lines[0].Level != "STOP" || *g.Lines[0].Net.Value >= 0 || paired.Above(g.Lines[0].Net) != -1 {
		t.Errorf("%+v", g.Lines[0])
	}
	alone := s.Mean(func(i int) float64 { return ahead[i] }, func(i int) bool { return i%2 == 0 })
	if first := g.Lines[0].Net; *first.Hi-*first.Lo < 1.2*(*alone.Hi-*alone.Lo) {
		t.Errorf("%d lines, interval %v, alone %v", len(g.Lines), first, alone)
	}
	if said := g.says(); !strings.Contains(said, "and loses in 1: class STOP") {
		t.Error(said)
	}
}

// TestEconomics: a gain of 6 paise a case, all of them recovered, may cost 6 a case.
func TestEconomics(t *testing.T) {
	s, _, arms := anywhere(4, 5, 6, 7, 8, 4, 5, 6, 7, 8)
	for _, recovered := range []float64{1, 0} { // then half of them
		if recovered == 0 {
			for i := range arms[Model].recovered[:5] {
				arms[Model].recovered[i] = 0
			}
		}
		e := economics(s, arms)[2]
		if want := 12 / (1 + recovered); e.Over != Rules || *e.BreakEven.Value != want || math.Abs(*e.Cost.Value-20/(1+recovered)) > 1e-12 {
			t.Errorf("break even %v, cost %v", *e.BreakEven.Value, *e.Cost.Value)
		}
	}
	r := &Report{Economics: economics(s, arms)}
	if said := strings.Join(r.saysOfPrice(), ""); !strings.Contains(said, "recoup may cost up to 0.12") {
		t.Error(said)
	}
}

// TestAttributionAddsUp: whichever models came about, the steps make the whole.
func TestAttributionAddsUp(t *testing.T) {
	s, _, arms := anywhere(3, 1, 4, 1, 5, 9)
	arms[Control].net[0], arms[Rules].net[1], arms[PayDay].net[2] = 7, -3, 2
	for _, taught := range []bool{false, true} {
		if taught {
			a := *arms[Rules]
			a.name, a.net = RulesTaught, slices.Clone(a.net)
			arms[RulesTaught] = &a
		}
		out, sum := attribution(s, arms), 0.0
		for _, step := range out.Steps {
			sum += *step.Difference.Net.Value
		}
		if len(out.Steps) != len(arms)-1 || math.Abs(sum-*out.Total.Difference.Net.Value) > 1e-12 {
			t.Errorf("%d steps make %v of %v", len(out.Steps), sum, *out.Total.Difference.Net.Value)
		}
	}
}

// TestTuning: what is best on the frozen worlds is chosen, and judged on others.
func TestTuning(t *testing.T) {
	c := whole(t.TempDir())
	r := play(t, c).Report
	best, at := math.Inf(-1), -1
	for i, n := range r.Tuning.Tried {
		if *n.Net.Value > best {
			best, at = *n.Net.Value, i
		}
	}
	if at < 0 || r.Tuning.Chosen == nil || *r.Tuning.Chosen != r.Tuning.Tried[at].numbers || r.Tuning.Here.A != chosenNumbers || r.Tuning.Here.B != asItIs {
		t.Fatalf("%d tried, chosen %v", len(r.Tuning.Tried), r.Tuning.Chosen)
	}
	// What was judged is what was chosen: its case costs, played once more.
	l, err := untaught(nil, context.Background(), course{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Tuning.Chosen.in(score.DefaultText())
	if err != nil {
		t.Fatal(err)
	}
	worlds, err := (&job{Config: c}).show(context.Background(), &scene{Name: "again", Seeds: r.Tuning.Others,
		Hands: []hand{{Name: Rules, Arm: Rules}, {Name: asItIs, Arm: Model, Bundle: l.Bundle}, {Name: chosenNumbers, Arm: Model, Policy: p, Bundle: l.Bundle}}})
	if err != nil {
		t.Fatal(err)
	}
	chosen := gather(chosenNumbers, worlds)
	for with, got := range map[string]Pair{asItIs: r.Tuning.Here, Rules: r.Tuning.OverRules} {
		if want := between(sampleOf(worlds), chosen, gather(with, worlds)).Difference; *got.Difference.Net.Value != *want.Net.Value || *got.Difference.Retries.Value != *want.Retries.Value {
			t.Errorf("over %s: %v, want %v", with, *got.Difference.Net.Value, *want.Net.Value)
		}
	}
	for _, seed := range r.Tuning.Frozen {
		for _, other := range append(r.Tuning.Others, 1, 2, 3, trainSeed) {
			if seed == other {
				t.Errorf("seed %d chooses and judges", seed)
			}
		}
	}
	if len(r.Elsewhere) != 2 || len(r.Curve.Points) != 3 || len(r.Absent) != 1 || r.Absent[0].Arm != Forest {
		t.Errorf("%d other worlds, %d points, absent %v", len(r.Elsewhere), len(r.Curve.Points), r.Absent)
	}
}

// TestMoved: each constant goes both ways, by a quarter, alone.
func TestMoved(t *testing.T) {
	c := small(t.TempDir())
	c.Cases, c.Months = 20, 3
	l, err := untaught(nil, context.Background(), course{})
	if err != nil {
		t.Fatal(err)
	}
	c.Moved, c.Workers = 1, 2
	j := &job{Config: c, model: l}
	all, err := j.moved(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	usual := sim.UsualNature()
	if len(all) != 2*len(usual.Constants()) {
		t.Fatalf("%d settings of %d constants", len(all), len(usual.Constants()))
	}
	nets := map[float64]bool{}
	for i, m := range all {
		if want := usual.Constants()[i/2]; m.Constant != want.Name || m.To != m.From*[]float64{.75, 1.25}[i%2] || m.From != *want.At {
			t.Errorf("%+v", m)
		}
		nets[*m.Rules.Value] = true
	}
	if len(nets) < 8 {
		t.Errorf("%d of %d settings differ", len(nets), len(all))
	}
}
