package compare

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/score"
)

// parts is how many points a curve has: tenths of a world's cases, in the order in
// which they failed.
const parts = 10

// Played is what one hand made of one world.
type Played struct {
	Hand      string    `json:"hand"`
	Cases     int       `json:"cases"`     // whose 21 days are over
	Recovered int       `json:"recovered"` // of these
	Retries   int       `json:"retries"`
	Wasted    int       `json:"wasted"` // retries that did not capture
	Decisions int       `json:"decisions"`
	Regret    float64   `json:"regret"`     // sum over decisions of the true chance of the best slot less that of the chosen one
	PartCases []int     `json:"part_cases"` // of each tenth
	PartPaid  []int     `json:"part_recovered"`
	PartLost  []float64 `json:"part_regret"`
}

// playHand lets a hand play a world.
func playHand(ctx context.Context, stage *sim.Stage, rules *score.Engine, h hand, attempts int) (Played, error) {
	out := Played{Hand: h.name, PartCases: make([]int, parts), PartPaid: make([]int, parts), PartLost: make([]float64, parts)}
	lost, failed := map[string]float64{}, map[string]data.Micros{} // by case
	state, day := features.NewState(), data.Micros(-1)
	d := sim.Decider{ID: h.name,
		Fold: func(row data.AnyRow) error {
			if h.seen != nil {
				h.seen(row.Row)
			}
			return features.FoldAny(state, row)
		},
		Recheck: func(caseID string, c data.Candidate, t data.Micros) (bool, error) {
			if err := state.Until(data.AsOf(t)); err != nil {
				return false, err
			}
			needs, refused, err := rules.Recheck(state, caseID, c, t)
			return refused == nil && needs.NoticeBy == 0 && needs.PollFrom == 0, err
		},
		Decide: func(t *sim.Turn) (*data.Decision, error) {
			if err := state.Until(t.AsOf()); err != nil {
				return nil, err
			}
			failed[t.CaseID] = t.FirstFailedAt
			if midnight := t.Now - t.Now.ISTTimeOfDay(); midnight != day {
				if day = midnight; h.dawn != nil {
					if err := h.dawn(midnight); err != nil {
						return nil, err
					}
				}
			}
			d, err := rules.DecideAs(score.Ask{DecisionID: t.DecisionID}, state, t.CaseID, t.Now)
			if err != nil {
				return nil, err
			}
			row := d.Row()
			if t.AttemptNo > attempts {
				choose(&row, afterwards(&d))
			} else if s, ok := sceneOf(t, &d, state, attempts); ok {
				i, err := h.pick(s)
				if err == nil && i >= 0 && h.plan != nil {
					err = h.plan(s)
				}
				if err != nil {
					return nil, fmt.Errorf("%s: case %s: %w", h.name, t.CaseID, err)
				}
				if i >= 0 {
					values := s.values()
					r := slices.Max(values) - values[i]
					out.Decisions++
					out.Regret += r
					lost[t.CaseID] += r
					choose(&row, s.retries[i])
				}
			}
			t.PollFrom = d.Allowed[row.Chosen].PollFrom
			return &row, nil
		}}
	_, results, err := stage.Play(ctx, d, nil)
	if err != nil {
		return out, err
	}
	results = slices.DeleteFunc(slices.Clone(results), func(r sim.CaseResult) bool { return !r.Mature })
	slices.SortStableFunc(results, func(a, b sim.CaseResult) int {
		return cmp.Or(cmp.Compare(failed[a.CaseID], failed[b.CaseID]), cmp.Compare(a.CaseID, b.CaseID))
	})
	for i := range results {
		r, part := &results[i], i*parts/len(results)
		out.Cases++
		out.PartCases[part]++
		out.Retries += r.Retries
		out.Wasted += r.Failed
		out.PartLost[part] += lost[r.CaseID]
		if r.Recovered {
			out.Recovered++
			out.PartPaid[part]++
		}
	}
	return out, nil
}

// sceneOf is the moment as a hand sees it; false = nobody may choose: no retry is
// allowed, or the rules arm finds that the case needs another answer than money's.
func sceneOf(t *sim.Turn, d *score.Decision, state *features.State, attempts int) (*scene, bool) {
	if a := d.Allowed[d.Chosen].Action; a != data.Retry && a != data.PaymentLink {
		return nil, false
	}
	s := &scene{turn: t, d: d, state: state, attempts: attempts, ruled: -1}
	for i, c := range d.Allowed {
		if c.Action == data.Retry {
			if i == d.Chosen {
				s.ruled = len(s.retries)
			}
			s.retries = append(s.retries, i)
		}
	}
	return s, len(s.retries) > 0
}

// choose logs a choice that is certain.
func choose(row *data.Decision, chosen int) {
	for k := range row.Allowed {
		row.Allowed[k].Propensity, row.Allowed[k].Mix = 0, 0
	}
	row.Chosen = int32(chosen)
	row.Allowed[chosen].Propensity, row.Allowed[chosen].Mix = 1, 1
}

// afterwards is what is done when a hand has no retry left: what the rules arm does,
// and where that is a retry a payment link, or else nothing.
func afterwards(d *score.Decision) int {
	if d.Allowed[d.Chosen].Action != data.Retry {
		return d.Chosen
	}
	for i, c := range d.Allowed {
		if c.Action == data.PaymentLink {
			return i
		}
	}
	return 0 // waiting comes first
}
