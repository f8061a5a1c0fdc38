package models

import (
	"math"

	"recoup/data"
)

// Input is one value of a row as the model is given it: a number, or a category
// whose value is the index of its level.
type Input struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels,omitempty"` // nil = numeric
	Ref    int      `json:"ref,omitempty"`    // index of the level without a coefficient
}

// Category reports whether the input is a category.
func (in *Input) Category() bool { return len(in.Levels) > 0 }

// Term is what gets coefficients: an input alone (B = -1) or the product of two.
type Term struct {
	Name string `json:"name,omitempty"` // a label for groups of columns, free
	A    int    `json:"a"`              // index into Inputs
	B    int    `json:"b"`              // index into Inputs, or -1
}

// Design says how a row of inputs becomes the columns of a linear model.
//
// A number is one column. A category is one column a level, the reference left
// out. A product of two numbers is one column; of a category and a number one
// column a level, holding the number where the row has that level, the reference
// left out when the number stands alone too (it would be the sum of the others);
// of two categories one column a pair of levels, the pairs with a reference left
// out when the other category stands alone (else only the pair of references).
type Design struct {
	Inputs []Input `json:"inputs"`
	Terms  []Term  `json:"terms"`
}

// PartKind tells how a Part fills its columns.
type PartKind uint8

// The kinds of Part; in CategoryNumber A is always the category.
const (
	Number PartKind = iota
	Category
	NumberNumber
	CategoryNumber
	CategoryCategory
)

// Part is the run of columns that one term makes.
type Part struct {
	Kind          PartKind
	Term          int // index into Design.Terms
	A, B          int // index into Design.Inputs
	Offset, Width int // its columns are Offset .. Offset+Width-1
	// Table gives the column (from 0 in the part) of a level of A (Category,
	// CategoryNumber) or of level a of A and b of B at a*len(levels of B)+b; -1 = none.
	Table  []int32
	Stride int // levels of B in a CategoryCategory, else 1
}

// Dense reports whether the part is one column that is hardly ever zero.
func (p *Part) Dense() bool { return p.Kind == Number || p.Kind == NumberNumber }

// Layout is a Design worked out: its parts and the names of its columns.
type Layout struct {
	Parts   []Part
	Columns []string // "amount", "bank=SBI", "bank=SBI:amount"
}

// Layout checks the design and works out its columns. Two columns of one name,
// a term of an input that is not there and a reference outside the levels are errors.
func (d *Design) Layout() (*Layout, error) {
	if err := d.checkInputs(); err != nil {
		return nil, err
	}
	alone := make([]bool, len(d.Inputs))
	for i, t := range d.Terms {
		if t.A < 0 || t.A >= len(d.Inputs) || t.B < -1 || t.B >= len(d.Inputs) || t.A == t.B && d.Inputs[t.A].Category() {
			return nil, data.Faultf(data.ErrUsage, "models: design: term %d (%s): inputs %d and %d of %d", i, t.Name, t.A, t.B, len(d.Inputs))
		}
		if t.B < 0 {
			alone[t.A] = true
		}
	}
	l := &Layout{}
	for i, t := range d.Terms {
		l.Parts = append(l.Parts, d.part(i, t, alone, len(l.Columns)))
		l.Columns = d.appendNames(l.Columns, &l.Parts[i])
	}
	seen := map[string]bool{}
	for _, c := range l.Columns {
		if seen[c] {
			return nil, data.Faultf(data.ErrUsage, "models: design: column %s comes twice: rename an input", c)
		}
		seen[c] = true
	}
	return l, nil
}

func (d *Design) checkInputs() error {
	names := map[string]bool{}
	for _, in := range d.Inputs {
		if names[in.Name] || in.Name == "" {
			return data.Faultf(data.ErrUsage, "models: design: input %q comes twice or has no name", in.Name)
		}
		names[in.Name] = true
		if in.Category() && (in.Ref < 0 || in.Ref >= len(in.Levels)) || !in.Category() && in.Ref != 0 {
			return data.Faultf(data.ErrUsage, "models: design: input %s: reference %d of %d levels", in.Name, in.Ref, len(in.Levels))
		}
		levels := map[string]bool{}
		for _, v := range in.Levels {
			if levels[v] {
				return data.Faultf(data.ErrUsage, "models: design: input %s: level %q comes twice", in.Name, v)
			}
			levels[v] = true
		}
	}
	return nil
}

