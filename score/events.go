package score

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"recoup/data"
	"recoup/features"
)

// order puts the events in the order of knowing, as a log would: by (known_at,
// seq) where seq is given, else by (known_at, event_id), and drops repeated ones.
func (p *parsed) order() {
	if len(p.events) == 0 {
		return
	}
	numbered := p.events[0].hasSeq
	for i := range p.events {
		if e := &p.events[i]; e.hasSeq != numbered {
			p.At(fmt.Sprintf("events[%d].seq", e.index), "", "some events have a seq and some have none: give it for all or for none")
			return
		}
	}
	if p.exact && !numbered {
		p.At("as_of", "", "a cursor needs the seq of every event; without them give a time")
		return
	}
	slices.SortStableFunc(p.events, func(a, b event) int {
		if numbered {
			return a.Cursor().Compare(b.Cursor())
		}
		return cmp.Or(cmp.Compare(a.KnownAt, b.KnownAt), strings.Compare(a.EventID, b.EventID))
	})
	p.dropRepeated()
	for i := range p.events {
		if !numbered {
			p.events[i].Seq = int64(i + 1)
		}
	}
	if numbered {
		p.checkNumbers()
	}
}

// dropRepeated keeps the first of the events with one event_id, and of those of an
// attempt with one status. One event_id on two different rows is a fault: one of
// them is not what the sender thinks it is.
func (p *parsed) dropRepeated() {
	type status struct {
		attempt string
		status  data.AttemptStatus
	}
	ids, attempts := make(map[string]event, len(p.events)), map[status]bool{}
	n := len(p.events)
	p.events = slices.DeleteFunc(p.events, func(e event) bool {
		first, repeated := ids[e.EventID]
		if !repeated {
			ids[e.EventID] = e
		} else if !reflect.DeepEqual(first.Row, e.Row) {
			p.At(fmt.Sprintf("events[%d].event_id", max(first.index, e.index)), e.EventID, "the event_id of events[%d] too, which says something else", min(first.index, e.index))
		}
		if a, ok := e.Row.(*data.Attempt); ok && !repeated {
			s := status{a.AttemptID, a.Status}
			repeated = attempts[s]
			attempts[s] = true
		}
		return repeated
	})
	if n -= len(p.events); n > 0 {
		p.req.Warnings = append(p.req.Warnings, fmt.Sprintf("%d repeated events passed over (an event_id, or a status of an attempt, that was there already)", n))
	}
}

// checkNumbers: a seq belongs to one event.
func (p *parsed) checkNumbers() {
	owner := make(map[int64]int, len(p.events))
	for i := range p.events {
		e := &p.events[i]
		if other, twice := owner[e.Seq]; twice {
			p.At(fmt.Sprintf("events[%d].seq", max(e.index, other)), fmt.Sprint(e.Seq), "seq of events[%d] too: each event has its own", min(e.index, other))
		}
		owner[e.Seq] = e.index
	}
}

// fold folds what is visible at as_of.
func (p *parsed) fold() {
	s := features.NewState()
	late := 0
	for i := range p.events {
		e := &p.events[i]
		if !p.req.AsOf.Sees(e.Cursor()) {
			late++
			continue
		}
		if err := features.FoldAny(s, e.AnyRow); err != nil {
			p.At(fmt.Sprintf("events[%d]", e.index), "", "%v", err)
		}
	}
	if err := s.Until(p.req.AsOf); err != nil {
		p.At("as_of", "", "%v", err)
	}
	if late > 0 {
		p.req.Warnings = append(p.req.Warnings, fmt.Sprintf("%d of %d events were not known at as_of: they do not count", late, len(p.events)))
	}
	p.req.state = s
}

// findCase finds the case to decide among the events.
func (p *parsed) findCase() {
	open := p.req.state.OpenCases()
	if p.req.CaseID != "" {
		if _, err := p.req.state.Facts(p.req.CaseID, p.req.AsOf.KnownAt); err != nil {
			p.At("case_id", "", "no failure of this case is known at as_of; %s", listed(open))
		}
		return
	}
	if len(open) != 1 {
		p.At("case_id", "", "needed: %s", listed(open))
		return
	}
	p.req.CaseID = open[0]
}

func listed(open []string) string {
	const most = 20
	switch n := len(open); {
	case n == 0:
		return "no open case (failed, neither paid nor ended) is known at as_of"
	case n > most:
		return fmt.Sprintf("%d open cases, among them %s", n, strings.Join(open[:most], ", "))
	}
	return "the open cases are " + strings.Join(open, ", ")
}
