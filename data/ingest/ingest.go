package ingest

import (
	"context"
	"errors"
	"fmt"

	"recoup/data"
	"recoup/data/table"
)

// Options of a Run.
type Options struct {
	Files    []string
	Mapping  *Mapping
	Dir      string                              // the folder of the log
	Reject   func(file string, bad table.Reject) // every row put aside, in the order of the files; nil = they are only counted
	Progress func(file string, rows int64)       // now and then; nil = nobody looks
}

// Summary counts what a run did. Read = Rejected + Duplicates + Events.
type Summary struct {
	Table       string        `json:"table"`
	Files       []FileSummary `json:"files"`
	Read        int64         `json:"read"`         // records
	Rejected    int64         `json:"rejected"`     // put aside
	Duplicates  int64         `json:"duplicates"`   // there before, in the files or in the log
	Events      int64         `json:"events"`       // new in the log
	Cases       int64         `json:"cases"`        // of the files' rows; 0 for tables other than attempts
	FirstFailed int64         `json:"first_failed"` // cases of the files whose first attempt failed
	Currency    string        `json:"currency"`
	Assumptions []string      `json:"assumptions"`
}

// FileSummary is the part of one file.
type FileSummary struct {
	File       string `json:"file"`
	Format     string `json:"format"`
	Read       int64  `json:"read"`
	Rejected   int64  `json:"rejected"`
	Duplicates int64  `json:"duplicates"` // there before, in the files
}

// Run reads the files and commits their rows to the log of o.Dir: all rows that
// can be read, or none when a file cannot be trusted as a whole (an error that
// Is data.ErrContract). Running it again adds nothing.
func Run(ctx context.Context, o Options) (Summary, error) {
	m := o.Mapping
	s := Summary{Table: m.Table, Assumptions: m.Assumptions()}
	if len(o.Files) == 0 {
		return s, data.Faultf(data.ErrUsage, "ingest: no files")
	}
	r := &run{Options: o, m: m, s: &s, ids: m.newEventIDs(), cases: map[string]struct{}{}}
	if m.needsPlan() {
		c := m.newCollector()
		if err := c.addLog(ctx, o.Dir); err != nil {
			return s, err
		}
		err := r.files(ctx, func(string, table.Reject) {}, func(row *row) error {
			c.add(row)
			return nil
		})
		if err != nil {
			return s, err
		}
		r.plan = c.plan()
	}
	defer func() {
		if r.w != nil {
			r.w.Abort()
		}
	}()
	if err := r.files(ctx, r.aside, r.add); err != nil {
		return s, err
	}
	s.Currency, s.Cases, s.FirstFailed = r.code, int64(len(r.cases)), r.firstFailed
	if s.Read > 0 && s.Read == s.Rejected {
		return s, data.Faultf(data.ErrContract, "ingest: none of the %d records can be read: is %s the mapping of this file?", s.Read, m.path)
	}
	if r.w == nil {
		return s, nil
	}
	manifest, err := r.w.Commit(ctx)
	if err != nil {
		return s, err
	}
	known := manifest.Ingest.Duplicates
	s.Events = manifest.Ingest.Rows
	s.Duplicates += known.EventID + known.Attempt
	return s, nil
}

// run is one Run under way.
type run struct {
	Options
	m           *Mapping
	s           *Summary
	plan        *plan
	ids         *eventIDs
	code        string
	w           *data.Writer
	cases       map[string]struct{}
	firstFailed int64
}

// files reads every file; rows that were there before are put aside.
func (r *run) files(ctx context.Context, aside func(string, table.Reject), use func(*row) error) error {
	r.code = r.m.Currency.Code // of the first row, where a column names it
	r.s.Files, r.s.Read, r.s.Rejected, r.s.Duplicates = nil, 0, 0, 0
	repeats := r.m.newRepeats()
	var faults []error
	for _, path := range r.Files {
		sum := FileSummary{File: path}
		reading, err := r.m.open(path, &r.code, func(bad table.Reject) {
			sum.Rejected++
			aside(path, bad)
		})
		if err != nil { // the next file may have faults too
			faults = append(faults, err)
			continue
		}
		sum.Format = reading.file.Format().String()
		err = reading.each(ctx, func(row *row) error {
			if r.Progress != nil && reading.read%100_000 == 0 {
				r.Progress(path, reading.read)
			}
			if why := repeats.again(row); why != "" {
				sum.Duplicates++
				aside(path, repeats.reject(row, why))
				return nil
			}
			err := use(row)
			var bad *putAside
			if errors.As(err, &bad) {
				sum.Rejected++
				aside(path, table.Reject{Line: row.line, Column: bad.column, Value: bad.value, Reason: bad.why})
				return nil
			}
			return err
		})
		sum.Read = reading.read
		if err != nil {
			return err
		}
		r.s.Files = append(r.s.Files, sum)
		r.s.Read += sum.Read
		r.s.Rejected += sum.Rejected
		r.s.Duplicates += sum.Duplicates
	}
	return errors.Join(faults...)
}

// putAside is a row that the log cannot take.
type putAside struct{ column, value, why string }

func (p *putAside) Error() string { return p.column + ": " + p.why }

func (r *run) aside(file string, bad table.Reject) {
	if r.Reject != nil {
		r.Reject(file, bad)
	}
}

// add puts a row in the log that is being written.
func (r *run) add(row *row) error {
	e := data.Event{OccurredAt: data.Micros(row.values[0].i), KnownAt: row.known}
	if r.m.Table == "attempts" {
		if err := r.attempt(row); err != nil {
			return err
		}
	}
	e.EventID = r.ids.of(row)
	if r.w == nil {
		var err error
		r.w, err = data.NewWriter(r.Dir, data.WriteOptions{Currency: row.currency, KnownAtAssumed: r.m.KnownAt == nil, Horizon: r.m.Horizon})
		if err != nil {
			return err
		}
	}
	if err := r.m.table.add(r.w, e, row.values); err != nil {
		return fmt.Errorf("ingest: line %d: %w", row.line, err)
	}
	return nil
}

// attempt fills in what an attempt has from its case.
func (r *run) attempt(row *row) error {
	if err := r.m.settle(row, r.plan); err != nil {
		return err
	}
	at := r.m.at
	r.cases[row.values[at.caseID].s] = struct{}{}
	if row.values[at.number].i == 0 && data.AttemptStatus(row.values[at.status].i) == data.Failed {
		r.firstFailed++
	}
	return nil
}

// settle fills in case, number, customer and reason of an attempt.
func (m *Mapping) settle(row *row, p *plan) error {
	id, number := "", int32(0)
	if p == nil {
		id = m.keyOf(row)
	} else {
		var why string
		if id, number, why = p.take(); why != "" {
			return &putAside{"attempt_no", "", why}
		}
	}
	row.values[m.at.caseID] = value{s: id}
	if m.Number == nil {
		row.values[m.at.number] = value{i: int64(number)}
	}
	if m.at.caseIsCustomer {
		row.values[m.at.customer] = value{s: id}
	}
	failed := data.AttemptStatus(row.values[m.at.status].i) == data.Failed
	switch {
	case m.at.noReason && failed:
		row.values[m.at.reason] = value{i: int64(data.NotReported)}
	case m.at.constReason && !failed:
		row.values[m.at.reason] = value{null: true} // a constant is for failures
	}
	return nil
}
