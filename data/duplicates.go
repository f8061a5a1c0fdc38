package data

import "hash/maphash"

// Duplicates counts the rows that a commit dropped, by kind.
type Duplicates struct {
	EventID int64 `json:"event_id"` // an event_id that the log has
	Attempt int64 `json:"attempt"`  // another event of an attempt with the same status
}

// seen remembers the rows of a log by what must not repeat.
type seen struct {
	seed     [2]maphash.Seed
	events   hashSet // event_id
	attempts hashSet // attempt_id and status
	dropped  Duplicates
	scratch  []byte
}

// newSeen has room for so many rows and attempts.
func newSeen(rows, attempts int64) *seen {
	return &seen{
		seed:     [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		events:   newHashSet(rows),
		attempts: newHashSet(attempts),
	}
}

// hash is 96 bits: among a hundred million keys two are taken for one with
// probability 10^-13. The seed differs from run to run, the outcome does not.
func (s *seen) hash(b []byte) [3]uint32 {
	x, y := maphash.Bytes(s.seed[0], b), maphash.Bytes(s.seed[1], b)
	return [3]uint32{uint32(x), uint32(x >> 32), uint32(y) | 1} // never the empty slot
}

// event reports whether the event_id is new, and remembers it.
func (s *seen) event(id []byte) bool {
	if s.events.add(s.hash(id)) {
		return true
	}
	s.dropped.EventID++
	return false
}

// repeatedAttempt reports whether the log has this status of the attempt
// already, and remembers it.
func repeatedAttempt(a *Attempt, s *seen) bool {
	s.scratch = append(append(s.scratch[:0], a.AttemptID...), byte(a.Status))
	if s.attempts.add(s.hash(s.scratch)) {
		return false
	}
	s.dropped.Attempt++
	return true
}

// load remembers every row of a log.
func (s *seen) load(l *Log) error {
	for rows, err := range Scan[Attempt](l, lastCursor, "event_id", "attempt_id", "status") {
		if err != nil {
			return err
		}
		for i := range rows {
			s.event([]byte(rows[i].EventID))
			repeatedAttempt(&rows[i], s)
		}
	}
	for _, t := range tables()[attemptsTable().id+1:] {
		if err := t.eachID(l, func(id string) { s.event([]byte(id)) }); err != nil {
			return err
		}
	}
	s.dropped = Duplicates{}
	return nil
}

func (t *table[T]) eachID(l *Log, f func(string)) error {
	for rows, err := range t.scan(l, lastCursor, []string{"event_id"}) {
		if err != nil {
			return err
		}
		for i := range rows {
			f(t.event(&rows[i]).EventID)
		}
	}
	return nil
}

// hashSet is a set of hashes of a size known beforehand: 17 bytes for each,
// half of what a growing map needs. An empty slot is zero.
type hashSet struct{ slots [][3]uint32 }

func newHashSet(n int64) hashSet { return hashSet{make([][3]uint32, n+n*2/5+1)} }

// add reports whether h was not in the set, and puts it there.
func (s hashSet) add(h [3]uint32) bool {
	n := uint64(len(s.slots))
	for i := (uint64(h[0])<<32 | uint64(h[1])) % n; ; i++ {
		if i == n {
			i = 0
		}
		switch s.slots[i] {
		case h:
			return false
		case [3]uint32{}:
			s.slots[i] = h
			return true
		}
	}
}
