package ingest

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
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

func (m *Mapping) read(d *document, root node) {
	entries := d.entries(root, "the mapping", "table", "currency", "source", "fields", "case", "horizon", "attempt_no", "known_at")
	given := map[string]entry{}
	for _, e := range entries {
		given[e.key] = e
	}
	if e, ok := given["table"]; ok {
		m.Table = d.text(e.value, "table")
		if m.table = findTable(m.Table); m.table == nil {
			d.fault(e.line, "table: unknown table %q: expected one of %s", m.Table, tableNames())
		}
	} else {
		d.fault(root.line, "no table: expected one of %s", tableNames())
	}
	if e, ok := given["source"]; ok {
		m.Source.read(d, e.value)
	} else {
		m.Source.Group = ','
	}
	if e, ok := given["currency"]; ok {
		m.readCurrency(d, e)
	} else {
		d.fault(root.line, "no currency: expected a code such as INR, or {from: column}")
	}
	if e, ok := given["fields"]; ok {
		m.readFields(d, e)
	} else {
		d.fault(root.line, "no fields")
	}
	if e, ok := given["case"]; ok {
		m.readCase(d, e)
	}
	if e, ok := given["horizon"]; ok {
		m.Horizon = d.span(e.value, "horizon")
	}
	if e, ok := given["attempt_no"]; ok {
		m.readNumber(d, e)
	}
	if e, ok := given["known_at"]; ok {
		f := Field{Name: "known_at", line: e.line, source: m.Source, kind: instantField}
		f.read(d, e.value)
		m.KnownAt = &f
	}
	if m.table != nil {
		m.checkWhole(d, root.line, given)
	}
}

func (s *Source) read(d *document, n node) {
	group := false
	for _, e := range d.entries(n, "source", "delimiter", "encoding", "decimal", "group", "zone") {
		switch e.key {
		case "delimiter":
			if s.Delimiter = d.mark(e.value, "delimiter"); s.Delimiter == '"' || s.Delimiter == '\n' || s.Delimiter == '\r' {
				d.fault(e.line, "delimiter: %q cannot separate fields", s.Delimiter)
			}
		case "encoding":
			s.Encoding = d.text(e.value, "encoding")
		default:
			group = s.override(d, e) || group
		}
	}
	s.settle(d, n.line, group)
}

// override reads a key that a field may set for itself.
func (s *Source) override(d *document, e entry) (group bool) {
	switch e.key {
	case "decimal":
		s.Decimal = d.mark(e.value, "decimal")
	case "group":
		s.Group = d.mark(e.value, "group")
		return true
	case "zone":
		name := d.text(e.value, "zone")
		zone, err := time.LoadLocation(name)
		if err != nil || name == "" || name == "Local" {
			d.fault(e.line, "zone: unknown zone %q: expected a name such as Asia/Kolkata or UTC", name)
			return false
		}
		s.Zone = zone
	}
	return false
}

// settle gives the mark between thousands its default.
func (s *Source) settle(d *document, line int, group bool) {
	switch {
	case !group && s.Decimal == ',':
		s.Group = 0
	case !group && s.Group == 0:
		s.Group = ','
	case s.Group == s.Decimal:
		d.fault(line, "decimal and group are the same mark %q", s.Decimal)
	}
}

// mark is one ASCII character.
func (d *document) mark(n node, what string) byte {
	s := d.text(n, what)
	if s == `\t` {
		s = "\t"
	}
	if len(s) != 1 || s[0] >= 0x80 || s[0]-'0' <= 9 || s[0] == '-' && what != "delimiter" {
		d.fault(n.line, "%s: expected one character, found %q", what, s)
		return 0
	}
	return s[0]
}

func (m *Mapping) readCurrency(d *document, e entry) {
	if code, ok := scalar(e.value.Node); ok {
		m.Currency.Code = code
		if !isCurrency(code) {
			d.fault(e.line, "currency: %q is no code of three capitals, such as INR", code)
		}
		return
	}
	for _, c := range d.entries(e.value, "currency", "from") {
		m.Currency.From = d.text(c.value, "currency")
	}
	if m.Currency.From == "" {
		d.fault(e.line, "currency: expected a code such as INR, or {from: column}")
	}
}

func isCurrency(s string) bool {
	return len(s) == 3 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

func (m *Mapping) readCase(d *document, e entry) {
	m.Case = &Case{}
	for _, c := range d.entries(e.value, "case", "by", "gap") {
		switch c.key {
		case "by":
			m.Case.By = d.texts(c.value, "case: by")
		case "gap":
			m.Case.Gap = d.span(c.value, "case: gap")
		}
	}
	if len(m.Case.By) == 0 {
		d.fault(e.line, "case: no columns to build cases by: expected by: [column]")
	}
}

func (m *Mapping) readNumber(d *document, e entry) {
	m.Number = &Number{}
	for _, c := range d.entries(e.value, "attempt_no", "from", "base") {
		switch c.key {
		case "from":
			m.Number.From = d.text(c.value, "attempt_no: from")
		case "base":
			s := d.text(c.value, "attempt_no: base")
			n, err := strconv.ParseInt(s, 10, 32)
			if err != nil {
				d.fault(c.line, "attempt_no: base: %q is no whole number", s)
			}
			m.Number.Base = n
		}
	}
	if m.Number.From == "" {
		d.fault(e.line, "attempt_no: expected {from: column, base: number of the first attempt}")
	}
}

// span is a length of time such as 60s, 90m, 6h or 5d, above 0.
func (d *document) span(n node, what string) data.Micros {
	s := d.text(n, what)
	var span time.Duration
	var err error
	if days, ok := strings.CutSuffix(s, "d"); ok {
		var k int64
		if k, err = strconv.ParseInt(days, 10, 16); err == nil {
			span = time.Duration(k) * 24 * time.Hour
		}
	} else {
		span, err = time.ParseDuration(s)
	}
	if err != nil || span <= 0 || span%time.Microsecond != 0 {
		d.fault(n.line, "%s: %q is no length of time such as 60s, 6h or 5d", what, s)
	}
	return data.Micros(span / time.Microsecond)
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
