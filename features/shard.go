package features

import (
	"cmp"
	"math"
	"slices"

	"recoup/data"
	"recoup/features/labels"
)

// shard replays the log for one bucket of the customers and makes their rows.
// Rows come out in batches that never overlap in time, each in the order of
// (at, seq), so that the buckets' rows merge into one order.
type shard struct {
	state *State
	index *labels.Index
	until data.Micros // windows must have closed by then
	h     func(data.Rail) data.Micros

	asked, plan []uint32         // of this bucket, in order; what is left
	decided     map[uint32]*Past // by retry
	days        [CureDays]queue[*wait]
	nextDay     data.Micros // no day is due before

	late    []attemptRow // rows whose time is still ahead of the log, in order
	drop    drops
	batch   *rowBatch
	free    chan *rowBatch // written, to be used again
	scratch []Contact
}

// rowBatch is what a stretch of the log gave.
type rowBatch struct {
	attempts []attemptRow
	periods  []periodRow
	blocks   [][]float64 // room for rows, kept when the batch is used again
	block    int
}

const blockSize = 1 << 13 // numbers

// room is space for the numbers of one row; they do not move.
func (b *rowBatch) room(width int) []float64 {
	if b.block < len(b.blocks) && len(b.blocks[b.block])+width > blockSize {
		b.block++
	}
	if b.block == len(b.blocks) {
		b.blocks = append(b.blocks, make([]float64, 0, blockSize))
	}
	block := &b.blocks[b.block]
	n := len(*block)
	*block = (*block)[:n+width]
	return (*block)[n : n : n+width]
}

// reset empties a batch that was written.
func (b *rowBatch) reset() {
	clear(b.attempts)
	clear(b.periods)
	b.attempts, b.periods, b.block = b.attempts[:0], b.periods[:0], 0
	for i := range b.blocks {
		b.blocks[i] = b.blocks[i][:0]
	}
}

// attemptRow is a row of the attempt table before it is written.
type attemptRow struct {
	retry *labels.Retry
	past  *Past
	y     bool
	x     []float64
}

// periodRow is a day of a case at risk.
type periodRow struct {
	past     *Past
	asOf     data.Cursor
	at       data.Micros
	day      int
	exposure float64
	y        bool
	x        []float64
}

// wait is a failed case waiting for a cure.
type wait struct {
	past  *Past
	of    *charge
	cut   data.Micros
	cured bool
	ends  bool
}

// start is when a day of the wait begins.
func (w *wait) start(day int) data.Micros { return w.past.T + data.Micros(day)*data.Day }

// before orders days by (start, seq of the failure).
func (w *wait) before(day int, o *wait, other int) bool {
	a, b := w.start(day), o.start(other)
	return a < b || a == b && w.past.AsOf.Seq < o.past.AsOf.Seq
}

// drops counts the attempts and days that made no row, and why.
type drops struct {
	immature, noFailure, settled, noDecision, early int64 // attempts
	cutBefore, openDays                             int64 // failures; days
}

func newShardOf(i, n int, index *labels.Index, until data.Micros, h func(data.Rail) data.Micros, asked, plan []uint32) *shard {
	s := &shard{state: newShard(i, n), index: index, until: until, h: h, decided: map[uint32]*Past{}, nextDay: never, batch: &rowBatch{}, free: make(chan *rowBatch, 4)}
	mine := func(all []uint32) (out []uint32) {
		for _, r := range all {
			if index.Retry(r).Customer.Shard(n) == i {
				out = append(out, r)
			}
		}
		return out
	}
	s.asked, s.plan = mine(asked), mine(plan)
	return s
}

// fold replays events and makes the rows that fall due between them.
func (s *shard) fold(events []event) {
	for i := range events {
		if i%together == 0 {
			s.state.warm(events[i:min(i+together, len(events))])
		}
		e := &events[i]
		s.advance(e.cursor)
		c := s.state.fold(e)
		if c == nil {
			continue
		}
		s.known(c, e.initiator != data.ByCustomer)
	}
}

// advance makes every row whose moment lies before the next event.
func (s *shard) advance(next data.Cursor) {
	for len(s.asked) > 0 && s.index.Retry(s.asked[0]).Decision.AsOf.Compare(next) < 0 {
		s.ask(s.asked[0])
		s.asked = s.asked[1:]
	}
	for len(s.plan) > 0 && s.index.Retry(s.plan[0]).Moment().Compare(next) < 0 {
		s.present(s.plan[0])
		s.plan = s.plan[1:]
	}
	s.runDays(next.KnownAt)
}

// ask keeps what was known at a decision's as_of.
func (s *shard) ask(i uint32) {
	r := s.index.Retry(i)
	if c := s.state.charge(s.index.CaseID(r)); c != nil && c.failures > 0 && r.Decision.DecidedAt >= c.failed.cursor.KnownAt {
		p := s.state.past(c, r.Decision.DecidedAt)
		p.AsOf = r.Decision.AsOf
		s.decided[i] = p
	}
}

