package data

import (
	"encoding/binary"
	"fmt"

	"github.com/parquet-go/parquet-go"
)

// nested is a column of a list of E in each row: a Parquet LIST of groups.
type nested[T, E any] struct {
	name   string
	at     func(*T) *[]E
	fields []element[E]
}

// element is a field of a list's group.
type element[E any] interface {
	column[E]
	valueOf(e *E, rep, def int) parquet.Value
	elements(s *pageStream) elementReader[E]
}

// elementReader fills one column of the elements of consecutive lists.
type elementReader[E any] interface {
	// lists reads the lists of len(sizes) rows. The first column of a group
	// (first) finds the sizes and appends the elements to all; the others fill
	// them in.
	lists(sizes []int, all []E, first bool) ([]E, error)
	close() error
}

func elements[E any](cols ...column[E]) []element[E] {
	out := make([]element[E], len(cols))
	for i, c := range cols {
		out[i] = c.(element[E])
	}
	return out
}

func (l *nested[T, E]) columnName() string { return l.name }
func (l *nested[T, E]) leaves() int        { return len(l.fields) }

func (l *nested[T, E]) node() parquet.Node {
	g := make([]namedNode, len(l.fields))
	for i, f := range l.fields {
		g[i] = namedNode{f.columnName(), f.node()}
	}
	return parquet.List(groupOf(g))
}

func (l *nested[T, E]) put(b []byte, r *T) []byte {
	s := *l.at(r)
	b = binary.AppendUvarint(b, uint64(len(s)))
	for i := range s {
		for _, f := range l.fields {
			b = f.put(b, &s[i])
		}
	}
	return b
}

func (l *nested[T, E]) get(rec *record, r *T) {
	*l.at(r) = nil
	n := rec.uvarint()
	if n == 0 || n > uint64(len(rec.s)) {
		rec.bad = rec.bad || n > 0
		return
	}
	s := make([]E, n)
	for i := range s {
		for _, f := range l.fields {
			f.get(rec, &s[i])
		}
	}
	*l.at(r) = s
}

func (l *nested[T, E]) check(r *T) error {
	s := *l.at(r)
	for i := range s {
		for _, f := range l.fields {
			if err := f.check(&s[i]); err != nil {
				return fmt.Errorf("column %s: element %d: %w", l.name, i, err)
			}
		}
	}
	return nil
}

func (l *nested[T, E]) write(w []*parquet.ColumnWriter, rows []T, scratch []parquet.Value) ([]parquet.Value, error) {
	vals := scratch
	for k, f := range l.fields {
		vals = vals[:0]
		for i := range rows {
			s := *l.at(&rows[i])
			if len(s) == 0 {
				vals = append(vals, parquet.NullValue().Level(0, 0, 0))
			}
			for j := range s {
				vals = append(vals, f.valueOf(&s[j], min(j, 1), 1))
			}
		}
		if _, err := w[k].WriteRowValues(vals); err != nil {
			return vals, err
		}
	}
	return vals, nil
}

func (l *nested[T, E]) reader(s *columnSource) reader[T] {
	r := &nestedReader[T, E]{nested: l}
	for _, f := range l.fields {
		r.readers = append(r.readers, f.elements(s.leaf(l.name, "list", "element", f.columnName())))
	}
	return r
}

type nestedReader[T, E any] struct {
	*nested[T, E]
	readers []elementReader[E]
	sizes   []int
}

// read puts the lists of all rows in one new array: they may be kept.
func (r *nestedReader[T, E]) read(rows []T) error {
	r.sizes = append(r.sizes[:0], make([]int, len(rows))...)
	var all []E
	for i, f := range r.readers {
		var err error
		if all, err = f.lists(r.sizes, all, i == 0); err != nil {
			return err
		}
	}
	for i, n := range r.sizes {
		*r.at(&rows[i]) = all[:n:n]
		if n == 0 {
			*r.at(&rows[i]) = nil
		}
		all = all[n:]
	}
	return nil
}

func (r *nestedReader[T, E]) close() error {
	var first error
	for _, f := range r.readers {
		if err := f.close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
