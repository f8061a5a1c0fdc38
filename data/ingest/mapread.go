package ingest

import (
	"strconv"
	"strings"
	"time"

	"recoup/data"
)

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
