package bracket

import (
	"math"
	"path/filepath"

	"recoup/data"
	"recoup/data/sim"
	"recoup/score"
)

// Truth is the policy that knows what only a simulation knows: it takes the option
// with the highest true P(paid) x amount less its cost, one decision at a time. dir
// holds the simulation's oracle; costs are the policy's.
func Truth(l *Log, dir string, p *score.Policy) (Policy, error) {
	at := map[string]int{}
	for i := range l.Decisions {
		at[l.Decisions[i].ID] = i
	}
	chance := make([][]float64, len(l.Decisions))
	path := filepath.Join(dir, sim.CandidatesFile)
	f, err := data.OpenFrames(path)
	if err != nil {
		return Policy{}, err
	}
	defer f.Close()
	found := 0
	for c, err := range f.Frames("decision_id", "action", "at", "p_true") {
		if err != nil {
			return Policy{}, err
		}
		id, action, when, p := c.Column("decision_id"), c.Column("action"), c.Column("at"), c.Column("p_true")
		for k := range c.N {
			i, ok := at[id.Text(k)]
			if !ok {
				continue
			}
			a, err := data.ParseAction(action.Text(k))
			if err != nil {
				return Policy{}, data.Faultf(data.ErrContract, "ope: %s: %w", path, err)
			}
			d := &l.Decisions[i]
			if chance[i] == nil {
				chance[i] = unknown(len(d.Options))
				found++
			}
			if j := d.Find(a, data.Micros(when.I[k])); j >= 0 {
				chance[i][j] = p.F[k]
			}
		}
	}
	if found < len(l.Decisions) {
		return Policy{}, data.Faultf(data.ErrUsage, "ope: %s: knows %d of %d decisions: it is the oracle of another log", path, found, len(l.Decisions))
	}
	choice := make([]int32, len(l.Decisions))
	for i := range choice {
		choice[i] = int32(best(&l.Decisions[i], chance[i], p))
	}
	out := Choosing(Oracle, "knows the true probability of every option, and takes what is worth most, one decision at a time", choice)
	out.Marks = "simulation only"
	return out, nil
}

// best is the option of the highest true worth; equal ones: the first.
func best(d *Decision, chance []float64, p *score.Policy) int {
	wait := d.Find(data.Wait, 0)
	f0, at, most := chance[wait], wait, math.Inf(-1)
	for j := range d.Options {
		q := chance[j]
		if math.IsNaN(q) || d.Options[j].Action == data.Escalate {
			continue
		}
		if d.Options[j].Action == data.Retry {
			q = f0 + float64(q*(1-f0))
		}
		if worth := float64(q*float64(d.Amount)) - float64(p.Cost(d.Options[j].Action)); worth > most {
			at, most = j, worth
		}
	}
	return at
}
