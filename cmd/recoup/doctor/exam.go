package doctor

import (
	"context"
	"math/bits"

	"recoup/data"
	"recoup/features/key"
	"recoup/features/labels"
)

// exam is one reading of a log.
type exam struct {
	Config
	log      *data.Log
	manifest data.Manifest
	at       data.Cursor
	until    data.Micros // windows had to be closed by then
	whole    int64       // rows of the attempts in all of the log

	index   *labels.Index
	cases   key.Map[charge] // charges that failed, by case
	caseIDs []key.ID        // in the order in which they failed
	strays  key.Map[bool]   // cases whose first row is no original charge's failure; true: it was paid at once

	attempts  attemptCensus
	customers key.Map[struct{}]
	first     data.Micros // known_at of the first attempt
	months    map[string]*Month
	retries   Sliced
	days      Sliced
	decisions decisionCensus
	tables    []Table
}

// charge is a case as far as doctor needs it.
type charge struct {
	failed data.Cursor // of the first failure
	most   int32       // highest attempt_no
}

// readIndex is the pass for what became of attempts and cases.
func (e *exam) readIndex(ctx context.Context) error {
	e.index = labels.NewIndex()
	n := int64(0)
	for rows, err := range data.Scan[data.Attempt](e.log, e.at, labels.AttemptColumns...) {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if n == 0 {
			e.first = rows[0].KnownAt
		}
		e.index.Attempts(rows)
		for i := range rows {
			a := &rows[i]
			id := key.Of(a.CaseID)
			c, ok := e.cases.Get(id)
			if !ok && a.Status != data.Failed && a.AttemptNo == 0 {
				continue
			}
			if a.Status == data.Failed && c.failed == (data.Cursor{}) {
				c.failed = a.Cursor()
			}
			if !ok && a.AttemptNo > 0 {
				e.strays.Put(id, false)
			}
			if !ok {
				e.caseIDs = append(e.caseIDs, id)
			}
			c.most = max(c.most, a.AttemptNo)
			e.cases.Put(id, c)
		}
		n += int64(len(rows))
		e.progress("what became of the attempts", n, e.whole)
	}
	for rows, err := range data.Scan[data.CaseEvent](e.log, e.at, labels.CaseEventColumns...) {
		if err != nil {
			return err
		}
		for i := range rows {
			e.index.CaseEvent(&rows[i])
		}
	}
	for rows, err := range data.Scan[data.Decision](e.log, e.at, labels.DecisionColumns...) {
		if err != nil {
			return err
		}
		for i := range rows {
			e.index.Decision(&rows[i])
		}
	}
	e.index.Seal()
	if err := e.findStrays(); err != nil {
		return err
	}
	e.cutRetries()
	return ctx.Err()
}

// findStrays looks for charges that were paid at once and attempted again all
// the same: they are no cases.
func (e *exam) findStrays() error {
	if e.strays.Len() == 0 {
		return nil
	}
	for rows, err := range data.Scan[data.Attempt](e.log, e.at, "case_id", "attempt_no", "status") {
		if err != nil {
			return err
		}
		for i := range rows {
			a := &rows[i]
			if a.AttemptNo != 0 || !a.Status.Paid() {
				continue
			}
			id := key.Of(a.CaseID)
			if _, ok := e.strays.Get(id); !ok {
				continue
			}
			if c, _ := e.cases.Get(id); a.Cursor().Compare(c.failed) < 0 {
				e.strays.Put(id, true)
			}
		}
	}
	return nil
}

// event counts what every row has.
func (t *Table) event(v *data.Event) {
	if t.Rows == 0 {
		t.First, t.days = v.KnownAt, map[int64]int64{}
	}
	t.Rows++
	t.Last = v.KnownAt // rows come in the order of knowing
	t.days[int64(floorDay(v.KnownAt))]++
	late := v.KnownAt - v.OccurredAt
	switch {
	case late < 0:
		t.Ahead++
		t.AheadMost = max(t.AheadMost, -late)
		late = 0
	case late > data.Day:
		t.Late++
	}
	t.lag[bits.Len64(uint64(late/data.Second))]++
}

func floorDay(t data.Micros) data.Micros {
	d := t / data.Day
	if t%data.Day < 0 {
		d--
	}
	return d
}

// readTables counts the tables other than attempts.
func (e *exam) readTables(ctx context.Context) error {
	type scan = func(context.Context, *exam) (Table, error)
	for _, f := range []scan{
		tableOf("case_events", nil, func(r *data.CaseEvent) *data.Event { return &r.Event }, "case_id"),
		tableOf("subscriptions", nil, func(r *data.Subscription) *data.Event { return &r.Event }, "subscription_id"),
		tableOf("mandates", nil, func(r *data.Mandate) *data.Event { return &r.Event }, "mandate_id"),
		tableOf("notices", nil, func(r *data.Notice) *data.Event { return &r.Event }, "case_id"),
		tableOf("polls", nil, func(r *data.Poll) *data.Event { return &r.Event }, "attempt_id"),
		tableOf("promises", nil, func(r *data.Promise) *data.Event { return &r.Event }, "case_id"),
		tableOf("downtimes", nil, func(r *data.Downtime) *data.Event { return &r.Event }, "downtime_id"),
		tableOf("decisions", (*exam).decision, func(r *data.Decision) *data.Event { return &r.Event },
			"decision_id", "arm", "arm_share", "allowed", "chosen", "logger"),
		tableOf("outcomes", (*exam).outcome, func(r *data.Outcome) *data.Event { return &r.Event }, "decision_id", "window_closed"),
	} {
		t, err := f(ctx, e)
		if err != nil {
			return err
		}
		e.tables = append(e.tables, t)
	}
	return nil
}

func tableOf[T data.Row](name string, each func(*exam, *T), event func(*T) *data.Event, columns ...string) func(context.Context, *exam) (Table, error) {
	return func(ctx context.Context, e *exam) (Table, error) {
		t := Table{Table: name}
		whole := e.manifest.Rows(name)
		for rows, err := range data.Scan[T](e.log, e.at, columns...) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return t, err
			}
			for i := range rows {
				t.event(event(&rows[i]))
				if each != nil {
					each(e, &rows[i])
				}
			}
			e.progress(name, t.Rows, whole)
		}
		return t, nil
	}
}

// table is one of the tables read.
func (e *exam) table(name string) *Table {
	for i := range e.tables {
		if e.tables[i].Table == name {
			return &e.tables[i]
		}
	}
	return &Table{}
}
