package ingest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"recoup/data"
	"recoup/data/table"
)

// row is a record of a file in the terms of the log.
type row struct {
	line     int
	values   []value // one a field of the table
	known    data.Micros
	caseKey  string // what the columns of case: by say
	currency string
}

// fieldReader fills one field.
type fieldReader struct {
	*converter
	columns []*source
	place   int // among the fields of the table
}

// reading is one file being read by a mapping.
type reading struct {
	m        *Mapping
	file     *table.File
	names    []string
	sources  []*source
	fields   []fieldReader
	number   *fieldReader
	knownAt  *fieldReader
	by       []*source
	byField  []*fieldReader // of by: the field that has the column's amount, time or number; nil = none
	currency *source
	code     *string        // the currency of the rows so far; "" = none yet
	pending  []table.Reject // of the file's own, not handed on yet
	reject   func(table.Reject)
	read     int64
}

// open looks at a file and binds the mapping to its columns; every fault of
// that is reported at once. code is shared by the files of a run.
func (m *Mapping) open(path string, code *string, reject func(table.Reject)) (*reading, error) {
	r := &reading{m: m, names: m.columns(), code: code, reject: reject}
	var err error
	r.file, err = table.Open(path, table.Options{Delimiter: m.Source.Delimiter, Encoding: m.Source.Encoding, Tagged: true,
		Reject: func(bad table.Reject) { r.pending = append(r.pending, bad) }})
	if err != nil {
		return nil, err
	}
	about := map[string]table.Column{}
	for _, c := range r.file.Described() {
		about[c.Name] = c
	}
	by := map[string]*source{}
	var faults []error
	for _, name := range r.names {
		c, ok := about[name]
		if !ok && !r.file.Tagged() {
			faults = append(faults, fmt.Errorf("no column %s, which the mapping reads: the file has %s", name, listed(r.file)))
		}
		if c.Twice {
			faults = append(faults, fmt.Errorf("column %s is there twice", name))
		}
		by[name] = &source{about: c, tagged: r.file.Tagged()}
		r.sources = append(r.sources, by[name])
	}
	bind := func(f *Field, place int) *fieldReader {
		fr := &fieldReader{converter: newConverter(f), place: place}
		for _, name := range f.From {
			fr.columns = append(fr.columns, by[name])
			if c, ok := about[name]; ok {
				if why := f.refuses(c); why != "" {
					faults = append(faults, fmt.Errorf("column %s (%s) for %s: %s", name, c.Type, f.Name, why))
				}
			}
		}
		return fr
	}
	for i := range m.Fields {
		if f := &m.Fields[i]; !f.Case {
			r.fields = append(r.fields, *bind(f, m.table.place(f.Name)))
		}
	}
	if m.Number != nil {
		r.number = bind(&Field{Name: "attempt_no", From: []string{m.Number.From}, kind: numberField}, m.table.place("attempt_no"))
	}
	if m.KnownAt != nil {
		r.knownAt = bind(m.KnownAt, 0)
	}
	if m.Case != nil {
		for _, name := range m.Case.By {
			r.by = append(r.by, by[name])
			r.byField = append(r.byField, r.numeric(name))
		}
	}
	if m.Currency.From != "" {
		r.currency = by[m.Currency.From]
	}
	if len(faults) > 0 {
		return nil, data.Faultf(data.ErrContract, "ingest: %s: %w", path, errors.Join(faults...))
	}
	return r, nil
}

// numeric is the field that makes a number of a column, which is the same however
// the file writes it.
func (r *reading) numeric(column string) *fieldReader {
	for i := range r.fields {
		f := &r.fields[i]
		if len(f.From) == 1 && f.From[0] == column && (f.kind == moneyField || f.kind == instantField || f.kind == numberField) {
			return f
		}
	}
	return nil
}

func listed(f *table.File) string {
	var s []string
	for _, c := range f.Columns() {
		s = append(s, c.Name)
	}
	return strings.Join(s, ", ")
}

// each hands every row that can be read to use, in the order of the file, and
// every other one to reject. The row is good until the next one.
func (r *reading) each(ctx context.Context, use func(*row) error) error {
	row := &row{values: make([]value, len(r.m.table.fields))}
	r.read, r.pending = 0, nil
	for frame, err := range r.file.Frames(r.names...) {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		for j, s := range r.sources {
			s.column = &frame.Columns[j]
		}
		for j := range r.fields {
			r.fields[j].frame(r.fields[j].columns)
		}
		for _, f := range []*fieldReader{r.number, r.knownAt} {
			if f != nil {
				f.frame(f.columns)
			}
		}
		for i := range frame.N {
			row.line = int(frame.First) + i + 1
			if frame.Lines != nil {
				row.line = frame.Lines[i]
			}
			r.flush(row.line)
			r.read++
			if bad := r.fill(row, i); bad != nil {
				bad.Line = row.line
				bad.Value = cut(bad.Value)
				r.reject(*bad)
				continue
			}
			if err := use(row); err != nil {
				return err
			}
		}
	}
	r.flush(int(^uint(0) >> 1))
	return nil
}

// flush hands on what the file itself put aside before a line.
func (r *reading) flush(line int) {
	k := 0
	for k < len(r.pending) && r.pending[k].Line < line {
		r.read++
		r.reject(r.pending[k])
		k++
	}
	r.pending = slices.Delete(r.pending, 0, k)
}

func cut(s string) string {
	if len(s) <= 80 {
		return s
	}
	return strings.ToValidUTF8(s[:80], "") + "..."
}