func (d *Design) part(i int, t Term, alone []bool, offset int) Part {
	p := Part{Term: i, A: t.A, B: t.B, Offset: offset, Width: 1, Stride: 1}
	a := &d.Inputs[t.A]
	if t.B < 0 {
		if !a.Category() {
			return p
		}
		p.Kind = Category
		p.fill(len(a.Levels), func(v int) bool { return v == a.Ref })
		return p
	}
	if !a.Category() { // a category comes first
		p.A, p.B = t.B, t.A
		a = &d.Inputs[p.A]
	}
	b := &d.Inputs[p.B]
	switch {
	case !a.Category():
		p.A, p.B, p.Kind = t.A, t.B, NumberNumber
	case !b.Category():
		p.Kind = CategoryNumber
		p.fill(len(a.Levels), func(v int) bool { return v == a.Ref && alone[p.B] })
	default:
		p.Kind, p.Stride = CategoryCategory, len(b.Levels)
		p.fill(len(a.Levels)*p.Stride, func(v int) bool {
			refA, refB := v/p.Stride == a.Ref, v%p.Stride == b.Ref
			return refA && refB || refA && alone[p.B] || refB && alone[p.A]
		})
	}
	return p
}

// fill numbers the n entries of the table that are not left out.
func (p *Part) fill(n int, out func(int) bool) {
	p.Table, p.Width = make([]int32, n), 0
	for v := range p.Table {
		if out(v) {
			p.Table[v] = -1
			continue
		}
		p.Table[v] = int32(p.Width)
		p.Width++
	}
}

func (d *Design) appendNames(names []string, p *Part) []string {
	a := &d.Inputs[p.A]
	switch p.Kind {
	case Number:
		return append(names, a.Name)
	case NumberNumber:
		return append(names, a.Name+":"+d.Inputs[p.B].Name)
	}
	for v, c := range p.Table {
		if c < 0 {
			continue
		}
		s := a.Name + "=" + a.Levels[v/p.Stride]
		switch p.Kind {
		case CategoryNumber:
			s += ":" + d.Inputs[p.B].Name
		case CategoryCategory:
			b := &d.Inputs[p.B]
			s += ":" + b.Name + "=" + b.Levels[v%p.Stride]
		}
		names = append(names, s)
	}
	return names
}

// CheckRow refuses a row of the wrong width, a number that is not finite and a
// level index that is none.
func (d *Design) CheckRow(row []float64) error { return checkRow(d.Inputs, row) }

func checkRow(inputs []Input, row []float64) error {
	if len(row) != len(inputs) {
		return data.Faultf(data.ErrContract, "models: row: %d values, the model has %d inputs", len(row), len(inputs))
	}
	for i, v := range row {
		in := &inputs[i]
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return data.Faultf(data.ErrContract, "models: row: input %s: %v is not a finite number", in.Name, v)
		case in.Category() && (v < 0 || v >= float64(len(in.Levels)) || v != math.Trunc(v)):
			return data.Faultf(data.ErrContract, "models: row: input %s: level %v of %d", in.Name, v, len(in.Levels))
		}
	}
	return nil
}

// Value is what a checked row gives the part: a column in the part and what stands
// there; column -1 = every column of the part is zero.
func (p *Part) Value(row []float64) (column int, v float64) {
	switch p.Kind {
	case Number:
		return 0, row[p.A]
	case NumberNumber:
		return 0, row[p.A] * row[p.B]
	case Category:
		return int(p.Table[int(row[p.A])]), 1
	case CategoryNumber:
		return int(p.Table[int(row[p.A])]), row[p.B]
	}
	return int(p.Table[int(row[p.A])*p.Stride+int(row[p.B])]), 1
}
