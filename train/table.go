package train

import (
	"fmt"
	"iter"
	"slices"

	"recoup/data"
)

// Table is a training table as features writes it: re-readable chunks of rows
// in order of presentation, with the columns at, customer_id and y beside the
// features.
type Table struct {
	Name   string // for messages
	Rows   int64
	Frames func(columns ...string) iter.Seq2[*data.Frame, error]
}

// The columns of a table that are no features.
const (
	colAt       = "at"
	colCustomer = "customer_id"
	colY        = "y"
	colExposure = "exposure" // person-period table only: the part of the day at risk
)

// holdValues is how many values of a table may be kept in memory (8 bytes each,
// 512 MiB); a larger table is read again on every pass.
const holdValues = 1 << 26

// chooser appends to keep the rows of a chunk that are wanted, in order.
type chooser func(f *data.Frame, keep []int) ([]int, error)

// within wants the rows of a slice.
func within(s Slice) chooser {
	return func(f *data.Frame, keep []int) ([]int, error) {
		at := f.Column(colAt)
		if at == nil {
			return nil, missing(colAt)
		}
		for i, t := range at.I {
			if s.Holds(data.Micros(t)) {
				keep = append(keep, i)
			}
		}
		return keep, nil
	}
}

// of wants the rows of some customers, among those that c wants.
func (c chooser) of(wanted func(customer string) bool) chooser {
	return func(f *data.Frame, keep []int) ([]int, error) {
		all, err := c(f, keep)
		if err != nil {
			return nil, err
		}
		who := f.Column(colCustomer)
		if who == nil {
			return nil, missing(colCustomer)
		}
		known := make([]int8, len(who.Dict)) // 0 = not asked yet
		return slices.DeleteFunc(all, func(i int) bool {
			k := &known[who.Codes[i]]
			if *k == 0 {
				*k = -1
				if wanted(who.Text(i)) {
					*k = 1
				}
			}
			return *k < 0
		}), nil
	}
}

func missing(column string) error {
	return data.Faultf(data.ErrContract, "train: the table has no column %s: build it again with recoup features", column)
}

// rows are the wanted rows of some columns, chunk by chunk, as often as they
// are asked for. What fits in memory is read once and kept.
func (t Table) rows(columns []string, want chooser) (func() iter.Seq2[*data.Frame, error], error) {
	columns = slices.Clone(columns)
	for _, c := range []string{colAt, colCustomer, colY} {
		if !slices.Contains(columns, c) {
			columns = append(columns, c)
		}
	}
	read := func() iter.Seq2[*data.Frame, error] {
		return func(yield func(*data.Frame, error) bool) {
			var keep []int
			for f, err := range t.Frames(columns...) {
				if err == nil {
					keep, err = want(f, keep[:0])
				}
				if err != nil {
					yield(nil, fmt.Errorf("train: %s: %w", t.Name, err))
					return
				}
				if len(keep) > 0 && !yield(pick(f, keep), nil) {
					return
				}
			}
		}
	}
	if t.Rows*int64(len(columns)) > holdValues {
		return read, nil
	}
	var held []*data.Frame
	for f, err := range read() {
		if err != nil {
			return nil, err
		}
		held = append(held, f)
	}
	return func() iter.Seq2[*data.Frame, error] {
		return func(yield func(*data.Frame, error) bool) {
			for _, f := range held {
				if !yield(f, nil) {
					return
				}
			}
		}
	}, nil
}

// pick copies the given rows of a chunk. The strings are shared: a level's text
// is never changed.
func pick(f *data.Frame, rows []int) *data.Frame {
	out := &data.Frame{N: len(rows), First: f.First, Columns: make([]data.Column, len(f.Columns))}
	for i := range f.Columns {
		c := &f.Columns[i]
		d := data.Column{Name: c.Name, Kind: c.Kind}
		d.F, d.I, d.Codes, d.Nulls = gather(c.F, rows), gather(c.I, rows), gather(c.Codes, rows), gather(c.Nulls, rows)
		d.Dict = slices.Clone(c.Dict)
		out.Columns[i] = d
	}
	return out
}

func gather[T any](from []T, rows []int) []T {
	if from == nil {
		return nil
	}
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = from[r]
	}
	return out
}
