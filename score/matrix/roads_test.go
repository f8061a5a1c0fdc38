package matrix

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"recoup/data"
	"recoup/models"
	"recoup/score"
)

// roads lead to a decision: by the rules with no model and with one that fails, by
// the model, and by the explorer with proposals that would have what they may not.
func roads(t *testing.T) map[string]*score.Engine {
	t.Helper()
	out := map[string]*score.Engine{}
	put := func(name string, b *models.Bundle, x *score.Explorer) {
		e, err := score.New(score.Default(), b)
		if err == nil && x != nil {
			e, err = e.Explore(*x)
		}
		if err != nil {
			t.Fatal(err)
		}
		out[name] = e
	}
	salt := []byte("sixteen bytes of salt")
	last := func(drawable []score.Choice, _ *score.Decision) ([]float64, error) {
		w := make([]float64, len(drawable))
		w[len(w)-1] = 1
		return w, nil
	}
	none := func([]score.Choice, *score.Decision) ([]float64, error) { return nil, errors.New("nothing to propose") }
	put("no model", nil, nil)
	put("failing model", failing(t), nil)
	put("model", madeUp(t), nil)
	put("eager model", eager(t), nil)
	put("explorer", madeUp(t), &score.Explorer{Salt: salt, Only: data.ArmExplorer})
	put("explorer without model", nil, &score.Explorer{Salt: salt, Only: data.ArmExplorer})
	put("explorer, all on the last", madeUp(t), &score.Explorer{Salt: salt, Only: data.ArmExplorer, Proposal: last, Formula: "last-1"})
	put("explorer, failing proposal", madeUp(t), &score.Explorer{Salt: salt, Only: data.ArmExplorer, Proposal: none, Formula: "none-1"})
	put("control", madeUp(t), &score.Explorer{Salt: salt, Only: data.ArmControl})
	put("rules", madeUp(t), &score.Explorer{Salt: salt, Only: data.ArmRules})
	return out
}

// By every road, what is allowed, chosen, scored, drawn or written down is what the
// table allows, and what it refuses is told.
func TestRoads(t *testing.T) {
	t.Parallel()
	table, drawn := printedOf(t, score.Default()), map[data.Action]int{}
	engines := roads(t)
	for i := uint64(0); i < 150; i++ {
		d := roll(3, i)
		f := d.facts(t, d.now)
		if f == nil {
			continue
		}
		q := asked{table, f, d.now}
		st := d.state(t, d.now)
		for name, e := range engines {
			said, err := e.DecideAs(score.Ask{DecisionID: fmt.Sprint("d", i)}, st, "case", d.now)
			if err != nil {
				t.Fatal(err)
			}
			if diff := q.differences(&said, nil); len(diff) > 0 {
				t.Errorf("case %d, %s:\n  %s", i, name, lines(diff))
			}
			drawn[said.Allowed[said.Chosen].Action]++
			q.keeps(t, fmt.Sprintf("case %d, %s", i, name), &said)
		}
		said := d.answer(t, engines["model"], d.now, nil)
		if diff := q.differences(&said, nil); len(diff) > 0 {
			t.Errorf("case %d, as a request:\n  %s", i, lines(diff))
		}
	}
	for _, a := range data.Actions() {
		if drawn[a] == 0 {
			t.Errorf("%s was never chosen: %v", a, drawn)
		}
	}
}

// keeps holds what a decision chose, drew and wrote down to the table.
func (q *asked) keeps(t *testing.T, name string, d *score.Decision) {
	t.Helper()
	var sum float64
	for _, c := range d.Allowed {
		sum += c.Propensity
		if v := q.judge(c.Action, c.At); v.Rule != "" && (c.Propensity != 0 || c.P != nil || c.EV != nil) {
			t.Errorf("%s: %s at %s is refused by %s and has %v, %v, %v", name, c.Action, c.At, v.Rule, c.Propensity, c.P, c.EV)
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("%s: propensities sum to %v", name, sum)
	}
	row := d.Row()
	for i, o := range row.Allowed {
		if v := q.judge(o.Action, o.At); v.Rule != "" {
			t.Errorf("%s: the log has %s at %s, which %s refuses", name, o.Action, o.At, v.Rule)
		}
		if i == int(row.Chosen) && o.Propensity <= 0 {
			t.Errorf("%s: %s at %s was drawn with probability %v", name, o.Action, o.At, o.Propensity)
		}
	}
}