// present makes the row of a retry.
func (s *shard) present(i uint32) {
	r := s.index.Retry(i)
	p := s.decided[i]
	delete(s.decided, i)
	h := s.h(r.Rail)
	switch {
	case r.At+h > s.until:
		s.drop.immature++
		return
	case r.Decided && r.Decision == nil:
		s.drop.noDecision++
		return
	case !r.Decided:
		if c := s.state.charge(s.index.CaseID(r)); c != nil {
			p = c.past
		}
	}
	switch {
	case p == nil:
		s.drop.noFailure++
	case !s.index.Owed(r):
		s.drop.settled++
	case r.At < p.T:
		s.drop.early++
	default:
		s.late = append(s.late, attemptRow{retry: r, past: p, y: r.Captured(h)})
		for k := len(s.late) - 1; k > 0 && s.late[k].compare(&s.late[k-1]) < 0; k-- {
			s.late[k], s.late[k-1] = s.late[k-1], s.late[k]
		}
	}
}

// known keeps what is known at a failure, for the retry that follows it and for
// the days that it waits; ours says that the customer did not make the attempt.
func (s *shard) known(c *charge, ours bool) {
	c.past = nil
	at := s.state.asOf
	became, ok := s.index.Find(c.key)
	if !ok {
		return // every failure up to as_of is in the index
	}
	w := wait{of: c}
	w.cut, w.cured, w.ends = s.index.Cut(became, c.failed.presented)
	over := w.ends && w.cut <= at.KnownAt
	if ours && over {
		s.drop.cutBefore++
	}
	awaited := s.index.Awaited(became, at)
	if !awaited && (over || !ours) {
		return
	}
	w.past = s.state.past(c, at.KnownAt)
	if awaited {
		c.past = w.past
	}
	if ours && !over {
		s.push(0, at.KnownAt, &w)
	}
}

func (s *shard) push(day int, at data.Micros, w *wait) {
	s.days[day].push(at, w)
	s.nextDay = min(s.nextDay, at)
}

// runDays makes the rows of all days that began before now.
func (s *shard) runDays(now data.Micros) {
	for s.nextDay < now {
		first := -1
		for day := range s.days {
			if w := s.days[day].peek(); w != nil && (first < 0 || w.before(day, s.days[first].peek(), first)) {
				first = day
			}
		}
		w, _ := s.days[first].pop(now)
		s.runDay(w, first, w.start(first))
		s.nextDay = never
		for day := range s.days {
			s.nextDay = min(s.nextDay, s.days[day].head())
		}
	}
}

func (s *shard) runDay(w *wait, day int, at data.Micros) {
	end := at + data.Day
	if end > s.until {
		s.drop.openDays++
		return
	}
	asOf := w.past.AsOf
	if day > 0 {
		asOf = data.AsOf(at)
	}
	row := periodRow{past: w.past, asOf: asOf, at: at, day: day, exposure: 1}
	over := w.ends && w.cut < end
	if over {
		row.y = w.cured
		if !row.y {
			row.exposure = float64(w.cut-at) / float64(data.Day)
		}
	}
	s.batch.periods = append(s.batch.periods, s.fillPeriod(row, w.of))
	if !over && day+1 < CureDays && !(w.ends && w.cut <= end) {
		s.push(day+1, end, w)
	}
}

// fillPeriod computes the columns of a day: contacts made since the failure
// count as soon as they are known.
func (s *shard) fillPeriod(r periodRow, c *charge) periodRow {
	s.scratch = s.scratch[:0]
	for _, k := range c.contacts {
		if k.at.Compare(r.past.AsOf) > 0 && r.asOf.Sees(k.at) {
			s.scratch = append(s.scratch, Contact{k.at.KnownAt, k.action})
		}
	}
	x, err := r.past.CureRow(s.batch.room(len(cureColumns())), r.day, s.scratch)
	if err != nil {
		panic(err) // days count from 0 to CureDays-1
	}
	r.x = x
	return r
}

// finish makes the rows that fall due after the last event.
func (s *shard) finish() { s.advance(data.Cursor{KnownAt: never, Seq: math.MaxInt64}) }

// take ends a stretch of the log that reaches to a cursor: every row with a
// time before it is final.
func (s *shard) take(end data.Micros) *rowBatch {
	b := s.batch
	n := 0
	for n < len(s.late) && s.late[n].retry.At < end {
		r := s.late[n]
		x, err := r.past.AttemptRow(b.room(len(attemptColumns())), data.Candidate{Action: data.Retry, At: r.retry.At})
		if err != nil {
			panic(err) // a retry, not before its decision: seen to in present
		}
		r.x = x
		b.attempts = append(b.attempts, r)
		n++
	}
	s.late = slices.Delete(s.late, 0, n)
	select {
	case s.batch = <-s.free:
	default:
		s.batch = &rowBatch{}
	}
	return b
}

// compare orders rows by (at, seq of the attempt's first row).
func (r *attemptRow) compare(o *attemptRow) int {
	return cmp.Or(cmp.Compare(r.retry.At, o.retry.At), cmp.Compare(r.retry.Cursor.Seq, o.retry.Cursor.Seq))
}

func (r *periodRow) compare(o *periodRow) int {
	return cmp.Or(cmp.Compare(r.at, o.at), cmp.Compare(r.past.AsOf.Seq, o.past.AsOf.Seq))
}
