package experiment

import (
	"context"

	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/score"
)

// Slots is what a world's file of slots holds: of the first decision of each case that
// can be retried at two times or more, how the models tell these times apart.
type Slots struct {
	Input    string      `json:"input"`
	Seed     uint64      `json:"seed"`
	Cases    []string    `json:"case"`
	Customer []int       `json:"customer"` // numbered within the world
	Classes  []string    `json:"class"`
	Spread   []float64   `json:"spread"` // variance of the true chance over the slots
	Best     []float64   `json:"best"`   // the best true chance less the mean one
	Models   []SlotModel `json:"models"`
}

// SlotModel is one model's word on these decisions.
type SlotModel struct {
	Name   string    `json:"name"`
	Level  []float64 `json:"level"`  // square of: its mean over the slots less the true mean
	Within []float64 `json:"within"` // mean square of: its deviation from its mean less the true deviation from the true mean
	Spread []float64 `json:"spread"` // variance of its word over the slots
	With   []float64 `json:"with"`   // covariance of its word and the truth
	Taken  []float64 `json:"taken"`  // true chance of the slot that it says is best, less the mean true chance
}

// slotWorld lets the rules play a world, and asks the models about its decisions.
func (j *job) slotWorld(ctx context.Context, seed uint64, hands []hand) (*Slots, error) {
	stage, err := sim.NewStage(ctx, j.world(seed, nil))
	if err != nil {
		return nil, err
	}
	rules, err := PlayerOf(Rules, j.policy(), nil)
	if err != nil {
		return nil, err
	}
	out := &Slots{Input: j.slotInput(hands)(seed), Seed: seed}
	engines, logistic, trees := make([]*score.Engine, len(hands)), -1, -1
	for i, h := range hands {
		switch out.Models = append(out.Models, SlotModel{Name: h.Name}); h.Name {
		case Model:
			logistic = i
		case Forest:
			trees = i
		}
		if engines[i], err = score.New(j.policy(), h.Bundle); err != nil {
			return nil, err
		}
	}
	if logistic >= 0 && trees >= 0 {
		out.Models = append(out.Models, SlotModel{Name: both})
	}
	number, seen := map[string]int{}, map[string]bool{}
	rules.Choose = func(st *features.State, t *sim.Turn, d *score.Decision) (int, error) {
		if seen[t.CaseID] {
			return d.Chosen, nil
		}
		seen[t.CaseID] = true
		var truth []float64
		for _, c := range d.Allowed {
			if c.Action == data.Retry {
				truth = append(truth, t.Truth(data.Retry, c.At))
			}
		}
		if len(truth) < 2 {
			return d.Chosen, nil
		}
		n, ok := number[d.CustomerID]
		if !ok {
			n = len(number)
			number[d.CustomerID] = n
		}
		out.Cases, out.Customer, out.Classes = append(out.Cases, t.CaseID), append(out.Customer, n), append(out.Classes, d.Class.String())
		mean, spread := moments(truth)
		out.Spread = append(out.Spread, spread)
		best := truth[0]
		for _, q := range truth {
			best = max(best, q)
		}
		out.Best = append(out.Best, best-mean)
		says := make([][]float64, len(engines), len(engines)+1)
		for i, e := range engines {
			its, err := e.DecideAs(score.Ask{DecisionID: t.DecisionID}, st, t.CaseID, t.Now)
			if err != nil {
				return 0, err
			}
			says[i] = captures(its.Allowed)
		}
		if len(out.Models) > len(engines) {
			says = append(says, means(says[logistic], says[trees]))
		}
		for i, words := range says {
			out.Models[i].judge(words, truth)
		}
		return d.Chosen, nil
	}
	_, _, err = stage.Play(ctx, rules.Decider(nil), nil)
	return out, err
}

// captures is, of each retry, the chance that it captures if the case is still owed then,
// as the model expects it; 0 where no model spoke.
func captures(allowed []score.Choice) (out []float64) {
	for _, c := range allowed {
		if c.Action != data.Retry {
			continue
		}
		q := 0.0
		if c.P != nil && c.Uplift != nil {
			if waiting := *c.P - *c.Uplift; waiting < 1 {
				q = *c.Uplift / (1 - waiting)
			}
		}
		out = append(out, q)
	}
	return out
}

// means are those of two models' words on each slot.
func means(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = (a[i] + b[i]) / 2
	}
	return out
}

// judge holds a model's word on the slots of a decision against the truth.
func (m *SlotModel) judge(says, truth []float64) {
	mean, spread := moments(says)
	trueMean, _ := moments(truth)
	with, within, best := 0.0, 0.0, 0
	for i := range says {
		a, b := says[i]-mean, truth[i]-trueMean
		with += float64(a * b)
		within += float64((a - b) * (a - b))
		if says[i] > says[best] {
			best = i
		}
	}
	n := float64(len(says))
	m.Level = append(m.Level, float64((mean-trueMean)*(mean-trueMean)))
	m.Within, m.Spread, m.With = append(m.Within, within/n), append(m.Spread, spread), append(m.With, with/n)
	m.Taken = append(m.Taken, truth[best]-trueMean)
}

// moments are the mean and the variance.
func moments(v []float64) (mean, variance float64) {
	for _, x := range v {
		mean += x
	}
	mean /= float64(len(v))
	for _, x := range v {
		variance += float64((x - mean) * (x - mean))
	}
	return mean, variance / float64(len(v))
}
