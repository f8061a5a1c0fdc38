package data

import "hash/maphash"

// Duplicates counts the rows that a commit dropped, by kind.
type Duplicates struct {
	EventID int64 `json:"event_id"` // an event_id that the log has
	Attempt int64 `json:"attempt"`  // another event of an attempt with the same status
}

// seen remembers what is in the log, as 128-bit hashes: among a billion ids
// two collide with probability 10^-21.
type seen struct {
	seed     [2]maphash.Seed
	events   map[[2]uint64]struct{}
	attempts map[[2]uint64]struct{}
	dropped  Duplicates
}

func newSeen() *seen {
	return &seen{
		seed:     [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		events:   map[[2]uint64]struct{}{},
		attempts: map[[2]uint64]struct{}{},
	}
}

func (s *seen) hash(b []byte) [2]uint64 {
	return [2]uint64{maphash.Bytes(s.seed[0], b), maphash.Bytes(s.seed[1], b)}
}

// event reports whether the event_id is new, and remembers it.
func (s *seen) event(id []byte) bool {
	h := s.hash(id)
	if _, dup := s.events[h]; dup {
		s.dropped.EventID++
		return false
	}
	s.events[h] = struct{}{}
	return true
}

// attempt reports whether the status of the attempt is new, and remembers it.
func (s *seen) attempt(id string, status AttemptStatus) bool {
	h := s.hash(append([]byte(id), byte(status)))
	if _, dup := s.attempts[h]; dup {
		s.dropped.Attempt++
		return false
	}
	s.attempts[h] = struct{}{}
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
			s.attempt(rows[i].AttemptID, rows[i].Status)
		}
	}
	for _, t := range tables()[1:] {
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
