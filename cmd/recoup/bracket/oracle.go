package bracket

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"

	"recoup/data"
	"recoup/data/sim"
	"recoup/score"
)

// Truth is the policy that knows what only a simulation knows: it takes the option
// with the highest true P(paid) x amount less its cost, the best retries after it
// counted in. dir holds the simulation's oracle; costs are the policy's.
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
	out := Choosing(Oracle, "knows the true probability of every option, and takes what is worth most with the best retries after it", choice)
	out.Marks = "simulation only"
	return out, nil
}

// best is the option of the highest true worth; equal ones: the first. A retry is worth
// what the best retries that can still follow it add; a link or a nudge is not.
func best(d *Decision, chance []float64, p *score.Policy) int {
	captures := planned(d, chance)
	wait := d.Find(data.Wait, 0)
	f0, at, most := chance[wait], wait, math.Inf(-1)
	for j := range d.Options {
		q := chance[j]
		if math.IsNaN(q) || d.Options[j].Action == data.Escalate {
			continue
		}
		if d.Options[j].Action == data.Retry {
			q = f0 + float64(captures[j]*(1-f0))
		}
		if worth := float64(q*float64(d.Amount)) - float64(p.Cost(d.Options[j].Action)); worth > most {
			at, most = j, worth
		}
	}
	return at
}

// attempts are how many retries a case has in all.
const attempts = 3

// planned is, for each retry, the chance that it or one of those that can follow it
// captures, were each taken as well as can be: backward over the attempts left.
func planned(d *Decision, chance []float64) []float64 {
	var retries []int
	gap := 26 * data.Hour
	for j := range d.Options {
		if o := &d.Options[j]; o.Action == data.Retry && !math.IsNaN(chance[j]) {
			retries = append(retries, j)
			if o.NoticeBy > 0 {
				gap = o.At - o.NoticeBy + 2*data.Hour // the notice, and the answer to the one before
			}
		}
	}
	if d.Rail == data.EMandate {
		gap += 2 * data.Day // the bank answers on the next day or the one after
	}
	slices.SortStableFunc(retries, func(a, b int) int { return cmp.Compare(d.Options[a].At, d.Options[b].At) })
	value, next := make([]float64, len(d.Options)), make([]float64, len(d.Options))
	for range max(1, attempts-d.Retries) {
		copy(next, value)
		best, k := 0.0, len(retries) // of next, from retries[k] on
		for i := len(retries) - 1; i >= 0; i-- {
			j := retries[i]
			for k > 0 && d.Options[retries[k-1]].At >= d.Options[j].At+gap {
				k--
				best = max(best, next[retries[k]])
			}
			value[j] = chance[j] + float64((1-chance[j])*best)
		}
	}
	return value
}
