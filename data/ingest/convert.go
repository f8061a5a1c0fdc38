package ingest

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"recoup/data"
	"recoup/data/table"
)

// converter turns cells into values of one field. It belongs to one reading of
// one file.
type converter struct {
	*Field
	zone   *zone
	fixed  value         // of Const
	cached []cachedValue // by level of a text column of this frame
}

type cachedValue struct {
	done  bool
	value value
	why   string
}

func newConverter(f *Field) *converter {
	c := &converter{Field: f}
	if f.source.Zone != nil {
		c.zone = &zone{location: f.source.Zone}
	}
	if f.Const != nil {
		c.fixed, _ = c.convert(cell{kind: textCell, s: *f.Const}) // Parse has checked it
	}
	return c
}

// constant is the value of a field with const.
func (f *Field) constant() (value, string) {
	c := newConverter(f)
	return c.convert(cell{kind: textCell, s: *f.Const})
}

// refuses says why a column of this type can never hold the field; "" = it can.
func (f *Field) refuses(c table.Column) string {
	if c.Kind == data.String && !c.Exact {
		switch {
		case f.kind == instantField && (c.Type == "DATE" || strings.HasPrefix(c.Type, "TIME(")) && len(f.From) == 1:
			return "a time needs a day and a clock: from: [day, clock]"
		case f.kind == instantField && c.Type == "DATE" && f.source.Zone == nil:
			return "a day and a clock without zone: name the zone in the mapping"
		case f.kind == moneyField && c.Type == "DATE":
			return "not an amount"
		}
		return ""
	}
	if f.Values != nil && f.kind != instantField {
		return ""
	}
	switch f.kind {
	case moneyField:
		if c.Kind == data.Bool || c.Kind == data.Timestamp {
			return "not an amount"
		}
	case instantField:
		switch {
		case len(f.From) > 1:
			return "not a day or a clock"
		case c.Kind == data.Timestamp && f.Time != "":
			return fmt.Sprintf("a time already: take time: %s out of the mapping", f.Time)
		case c.Kind == data.Timestamp && c.Local && f.source.Zone == nil:
			return "times without zone: name their zone in the mapping"
		case c.Kind == data.Int64 && !strings.HasPrefix(f.Time, "epoch_"):
			return "a bare number: say time: epoch_s, epoch_ms or epoch_us in the mapping"
		case c.Kind == data.Bool || c.Kind == data.Float64 || c.Exact:
			return "not a time"
		}
	case numberField:
		if c.Kind != data.Int64 {
			return "not a whole number"
		}
	default:
		if c.Kind != data.Int64 {
			return "not text"
		}
	}
	return ""
}

// convert reads a cell; why is "" when it can be taken.
func (c *converter) convert(x cell) (v value, why string) {
	if c.Values != nil {
		if to, ok := c.Values[x.raw()]; ok {
			if to == nil {
				x = cell{}
			} else {
				x = cell{kind: textCell, s: *to}
			}
		}
	}
	if x.kind == nullCell || x.kind == textCell && x.s == "" && c.kind != textField {
		return c.nothing()
	}
	switch c.kind {
	case textField:
		v.s, why = c.text(x)
		if why == "" && v.s == "" {
			return c.nothing()
		}
	case wordField:
		v.i, why = c.word(x)
	case moneyField:
		v.i, why = c.money(x)
	case instantField:
		v.i, why = c.instant(x)
	case numberField:
		v.i, why = c.whole(x)
	}
	return v, why
}

func (c *converter) nothing() (value, string) {
	if c.null {
		return value{null: true}, ""
	}
	return value{}, missing
}

func (c *converter) text(x cell) (string, string) {
	switch x.kind {
	case textCell:
		return x.s, ""
	case wholeCell:
		return x.raw(), ""
	case numeralCell:
		switch {
		case !c.Digits:
			return "", notText + numeral
		case !plainDigits(x.s):
			return "", notDigits
		}
		return x.s, "" // as written: no float has seen it
	}
	return "", notText
}

