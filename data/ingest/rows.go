package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
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

// fill reads row i of the frame; what it returns is why the row is put aside.
func (r *reading) fill(row *row, i int) *table.Reject {
	for k := range row.values {
		row.values[k] = value{null: true}
	}
	for k := range r.fields {
		f := &r.fields[k]
		v, shown, why := f.at(f.columns, i)
		if why != "" {
			return &table.Reject{Column: f.Name, Value: shown, Reason: why}
		}
		row.values[f.place] = v
	}
	if f := r.number; f != nil {
		v, shown, why := f.at(f.columns, i)
		if why == "" {
			if v.i -= r.m.Number.Base; v.i < 0 || v.i > 1<<20 {
				why = fmt.Sprintf("not from the base %d upwards", r.m.Number.Base)
			}
		}
		if why != "" {
			return &table.Reject{Column: f.Name, Value: shown, Reason: why}
		}
		row.values[f.place] = v
	}
	occurred := row.values[0].i
	row.known = data.Micros(occurred)
	if f := r.knownAt; f != nil {
		v, shown, why := f.at(f.columns, i)
		if why != "" {
			return &table.Reject{Column: f.Name, Value: shown, Reason: why}
		}
		row.known = data.Micros(v.i)
	}
	if bad := r.caseOf(row, i); bad != nil {
		return bad
	}
	return r.currencyOf(row, i)
}

func (r *reading) caseOf(row *row, i int) *table.Reject {
	row.caseKey = ""
	for k, s := range r.by {
		c := s.at(i)
		if c.kind == nullCell || c.kind == textCell && c.s == "" {
			return &table.Reject{Column: r.m.Case.By[k], Reason: missing + ", and cases are built by it"}
		}
		if len(r.by) == 1 {
			row.caseKey = c.raw()
		} else {
			row.caseKey += fmt.Sprintf("%d:%s", len(c.raw()), c.raw())
		}
	}
	return nil
}

func (r *reading) currencyOf(row *row, i int) *table.Reject {
	if r.currency == nil {
		row.currency = r.m.Currency.Code
		return nil
	}
	c := r.currency.at(i)
	bad := func(why string) *table.Reject {
		return &table.Reject{Column: r.m.Currency.From, Value: c.raw(), Reason: why}
	}
	switch {
	case c.kind == nullCell:
		return bad(missing)
	case c.kind != textCell || !isCurrency(c.s):
		return bad("not a currency: expected a code of three capitals")
	case *r.code == "":
		*r.code = c.s
	case *r.code != c.s:
		return bad("another currency than " + *r.code + ", which the first row has: keep currencies in separate files")
	}
	row.currency = c.s
	return nil
}

func cut(s string) string {
	if len(s) <= 80 {
		return s
	}
	return strings.ToValidUTF8(s[:80], "") + "..."
}

// eventIDs names events. It hashes what the mapping reads of a row, and never
// where it stood: the same row in another file is the same event.
type eventIDs struct {
	m      *Mapping
	hashed []int // places of the fields that the file fills
	b      []byte
}

func (m *Mapping) newEventIDs() *eventIDs {
	e := &eventIDs{m: m}
	for i, f := range m.table.fields {
		if given := m.field(f.name); given != nil && !given.Case || f.name == "attempt_no" && m.Number != nil {
			e.hashed = append(e.hashed, i)
		}
	}
	return e
}

// of is the event_id of a row. In an attempt's the number of the attempt and
// the rank of the status stand before the hash, since a log orders what it came
// to know at the same time by event_id: of two attempts of one second the first
// is then known first, and of one attempt the pending row.
func (e *eventIDs) of(r *row) string {
	sum := e.hash(r)
	if e.m.at.status < 0 {
		return hex.EncodeToString(sum[:])
	}
	status := data.AttemptStatus(r.values[e.m.at.status].i)
	rank := slices.Index([]data.AttemptStatus{data.Pending, data.Failed, data.Captured, data.AuthorizedLate, data.Refunded}, status)
	return fmt.Sprintf("%05x%d-%x", r.values[e.m.at.number].i, rank, sum)
}

func (e *eventIDs) hash(r *row) [16]byte {
	b := append(e.b[:0], e.m.Table...)
	for _, i := range e.hashed {
		b = append(b, 2)
		b = append(b, e.m.table.fields[i].name...)
		b = appendValue(b, r.values[i])
	}
	b = appendValue(b, value{s: r.caseKey})
	if e.m.KnownAt != nil {
		b = appendValue(b, value{i: int64(r.known)})
	}
	e.b = b
	sum := sha256.Sum256(b)
	return [16]byte(sum[:16])
}

func appendValue(b []byte, v value) []byte {
	if v.null {
		return append(b, 0)
	}
	b = binary.AppendVarint(append(b, 1), v.i)
	b = binary.AppendUvarint(b, uint64(len(v.s)))
	return append(b, v.s...)
}

// repeats remembers which rows were there, as 128 bits of a hash.
type repeats struct {
	ids     *eventIDs
	seen    map[[16]byte]struct{}
	scratch []byte
}

func (m *Mapping) newRepeats() *repeats {
	return &repeats{ids: m.newEventIDs(), seen: map[[16]byte]struct{}{}}
}

// again says why a row was there before: the same attempt_id with the same
// status, or in other tables the same event; "" = it is new, and now known.
func (r *repeats) again(row *row) string {
	why, at := "repeated: the same row stands further up", r.ids.m.at
	var key [16]byte
	if at.id >= 0 {
		why = "repeated: this attempt with this status stands further up; the first one counts"
		r.scratch = binary.AppendVarint(r.scratch[:0], row.values[at.status].i)
		r.scratch = append(r.scratch, row.values[at.id].s...)
		sum := sha256.Sum256(r.scratch)
		key = [16]byte(sum[:16])
	} else {
		key = r.ids.hash(row)
	}
	if _, ok := r.seen[key]; ok {
		return why
	}
	r.seen[key] = struct{}{}
	return ""
}

func (r *repeats) reject(row *row, why string) table.Reject {
	if at := r.ids.m.at; at.id >= 0 {
		return table.Reject{Line: row.line, Column: "attempt_id", Value: cut(row.values[at.id].s), Reason: why}
	}
	return table.Reject{Line: row.line, Reason: why}
}
