// Package labels is the side of the training tables that looks ahead: which
// attempt captured when, when a case was paid or ended, and which attempts
// there were to make rows of. State and columns never see it.
package labels

import (
	"cmp"
	"slices"

	"recoup/data"
	"recoup/features/key"
)

// Index is filled by one pass over attempts, case events and decisions in
// cursor order, attempts first. It keeps charges that failed and attempts after
// the original; a charge paid at once leaves no trace.
type Index struct {
	Retries []Retry // in the order of their first rows

	cases     []outcome
	byCase    map[key.ID]uint32
	byAttempt map[key.ID]uint32
	awaited   map[key.ID]uint32 // decision -> 1 + retry
}

// Retry is an attempt after the original charge that the customer did not make.
type Retry struct {
	ID                      string
	Attempt, Case, Customer key.ID
	Cursor                  data.Cursor // of its first row
	At                      data.Micros // presentation: occurred_at of its first row
	No                      int32
	Rail                    data.Rail
	Decided                 bool // names a decision
	Decision                *Decision

	paid     data.Micros
	captured bool
	next     uint32 // 1 + the case's retry before this one in the list
}

// Decision is what a row needs of the decision behind its attempt.
type Decision struct {
	AsOf      data.Cursor
	DecidedAt data.Micros
}

// outcome is what became of a case.
type outcome struct {
	paid, ended   data.Micros
	isPaid, isEnd bool
	self          bool   // paid without an attempt of ours
	retries       uint32 // 1 + the latest retry
}

// NewIndex is an empty index.
func NewIndex() *Index {
	return &Index{byCase: map[key.ID]uint32{}, byAttempt: map[key.ID]uint32{}, awaited: map[key.ID]uint32{}}
}

// AttemptColumns, CaseEventColumns and DecisionColumns are what the index reads.
var (
	AttemptColumns   = []string{"case_id", "attempt_no", "attempt_id", "initiator", "decision_id", "customer_id", "rail", "status"}
	CaseEventColumns = []string{"case_id", "kind"}
	DecisionColumns  = []string{"decision_id", "decided_at", "as_of_known_at", "as_of_seq"}
)

// Attempt takes the next row of the attempts.
func (x *Index) Attempt(a *data.Attempt) {
	paid := a.Status.Paid()
	if a.AttemptNo == 0 {
		if a.Status != data.Failed && !paid {
			return
		}
		id := key.Of(a.CaseID)
		if a.Status == data.Failed {
			x.caseOf(id)
		} else if i, ok := x.byCase[id]; ok {
			x.cases[i].pay(a.OccurredAt, a.Initiator == data.ByCustomer)
		}
		return
	}
	id := key.Of(a.CaseID)
	c := x.caseOf(id)
	if paid {
		c.pay(a.OccurredAt, a.Initiator == data.ByCustomer)
	}
	if a.Initiator == data.ByCustomer {
		return
	}
	attempt := key.Of(a.AttemptID)
	i, ok := x.byAttempt[attempt]
	if !ok {
		i = uint32(len(x.Retries))
		x.byAttempt[attempt] = i
		x.Retries = append(x.Retries, Retry{ID: a.AttemptID, Attempt: attempt, Case: id, Customer: key.Of(a.CustomerID),
			Cursor: a.Cursor(), At: a.OccurredAt, No: a.AttemptNo, Rail: a.Rail, next: c.retries})
		c.retries = i + 1
	}
	r := &x.Retries[i]
	if a.DecisionID != "" && !r.Decided {
		r.Decided = true
		x.awaited[key.Of(a.DecisionID)] = i + 1
	}
	if paid && (!r.captured || a.OccurredAt < r.paid) {
		r.captured, r.paid = true, a.OccurredAt
	}
}

// CaseEvent takes the next case event.
func (x *Index) CaseEvent(e *data.CaseEvent) {
	i, ok := x.byCase[key.Of(e.CaseID)]
	if !ok {
		return
	}
	c := &x.cases[i]
	if e.Kind == data.PaidElsewhere {
		c.pay(e.OccurredAt, true)
	} else if !c.isEnd || e.OccurredAt < c.ended {
		c.isEnd, c.ended = true, e.OccurredAt
	}
}

// Decision takes the next decision.
func (x *Index) Decision(d *data.Decision) {
	if i := x.awaited[key.Of(d.DecisionID)]; i > 0 {
		x.Retries[i-1].Decision = &Decision{d.AsOf, d.DecidedAt}
	}
}

func (x *Index) caseOf(id key.ID) *outcome {
	i, ok := x.byCase[id]
	if !ok {
		i = uint32(len(x.cases))
		x.byCase[id] = i
		x.cases = append(x.cases, outcome{})
	}
	return &x.cases[i]
}

func (c *outcome) pay(at data.Micros, self bool) {
	if !c.isPaid || at < c.paid {
		c.isPaid, c.paid, c.self = true, at, self
	}
}

// Captured says whether the attempt captured within h of its presentation.
func (r *Retry) Captured(h data.Micros) bool { return r.captured && r.paid <= r.At+h }

// Owed says whether the retry's case was neither paid nor ended before the
// retry was presented.
func (x *Index) Owed(r *Retry) bool {
	c := &x.cases[x.byCase[r.Case]]
	return !(c.isPaid && c.paid < r.At) && !(c.isEnd && c.ended < r.At)
}

// Cut is the end of the time in which a failed case waits for a cure: the next
// attempt of ours after the failed one was presented, payment by any road, or
// the case's end. cured says that it was paid without an attempt of ours; ok is
// false when nothing ever ended the wait.
func (x *Index) Cut(id key.ID, failed key.ID, presented data.Micros) (at data.Micros, cured, ok bool) {
	i, known := x.byCase[id]
	if !known {
		return 0, false, false
	}
	c := &x.cases[i]
	if c.isPaid {
		at, cured, ok = c.paid, c.self, true
	}
	if c.isEnd && (!ok || c.ended < at) {
		at, cured, ok = c.ended, false, true
	}
	for n := c.retries; n > 0; n = x.Retries[n-1].next {
		r := &x.Retries[n-1]
		if r.Attempt != failed && r.At > presented && (!ok || r.At <= at) {
			at, cured, ok = r.At, false, true
		}
	}
	return at, cured, ok
}

// Moment is the place in the log at which a retry's row is made: everything up
// to it is folded, nothing after it, and the retry's own first row is not.
func (r *Retry) Moment() data.Cursor {
	if r.Cursor.KnownAt > r.At {
		return data.AsOf(r.At)
	}
	return data.Cursor{KnownAt: r.Cursor.KnownAt, Seq: r.Cursor.Seq - 1}
}

// Plan is the retries, by index, in the order of their moments.
func (x *Index) Plan() []uint32 {
	return x.order(func(*Retry) bool { return true }, (*Retry).Moment)
}

// Asked is the retries that have a decision, in the order of its as_of.
func (x *Index) Asked() []uint32 {
	return x.order(func(r *Retry) bool { return r.Decision != nil }, func(r *Retry) data.Cursor { return r.Decision.AsOf })
}

func (x *Index) order(keep func(*Retry) bool, by func(*Retry) data.Cursor) []uint32 {
	var out []uint32
	for i := range x.Retries {
		if keep(&x.Retries[i]) {
			out = append(out, uint32(i))
		}
	}
	slices.SortFunc(out, func(a, b uint32) int {
		return cmp.Or(by(&x.Retries[a]).Compare(by(&x.Retries[b])), cmp.Compare(a, b))
	})
	return out
}
