package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"recoup/data"
)

// openFolder makes a folder as a server of today has it: its models are those of
// folder from, and n customers have each one case that failed within the last hour.
// They are the customers of from's log until such a failure, moved to today, as
// often as it takes under other names.
func openFolder(ctx context.Context, from, to string, n int, now data.Micros) (cases []string, err error) {
	if err := os.CopyFS(filepath.Join(to, "models"), os.DirFS(filepath.Join(from, "models"))); err != nil {
		return nil, err
	}
	h, err := readHistories(from)
	if err != nil {
		return nil, err
	}
	w, err := data.NewWriter(to, data.WriteOptions{Currency: "INR"})
	if err != nil {
		return nil, err
	}
	defer w.Abort() //nolint:errcheck // after a Commit it does nothing
	for i := range n {
		f := &h.failures[i%len(h.failures)]
		m := moved{suffix: fmt.Sprintf(".%d", i), by: now - data.Minute - data.Micros(i%3500)*data.Second - f.KnownAt, until: f.Cursor()}
		if err := h.write(w, f.CustomerID, m); err != nil {
			return nil, err
		}
		cases = append(cases, f.CaseID+m.suffix)
	}
	_, err = w.Commit(ctx)
	return cases, err
}

// histories are the rows of a log by customer.
type histories struct {
	failures  []data.Attempt // first ones that may be retried
	attempts  map[string][]data.Attempt
	mandates  map[string][]data.Mandate
	subs      map[string][]data.Subscription
	notices   map[string][]data.Notice
	caseEnds  map[string][]data.CaseEvent
	ownerCase map[string]string
}

func readHistories(dir string) (*histories, error) {
	log, err := data.OpenLog(dir)
	if err != nil {
		return nil, err
	}
	h := &histories{ownerCase: map[string]string{}}
	if h.attempts, err = byOwner(log, func(a *data.Attempt) string { return a.CustomerID }); err != nil {
		return nil, err
	}
	for batch, err := range data.Scan[data.Attempt](log, data.AsOf(1<<62)) {
		if err != nil {
			return nil, err
		}
		for _, a := range batch {
			h.ownerCase[a.CaseID] = a.CustomerID
			if a.AttemptNo == 0 && a.Status == data.Failed && (a.Reason.Class() == data.RetryScheduled || a.Reason.Class() == data.RetryNow) {
				h.failures = append(h.failures, a)
			}
		}
	}
	if len(h.failures) == 0 {
		return nil, fmt.Errorf("%s: no failure that may be retried", dir)
	}
	if h.mandates, err = byOwner(log, func(m *data.Mandate) string { return m.CustomerID }); err != nil {
		return nil, err
	}
	if h.subs, err = byOwner(log, func(s *data.Subscription) string { return s.CustomerID }); err != nil {
		return nil, err
	}
	if h.notices, err = byOwner(log, func(n *data.Notice) string { return h.ownerCase[n.CaseID] }); err != nil {
		return nil, err
	}
	h.caseEnds, err = byOwner(log, func(e *data.CaseEvent) string { return h.ownerCase[e.CaseID] })
	return h, err
}

func byOwner[T data.Row](log *data.Log, owner func(*T) string) (map[string][]T, error) {
	out := map[string][]T{}
	for batch, err := range data.Scan[T](log, data.AsOf(1<<62)) {
		if err != nil {
			return nil, err
		}
		for i := range batch {
			id := owner(&batch[i])
			out[id] = append(out[id], batch[i])
		}
	}
	return out, nil
}

// moved is a customer under another name at another time.
type moved struct {
	suffix string
	by     data.Micros
	until  data.Cursor
}

// write adds what is known of a customer until then.
func (h *histories) write(w *data.Writer, customer string, m moved) error {
	for _, a := range h.attempts[customer] {
		if m.event(&a.Event) {
			m.rename(&a.CaseID, &a.AttemptID, &a.CustomerID, &a.SubscriptionID, &a.MandateID, &a.InstrumentID)
			a.DecisionID = ""
			if err := data.Add(w, a); err != nil {
				return err
			}
		}
	}
	for _, a := range h.mandates[customer] {
		if m.event(&a.Event) {
			m.rename(&a.MandateID, &a.CustomerID)
			m.shift(&a.CreatedAt, &a.ValidUntil)
			if err := data.Add(w, a); err != nil {
				return err
			}
		}
	}
	for _, s := range h.subs[customer] {
		if m.event(&s.Event) {
			m.rename(&s.SubscriptionID, &s.CustomerID)
			m.shift(&s.CycleStart, &s.CycleEnd)
			if err := data.Add(w, s); err != nil {
				return err
			}
		}
	}
	for _, n := range h.notices[customer] {
		if m.event(&n.Event) {
			m.rename(&n.CaseID, &n.MandateID)
			m.shift(&n.DebitAt)
			if err := data.Add(w, n); err != nil {
				return err
			}
		}
	}
	for _, e := range h.caseEnds[customer] {
		if m.event(&e.Event) {
			m.rename(&e.CaseID)
			if err := data.Add(w, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// event moves the common part of a row, and reports whether it was known by then.
func (m moved) event(e *data.Event) bool {
	if !m.until.Sees(data.Cursor{KnownAt: e.KnownAt, Seq: e.Seq}) {
		return false
	}
	e.EventID += m.suffix
	e.Seq = 0
	m.shift(&e.OccurredAt, &e.KnownAt)
	return true
}

func (m moved) rename(ids ...*string) {
	for _, id := range ids {
		if *id != "" {
			*id += m.suffix
		}
	}
}

func (m moved) shift(times ...*data.Micros) {
	for _, t := range times {
		if *t != 0 {
			*t += m.by
		}
	}
}
