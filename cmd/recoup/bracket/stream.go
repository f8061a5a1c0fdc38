package bracket

import (
	"iter"

	"recoup/data"
)

// Events are the rows that a features.State folds, in cursor order, one at a time;
// a row may be used until the next one comes.
type Events = iter.Seq2[data.AnyRow, error]

// EventsOf are those of an event log that are visible at a cursor.
func EventsOf(l *data.Log, upTo data.Cursor) Events {
	return func(yield func(data.AnyRow, error) bool) {
		heads := []func() (data.AnyRow, error, bool){}
		for _, begin := range []func() (func() (data.AnyRow, error, bool), func()){
			func() (func() (data.AnyRow, error, bool), func()) {
				return pulled(l, upTo, "attempts", func(r *data.Attempt) *data.Event { return &r.Event })
			},
			func() (func() (data.AnyRow, error, bool), func()) {
				return pulled(l, upTo, "case_events", func(r *data.CaseEvent) *data.Event { return &r.Event })
			},
			func() (func() (data.AnyRow, error, bool), func()) {
				return pulled(l, upTo, "subscriptions", func(r *data.Subscription) *data.Event { return &r.Event })
			},
			func() (func() (data.AnyRow, error, bool), func()) {
				return pulled(l, upTo, "mandates", func(r *data.Mandate) *data.Event { return &r.Event })
			},
			func() (func() (data.AnyRow, error, bool), func()) {
				return pulled(l, upTo, "notices", func(r *data.Notice) *data.Event { return &r.Event })
			},
			func() (func() (data.AnyRow, error, bool), func()) {
				return pulled(l, upTo, "polls", func(r *data.Poll) *data.Event { return &r.Event })
			},
			func() (func() (data.AnyRow, error, bool), func()) {
				return pulled(l, upTo, "promises", func(r *data.Promise) *data.Event { return &r.Event })
			},
			func() (func() (data.AnyRow, error, bool), func()) {
				return pulled(l, upTo, "downtimes", func(r *data.Downtime) *data.Event { return &r.Event })
			},
		} {
			next, stop := begin()
			defer stop()
			heads = append(heads, next)
		}
		merge(heads, yield)
	}
}

// pulled is one table, row by row.
func pulled[T data.Row](l *data.Log, upTo data.Cursor, table string, event func(*T) *data.Event) (next func() (data.AnyRow, error, bool), stop func()) {
	return iter.Pull2(func(yield func(data.AnyRow, error) bool) {
		for rows, err := range data.Scan[T](l, upTo) {
			if err != nil {
				yield(data.AnyRow{}, err)
				return
			}
			for i := range rows {
				if !yield(data.AnyRow{Table: table, Row: &rows[i], Event: event(&rows[i])}, nil) {
					return
				}
			}
		}
	})
}

// merge hands out the row with the lowest cursor of all tables, again and again.
func merge(heads []func() (data.AnyRow, error, bool), yield func(data.AnyRow, error) bool) {
	rows := make([]data.AnyRow, len(heads))
	there := make([]bool, len(heads))
	for i, next := range heads {
		var err error
		if rows[i], err, there[i] = next(); err != nil {
			yield(data.AnyRow{}, err)
			return
		}
	}
	for {
		low := -1
		for i := range rows {
			if there[i] && (low < 0 || rows[i].Cursor().Compare(rows[low].Cursor()) < 0) {
				low = i
			}
		}
		if low < 0 || !yield(rows[low], nil) {
			return
		}
		var err error
		if rows[low], err, there[low] = heads[low](); err != nil {
			yield(data.AnyRow{}, err)
			return
		}
	}
}
