package ledger

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"recoup/data"
)

// naive is a book in memory, written down without a thought of speed.
type naive struct {
	entries  []Entry
	claims   map[string]int64
	attempts map[string]Attempt
	answers  map[string]naiveAnswer
}

type naiveAnswer struct {
	print  [32]byte
	status int
	body   []byte
}

func newNaive() *naive {
	return &naive{claims: map[string]int64{}, attempts: map[string]Attempt{}, answers: map[string]naiveAnswer{}}
}

func (n *naive) clone() *naive {
	return &naive{slices.Clone(n.entries), maps.Clone(n.claims), maps.Clone(n.attempts), maps.Clone(n.answers)}
}

func (n *naive) append(j Job, now data.Micros) (Done, error) {
	if o := j.Once; o != nil {
		if had, ok := n.answers[o.Key]; ok {
			if had.print != o.Fingerprint {
				return Done{}, ErrReused
			}
			return Done{Replayed: true, Status: had.status, Body: had.body}, nil
		}
	}
	before := n.clone()
	done := Done{Receipts: []Receipt{}}
	for _, d := range j.Drafts {
		r, err := n.draft(d, now)
		if err != nil {
			*n = *before
			return Done{}, err
		}
		done.Receipts = append(done.Receipts, r)
	}
	if o := j.Once; o != nil {
		done.Status, done.Body = o.Answer(done.Receipts)
		n.answers[o.Key] = naiveAnswer{o.Fingerprint, done.Status, done.Body}
	}
	return done, nil
}

func (n *naive) duplicate(seq int64) Receipt {
	return Receipt{Seq: seq, KnownAt: n.entries[seq-1].KnownAt, Duplicate: true}
}

func (n *naive) draft(d Draft, now data.Micros) (Receipt, error) {
	for _, e := range n.entries {
		if e.Kind == d.Kind && e.Key == d.Key {
			if !bytes.Equal(e.Body, d.Body) {
				return Receipt{}, ErrConflict
			}
			return n.duplicate(e.Seq), nil
		}
	}
	for _, c := range d.Claims {
		if seq, ok := n.claims[c.Name]; ok {
			if m := d.Move; c.Same && m != nil && n.elsewhere(m) {
				return Receipt{}, ErrConflict
			}
			if c.Same {
				return n.duplicate(seq), nil
			}
			return Receipt{}, ErrConflict
		}
	}
	e := Entry{Seq: int64(len(n.entries)) + 1, KnownAt: d.KnownAt, Kind: d.Kind, Key: d.Key, CaseID: d.CaseID, CustomerID: d.CustomerID, Body: d.Body}
	if e.KnownAt == 0 {
		e.KnownAt = now
	}
	if len(n.entries) > 0 {
		e.KnownAt = max(e.KnownAt, n.entries[len(n.entries)-1].KnownAt+1)
	}
	if err := n.move(d.Move, e); err != nil {
		return Receipt{}, err
	}
	for _, c := range d.Claims {
		n.claims[c.Name] = e.Seq
	}
	n.entries = append(n.entries, e)
	return Receipt{Seq: e.Seq, KnownAt: e.KnownAt}, nil
}

func (n *naive) move(m *Move, e Entry) error {
	if m == nil {
		return nil
	}
	is, known := n.attempts[m.AttemptID]
	if n.elsewhere(m) {
		return ErrConflict
	}
	if m.CaseID != "" {
		if !known {
			n.attempts[m.AttemptID] = Attempt{m.AttemptID, m.CaseID, m.No, m.To, e.Seq, e.KnownAt}
			return nil
		}
	}
	if !known || m.To <= is.State || is.State == Unknown && !m.ByPoll {
		return nil
	}
	is.State, is.Seq, is.KnownAt = m.To, e.Seq, e.KnownAt
	n.attempts[m.AttemptID] = is
	return nil
}

// elsewhere says whether the id of a move is another attempt's, or its number is.
func (n *naive) elsewhere(m *Move) bool {
	for _, a := range n.attempts {
		if m.CaseID != "" && (a.AttemptID == m.AttemptID) != (a.CaseID == m.CaseID && a.No == m.No) {
			return true
		}
	}
	return false
}

func (n *naive) String() string { return fmt.Sprint(n.entries) }
