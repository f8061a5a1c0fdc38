package features

import (
	"fmt"
	"math"

	"recoup/data"
	"recoup/features/key"
)

// State is everything that features and gate may know: a fold of the log's
// events in cursor order. Feed it events one at a time; what it answers is
// bounded by the cursor of the last one. It is not safe for concurrent use.
//
// A State may hold one shard of the customers: it then ignores what belongs to
// the others, except that bank and rail health is everybody's.
type State struct {
	shard, shards int
	asOf          data.Cursor
	speller       speller

	customers customers
	mandates  key.Map[*mandate]
	subs      key.Map[*subscription]
	charges   key.Map[*charge]
	byAttempt key.Map[*charge]
	early     key.Map[*early]      // by charge
	polls     key.Map[[]heardPoll] // by attempt, of those not heard of
	banks     key.Map[*tiles]      // by bankKey
	rails     [8]*tiles            // nil = nothing known of the rail
	downtimes downtimes

	swept   data.Micros
	ids     []key.ID // scratch of warm
	warmed  uint64   // means nothing
	sweeps  queue[*charge]
	earlies queue[key.ID]

	pollsDue queue[key.ID]
}

// bankKey is a bank on a rail; the bank's number is a hash already.
func bankKey(bank uint64, r data.Rail) key.ID {
	return key.ID{Hi: bank, Lo: bank + uint64(r)*0x9E3779B97F4A7C15}
}

// NewState is an empty state that holds every customer.
func NewState() *State { return newShard(0, 1) }

func newShard(shard, shards int) *State {
	return &State{shard: shard, shards: shards}
}

// AsOf is the cursor of the last event folded.
func (s *State) AsOf() data.Cursor { return s.asOf }

// Fold takes the next row of the log. Rows must come in cursor order; decisions
// and outcomes move the cursor and tell nothing else.
func Fold[T data.Row](s *State, row *T) error { return s.foldRow(row) }

// FoldAny is Fold for a row of whatever table.
func FoldAny(s *State, row data.AnyRow) error { return s.foldRow(row.Row) }

func (s *State) foldRow(row any) error {
	var e event
	switch r := row.(type) {
	case *data.Attempt:
		s.speller.attempt(r, &e)
	case *data.CaseEvent:
		caseEvent(r, &e)
	case *data.Subscription:
		subscriptionEvent(r, &e)
	case *data.Mandate:
		s.speller.mandate(r, &e)
	case *data.Notice:
		noticeEvent(r, &e)
	case *data.Poll:
		pollEvent(r, &e)
	case *data.Promise:
		promiseEvent(r, &e)
	case *data.Downtime:
		s.speller.downtime(r, &e)
	case *data.Decision:
		e.cursor = r.Cursor()
	case *data.Outcome:
		e.cursor = r.Cursor()
	default:
		return fmt.Errorf("features: %T is no row of the log", row)
	}
	if e.cursor.Compare(s.asOf) <= 0 && s.asOf != (data.Cursor{}) {
		return data.Faultf(data.ErrContract, "features: event at cursor (%s, %d) after (%s, %d): events must come in cursor order",
			e.cursor.KnownAt, e.cursor.Seq, s.asOf.KnownAt, s.asOf.Seq)
	}
	s.fold(&e)
	return nil
}

// fold applies an event. When it is a failure that leaves a case owed, the case
// is returned: this is the moment to decide about it.
func (s *State) fold(e *event) *charge {
	s.asOf = e.cursor
	s.sweep(e.cursor.KnownAt)
	switch e.kind {
	case kindAttempt:
		s.foldHealth(e)
		if e.customer.Shard(s.shards) == s.shard {
			return s.foldAttempt(e)
		}
		if e.no == 0 {
			s.early.Delete(e.caseKey)
		}
		s.polls.Delete(e.subject)
	case kindMandate:
		if e.customer.Shard(s.shards) == s.shard {
			s.customers.of(e.customer).seen(e.stamp())
			orNew(&s.mandates, e.subject).fold(e)
		}
	case kindSubscription:
		if e.customer.Shard(s.shards) == s.shard {
			s.customers.of(e.customer).seen(e.stamp())
			orNew(&s.subs, e.subject).fold(e)
		}
	case kindDowntime:
		s.downtimes.fold(e)
	case kindNotice, kindPromise, kindCaseEvent:
		if c := s.charge(e.caseKey); c != nil {
			c.touched = e.cursor.KnownAt
			c.tell(s.customers.of(c.customer), e)
		} else {
			s.heardEarly(e)
		}
	case kindPoll:
		if c, _ := s.byAttempt.Get(e.subject); c != nil && c.alive(e.cursor.KnownAt) {
			c.touched = e.cursor.KnownAt
			c.foldPoll(e)
		} else {
			s.heardPollEarly(e)
		}
	}
	return nil
}

// together is how many events are made ready for at once.
const together = 128

// warm makes ready for a run of events; see key.Map.Warm.
func (s *State) warm(events []event) {
	s.ids = s.ids[:0]
	for i := range events {
		if e := &events[i]; e.kind == kindAttempt && e.customer.Shard(s.shards) == s.shard {
			s.ids = append(s.ids, e.customer)
		}
	}
	s.warmed += s.customers.warm(s.ids)
}

func orNew[T any](m *key.Map[*T], id key.ID) *T {
	v, ok := m.Get(id)
	if !ok {
		v = new(T)
		m.Put(id, v)
	}
	return v
}

// charge finds a charge that is still remembered.
func (s *State) charge(id key.ID) *charge {
	if c, _ := s.charges.Get(id); c != nil && c.alive(s.asOf.KnownAt) {
		return c
	}
	return nil
}

// sweep forgets what is over, a little with every minute of the log. That a
// thing is over, alive says: when it is forgotten changes no answer.
func (s *State) sweep(now data.Micros) {
	if now < s.swept+data.Minute {
		return
	}
	s.swept = now
	for c, ok := s.sweeps.pop(now); ok; c, ok = s.sweeps.pop(now) {
		if c.alive(now) {
			s.sweeps.push(now+closedKept, c)
			continue
		}
		if live, _ := s.charges.Get(c.key); live == c {
			s.charges.Delete(c.key)
		}
		for _, a := range c.attempts {
			if live, _ := s.byAttempt.Get(a.id); live == c {
				s.byAttempt.Delete(a.id)
			}
		}
	}
	s.sweepEarly(now)
}

// queue is a first-in first-out list of things due at times that never
// decrease by more than the spread of the pushes; each pops once its time has passed.
type queue[T any] struct {
	items []due[T]
	first int
}

type due[T any] struct {
	at   data.Micros
	what T
}

func (q *queue[T]) push(at data.Micros, what T) { q.items = append(q.items, due[T]{at, what}) }

// pop takes the head when it was due before now.
func (q *queue[T]) pop(now data.Micros) (what T, ok bool) {
	if q.first == len(q.items) || q.items[q.first].at >= now {
		return what, false
	}
	what = q.items[q.first].what
	q.items[q.first] = due[T]{}
	if q.first++; q.first*2 > len(q.items) && q.first > 1024 {
		q.items = q.items[:copy(q.items, q.items[q.first:])]
		q.first = 0
	}
	return what, true
}

// peek is the first thing, zero for an empty queue.
func (q *queue[T]) peek() (what T) {
	if q.first < len(q.items) {
		what = q.items[q.first].what
	}
	return what
}

const never = data.Micros(math.MaxInt64)

// head is when the first thing is due; never for an empty queue.
func (q *queue[T]) head() data.Micros {
	if q.first == len(q.items) {
		return never
	}
	return q.items[q.first].at
}
