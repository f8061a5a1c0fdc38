package compare

import (
	"context"
	"fmt"
	"slices"

	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/score"
)

// Played is what one hand made of one world.
type Played struct {
	Hand      string  `json:"hand"`
	Cases     int     `json:"cases"`     // whose 21 days are over
	Recovered int     `json:"recovered"` // of these
	Retries   int     `json:"retries"`
	Wasted    int     `json:"wasted"` // retries that did not capture
	Decisions int     `json:"decisions"`
	Regret    float64 `json:"regret"` // sum over decisions of the true chance of the best slot less that of the chosen one
	Months    []Month `json:"months"` // by when the cases failed
}

// Month is what a hand made of the cases that failed in a calendar month of a world.
type Month struct {
	Cases     int     `json:"cases"`
	Recovered int     `json:"recovered"`
	Regret    float64 `json:"regret"`
}

// playHand lets a hand play a world.
func playHand(ctx context.Context, stage *sim.Stage, rules *score.Engine, h hand, c Config) (Played, error) {
	out, attempts := Played{Hand: h.name, Months: make([]Month, c.Months)}, c.Attempts
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
	for i := range results {
		r := &results[i]
		m := &out.Months[min(monthsBetween(c.Start, failed[r.CaseID]), c.Months-1)]
		out.Cases++
		m.Cases++
		m.Regret += lost[r.CaseID]
		out.Retries += r.Retries
		out.Wasted += r.Failed
		if r.Recovered {
			out.Recovered++
			m.Recovered++
		}
	}
	return out, nil
}

// monthsBetween counts the turns of the month, in India, from a time to a later one.
func monthsBetween(from, to data.Micros) int {
	y, m, _ := from.ISTDate()
	z, n, _ := to.ISTDate()
	return max(0, (z-y)*12+int(n)-int(m))
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
