package nightly

import (
	"context"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"

	"recoup/api/report"
	"recoup/data"
)

// logFacts is what the log stage leaves behind: what the log is and what is in
// it up to as_of.
type logFacts struct {
	Data         report.Data `json:"data"`
	FirstAttempt data.Micros `json:"first_attempt"` // known_at of the first attempt: where the slices begin
}

func (j *job) factsPath() string { return filepath.Join(j.run, "log.json") }

// logStage opens the log, which checks every file against the manifest, and
// counts what is visible at as_of.
func (j *job) logStage() (stage, error) {
	var err error
	if j.log, err = data.OpenLog(j.Dir); err != nil {
		return stage{}, err
	}
	return stage{
		name:    "log",
		version: 1,
		setting: map[string]any{"as_of": j.AsOf},
		inputs:  map[string]string{"events/manifest.json": j.path("events", "manifest.json")},
		outputs: []string{j.factsPath()},
		run:     j.countLog,
	}, nil
}

func (j *job) countLog(ctx context.Context) error {
	m, at := j.log.Manifest(), data.AsOf(j.AsOf)
	facts := logFacts{Data: report.Data{Currency: m.Currency, KnownAtAssumed: m.KnownAtAssumed, ManifestHash: m.Hash, HorizonDays: 21}}
	d := &facts.Data
	c := newCensus()
	for _, table := range []func() (report.TableSize, error){
		func() (report.TableSize, error) {
			return count(j.log, at, "attempts", c, func(a *data.Attempt) { c.attempt(a) },
				"case_id", "attempt_no", "attempt_id", "initiator", "customer_id", "rail", "status")
		},
		func() (report.TableSize, error) {
			return count[data.CaseEvent](j.log, at, "case_events", c, nil, "case_id")
		},
		func() (report.TableSize, error) {
			return count[data.Subscription](j.log, at, "subscriptions", c, nil, "subscription_id")
		},
		func() (report.TableSize, error) {
			return count[data.Mandate](j.log, at, "mandates", c, nil, "mandate_id")
		},
		func() (report.TableSize, error) { return count[data.Notice](j.log, at, "notices", c, nil, "case_id") },
		func() (report.TableSize, error) { return count[data.Poll](j.log, at, "polls", c, nil, "attempt_id") },
		func() (report.TableSize, error) { return count[data.Promise](j.log, at, "promises", c, nil, "case_id") },
		func() (report.TableSize, error) { return count[data.Downtime](j.log, at, "downtimes", c, nil, "rail") },
		func() (report.TableSize, error) {
			return count[data.Decision](j.log, at, "decisions", c, nil, "case_id")
		},
		func() (report.TableSize, error) {
			return count[data.Outcome](j.log, at, "outcomes", c, nil, "decision_id")
		},
	} {
		if err := ctx.Err(); err != nil {
			return err
		}
		size, err := table()
		if err != nil {
			return err
		}
		d.Tables = append(d.Tables, size)
	}
	if len(c.seen) == 0 {
		return data.Faultf(data.ErrTooLittle, "nightly: %s holds no attempt known by %s", j.Dir, j.AsOf)
	}
	d.First, d.Last = c.first.String(), c.last.String()
	d.Cases, d.Customers = int64(len(c.cases)), int64(len(c.customers))
	d.Attempts, d.Retries = int64(len(c.seen)), c.retries
	d.AttemptWindow = j.windows(c.rails)
	facts.FirstAttempt = c.firstAttempt
	return writeJSON(j.path(j.factsPath()), facts)
}

// windows says H in words, by rail.
func (j *job) windows(rails map[data.Rail]bool) string {
	var out []string
	for _, r := range data.Rails() {
		if rails[r] {
			out = append(out, fmt.Sprintf("%s %s", length(j.log.Horizon(r)), r))
		}
	}
	return strings.Join(out, ", ")
}

// length prints a span in its largest unit.
func length(d data.Micros) string {
	for _, u := range []struct {
		span data.Micros
		name string
	}{{data.Day, "d"}, {data.Hour, "h"}, {data.Minute, "min"}} {
		if d >= u.span && d%u.span == 0 && d > 2*data.Minute {
			return fmt.Sprintf("%d %s", d/u.span, u.name)
		}
	}
	return fmt.Sprintf("%d s", d/data.Second)
}

// census counts the visible log.
type census struct {
	first, last      data.Micros // known_at of any event
	firstAttempt     data.Micros
	cases, customers map[uint64]struct{} // by hash: counts, not names
	seen             map[uint64]struct{} // attempt_id
	retries          int64
	rails            map[data.Rail]bool
	any              bool
}

func newCensus() *census {
	return &census{cases: map[uint64]struct{}{}, customers: map[uint64]struct{}{}, seen: map[uint64]struct{}{}, rails: map[data.Rail]bool{}}
}

func (c *census) event(e *data.Event) {
	if !c.any || e.KnownAt < c.first {
		c.first = e.KnownAt
	}
	c.last = max(c.last, e.KnownAt)
	c.any = true
}

func (c *census) attempt(a *data.Attempt) {
	c.customers[hash(a.CustomerID)] = struct{}{}
	c.rails[a.Rail] = true
	if a.AttemptNo == 0 && a.Status == data.Failed {
		c.cases[hash(a.CaseID)] = struct{}{}
	}
	id := hash(a.AttemptID)
	if _, ok := c.seen[id]; ok {
		return
	}
	if len(c.seen) == 0 {
		c.firstAttempt = a.KnownAt // rows come in cursor order
	}
	c.seen[id] = struct{}{}
	if a.AttemptNo > 0 && a.Initiator != data.ByCustomer {
		c.retries++
	}
}

func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

// count scans one table.
func count[T data.Row](l *data.Log, at data.Cursor, name string, c *census, each func(*T), columns ...string) (report.TableSize, error) {
	size := report.TableSize{Table: name}
	for rows, err := range data.Scan[T](l, at, slices.Clip(columns)...) {
		if err != nil {
			return size, err
		}
		size.Rows += int64(len(rows))
		for i := range rows {
			c.event(data.EventOf(&rows[i]))
			if each != nil {
				each(&rows[i])
			}
		}
	}
	return size, nil
}
