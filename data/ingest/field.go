package ingest

import (
	"strings"
)

func (m *Mapping) readFields(d *document, e entry) {
	for _, c := range d.entries(e.value, "fields") {
		f := Field{Name: c.key, line: c.line, source: m.Source}
		if m.table != nil {
			lf := m.table.field(c.key)
			if lf == nil {
				d.fault(c.line, "fields: %s has no field %q: expected one of %s", m.Table, c.key, m.table.fieldNames())
				continue
			}
			f.kind, f.null, f.parse = lf.kind, lf.optional, lf.parse
		}
		f.read(d, c.value)
		m.Fields = append(m.Fields, f)
	}
}

// read takes "column", [day, clock] or the keys of a field.
func (f *Field) read(d *document, n node) {
	if s, ok := scalar(n.Node); ok {
		f.From = []string{s}
	} else if isNull(n.Node) {
		d.fault(n.line, "%s: expected a column, or keys such as from or const", f.Name)
		return
	} else {
		f.readKeys(d, n)
	}
	f.check(d)
}

func (f *Field) readKeys(d *document, n node) {
	decimal, group := false, false
	for _, e := range d.entries(n, f.Name, "from", "const", "values", "time", "unit", "zone", "decimal", "group", "case", "digits") {
		switch what := f.Name + ": " + e.key; e.key {
		case "from":
			f.From = d.texts(e.value, what)
		case "const":
			s := d.text(e.value, what)
			f.Const = &s
		case "values":
			f.Values = map[string]*string{}
			for _, v := range d.entries(e.value, what) {
				f.Values[v.key] = nil
				if !isNull(v.value.Node) {
					s := d.text(v.value, what)
					f.Values[v.key] = &s
				}
			}
		case "time":
			f.Time = d.text(e.value, what)
			if f.kind != instantField {
				d.fault(e.line, "%s is no time", f.Name)
			}
		case "unit":
			f.Unit = d.text(e.value, what)
			if f.kind != moneyField {
				d.fault(e.line, "%s is no amount of money", f.Name)
			} else if f.Unit != "rupees" && f.Unit != "paise" {
				d.fault(e.line, "%s: unit %q: expected rupees (the major unit of any currency) or paise (a hundredth of it)", f.Name, f.Unit)
			}
		case "case":
			f.Case = d.truth(e.value, what)
		case "digits":
			f.Digits = d.truth(e.value, what)
			if f.kind != textField {
				d.fault(e.line, "%s is no text: digits: true is for ids that a file writes as numbers", f.Name)
			}
		default:
			decimal = e.key == "decimal" || decimal
			group = f.source.override(d, e) || group
		}
	}
	if decimal || group {
		f.source.settle(d, n.line, group)
	}
}

// check holds a field to its kind.
func (f *Field) check(d *document) {
	given := 0
	for _, b := range []bool{f.From != nil, f.Const != nil, f.Case} {
		if b {
			given++
		}
	}
	switch {
	case given != 1:
		d.fault(f.line, "%s: expected one of from, const and case", f.Name)
	case f.Case && f.Name != "customer_id":
		d.fault(f.line, "%s: case: true is for customer_id alone", f.Name)
	case len(f.From) > 2 || len(f.From) == 2 && f.kind != instantField:
		d.fault(f.line, "%s: expected one column (a time may have two: a day and a clock)", f.Name)
	case f.kind == moneyField && f.Unit == "":
		d.fault(f.line, "%s: no unit: expected rupees (the major unit of any currency) or paise (a hundredth of it)", f.Name)
	}
	for _, c := range f.From {
		if c == "" {
			d.fault(f.line, "%s: the name of the column is empty", f.Name)
		}
	}
	if f.kind == instantField {
		f.checkTime(d)
	}
	for from, to := range f.Values {
		if f.kind != wordField || to == nil {
			continue
		}
		if _, err := f.parse(*to); err != nil {
			d.fault(f.line, "%s: values: %q: %s", f.Name, from, cause(err))
		}
	}
	if f.Const != nil && len(d.faults) == 0 {
		if _, why := f.constant(); why != "" {
			d.fault(f.line, "%s: const %q: %s", f.Name, *f.Const, why)
		}
	}
}

func (f *Field) checkTime(d *document) {
	switch f.Time {
	case "", "iso", "epoch_s", "epoch_ms", "epoch_us":
		if len(f.From) == 2 && strings.HasPrefix(f.Time, "epoch") {
			d.fault(f.line, "%s: a day and a clock are no %s", f.Name, f.Time)
		}
		return
	}
	p, err := compilePattern(f.Time)
	if err != nil {
		d.fault(f.line, "%s: time %q: %v (or iso, epoch_s, epoch_ms, epoch_us)", f.Name, f.Time, err)
		return
	}
	if !p.offset && f.source.Zone == nil {
		d.fault(f.line, "%s: time %q has no offset (%%z), so a zone is needed, e.g. source: {zone: Asia/Kolkata}", f.Name, f.Time)
	}
	f.clock = p
}

// cause is an error without the name of the package it comes from.
func cause(err error) string { return strings.TrimPrefix(err.Error(), "data: ") }

// checkWhole looks for what is missing.
func (m *Mapping) checkWhole(d *document, line int, given map[string]entry) {
	attempts := m.Table == "attempts"
	for _, key := range []string{"case", "horizon", "attempt_no"} {
		if e, ok := given[key]; ok && !attempts {
			d.fault(e.line, "%s is for table attempts alone", key)
		}
	}
	for _, lf := range m.table.fields {
		f := m.field(lf.name)
		switch {
		case attempts && lf.name == "case_id":
			if e := given["case"]; f != nil && m.Case != nil {
				d.fault(e.line, "case: and fields: case_id both say which case an attempt belongs to")
			} else if f == nil && m.Case == nil {
				d.fault(line, "no case: expected case: {by: [column]} or a field case_id")
			}
		case f == nil && !lf.optional:
			d.fault(line, "fields: no %s, which %s needs", lf.name, m.Table)
		}
	}
	if f := m.field("customer_id"); f != nil && f.Case && m.Case == nil {
		d.fault(f.line, "customer_id: case: true needs case: {by: [column]}")
	}
}
