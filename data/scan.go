package data

import (
	"iter"
	"slices"
	"strings"
)

// scanRows is the most rows of a batch: small enough for its rows to stay in
// the cache while column after column is filled in.
const scanRows = 512

// Scan reads the rows of a table that are visible at upTo, in cursor order, in
// batches. With columns given only those are filled in, beside occurred_at,
// known_at and seq, which always are; other fields are zero. The slice is
// reused by the next batch; its texts and lists may be kept. An error ends the
// sequence; it names the file and Is ErrContract where the file is at fault.
func Scan[T Row](l *Log, upTo Cursor, columns ...string) iter.Seq2[[]T, error] {
	return tableOf[T]().scan(l, upTo, columns)
}

func (t *table[T]) scan(l *Log, upTo Cursor, columns []string) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		cols, err := t.project(columns)
		if err != nil {
			yield(nil, err)
			return
		}
		s := &scanner[T]{table: t, cols: cols, events: l.events, upTo: upTo}
		for _, f := range l.m.Files {
			if f.Table == t.name && upTo.Sees(f.Min) {
				s.pending = append(s.pending, f)
			}
		}
		defer s.close()
		ahead(s.next, scanRows, yield)
	}
}

// project picks the columns to read.
func (t *table[T]) project(names []string) ([]column[T], error) {
	if len(names) == 0 {
		return t.columns, nil
	}
	var out []column[T]
	for i, c := range t.columns {
		if i > 0 && i <= seqColumn || slices.Contains(names, c.columnName()) {
			out = append(out, c)
		}
	}
	for _, n := range names {
		if !slices.ContainsFunc(t.columns, func(c column[T]) bool { return c.columnName() == n }) {
			var have []string
			for _, c := range t.columns {
				have = append(have, c.columnName())
			}
			return nil, Faultf(ErrUsage, "data: %s has no column %q: expected one of %s", t.name, n, strings.Join(have, ", "))
		}
	}
	return out, nil
}

// batch is what ahead hands from the reading goroutine to the consumer.
type batch[T any] struct {
	rows []T
	err  error
}

// ahead calls next on its own goroutine, one batch before yield needs it. next
// fills a buffer and returns how much; 0 ends the sequence. When ahead returns
// the goroutine has ended.
func ahead[T any](next func([]T) (int, error), size int, yield func([]T, error) bool) {
	free := make(chan []T, 2)
	full := make(chan batch[T])
	stop := make(chan struct{})
	for range cap(free) {
		free <- make([]T, size)
	}
	go func() {
		defer close(full)
		for {
			var buf []T
			select {
			case buf = <-free:
			case <-stop:
				return
			}
			n, err := next(buf[:size])
			if n == 0 && err == nil {
				return
			}
			select {
			case full <- batch[T]{buf[:n], err}:
			case <-stop:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	defer func() {
		close(stop)
		for range full { // until the goroutine has ended
		}
	}()
	for b := range full {
		if b.err != nil {
			yield(nil, b.err)
			return
		}
		if !yield(b.rows, nil) {
			return
		}
		free <- b.rows[:0]
	}
}