// plainDigits says that a JSON number is digits alone: what can be an id.
func plainDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func (c *converter) word(x cell) (int64, string) {
	if x.kind != textCell {
		return 0, notText
	}
	i, err := c.parse(x.s)
	if err != nil {
		return 0, cause(err)
	}
	return i, ""
}

func (c *converter) money(x cell) (int64, string) {
	per := int64(1)
	if c.Unit == "rupees" {
		per = 100
	}
	switch x.kind {
	case textCell:
		return paise(x.s, per, c.source.Decimal, c.source.Group)
	case numeralCell, exactCell:
		return paise(x.s, per, '.', 0)
	case wholeCell:
		return paiseInt(x.i, per)
	case floatCell:
		return paiseOf(x.f, per)
	}
	return 0, notMoney
}

func (c *converter) whole(x cell) (int64, string) {
	if x.kind == wholeCell {
		return x.i, ""
	}
	if x.kind != textCell && x.kind != numeralCell || strings.HasPrefix(x.s, "+") {
		return 0, notInteger
	}
	n, err := strconv.ParseInt(x.s, 10, 64)
	if err != nil {
		return 0, notInteger
	}
	return n, ""
}

func (c *converter) instant(x cell) (int64, string) {
	switch x.kind {
	case instantCell:
		return x.i, ""
	case wallCell:
		at, why := c.zone.instant(data.Micros(x.i))
		return int64(at), why
	}
	if per := epoch(c.Time); per > 0 {
		n, why := c.whole(x)
		if why == "" && (n > math.MaxInt64/per || n < math.MinInt64/per) {
			return 0, outOfRange
		}
		return n * per, why
	}
	if x.kind != textCell {
		return 0, notATime
	}
	var t civil
	var ok bool
	if c.clock != nil {
		t, ok = c.clock.parse(x.s)
	} else {
		t, ok = iso(x.s)
	}
	if !ok {
		return 0, notATime
	}
	at, why := t.instant(c.zone)
	return int64(at), why
}

// epoch is the length in µs of what a bare number counts; 0 = it is no number.
func epoch(time string) int64 {
	switch time {
	case "epoch_s":
		return 1e6
	case "epoch_ms":
		return 1e3
	case "epoch_us":
		return 1
	}
	return 0
}

// at converts row i of the field's columns.
func (c *converter) at(columns []*source, i int) (v value, shown, why string) {
	if c.Const != nil {
		return c.fixed, "", ""
	}
	if len(columns) == 2 {
		x := joined(columns[0].at(i), columns[1].at(i), c.clock == nil)
		v, why = c.convert(x)
		return v, x.raw(), why
	}
	col := columns[0].column
	if col.Kind != data.String || col.Null(i) {
		x := columns[0].at(i)
		v, why = c.convert(x)
		return v, x.raw(), why
	}
	k := &c.cached[col.Codes[i]]
	if !k.done {
		k.value, k.why = c.convert(columns[0].at(i))
		k.done = true
	}
	if k.why != "" {
		shown = columns[0].at(i).raw()
	}
	return k.value, shown, k.why
}

// frame forgets the levels of the frame before.
func (c *converter) frame(columns []*source) {
	if len(columns) != 1 || columns[0].column.Kind != data.String {
		return
	}
	if n := len(columns[0].column.Dict); cap(c.cached) < n {
		c.cached = make([]cachedValue, n)
	} else {
		c.cached = c.cached[:n]
		clear(c.cached)
	}
}

// joined puts a day and a clock together.
func joined(day, clock cell, iso bool) cell {
	if day.kind == nullCell || clock.kind == nullCell {
		return cell{}
	}
	if day.kind != textCell || clock.kind != textCell {
		return cell{kind: otherCell, s: day.raw() + " " + clock.raw()}
	}
	between := " "
	if iso {
		between = "T"
	}
	return cell{kind: textCell, s: day.s + between + clock.s}
}
