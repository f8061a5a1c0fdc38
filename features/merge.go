package features

import (
	"iter"

	"recoup/data"
)

// The columns of the log that a State reads. Decisions and outcomes are not
// among the tables: they are what we did and what came of it, not what was
// known about the customer.
var (
	attemptReads      = []string{"case_id", "attempt_no", "attempt_id", "initiator", "customer_id", "subscription_id", "mandate_id", "rail", "bank", "network", "amount_paise", "status", "source", "step", "reason", "response_code", "advice_code"}
	caseEventReads    = []string{"case_id", "kind"}
	subscriptionReads = []string{"subscription_id", "customer_id", "status", "cycle_start", "cycle_end"}
	mandateReads      = []string{"mandate_id", "customer_id", "rail", "status", "created_at", "max_amount_paise", "valid_until", "category"}
	noticeReads       = []string{"case_id", "mandate_id", "kind", "status", "amount_paise", "debit_at"}
	pollReads         = []string{"attempt_id", "status"}
	promiseReads      = []string{"case_id", "promised_for", "status"}
	downtimeReads     = []string{"downtime_id", "rail", "bank", "network", "psp", "severity", "status", "begin", "end"}
)

// source is one table of the merge: batches of events in cursor order.
type source struct {
	batch []event
	next  func() ([]event, error, bool)
	stop  func()
}

// eventsOf makes a table's rows ready to fold, batch by batch; the batch is reused.
func eventsOf[T data.Row](rows iter.Seq2[[]T, error], make func(*T, *event)) *source {
	next, stop := iter.Pull2(func(yield func([]event, error) bool) {
		var out []event
		for batch, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			out = grow(out, len(batch))
			for i := range batch {
				make(&batch[i], &out[i])
			}
			if !yield(out, nil) {
				return
			}
		}
	})
	return &source{next: next, stop: stop}
}

func grow(out []event, n int) []event {
	if cap(out) < n {
		return make([]event, n)
	}
	return out[:n]
}

// sources opens every table that a State reads.
func sources(l *data.Log, upTo data.Cursor) []*source {
	var words speller // tables are pulled by turns, on one goroutine
	return []*source{
		eventsOf(data.Scan[data.Attempt](l, upTo, attemptReads...), words.attempt),
		eventsOf(data.Scan[data.CaseEvent](l, upTo, caseEventReads...), caseEvent),
		eventsOf(data.Scan[data.Subscription](l, upTo, subscriptionReads...), subscriptionEvent),
		eventsOf(data.Scan[data.Mandate](l, upTo, mandateReads...), words.mandate),
		eventsOf(data.Scan[data.Notice](l, upTo, noticeReads...), noticeEvent),
		eventsOf(data.Scan[data.Poll](l, upTo, pollReads...), pollEvent),
		eventsOf(data.Scan[data.Promise](l, upTo, promiseReads...), promiseEvent),
		eventsOf(data.Scan[data.Downtime](l, upTo, downtimeReads...), words.downtime),
	}
}

// merged yields runs of events in cursor order over all tables: each run is
// what one table has before the next event of any other.
func merged(tables []*source) iter.Seq2[[]event, error] {
	return func(yield func([]event, error) bool) {
		defer func() {
			for _, s := range tables {
				s.stop()
			}
		}()
		live := make([]*source, 0, len(tables))
		for _, s := range tables {
			ok, err := s.fill()
			if err != nil {
				yield(nil, err)
				return
			}
			if ok {
				live = append(live, s)
			}
		}
		for len(live) > 0 {
			first, limit := firstOf(live)
			s := live[first]
			n := s.before(limit)
			if !yield(s.batch[:n], nil) {
				return
			}
			s.batch = s.batch[n:]
			if len(s.batch) > 0 {
				continue
			}
			ok, err := s.fill()
			if err != nil {
				yield(nil, err)
				return
			}
			if !ok {
				live = append(live[:first], live[first+1:]...)
			}
		}
	}
}

// fill gets the table's next batch that is not empty.
func (s *source) fill() (bool, error) {
	for {
		batch, err, ok := s.next()
		if !ok || err != nil {
			return false, err
		}
		if len(batch) > 0 {
			s.batch = batch
			return true, nil
		}
	}
}

// firstOf finds the table with the lowest cursor and the lowest cursor of the others.
func firstOf(live []*source) (first int, limit *data.Cursor) {
	for i := 1; i < len(live); i++ {
		c := &live[i].batch[0].cursor
		if c.Compare(live[first].batch[0].cursor) < 0 {
			limit, first = &live[first].batch[0].cursor, i
		} else if limit == nil || c.Compare(*limit) < 0 {
			limit = c
		}
	}
	return first, limit
}

// before counts the events of the batch that come before the limit.
func (s *source) before(limit *data.Cursor) int {
	n := len(s.batch)
	if limit == nil || s.batch[n-1].cursor.Compare(*limit) < 0 {
		return n
	}
	lo, hi := 1, n
	for lo < hi {
		if mid := (lo + hi) / 2; s.batch[mid].cursor.Compare(*limit) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
