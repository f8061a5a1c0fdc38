package models

import (
	"fmt"
	"strconv"

	"recoup/data"
)

// Bound is a chunk of a table seen through a design: the inputs by column, in
// the order of Design.Inputs.
type Bound struct {
	N       int
	Numbers [][]float64 // by input; nil for a category. May share the frame's memory
	Codes   [][]int32   // by input; nil for a number. -1 only in rows that do not count
}

// Binder finds a design's inputs in frames by the names of the columns.
type Binder struct {
	inputs []Input
	levels []map[string]int32
}

// NewBinder prepares for the frames of one or many tables.
func (d *Design) NewBinder() *Binder { return binderOf(d.Inputs) }

func binderOf(inputs []Input) *Binder {
	b := &Binder{inputs: inputs, levels: make([]map[string]int32, len(inputs))}
	for i, in := range inputs {
		if !in.Category() {
			continue
		}
		b.levels[i] = make(map[string]int32, len(in.Levels))
		for v, s := range in.Levels {
			b.levels[i][s] = int32(v)
		}
	}
	return b
}

// Names are the columns that Bind reads.
func (b *Binder) Names() []string {
	names := make([]string, len(b.inputs))
	for i, in := range b.inputs {
		names[i] = in.Name
	}
	return names
}

// Bind reads the inputs of a chunk. A missing column, a null, a number that is not
// finite, and a level that the design does not know are errors that name column
// and line. weight, when not nil, has one entry a row: a row of weight 0 may hold an unknown level.
func (b *Binder) Bind(f *data.Frame, weight []float64) (*Bound, error) {
	out := &Bound{N: f.N, Numbers: make([][]float64, len(b.inputs)), Codes: make([][]int32, len(b.inputs))}
	for i, in := range b.inputs {
		var err error
		if in.Category() {
			out.Codes[i], err = b.codes(f, i, weight)
		} else {
			out.Numbers[i], err = Numbers(f, in.Name)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Row copies row i of the chunk to dst, as Margin wants it.
func (b *Bound) Row(i int, dst []float64) {
	for k := range dst {
		if c := b.Codes[k]; c != nil {
			dst[k] = float64(c[i])
		} else {
			dst[k] = b.Numbers[k][i]
		}
	}
}

func (b *Binder) codes(f *data.Frame, input int, weight []float64) ([]int32, error) {
	name := b.inputs[input].Name
	c := f.Column(name)
	switch {
	case c == nil:
		return nil, noColumn(name)
	case c.Kind != data.String:
		return nil, data.Faultf(data.ErrContract, "column %s: %s here, a category of the model", name, c.Kind)
	}
	level := make([]int32, len(c.Dict)) // of the chunk's own levels
	for v, s := range c.Dict {
		level[v] = -1
		if k, ok := b.levels[input][s]; ok {
			level[v] = k
		}
	}
	out := make([]int32, f.N)
	for r, v := range c.Codes {
		if c.Null(r) {
			return nil, missing(f, name, r)
		}
		out[r] = level[v]
		if out[r] < 0 && (weight == nil || weight[r] > 0) {
			return nil, data.Faultf(data.ErrContract, "column %s, %s: category %q was not in the training data", name, Where(f, r), c.Dict[v])
		}
	}
	return out, nil
}

// Numbers reads a numeric column; its memory is the frame's own where it can be.
// A missing column, text, times, nulls and numbers that are not finite are errors
// that name column and line.
func Numbers(f *data.Frame, name string) ([]float64, error) {
	c := f.Column(name)
	if c == nil {
		return nil, noColumn(name)
	}
	for r, null := range c.Nulls {
		if null {
			return nil, missing(f, name, r)
		}
	}
	switch c.Kind {
	case data.Float64:
		for r, v := range c.F {
			if v-v != 0 { // NaN or infinite
				return nil, data.Faultf(data.ErrContract, "column %s, %s: %v is not a finite number", name, Where(f, r), v)
			}
		}
		return c.F, nil
	case data.Int64, data.Bool:
		out := make([]float64, f.N)
		for r, v := range c.I {
			out[r] = float64(v)
		}
		return out, nil
	}
	return nil, data.Faultf(data.ErrContract, "column %s: %s here, a number is wanted", name, c.Kind)
}

// Target reads a column of zeros and ones.
func Target(f *data.Frame, name string) ([]float64, error) {
	y, err := Numbers(f, name)
	if err != nil {
		return nil, err
	}
	for r, v := range y {
		if v != 0 && v != 1 {
			return nil, data.Faultf(data.ErrContract, "column %s, %s: %v is neither 0 nor 1", name, Where(f, r), v)
		}
	}
	return y, nil
}

// Weights reads a column of weights, 0 or more.
func Weights(f *data.Frame, name string) ([]float64, error) {
	w, err := Numbers(f, name)
	if err != nil {
		return nil, err
	}
	for r, v := range w {
		if v < 0 {
			return nil, data.Faultf(data.ErrContract, "column %s, %s: weight %v is negative", name, Where(f, r), v)
		}
	}
	return w, nil
}

// Where names row r of a chunk for people: the line of a text file, else the
// row's number in the table, from 1.
func Where(f *data.Frame, r int) string {
	if f.Lines != nil {
		return fmt.Sprintf("line %d", f.Lines[r])
	}
	return fmt.Sprintf("row %d", f.First+int64(r)+1)
}

func missing(f *data.Frame, name string, r int) error {
	return data.Faultf(data.ErrContract, "column %s, %s: missing value", name, Where(f, r))
}

func noColumn(name string) error { return data.Faultf(data.ErrContract, "no column %s", name) }

// Labels reads a column as text, one entry a row: whole numbers and times by their
// digits. Nulls are refused with their line.
func Labels(f *data.Frame, name string) ([]string, error) {
	c := f.Column(name)
	if c == nil {
		return nil, noColumn(name)
	}
	out := make([]string, f.N)
	for r := range out {
		switch {
		case c.Null(r):
			return nil, missing(f, name, r)
		case c.Kind == data.String:
			out[r] = c.Text(r)
		case c.Kind == data.Float64:
			out[r] = strconv.FormatFloat(c.F[r], 'g', -1, 64)
		default:
			out[r] = strconv.FormatInt(c.I[r], 10)
		}
	}
	return out, nil
}
