package ingest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

	"recoup/data"
	"recoup/data/table"
)

// eventIDs names events. It hashes what the mapping reads of a row, and never
// where it stood: the same row in another file is the same event.
type eventIDs struct {
	m      *Mapping
	hashed []int // places of the fields that the file fills
	b      []byte
}

func (m *Mapping) newEventIDs() *eventIDs {
	e := &eventIDs{m: m}
	for i, f := range m.table.fields {
		if given := m.field(f.name); given != nil && !given.Case || f.name == "attempt_no" && m.Number != nil {
			e.hashed = append(e.hashed, i)
		}
	}
	return e
}

// of is the event_id of a row. In an attempt's the number of the attempt and
// the rank of the status stand before the hash, since a log orders what it came
// to know at the same time by event_id: of two attempts of one second the first
// is then known first, and of one attempt the pending row.
func (e *eventIDs) of(r *row) string {
	sum := e.hash(r)
	if e.m.at.status < 0 {
		return hex.EncodeToString(sum[:])
	}
	status := data.AttemptStatus(r.values[e.m.at.status].i)
	rank := slices.Index([]data.AttemptStatus{data.Pending, data.Failed, data.Captured, data.AuthorizedLate, data.Refunded}, status)
	return fmt.Sprintf("%05x%d-%x", r.values[e.m.at.number].i, rank, sum)
}

func (e *eventIDs) hash(r *row) [16]byte {
	b := append(e.b[:0], e.m.Table...)
	for _, i := range e.hashed {
		b = append(b, 2)
		b = append(b, e.m.table.fields[i].name...)
		b = appendValue(b, r.values[i])
	}
	b = appendValue(b, value{s: r.caseKey})
	if e.m.KnownAt != nil {
		b = appendValue(b, value{i: int64(r.known)})
	}
	e.b = b
	sum := sha256.Sum256(b)
	return [16]byte(sum[:16])
}

func appendValue(b []byte, v value) []byte {
	if v.null {
		return append(b, 0)
	}
	b = binary.AppendVarint(append(b, 1), v.i)
	b = binary.AppendUvarint(b, uint64(len(v.s)))
	return append(b, v.s...)
}

// repeats remembers which rows were there, as 128 bits of a hash.
type repeats struct {
	ids     *eventIDs
	seen    map[[16]byte]struct{}
	scratch []byte
}

func (m *Mapping) newRepeats() *repeats {
	return &repeats{ids: m.newEventIDs(), seen: map[[16]byte]struct{}{}}
}

// again says why a row was there before: the same attempt_id with the same
// status, or in other tables the same event; "" = it is new, and now known.
func (r *repeats) again(row *row) string {
	why, at := "repeated: the same row stands further up", r.ids.m.at
	var key [16]byte
	if at.id >= 0 {
		why = "repeated: this attempt with this status stands further up; the first one counts"
		r.scratch = binary.AppendVarint(r.scratch[:0], row.values[at.status].i)
		r.scratch = append(r.scratch, row.values[at.id].s...)
		sum := sha256.Sum256(r.scratch)
		key = [16]byte(sum[:16])
	} else {
		key = r.ids.hash(row)
	}
	if _, ok := r.seen[key]; ok {
		return why
	}
	r.seen[key] = struct{}{}
	return ""
}

func (r *repeats) reject(row *row, why string) table.Reject {
	if at := r.ids.m.at; at.id >= 0 {
		return table.Reject{Line: row.line, Column: "attempt_id", Value: cut(row.values[at.id].s), Reason: why}
	}
	return table.Reject{Line: row.line, Reason: why}
}
