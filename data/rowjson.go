package data

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
)

// AnyRow is a row of whatever table. Row is a pointer to one of the types of the
// constraint Row; Event is its common part, in place.
type AnyRow struct {
	Table string
	Row   any
	*Event
}

// AppendJSON appends the row as one JSON object: "table" first, then the columns
// in their order, nulls left out, times as RFC 3339 in UTC. JSONReader.Row is its inverse.
func AppendJSON[T Row](b []byte, row *T) []byte {
	return jsonTables()[tableOf[T]().name].table.(*jsonTable[T]).append(b, row)
}

// Row reads a row of the table that its key "table" names. event_id may be absent:
// then it is a hash of the row's contents; known_at too: then it is occurred_at.
// seq may be absent, hasSeq says whether it was there. A row with a fault is not ok.
func (r *JSONReader) Row() (row AnyRow, hasSeq, ok bool) {
	if r.kind() != '{' {
		r.Wrong("a row: an object with a table and its columns")
		return AnyRow{}, false, false
	}
	name, ok := r.tableName()
	if !ok {
		r.skip()
		return AnyRow{}, false, false
	}
	t, ok := jsonTables()[name]
	if !ok {
		r.At("table", short(name), "unknown table: expected one of %s", strings.Join(tableNames(), ", "))
		r.skip()
		return AnyRow{}, false, false
	}
	return t.read(r)
}

// tableName looks for the row's "table" without reading the rest.
func (r *JSONReader) tableName() (name string, ok bool) {
	start := r.at
	defer func() { r.at = start }()
	r.at++
	for !r.ends('}') {
		if r.key() != "table" {
			r.skip()
			continue
		}
		if r.kind() != '"' {
			r.At("table", "", "%s, expected a text: one of %s", kindOf(r.kind()), strings.Join(tableNames(), ", "))
			return "", false
		}
		return r.unquoted(), true
	}
	r.At("table", "", "missing, but required: one of %s", strings.Join(tableNames(), ", "))
	return "", false
}

func tableNames() (names []string) {
	for _, t := range tables() {
		names = append(names, t.tableName())
	}
	return names
}

// jsonTable is a table whose rows are JSON objects.
type jsonTable[T any] struct {
	*table[T]
	*jsonGroup[T]
}

// anyJSON is a jsonTable of whatever row.
type anyJSON struct {
	table any
	read  func(*JSONReader) (row AnyRow, hasSeq, ok bool)
}

func anyJSONOf[T any](t *table[T]) anyJSON {
	j := newJSONTable(t)
	return anyJSON{j, j.readRow}
}

// jsonTables are the tables by name.
var jsonTables = sync.OnceValue(func() map[string]anyJSON {
	out := map[string]anyJSON{}
	for _, t := range tables() {
		switch t := t.(type) {
		case *table[Attempt]:
			out[t.name] = anyJSONOf(t)
		case *table[CaseEvent]:
			out[t.name] = anyJSONOf(t)
		case *table[Subscription]:
			out[t.name] = anyJSONOf(t)
		case *table[Mandate]:
			out[t.name] = anyJSONOf(t)
		case *table[Notice]:
			out[t.name] = anyJSONOf(t)
		case *table[Poll]:
			out[t.name] = anyJSONOf(t)
		case *table[Promise]:
			out[t.name] = anyJSONOf(t)
		case *table[Downtime]:
			out[t.name] = anyJSONOf(t)
		case *table[Decision]:
			out[t.name] = anyJSONOf(t)
		case *table[Outcome]:
			out[t.name] = anyJSONOf(t)
		}
	}
	return out
})

// The places of the columns of every row among its keys, after "table".
const (
	keyEventID = 1 + iota
	keyOccurredAt
	keyKnownAt
	keySeq
)

func newJSONTable[T any](t *table[T]) *jsonTable[T] {
	g := newJSONGroup(t.columns, "table")
	g.needed &^= 1<<keyEventID | 1<<keyKnownAt | 1<<keySeq
	return &jsonTable[T]{t, g}
}

func (t *jsonTable[T]) readRow(r *JSONReader) (AnyRow, bool, bool) {
	row, before := new(T), len(r.faults)+r.more
	seen, _ := t.read(r, row)
	if len(r.faults)+r.more > before {
		return AnyRow{}, false, false
	}
	e := t.event(row)
	if seen>>keyKnownAt&1 == 0 {
		e.KnownAt = e.OccurredAt
	}
	if t.check != nil {
		if err := t.check(row); err != nil {
			r.Fault("", "%v", err)
			return AnyRow{}, false, false
		}
	}
	if seen>>keyEventID&1 == 0 {
		seq := e.Seq
		e.Seq = 0
		sum := sha256.Sum256(t.append(nil, row))
		e.Seq, e.EventID = seq, hex.EncodeToString(sum[:16])
	}
	return AnyRow{t.name, row, e}, seen>>keySeq&1 == 1, true
}

func (t *jsonTable[T]) append(b []byte, row *T) []byte {
	return append(t.put(fmt.Appendf(b, `{"table":"%s"`, t.name), row, false), '}')
}
