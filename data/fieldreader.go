package data

import (
	"errors"
	"io"
)

func (f *field[T, V]) reader(s *columnSource) reader[T] {
	return &fieldReader[T, V]{f.at, cursor[V]{codec: f.codec, pageStream: s.leaf(0, f.name)}}
}

// fieldReader reads a column of one value a row.
type fieldReader[T any, V comparable] struct {
	at func(*T) *V
	cursor[V]
}

func (r *fieldReader[T, V]) read(rows []T) error {
	for len(rows) > 0 {
		if err := r.load(); err != nil {
			return r.fault(err)
		}
		k := min(len(rows), r.n-r.i)
		if len(r.vals) == r.n { // no nulls
			vals := r.vals[r.i : r.i+k]
			for j := range vals {
				*r.at(&rows[j]) = vals[j]
			}
			r.v += k
		} else {
			var zero V
			for j, d := range r.def[r.i : r.i+k] {
				if d < r.maxDef {
					*r.at(&rows[j]) = zero
				} else {
					*r.at(&rows[j]) = r.vals[r.v]
					r.v++
				}
			}
		}
		r.i += k
		rows = rows[k:]
	}
	return nil
}

func (f *field[T, V]) elements(s *pageStream) elementReader[T] {
	return &fieldElements[T, V]{f.at, cursor[V]{codec: f.codec, pageStream: s}}
}

// fieldElements reads one column of the groups of a list.
type fieldElements[E any, V comparable] struct {
	at func(*E) *V
	cursor[V]
}

var errShape = errors.New("lists of a group's columns differ in length")

// lists walks the levels: repetition 0 begins a row, 1 goes on with its list;
// definition 0 is an empty list, below the highest a null.
func (r *fieldElements[E, V]) lists(sizes []int, all []E, first bool) ([]E, error) {
	at := 0 // next element of all
	for row := range sizes {
		if err := r.load(); err != nil {
			return nil, r.fault(err)
		}
		if r.rep[r.i] != 0 {
			return nil, r.fault(errShape)
		}
		n := 0
		for {
			if d := r.def[r.i]; d > 0 {
				if first {
					var zero E
					all = append(all, zero)
				} else if at == len(all) {
					return nil, r.fault(errShape)
				}
				if d == r.maxDef {
					*r.at(&all[at]) = r.vals[r.v]
					r.v++
				}
				at++
				n++
			}
			r.i++
			if err := r.load(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, r.fault(err)
			}
			if r.rep[r.i] == 0 {
				break
			}
		}
		if first {
			sizes[row] = n
		} else if sizes[row] != n {
			return nil, r.fault(errShape)
		}
	}
	return all, nil
}
