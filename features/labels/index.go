// Package labels is the side of the training tables that looks ahead: which
// attempt captured when, when a case was paid or ended, and which attempts
// there were to make rows of. State and columns never see it.
package labels

import (
	"cmp"
	"slices"
	"strings"

	"recoup/data"
	"recoup/features/key"
)

// Index is filled by one pass over attempts, case events and decisions in
// cursor order, attempts first. It keeps charges that failed and attempts after
// the original; a charge paid at once leaves no trace.
type Index struct {
	retries   []*[chunk]Retry // in the order of their first rows
	n         uint32
	cases     []outcome
	byCase    key.Map[uint32]
	byAttempt key.Map[uint32]
	awaited   key.Map[uint32] // decision -> retry
	ids       []key.ID        // scratch
}

// chunk is how many retries are kept together, so that none moves.
const chunk = 4096

// Retry is an attempt after the original charge that the customer did not make.
type Retry struct {
	ID       string
	Customer key.ID
	Cursor   data.Cursor // of its first row
	At       data.Micros // presentation: occurred_at of its first row
	Decision *Decision
	No       int32
	Rail     data.Rail
	Decided  bool // names a decision

	captured bool
	paid     data.Micros
	of       uint32 // its case
	next     uint32 // 1 + the case's retry before this one in the list
}

// Retry is the i-th retry, in the order of their first rows.
func (x *Index) Retry(i uint32) *Retry { return &x.retries[i/chunk][i%chunk] }

// CaseID is the case of a retry.
func (x *Index) CaseID(r *Retry) key.ID { return x.cases[r.of].id }

// Decision is what a row needs of the decision behind its attempt.
type Decision struct {
	AsOf      data.Cursor
	DecidedAt data.Micros
}

// outcome is what became of a case.
type outcome struct {
	id            key.ID
	paid, ended   data.Micros
	isPaid, isEnd bool
	self          bool   // paid without an attempt of ours
	retries       uint32 // 1 + the latest retry
}

// NewIndex is an empty index.
func NewIndex() *Index {
	return &Index{}
}

// AttemptColumns, CaseEventColumns and DecisionColumns are what the index reads.
var (
	AttemptColumns   = []string{"case_id", "attempt_no", "attempt_id", "initiator", "decision_id", "customer_id", "rail", "status"}
	CaseEventColumns = []string{"case_id", "kind"}
	DecisionColumns  = []string{"decision_id", "decided_at", "as_of_known_at", "as_of_seq"}
)

// Attempts takes the next rows of the attempts.
func (x *Index) Attempts(rows []data.Attempt) {
	const together = 256
	for len(rows) > 0 {
		n := min(together, len(rows))
		x.ids = x.ids[:0]
		for i := range rows[:n] {
			x.ids = append(x.ids, key.Of(rows[i].CaseID))
		}
		x.byCase.Warm(x.ids)
		for i := range rows[:n] {
			x.attempt(&rows[i], x.ids[i])
		}
		rows = rows[n:]
	}
}

func (x *Index) attempt(a *data.Attempt, id key.ID) {
	paid := a.Status.Paid()
	if a.AttemptNo == 0 {
		if a.Status != data.Failed && !paid {
			return
		}
		if a.Status == data.Failed {
			x.caseOf(id)
		} else if i, ok := x.byCase.Get(id); ok {
			x.cases[i].pay(a.OccurredAt, a.Initiator == data.ByCustomer)
		}
		return
	}
	of := x.caseOf(id)
	c := &x.cases[of]
	if paid {
		c.pay(a.OccurredAt, a.Initiator == data.ByCustomer)
	}
	if a.Initiator == data.ByCustomer {
		return
	}
	attempt := key.Of(a.AttemptID)
	i, ok := x.byAttempt.Get(attempt)
	if !ok {
		i = x.n
		x.n++
		if i%chunk == 0 {
			x.retries = append(x.retries, new([chunk]Retry))
		}
		x.byAttempt.Put(attempt, i)
		*x.Retry(i) = Retry{ID: strings.Clone(a.AttemptID), // else it would keep its whole page of ids
			Customer: key.Of(a.CustomerID), Cursor: a.Cursor(), At: a.OccurredAt,
			No: a.AttemptNo, Rail: a.Rail, of: of, next: c.retries}
		c.retries = i + 1
	}
	r := x.Retry(i)
	if a.DecisionID != "" && !r.Decided {
		r.Decided = true
		x.awaited.Put(key.Of(a.DecisionID), i)
	}
	if paid && (!r.captured || a.OccurredAt < r.paid) {
		r.captured, r.paid = true, a.OccurredAt
	}
}

