package experiment

import (
	"context"
	"math"
	"testing"

	"recoup/cmd/recoup/experiment/paired"
)

// TestJudge: a model that is right but for the level knows all differences; one that says
// the same of every slot knows none; one that is the wrong way round is worse than silence.
func TestJudge(t *testing.T) {
	truth := []float64{.1, .4, .7}
	_, spread := moments(truth)
	for _, x := range []struct {
		name                 string
		says                 []float64
		level, within, taken float64
		known, slope         float64 // of the line; NaN = unknown
	}{
		{"level", []float64{.3, .6, .9}, .04, 0, .3, 1, 1},
		{"flat", []float64{.5, .5, .5}, .01, spread, -.3, 0, math.NaN()},
		{"timid", []float64{.3, .4, .5}, 0, .04 * 2 / 3, .3, 1 - .04/.09, 3},
		{"backwards", []float64{.7, .4, .1}, 0, 4 * spread, -.3, -3, -1},
	} {
		w := &Slots{Spread: []float64{spread, spread}, Best: []float64{.3, .3}, Classes: []string{"STOP", "STOP"}, Models: []SlotModel{{Name: Forest}, {Name: Model}}}
		for range 2 {
			w.Models[0].judge(x.says, truth)
			w.Models[1].judge(truth, truth)
		}
		m := &w.Models[0]
		for what, pair := range map[string][2]float64{"level": {m.Level[1], x.level}, "within": {m.Within[1], x.within}, "taken": {m.Taken[1], x.taken}} {
			if math.Abs(pair[0]-pair[1]) > 1e-12 {
				t.Errorf("%s: %s is %v, want %v", x.name, what, pair[0], pair[1])
			}
		}
		l := w.line(paired.New([][]int{{0, 1}}), 0, "STOP")
		if math.Abs(*l.Known.Value-x.known) > 1e-9 || math.Abs(*l.Against.Value-(x.taken-.3)) > 1e-9 || math.Abs(*l.Taken.Value-x.taken/.3) > 1e-9 {
			t.Errorf("%s: %+v", x.name, l)
		}
		if math.IsNaN(x.slope) != (l.Slope.Value == nil) || l.Slope.Value != nil && math.Abs(*l.Slope.Value-x.slope) > 1e-9 {
			t.Errorf("%s: slope %s", x.name, l.Slope.Text())
		}
	}
}

// TestSlotWorld: what is asked about a world is the first decision of each case, of all
// models alike; a model that learned nothing tells no slots apart.
func TestSlotWorld(t *testing.T) {
	c := small(t.TempDir())
	b, err := madeUp(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	j := &job{Config: c, model: &lesson{Bundle: b}}
	blank, err := j.knowsNothing()
	if err != nil {
		t.Fatal(err)
	}
	w, err := j.slotWorld(context.Background(), 1, []hand{{Name: Model, Arm: Model, Bundle: b}, {Name: Forest, Arm: Model, Bundle: blank.Bare}})
	if err != nil {
		t.Fatal(err)
	}
	n, seen := len(w.Cases), map[string]bool{}
	for _, id := range w.Cases {
		if seen[id] {
			t.Errorf("case %s twice", id)
		}
		seen[id] = true
	}
	if n < 8 || len(w.Models) != 3 || w.Models[2].Name != both {
		t.Fatalf("%d cases, %d models", n, len(w.Models))
	}
	for _, m := range w.Models {
		if len(m.Level) != n || len(m.Within) != n || len(m.Spread) != n || len(m.With) != n || len(m.Taken) != n || len(w.Customer) != n || len(w.Best) != n {
			t.Fatalf("%s: other lengths", m.Name)
		}
	}
	told := 0
	for i := range n {
		if d := w.Models[1].Within[i] - w.Spread[i]; math.Abs(d) > 1e-12 || w.Models[1].Spread[i] > 1e-12 {
			t.Errorf("case %s: nothing was learned, and it tells slots apart: %v", w.Cases[i], d)
		}
		if math.Abs(w.Models[2].Spread[i]-w.Models[0].Spread[i]/4) > 1e-12 {
			t.Errorf("case %s: the mean with a flat model has %v of %v", w.Cases[i], w.Models[2].Spread[i], w.Models[0].Spread[i])
		}
		if w.Models[0].Spread[i] > 0 && w.Best[i] > 0 {
			told++
		}
	}
	if told < n/2 {
		t.Errorf("%d of %d cases have slots that differ", told, n)
	}
}
