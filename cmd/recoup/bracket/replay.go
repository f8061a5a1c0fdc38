package bracket

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"recoup/data"
	"recoup/features"
	"recoup/score"
)

// Engine is an engine whose choices are asked for at every decision of a log.
type Engine struct {
	Name   string // of the policy, e.g. champion
	Engine *score.Engine
}

// Replayed is what an engine would have chosen, by decision of a Log.
type Replayed struct {
	Name      string
	Choice    []int32     // index into the decision's options
	Elsewhere int         // decisions whose choice, had it been free, was never on the table: it was held to what was
	Asked     int         // decisions at which the free choice was asked for too
	P         [][]float64 // by option: P(recover by T) that the model says; nil where no model spoke
	Worth     [][]float64 // by option: expected rupees, waiting included; nil likewise, NaN where nothing is known
}

// Replay folds the events and asks the engines at each decision, knowing what its
// logger knew. free says how often the free choice is asked for as well, which
// takes as long again: at every free-th decision, 0 = never. progress may be nil.
func Replay(ctx context.Context, events Events, l *Log, engines []Engine, free int, progress func(done, total int64)) ([]Replayed, error) {
	out := make([]Replayed, len(engines))
	for k, e := range engines {
		out[k] = Replayed{Name: e.Name, Choice: make([]int32, len(l.Decisions)), P: make([][]float64, len(l.Decisions)), Worth: make([][]float64, len(l.Decisions))}
	}
	order := make([]int, len(l.Decisions))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(l.Decisions[a].AsOf.Compare(l.Decisions[b].AsOf), cmp.Compare(l.Decisions[a].ID, l.Decisions[b].ID))
	})
	s, done := features.NewState(), 0
	ask := func() error {
		i := order[done]
		d := &l.Decisions[i]
		if s.AsOf().Compare(d.AsOf) < 0 {
			if err := s.Until(d.AsOf); err != nil {
				return err
			}
		}
		for k, e := range engines {
			if err := out[k].ask(e.Engine, s, d, i, free > 0 && done%free == 0); err != nil {
				return fmt.Errorf("ope: decision %s: what %s would have done: %w", d.ID, e.Name, err)
			}
		}
		if done++; progress != nil && done%64 == 0 {
			progress(int64(done), int64(len(order)))
		}
		return ctx.Err()
	}
	for row, err := range events {
		if err != nil {
			return nil, err
		}
		for done < len(order) && !l.Decisions[order[done]].AsOf.Sees(row.Cursor()) {
			if err := ask(); err != nil {
				return nil, err
			}
		}
		if done == len(order) {
			break
		}
		if err := features.FoldAny(s, row); err != nil {
			return nil, err
		}
	}
	for done < len(order) {
		if err := ask(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ask notes what an engine would have chosen among what was allowed then.
func (r *Replayed) ask(e *score.Engine, s *features.State, d *Decision, i int, free bool) error {
	logged := make([]data.Candidate, len(d.Options))
	for j := range d.Options {
		logged[j] = data.Candidate{Action: d.Options[j].Action, At: d.Options[j].At}
	}
	got, err := e.Among(s, d.CaseID, d.At, logged)
	if err != nil {
		return err
	}
	c := got.Allowed[got.Decided]
	at := d.Find(c.Action, c.At)
	if at < 0 {
		return data.Faultf(data.ErrContract, "%s was not allowed then, and waiting neither", data.Candidate{Action: c.Action, At: c.At})
	}
	r.Choice[i] = int32(at)
	r.values(&got, d, i)
	if !free {
		return nil
	}
	r.Asked++
	if got, err = e.Decide(s, d.CaseID, d.At); err != nil {
		return err
	}
	if c = got.Allowed[got.Decided]; d.Find(c.Action, c.At) != at {
		r.Elsewhere++
	}
	return nil
}

// values keeps what the model says of each option.
func (r *Replayed) values(got *score.Decision, d *Decision, i int) {
	wait := slices.IndexFunc(got.Allowed, func(c score.Choice) bool { return c.Action == data.Wait })
	if wait < 0 || got.Allowed[wait].P == nil {
		return
	}
	f0 := *got.Allowed[wait].P
	p, worth := unknown(len(d.Options)), unknown(len(d.Options))
	for j := range got.Allowed {
		c := &got.Allowed[j]
		if k := d.Find(c.Action, c.At); k >= 0 && c.P != nil {
			p[k], worth[k] = *c.P, (f0*float64(d.Amount)+float64(*c.EV))/100
		}
	}
	r.P[i], r.Worth[i] = p, worth
}