// CaseEvent takes the next case event.
func (x *Index) CaseEvent(e *data.CaseEvent) {
	i, ok := x.byCase.Get(key.Of(e.CaseID))
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
	if i, ok := x.awaited.Get(key.Of(d.DecisionID)); ok {
		x.Retry(i).Decision = &Decision{d.AsOf, d.DecidedAt}
	}
}

func (x *Index) caseOf(id key.ID) uint32 {
	i, ok := x.byCase.Get(id)
	if !ok {
		i = uint32(len(x.cases))
		x.byCase.Put(id, i)
		x.cases = append(x.cases, outcome{id: id})
	}
	return i
}

// Seal ends the filling and frees what only that needed.
func (x *Index) Seal() { x.byAttempt, x.awaited = key.Map[uint32]{}, key.Map[uint32]{} }

func (c *outcome) pay(at data.Micros, self bool) {
	if !c.isPaid || at < c.paid {
		c.isPaid, c.paid, c.self = true, at, self
	}
}

// Captured says whether the attempt captured within h of its presentation.
func (r *Retry) Captured(h data.Micros) bool { return r.captured && r.paid <= r.At+h }

// Case is what became of one case.
type Case struct{ c *outcome }

// Find is the case of an ID; every case that failed is there.
func (x *Index) Find(id key.ID) (Case, bool) {
	i, ok := x.byCase.Get(id)
	if !ok {
		return Case{}, false
	}
	return Case{&x.cases[i]}, true
}

// Awaited says whether the case has a retry whose row is made after a cursor.
func (x *Index) Awaited(of Case, after data.Cursor) bool {
	for n := of.c.retries; n > 0; n = x.Retry(n - 1).next {
		if x.Retry(n-1).Moment().Compare(after) >= 0 {
			return true
		}
	}
	return false
}

// Owed says whether the retry's case was neither paid nor ended before the
// retry was presented.
func (x *Index) Owed(r *Retry) bool {
	c := &x.cases[r.of]
	return !(c.isPaid && c.paid < r.At) && !(c.isEnd && c.ended < r.At)
}

// Cut is the end of the time in which a failed case waits for a cure: the next
// attempt of ours after the failed one was presented, payment by any road, or
// the case's end. cured says that it was paid without an attempt of ours; ok is
// false when nothing ever ended the wait.
func (x *Index) Cut(of Case, presented data.Micros) (at data.Micros, cured, ok bool) {
	c := of.c
	if c.isPaid {
		at, cured, ok = c.paid, c.self, true
	}
	if c.isEnd && (!ok || c.ended < at) {
		at, cured, ok = c.ended, false, true
	}
	for n := c.retries; n > 0; n = x.Retry(n - 1).next {
		if r := x.Retry(n - 1); r.At > presented && (!ok || r.At <= at) {
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
	for i := range x.n {
		if keep(x.Retry(i)) {
			out = append(out, i)
		}
	}
	slices.SortFunc(out, func(a, b uint32) int {
		return cmp.Or(by(x.Retry(a)).Compare(by(x.Retry(b))), cmp.Compare(a, b))
	})
	return out
}
