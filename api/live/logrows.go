package live

import (
	"iter"
	"math"
	"slices"

	"recoup/data"
)

// lastCursor sees everything.
var lastCursor = data.Cursor{KnownAt: math.MaxInt64, Seq: math.MaxInt64}

// table gives the rows of one table of a log, in their order.
type table struct {
	row  data.AnyRow // the next one
	next func() (data.AnyRow, error, bool)
	stop func()
}

// rowsAfter are the events of a log after a cursor, in the order of their cursors:
// the rows of all tables but decisions and outcomes, which tell nothing of a customer.
// A row may be kept.
func rowsAfter(l *data.Log, after data.Cursor) iter.Seq2[data.AnyRow, error] {
	return func(yield func(data.AnyRow, error) bool) {
		tables := []*table{rowsOf[data.Attempt](l, after, "attempts"), rowsOf[data.CaseEvent](l, after, "case_events"),
			rowsOf[data.Subscription](l, after, "subscriptions"), rowsOf[data.Mandate](l, after, "mandates"), rowsOf[data.Notice](l, after, "notices"),
			rowsOf[data.Poll](l, after, "polls"), rowsOf[data.Promise](l, after, "promises"), rowsOf[data.Downtime](l, after, "downtimes")}
		defer func() {
			for _, t := range tables {
				t.stop()
			}
		}()
		live := tables[:0:0]
		for _, t := range tables {
			more, err := t.pull()
			if err != nil {
				yield(data.AnyRow{}, err)
				return
			}
			if more {
				live = append(live, t)
			}
		}
		for len(live) > 0 {
			first := slices.MinFunc(live, func(a, b *table) int { return a.row.Cursor().Compare(b.row.Cursor()) })
			if !yield(first.row, nil) {
				return
			}
			more, err := first.pull()
			if err != nil {
				yield(data.AnyRow{}, err)
				return
			}
			if !more {
				live = slices.DeleteFunc(live, func(t *table) bool { return t == first })
			}
		}
	}
}

func (t *table) pull() (more bool, err error) {
	t.row, err, more = t.next()
	return more, err
}

// rowsOf opens a table; parts that end before the cursor are not read.
func rowsOf[T data.Row](l *data.Log, after data.Cursor, name string) *table {
	m := l.Manifest()
	later := slices.ContainsFunc(m.Files, func(f data.File) bool { return f.Table == name && !after.Sees(f.Max) })
	next, stop := iter.Pull2(func(yield func(data.AnyRow, error) bool) {
		if !later {
			return
		}
		for rows, err := range data.Scan[T](l, lastCursor) {
			if err != nil {
				yield(data.AnyRow{}, err)
				return
			}
			for i := range rows {
				if e := data.EventOf(&rows[i]); after.Sees(e.Cursor()) {
					continue
				}
				row := rows[i] // the batch is used again
				if !yield(data.AnyRow{Table: name, Row: &row, Event: data.EventOf(&row)}, nil) {
					return
				}
			}
		}
	})
	return &table{next: next, stop: stop}
}
