package data

import (
	"fmt"

	"github.com/parquet-go/parquet-go"
)

// A column is one column of rows of type T, or a list of groups of columns.
// Its implementations are field (one value a row) and nested.
type column[T any] interface {
	columnName() string
	node() parquet.Node
	leaves() int // Parquet leaf columns
	put(b []byte, r *T) []byte
	get(rec *record, r *T)
	check(r *T) error
	write(w []*parquet.ColumnWriter, rows []T, scratch []parquet.Value) ([]parquet.Value, error)
	reader(s *columnSource) reader[T]
}

// reader fills one column of consecutive rows.
type reader[T any] interface {
	read(rows []T) error
	close() error
}

// field is a column of one value a row.
type field[T any, V comparable] struct {
	name     string
	optional bool // the zero V is null
	empty    bool // required, but the zero V is a value like any other
	at       func(*T) *V
	*codec[V]
}

// required is a column whose zero value is refused where a zero says nothing
// (texts, words, times).
func required[T any, V comparable](name string, c *codec[V], at func(*T) *V) column[T] {
	return &field[T, V]{name: name, at: at, codec: c}
}

// numeric is a required column whose zero is a value.
func numeric[T any, V comparable](name string, c *codec[V], at func(*T) *V) column[T] {
	return &field[T, V]{name: name, empty: true, at: at, codec: c}
}

// optional is a column whose zero value is null.
func optional[T any, V comparable](name string, c *codec[V], at func(*T) *V) column[T] {
	return &field[T, V]{name: name, optional: true, at: at, codec: c}
}

func (f *field[T, V]) columnName() string { return f.name }
func (f *field[T, V]) leaves() int        { return 1 }

func (f *field[T, V]) node() parquet.Node {
	if f.optional {
		return parquet.Optional(f.codec.node())
	}
	return f.codec.node()
}

func (f *field[T, V]) put(b []byte, r *T) []byte { return f.codec.put(b, *f.at(r)) }
func (f *field[T, V]) get(rec *record, r *T)     { *f.at(r) = f.codec.get(rec) }

func (f *field[T, V]) check(r *T) error {
	v := *f.at(r)
	var zero V
	if v == zero && !f.empty {
		if f.optional {
			return nil
		}
		return fmt.Errorf("column %s: empty, but required", f.name)
	}
	if fault := f.codec.check(v); fault != "" {
		return fmt.Errorf("column %s: %s", f.name, fault)
	}
	return nil
}

func (f *field[T, V]) write(w []*parquet.ColumnWriter, rows []T, scratch []parquet.Value) ([]parquet.Value, error) {
	vals := scratch[:0]
	for i := range rows {
		vals = append(vals, f.valueOf(&rows[i], 0, 0))
	}
	_, err := w[0].WriteRowValues(vals)
	return vals, err
}

// valueOf is the Parquet value of a row at a repetition level; def is the
// definition level of the group the column is in.
func (f *field[T, V]) valueOf(r *T, rep, def int) parquet.Value {
	v := *f.at(r)
	if f.optional {
		var zero V
		if v == zero {
			return parquet.NullValue().Level(rep, def, 0)
		}
		def++
	}
	if rep|def == 0 {
		return f.codec.value(v)
	}
	return f.codec.value(v).Level(rep, def, 0)
}
