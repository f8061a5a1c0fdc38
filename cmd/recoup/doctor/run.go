package doctor

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"recoup/data"
)

// Config of a Run.
type Config struct {
	Dir      string
	AsOf     data.Micros                          // 0 = the log's end
	Progress func(what string, done, total int64) // nil = nobody looks
}

// Run reads the log of c.Dir up to c.AsOf.
func Run(ctx context.Context, c Config) (*Report, error) {
	if _, err := os.Stat(filepath.Join(c.Dir, "events")); err != nil {
		return nil, data.Faultf(data.ErrUsage, "doctor: %s holds no event log: make one with recoup ingest or recoup simulate", c.Dir)
	}
	l, err := data.OpenLog(c.Dir)
	if err != nil {
		return nil, err
	}
	m := l.Manifest()
	last, ok := m.Last()
	if !ok {
		return nil, data.Faultf(data.ErrUsage, "doctor: the log of %s is empty", c.Dir)
	}
	suggested := (floorDay(last.KnownAt) + 1) * data.Day
	if c.AsOf == 0 {
		c.AsOf = suggested
	}
	e := &exam{Config: c, log: l, manifest: m, at: data.AsOf(c.AsOf), until: min(c.AsOf, last.KnownAt), whole: m.Rows("attempts"), months: map[string]*Month{}}
	for _, step := range []func(context.Context) error{e.readIndex, e.readAttempts, e.readTables} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	r := &Report{Dir: c.Dir, AsOf: c.AsOf.String(), Currency: m.Currency, Tables: e.tables,
		Suggested: suggested.UTCDate(),
		Cases:     int64(e.cases.Len()), Customers: int64(e.customers.Len()), Months: e.byMonth()}
	e.days.judge("person-days")
	r.Attempts, r.Periods = e.retries, e.days
	r.Findings = e.findings(r)
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return slices.Index(levels, a.Level) - slices.Index(levels, b.Level) })
	r.Verdicts = e.verdicts(r)
	return r, nil
}

func (e *exam) progress(what string, done, total int64) {
	if e.Progress != nil {
		e.Progress(what, done, total)
	}
}
