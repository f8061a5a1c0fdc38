package ingest

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"recoup/data"
)

// Mapping says how the rows of a file become rows of a table of the log.
type Mapping struct {
	Table    string
	Currency Currency
	Source   Source
	Fields   []Field // in the order of the text
	Case     *Case   // nil = the fields name the case, or the table has none
	Horizon  data.Micros
	Number   *Number // attempt_no of the file; nil = by order within the case
	KnownAt  *Field  // nil = occurred_at, an assumption

	path  string
	table *logTable
	at    places
}

// places are where the fields of an attempt stand in a row, -1 in other tables,
// and what is said about them.
type places struct {
	id, status, caseID, number, customer, reason int
	caseIsCustomer, noReason, constReason        bool
}

func (m *Mapping) places() places {
	if m.Table != "attempts" {
		return places{id: -1, status: -1, caseID: -1, number: -1, customer: -1, reason: -1}
	}
	at := m.table.place
	p := places{id: at("attempt_id"), status: at("status"), caseID: at("case_id"), number: at("attempt_no"),
		customer: at("customer_id"), reason: at("reason")}
	p.caseIsCustomer = m.field("customer_id").Case
	reason := m.field("reason")
	p.noReason, p.constReason = reason == nil, reason != nil && reason.Const != nil
	return p
}

// Currency is a code for all rows, or the column that names it.
type Currency struct{ Code, From string }

// Source says how the file writes things.
type Source struct {
	Delimiter byte   // CSV; 0 = sniffed
	Encoding  string // "" = utf-8
	Decimal   byte   // mark before decimals; '.' unless named
	Group     byte   // mark between thousands; ',' unless named or the decimal mark; 0 = none
	Zone      *time.Location
}

// Field is how a field of the log is filled.
type Field struct {
	Name   string
	From   []string           // columns, or paths of keys with dots; two are a day and a clock; nil for Const and Case
	Const  *string            // the same for every row
	Values map[string]*string // other words for values; nil = null; what is not listed stays as it is
	Time   string             // iso, epoch_s, epoch_ms, epoch_us or a strptime pattern; "" = iso or by the column's type
	Unit   string             // money: rupees (the major unit of any currency) or paise (a hundredth)
	Case   bool               // the case's id: where the file knows no customers
	Digits bool               // text: a JSON number is taken by its digits

	source Source
	line   int
	kind   fieldKind
	null   bool // may be null
	parse  func(string) (int64, error)
	clock  *pattern
}

// Case says which attempts belong together: those with equal columns and, with
// a gap, none further than that behind the one before.
type Case struct {
	By  []string
	Gap data.Micros // 0 = however long it takes
}

// Number is the column with the number of an attempt; base is the number of
// the first one.
type Number struct {
	From string
	Base int64
}

// Load reads a mapping file. The error lists every fault with its line and Is
// data.ErrUsage.
func Load(path string) (*Mapping, error) {
	const most = 1 << 20
	info, err := os.Stat(path)
	if err != nil {
		return nil, data.Faultf(data.ErrUsage, "ingest: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > most {
		return nil, data.Faultf(data.ErrUsage, "ingest: %s: not a mapping: a file of at most %d bytes is wanted", path, most)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, data.Faultf(data.ErrUsage, "ingest: %w", err)
	}
	return Parse(path, text)
}

// Parse is Load for a text; path names it in faults.
func Parse(path string, text []byte) (*Mapping, error) {
	d := &document{path: path}
	m := &Mapping{path: path, Source: Source{Decimal: '.'}}
	if root, ok := d.root(text); ok {
		m.read(d, root)
	}
	if len(d.faults) > 0 {
		return nil, data.Faultf(data.ErrUsage, "ingest: the mapping has %d faults:\n%w", len(d.faults), errors.Join(d.faults...))
	}
	m.at = m.places()
	return m, nil
}

// columns are the columns of the file that the mapping reads, each once, in a
// fixed order.
func (m *Mapping) columns() []string {
	var out []string
	add := func(names ...string) {
		for _, n := range names {
			if n != "" && !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	for i := range m.Fields {
		add(m.Fields[i].From...)
	}
	add(m.Currency.From)
	if m.Case != nil {
		add(m.Case.By...)
	}
	if m.Number != nil {
		add(m.Number.From)
	}
	if m.KnownAt != nil {
		add(m.KnownAt.From...)
	}
	return out
}

// Assumptions are what a log made by this mapping takes for granted, in words.
func (m *Mapping) Assumptions() []string {
	var out []string
	if m.KnownAt == nil {
		out = append(out, "known_at = occurred_at: the mapping names no column for when an event became known")
	}
	if m.Table == "attempts" && m.field("reason") == nil {
		out = append(out, "reason = not_reported for every failure: the mapping names no column of reasons")
	}
	if m.Case != nil && m.Case.Gap > 0 {
		out = append(out, fmt.Sprintf("cases are guessed: equal %s, each attempt at most %v after the one before",
			strings.Join(m.Case.By, " and "), time.Duration(m.Case.Gap)*time.Microsecond))
	}
	if f := m.field("customer_id"); f != nil && f.Case {
		out = append(out, "each case is a customer of its own: the file names no customers")
	}
	return out
}

func (m *Mapping) field(name string) *Field {
	for i := range m.Fields {
		if m.Fields[i].Name == name {
			return &m.Fields[i]
		}
	}
	return nil
}
