package features

import (
	"context"
	"slices"
	"sync"

	"recoup/data"
)

// Until moves as_of on: nothing more was known by then.
func (s *State) Until(asOf data.Cursor) error {
	if asOf.Compare(s.asOf) < 0 {
		return data.Faultf(data.ErrContract, "features: as_of (%s, %d) is before the last event, (%s, %d)",
			asOf.KnownAt, asOf.Seq, s.asOf.KnownAt, s.asOf.Seq)
	}
	s.asOf = asOf
	return nil
}

// OpenCases lists the cases that are owed at the State's as_of: failed, and
// neither paid nor ended. In the order of their ids.
func (s *State) OpenCases() []string {
	var out []string
	for c := range s.charges.Values {
		if c.owed() && c.alive(s.asOf.KnownAt) {
			out = append(out, c.id)
		}
	}
	slices.Sort(out)
	return out
}

// FoldLog folds the log up to as_of into States of one bucket of the customers
// each, in parallel; together they hold every case. AsOf of each is as_of. What
// they answer does not depend on workers, 1 or more. progress may be nil.
func FoldLog(ctx context.Context, l *data.Log, asOf data.Cursor, workers int, progress func(done, total int64)) ([]*State, error) {
	if asOf == (data.Cursor{}) || workers < 1 {
		return nil, data.Faultf(data.ErrUsage, "features: fold: an as_of and at least one worker are needed")
	}
	states, in := make([]*State, workers), make([]chan *piece, workers)
	var running sync.WaitGroup
	for i := range states {
		states[i], in[i] = newShard(i, workers), make(chan *piece, 2)
		running.Go(func() {
			for p := range in[i] {
				states[i].foldAll(p.events)
				p.done()
			}
		})
	}
	_, err := feed(ctx, l, BuildOptions{AsOf: asOf, Progress: progress}, in)
	for _, c := range in {
		close(c)
	}
	running.Wait()
	if err != nil {
		return nil, err
	}
	for _, s := range states {
		if err := s.Until(asOf); err != nil {
			return nil, err
		}
	}
	return states, nil
}

func (s *State) foldAll(events []event) {
	for i := range events {
		if i%together == 0 {
			s.warm(events[i:min(i+together, len(events))])
		}
		s.fold(&events[i])
	}
}
