package data

import "fmt"

// Kind is the type of a column in a Frame.
type Kind uint8

// The kinds of column.
const (
	Float64 Kind = iota + 1
	Int64
	Bool
	String
	Timestamp // Micros
)

var kindNames = []string{"", "float64", "int64", "bool", "string", "timestamp"}

func (k Kind) String() string { return nameOf(kindNames, k) }

// Frame is a chunk of a table: named, typed columns of equal length. It is how
// feature tables and foreign files travel between packages.
type Frame struct {
	N       int   // rows
	First   int64 // index in the table of the chunk's first row
	Lines   []int // physical line each row began on (text files), else nil
	Columns []Column
}

// Column is one column of a Frame. The slice of its kind is set, the others are nil.
type Column struct {
	Name  string
	Kind  Kind
	Nulls []bool    // nil = none; the value beside a null is zero
	F     []float64 // Float64
	I     []int64   // Int64, Bool (0 or 1), Timestamp (µs)
	Codes []uint32  // String: index into Dict
	Dict  []string  // String: the chunk's own levels, in no promised order
}

// Column finds a column by name; nil when there is none.
func (f *Frame) Column(name string) *Column {
	for i := range f.Columns {
		if f.Columns[i].Name == name {
			return &f.Columns[i]
		}
	}
	return nil
}

// Null reports whether row i of the column is null.
func (c *Column) Null(i int) bool { return c.Nulls != nil && c.Nulls[i] }

// Text is row i of a String column.
func (c *Column) Text(i int) string { return c.Dict[c.Codes[i]] }

// Check panics when the frame's columns disagree about its length: a fault of the program.
func (f *Frame) Check() {
	for i := range f.Columns {
		c := &f.Columns[i]
		if n := max(len(c.F), len(c.I), len(c.Codes)); n != f.N {
			panic(fmt.Sprintf("data: frame of %d rows: column %s has %d", f.N, c.Name, n))
		}
	}
}
