package ingest

import (
	"fmt"
	"strconv"

	"recoup/data"
	"recoup/data/table"
)

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
	if r.m.table.check != nil {
		if field, why := r.m.table.check(row.values); why != "" {
			return &table.Reject{Column: field, Reason: why}
		}
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

// caseOf builds what the attempts of a case have in common. An amount or a time
// counts by what it is: files write the same one in many ways.
func (r *reading) caseOf(row *row, i int) *table.Reject {
	row.caseKey = ""
	for k, s := range r.by {
		c := s.at(i)
		if c.kind == nullCell || c.kind == textCell && c.s == "" {
			return &table.Reject{Column: r.m.Case.By[k], Reason: missing + ", and cases are built by it"}
		}
		key := c.raw()
		if f := r.byField[k]; f != nil && !row.values[f.place].null {
			key = strconv.FormatInt(row.values[f.place].i, 10)
		}
		if len(r.by) == 1 {
			row.caseKey = key
		} else {
			row.caseKey += fmt.Sprintf("%d:%s", len(key), key)
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
