package matrix

import (
	"testing"

	"recoup/data"
	"recoup/score"
)

// Explain tells every rule's own verdict, whatever the others say: the actions that
// it refuses at any time, and of the times of the others how many, the first and
// the last.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	p := score.Default()
	table, cases, counted := printedOf(t, p), uint64(3000), map[string]int{}
	for i := uint64(0); i < cases && !t.Failed(); i++ {
		d := roll(4, i)
		f := d.facts(t, d.now)
		if f == nil {
			continue
		}
		q, x := asked{table, f, d.now}, p.Explain(f, d.now)
		if len(x.Rules) != len(table.Rules) {
			t.Fatalf("%d verdicts of %d rules", len(x.Rules), len(table.Rules))
		}
		times := map[data.Action][]data.Micros{} // of the actions that no rule refuses at any time
		for _, c := range x.Allowed {
			times[c.Action] = append(times[c.Action], c.At)
		}
		for _, r := range x.Refusals {
			if r.At != 0 {
				times[r.Action] = append(times[r.Action], r.At)
			}
		}
		for j, v := range x.Rules {
			r := table.Rules[j]
			if v.Rule != r.ID || v.InForce != r.holds(dayOf(d.now)) {
				t.Fatalf("verdict %d is of %s, in force %t; expected %s", j, v.Rule, v.InForce, r.ID)
			}
			if becomes := q.route(r.ID, r.Route); v.Route.String() != becomes && (v.Route != 0 || len(v.Actions)+len(v.Times) > 0) {
				t.Errorf("case %d: what %s refuses becomes %q, by the table %q", i, r.ID, v.Route, becomes)
			}
			for _, a := range data.Actions()[1:] {
				whole := false
				for _, b := range v.Actions {
					whole = whole || a == b
				}
				if want := r.About != "time" && v.InForce && q.refusesAction(r.ID, a, dayOf(d.now)); whole != want {
					t.Errorf("case %d: %s refuses %s at any time: %t, by the table %t", i, r.ID, a, whole, want)
				}
				if whole {
					counted[r.ID]++
					continue
				}
				got := score.Candidates{Action: a, Of: len(times[a])}
				for _, c := range v.Times {
					if c.Action == a {
						got = c
					}
				}
				want := score.Candidates{Action: a, Of: got.Of}
				for _, at := range times[a] {
					if by := dayOf(at); !r.holds(by) || !(r.About != "time" && q.refusesAction(r.ID, a, by) || r.About != "action" && q.refusesTime(r.ID, a, at, by)) {
						continue
					}
					if want.N == 0 {
						want.First, want.Last = at, at
					}
					want.N, want.First, want.Last = want.N+1, min(want.First, at), max(want.Last, at)
				}
				counted[r.ID] += want.N
				if _, known := times[a]; known && (got != want || got.Of != len(times[a])) {
					t.Errorf("case %d: %s of %s: %+v, by the table %+v of %d", i, r.ID, a, got, want, len(times[a]))
				}
			}
		}
	}
	for _, r := range table.Rules {
		switch r.ID {
		case "peak_window", "bank_day", "contact_hours": // the policy's own times keep clear of them
			continue
		}
		if counted[r.ID] == 0 {
			t.Errorf("%s refused nothing in %d cases", r.ID, cases)
		}
	}
}
