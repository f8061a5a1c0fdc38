package bracket

import (
	"recoup/data"
	"recoup/ope"
)

// Episodes are the cases of randomised arms as sequences of decisions: what a
// policy over several attempts is worth.
type Episodes struct {
	Log   *Log
	Keep  []int // decisions, episode by episode
	Steps ope.Episodes
	Why   string // not "": there is none
}

// Sequences takes the cases of the explorer's arm, whose every decision was drawn,
// that have been closed for so long that all decisions of their first horizon have.
// Each decision earns what it cost; the last one before the payment earns the money.
// So an episode's sum is what its first decision is judged by.
func (l *Log) Sequences() *Episodes {
	e := &Episodes{Log: l}
	r := &ope.Rows{Actions: kinds(), Start: []int32{0}}
	var behaviour []float64
	customers := map[string]int32{}
	e.Steps.First = []int32{0}
	for from := 0; from < len(l.Decisions); {
		to := from + 1
		for to < len(l.Decisions) && l.Decisions[to].CaseID == l.Decisions[from].CaseID {
			to++
		}
		d := &l.Decisions[from]
		until := d.At + l.Horizon
		if d.No == 0 && d.Assigned == data.ArmExplorer && !l.Broken[d.CaseID] && until+l.Horizon <= l.AsOf {
			steps := l.Decisions[from:to]
			for len(steps) > 1 && steps[len(steps)-1].At >= until {
				steps = steps[:len(steps)-1]
			}
			for k, reward := range earned(steps, l.Horizon) {
				s := &steps[k]
				for j := range s.Options {
					behaviour = append(behaviour, s.Options[j].Propensity)
					r.Label = append(r.Label, kindOf(s, &s.Options[j]))
				}
				r.Taken = append(r.Taken, int32(s.Chosen))
				r.Propensity = append(r.Propensity, min(1, s.Given()))
				r.Start = append(r.Start, int32(len(behaviour)))
				r.Reward = append(r.Reward, reward)
				e.Steps.Order = append(e.Steps.Order, int32(len(e.Keep)))
				e.Keep = append(e.Keep, from+k)
			}
			c, ok := customers[d.CustomerID]
			if !ok {
				c = int32(len(customers))
				customers[d.CustomerID] = c
			}
			e.Steps.Cluster = append(e.Steps.Cluster, c)
			e.Steps.First = append(e.Steps.First, int32(len(e.Keep)))
		}
		from = to
	}
	r.Behaviour = [][]float64{behaviour}
	e.Steps.Rows = r
	if len(e.Keep) == 0 {
		e.Why = "no case of the explorer's arm has been closed for two horizons: of the other arms every decision was certain"
	}
	return e
}

// earned is the reward of each decision of a case in rupees, within the horizon of
// the first: what was paid, at the last decision before it was, less each one's own
// cost. The log tells a decision's cost with those of all that followed.
func earned(steps []Decision, horizon data.Micros) []float64 {
	until := steps[0].At + horizon
	own, out := make([]data.Paise, len(steps)), make([]float64, len(steps))
	spent := func(k int) data.Micros { return steps[k].Options[steps[k].Chosen].At }
	for k := len(steps) - 1; k >= 0; k-- {
		own[k] = steps[k].Cost
		for j := k + 1; j < len(steps); j++ {
			if spent(j) <= steps[k].At+horizon {
				own[k] -= own[j]
			}
		}
		if spent(k) <= until {
			out[k] = -float64(own[k]) / 100
		}
	}
	if d := &steps[0]; d.Recovered {
		last := 0
		for k := range steps {
			if steps[k].At < d.Settled {
				last = k
			}
		}
		out[last] += float64(d.Paid) / 100
	}
	return out
}

// Target is a policy on the steps, ragged.
func (e *Episodes) Target(p Policy) []float64 {
	var out, probs []float64
	for _, i := range e.Keep {
		probs = p.Probs(probs, i, &e.Log.Decisions[i])
		out = append(out, probs...)
	}
	return out
}

// Q is a reward model on the steps: what each option brings from there on, under
// the logger. Any model will do for a doubly robust estimate; a better one, of the
// target's own continuation, would make it tighter.
func (e *Episodes) Q(r *Reward) []float64 {
	if r == nil || r.Why != "" {
		return nil
	}
	var out []float64
	for _, i := range e.Keep {
		out = append(out, r.Net[i]...)
	}
	return out
}
