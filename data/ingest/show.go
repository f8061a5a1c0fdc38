package ingest

import (
	"context"
	"strconv"

	"recoup/data/table"
)

// FieldNames are the names of what Show hands out, in the order of the mapping.
func (m *Mapping) FieldNames() []string {
	var out []string
	for i := range m.Fields {
		out = append(out, m.Fields[i].Name)
	}
	return out
}

// Show applies a mapping to one file and hands out the rows as texts, one a
// field under fields and in their order, in the order of the file: times as µs
// since 1970 UTC, money in paise, null as "". The slice is good until the next
// row.
func Show(ctx context.Context, m *Mapping, file string, use func([]string) error, reject func(table.Reject)) (FileSummary, error) {
	s := FileSummary{File: file}
	var p *plan
	if m.at.caseIsCustomer && m.needsPlan() {
		c := m.newCollector()
		repeats, code := m.newRepeats(), m.Currency.Code
		r, err := m.open(file, &code, func(table.Reject) {})
		if err != nil {
			return s, err
		}
		if err := r.each(ctx, func(row *row) error {
			if repeats.again(row) == "" {
				c.add(row)
			}
			return nil
		}); err != nil {
			return s, err
		}
		p = c.plan()
	}
	code := m.Currency.Code
	r, err := m.open(file, &code, func(bad table.Reject) {
		s.Rejected++
		reject(bad)
	})
	if err != nil {
		return s, err
	}
	s.Format = r.file.Format().String()
	repeats, out := m.newRepeats(), make([]string, len(m.Fields))
	err = r.each(ctx, func(row *row) error {
		if why := repeats.again(row); why != "" {
			s.Duplicates++
			reject(repeats.reject(row, why))
			return nil
		}
		if p != nil {
			if err := m.settle(row, p); err != nil {
				return err
			}
		}
		for i := range m.Fields {
			f := &m.Fields[i]
			switch v := row.values[m.table.place(f.Name)]; {
			case f.Case && p == nil:
				out[i] = m.keyOf(row)
			default:
				out[i] = m.shown(f, v)
			}
		}
		return use(out)
	})
	s.Read = r.read
	return s, err
}

func (m *Mapping) shown(f *Field, v value) string {
	switch {
	case v.null:
		return ""
	case f.kind == textField:
		return v.s
	case f.kind == wordField:
		return m.table.field(f.Name).word(v.i)
	}
	return strconv.FormatInt(v.i, 10)
}
