package data

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// jsonField is a column of rows T as a key of a JSON object, made from the table's
// own column.
type jsonField[T any] struct {
	name   string
	needed bool
	read   func(r *JSONReader, row *T)
	put    func(b []byte, row *T) []byte // nil = null: leave it out
}

func jsonFieldOf[T any](c column[T]) jsonField[T] {
	switch c := c.(type) {
	case *field[T, string]:
		return valueField(c, (*JSONReader).Text, "", putTextJSON)
	case *field[T, int64]:
		if c.codec == micros {
			return valueField(c, func(r *JSONReader) (int64, bool) { m, ok := r.Time(); return int64(m), ok }, "", putTimeJSON)
		}
		return valueField(c, (*JSONReader).Whole, "0", putWhole)
	case *field[T, int32]:
		return valueField(c, func(r *JSONReader) (int32, bool) {
			n, ok := r.Whole()
			if ok && int64(int32(n)) != n {
				r.Fault(strconv.FormatInt(n, 10), "expected a whole number of at most 32 bits")
				return 0, false
			}
			return int32(n), ok
		}, "0", func(b []byte, n int32) []byte { return putWhole(b, int64(n)) })
	case *field[T, uint8]:
		return wordField(c)
	case *field[T, float64]:
		return valueField(c, (*JSONReader).Float, "", putFloatJSON)
	case *field[T, bool]:
		return valueField(c, (*JSONReader).Truth, "", strconv.AppendBool)
	case *field[T, *float64]:
		return pointerField(c, (*JSONReader).Float, putFloatJSON)
	case *field[T, *Paise]:
		return pointerField(c, func(r *JSONReader) (Paise, bool) { n, ok := r.Whole(); return Paise(n), ok },
			func(b []byte, p Paise) []byte { return putWhole(b, int64(p)) })
	case *nested[T, Option]:
		return listField(c)
	case *nested[T, Refusal]:
		return listField(c)
	}
	panic(fmt.Sprintf("data: column %s: no JSON form of a %T", c.columnName(), c))
}

// valueField reads and checks one value; zeroText tells its zero in a fault.
func valueField[T any, V comparable](f *field[T, V], read func(*JSONReader) (V, bool), zeroText string, put func([]byte, V) []byte) jsonField[T] {
	var zero V
	return jsonField[T]{f.name, !f.optional, func(r *JSONReader, row *T) {
		if f.optional && r.Null() {
			return
		}
		v, ok := read(r)
		if !ok {
			return
		}
		switch wrong := f.codec.check(v); {
		case wrong != "":
			r.Fault("", "%s", wrong)
		case v == zero && f.optional:
			r.Fault(zeroText, "empty: leave the key out, or give null, where nothing is known")
		case v == zero && !f.empty:
			r.Fault(zeroText, "empty, but required")
		default:
			*f.at(row) = v
		}
	}, func(b []byte, row *T) []byte {
		if v := *f.at(row); !f.optional || v != zero {
			return put(b, v)
		}
		return nil
	}}
}

// pointerField is a column whose null is no pointer, so that zero is a value.
func pointerField[T any, V comparable](f *field[T, *V], read func(*JSONReader) (V, bool), put func([]byte, V) []byte) jsonField[T] {
	return jsonField[T]{f.name, !f.optional, func(r *JSONReader, row *T) {
		if r.Null() {
			return
		}
		v, ok := read(r)
		if !ok {
			return
		}
		if wrong := f.codec.check(&v); wrong != "" {
			r.Fault("", "%s", wrong)
			return
		}
		*f.at(row) = &v
	}, func(b []byte, row *T) []byte {
		if p := *f.at(row); p != nil {
			return put(b, *p)
		}
		return nil
	}}
}

// wordField is a word of a closed list, by its name.
func wordField[T any](f *field[T, uint8]) jsonField[T] {
	names := []string{""}
	for v := 1; v < 256 && f.codec.check(uint8(v)) == ""; v++ {
		names = append(names, f.codec.value(uint8(v)).String())
	}
	index := map[string]uint8{}
	for v, n := range names[1:] {
		index[n] = uint8(v + 1)
	}
	expected := "unknown word: expected one of " + strings.Join(names[1:], ", ")
	if len(names) > 20 {
		expected = fmt.Sprintf("unknown: not among the %d of the reasons table (not_reported where there is none)", len(names)-1)
	}
	return valueField(f, func(r *JSONReader) (uint8, bool) {
		s, ok := r.Text()
		if !ok {
			return 0, false
		}
		v, known := index[s]
		if !known {
			r.Fault(strconv.Quote(short(s)), "%s", expected)
		}
		return v, known
	}, "", func(b []byte, v uint8) []byte { return putTextJSON(b, names[v]) })
}

// listField is a list of groups.
func listField[T, E any](l *nested[T, E]) jsonField[T] {
	group := newJSONGroup(slices.Collect(func(yield func(column[E]) bool) {
		for _, f := range l.fields {
			if !yield(f) {
				return
			}
		}
	}))
	return jsonField[T]{l.name, true, func(r *JSONReader, row *T) {
		var list []E
		r.Array(func(int) {
			var e E
			group.read(r, &e)
			list = append(list, e)
		})
		*l.at(row) = list
	}, func(b []byte, row *T) []byte {
		b = append(b, '[')
		for i := range *l.at(row) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(group.put(append(b, '{'), &(*l.at(row))[i], true), '}')
		}
		return append(b, ']')
	}}
}

// jsonGroup is an object whose keys are columns.
type jsonGroup[T any] struct {
	fields []jsonField[T]
	keys   *Keys
	needed uint64
}

func newJSONGroup[T any](columns []column[T], before ...string) *jsonGroup[T] {
	g := &jsonGroup[T]{}
	names := before
	for i, c := range columns {
		f := jsonFieldOf(c)
		g.fields, names = append(g.fields, f), append(names, f.name)
		if f.needed {
			g.needed |= 1 << (len(before) + i)
		}
	}
	g.keys = NewKeys(names...)
	return g
}

// read fills a row from an object and tells what is missing.
func (g *jsonGroup[T]) read(r *JSONReader, row *T) (seen uint64, ok bool) {
	before := len(g.keys.names) - len(g.fields)
	seen, ok = r.Object(g.keys, func(i int) {
		if i >= before {
			g.fields[i-before].read(r, row)
		}
	})
	if ok {
		r.Missing(g.keys, seen, g.needed)
	}
	return seen, ok
}

// put writes the keys that are not null.
func (g *jsonGroup[T]) put(b []byte, row *T, first bool) []byte {
	for i := range g.fields {
		f := &g.fields[i]
		n := len(b)
		if !first {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), f.name...), '"', ':')
		with := f.put(b, row)
		if with == nil {
			b = b[:n]
			continue
		}
		b, first = with, false
	}
	return b
}

func putWhole(b []byte, n int64) []byte       { return strconv.AppendInt(b, n, 10) }
func putFloatJSON(b []byte, x float64) []byte { return strconv.AppendFloat(b, x, 'g', -1, 64) }

func putTimeJSON(b []byte, m int64) []byte {
	return append(Micros(m).Time().AppendFormat(append(b, '"'), time.RFC3339Nano), '"')
}

func putTextJSON(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			text, _ := json.Marshal(s) // a text always has a form
			return append(b, text...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}
