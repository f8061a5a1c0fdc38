package data

import (
	"errors"
	"io"
	"unsafe"
)

func (f *field[T, V]) reader(s *columnSource) reader[T] {
	return &fieldReader[T, V]{strideOf(f.at), cursor[V]{codec: f.codec, pageStream: s.leaf(f.name)}}
}

// stride is the place of a V within each of consecutive rows. Storing through
// it instead of calling a function for each row makes reading twice as fast.
type stride[T any, V any] struct{ offset uintptr }

func strideOf[T, V any](at func(*T) *V) stride[T, V] {
	var row T
	return stride[T, V]{uintptr(unsafe.Pointer(at(&row))) - uintptr(unsafe.Pointer(&row))}
}

// put stores vals in the first len(vals) rows.
func (s stride[T, V]) put(rows []T, vals []V) {
	rows = rows[:len(vals)]
	for i, v := range vals {
		*s.of(&rows[i]) = v
	}
}

// of is the row's value. The offset was taken from a row of the same type, so
// the pointer stays within it.
func (s stride[T, V]) of(row *T) *V { return (*V)(unsafe.Add(unsafe.Pointer(row), s.offset)) }

// fieldReader reads a column of one value a row.
type fieldReader[T any, V comparable] struct {
	stride stride[T, V]
	cursor[V]
}

func (r *fieldReader[T, V]) read(rows []T) error {
	for len(rows) > 0 {
		if err := r.load(); err != nil {
			return r.fault(err)
		}
		k := min(len(rows), r.n-r.i)
		if len(r.vals) == r.n { // no nulls
			r.stride.put(rows, r.vals[r.i:r.i+k])
			r.v += k
		} else {
			for j, d := range r.def[r.i : r.i+k] {
				var v V
				if d == r.maxDef {
					v = r.vals[r.v]
					r.v++
				}
				*r.stride.of(&rows[j]) = v
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
