package razorpay

import (
	"context"
	"errors"
	"fmt"

	"recoup/data"
	"recoup/data/table"
)

// writing is the second half of a run: the events go to the log.
type writing struct {
	Options
	s          *Summary
	w          *data.Writer
	names      map[int32]string // cases of events that are not their own
	of         []verdict        // of the lines
	kept       kept
	rows       Rows  // of one event
	added      int64 // rows given to the log
	before     data.Manifest
	bare       int64 // events whose known_at is their created_at
	undated    int64 // events whose occurred_at is their known_at
	noCurrency bool  // no event names one
}

// settle looks at all events together. What it needs for that is gone when it
// returns.
func (w *writing) settle(ctx context.Context, s *spill) error {
	f, err := loadFacts(s)
	if err != nil {
		return err
	}
	f.repeats()
	return w.open(ctx, f)
}

// open takes the log, and settles what the events are in it.
func (w *writing) open(ctx context.Context, f *facts) error {
	l, err := openLog(w.Dir)
	if err != nil {
		return err
	}
	code := ""
	if l != nil {
		code = l.Manifest().Currency
	}
	if code = f.currency(code); code == "" {
		code, w.noCurrency = "INR", true
	}
	w.s.Currency = code
	horizon := data.Micros(0)
	if l != nil {
		horizon = l.Manifest().Horizon
	}
	w.w, err = data.NewWriter(w.Dir, data.WriteOptions{Currency: code, KnownAtAssumed: f.assumed(), Horizon: horizon})
	if err != nil {
		return err
	}
	if l, err = openLog(w.Dir); err != nil { // as it is now that nobody else can write
		return err
	}
	if l != nil {
		w.before = l.Manifest()
	}
	if err := f.settle(ctx, l); err != nil {
		return err
	}
	w.names, w.of = f.names, f.verdicts()
	return nil
}

func (w *writing) abort() {
	if w.w != nil {
		w.w.Abort()
	}
}

// record writes what became of the i-th line.
func (w *writing) record(i int, at int64, r *record) error {
	v := w.of[i]
	w.s.Lines++
	switch v.drop {
	case bad:
		w.reject(r, r.fault)
		return nil
	case foreign:
		w.reject(r, data.Fault{Path: paths[payCurrency], Value: r.Currency, Message: "another currency than " + w.s.Currency +
			", which the log or most of its payments have: keep currencies in separate folders"})
		return nil
	case again:
		w.s.Duplicates++
		return nil
	}
	w.count(r)
	if r.Kept != "" {
		w.s.Kept++
		return w.kept.add(r.Kept, at)
	}
	w.rows.reset()
	r.rows(&w.rows, place{w.names[int32(i)], v})
	return w.add(r, &w.rows)
}

func (w *writing) reject(r *record, fault data.Fault) {
	w.s.Rejected++
	if w.Reject != nil {
		w.Reject(w.Files[r.file], table.Reject{Line: r.line, Column: fault.Path, Value: fault.Value, Reason: fault.Message})
	}
}

func (w *writing) count(r *record) {
	w.s.Types[r.Type]++
	if r.Aside > 0 {
		w.s.Asides[r.Aside.String()]++
	}
	if r.Kept != "" {
		if handlingOf(r.Type) == unknown {
			w.s.Unknown[r.Type]++
		}
		return
	}
	if r.Assumed {
		w.bare++
	}
	if r.Undated {
		w.undated++
	}
}

// add gives the rows to the log.
func (w *writing) add(r *record, rows *Rows) error {
	err := errors.Join(put(w.w, rows.Attempts), put(w.w, rows.CaseEvents), put(w.w, rows.Subscriptions),
		put(w.w, rows.Mandates), put(w.w, rows.Notices), put(w.w, rows.Downtimes))
	w.added += rows.count()
	if err != nil {
		return fmt.Errorf("razorpay: %s: line %d: %w", w.Files[r.file], r.line, err)
	}
	return nil
}

func put[T data.Row](w *data.Writer, rows []T) error {
	if len(rows) == 0 { // most tables of an event
		return nil
	}
	return data.Add(w, rows...)
}

// commit publishes the rows and the file of kept events, whose lines the spill has.
func (w *writing) commit(ctx context.Context, from *spill) error {
	s := w.s
	if s.Lines > 0 && s.Lines == s.Rejected {
		return data.Faultf(data.ErrContract, "razorpay: none of the %d lines can be read: are these webhooks, one a line?", s.Lines)
	}
	if err := w.kept.write(w.Dir, from); err != nil {
		return err
	}
	s.Bare = w.bare
	if w.added == 0 { // a log of nothing would have no use
		return w.w.Abort()
	}
	m, err := w.w.Commit(ctx)
	if err != nil {
		return err
	}
	s.Events, s.Repeated = m.Ingest.Rows, m.Ingest.Duplicates.EventID+m.Ingest.Duplicates.Attempt
	for _, t := range []string{"attempts", "case_events", "subscriptions", "mandates", "notices", "downtimes"} {
		s.Rows[t] = m.Rows(t) - w.before.Rows(t)
	}
	if w.noCurrency {
		s.Assumptions = append(s.Assumptions, "the log is in INR: no event names a currency")
	}
	if w.bare > 0 {
		s.Assumptions = append(s.Assumptions, fmt.Sprintf("known_at = created_at for %d events that came without a time of reception", w.bare))
	}
	if w.undated > 0 {
		s.Assumptions = append(s.Assumptions, fmt.Sprintf("occurred_at = received_at for %d events without created_at", w.undated))
	}
	return nil
}
