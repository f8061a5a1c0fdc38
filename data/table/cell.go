package table

import (
	"bytes"
	"fmt"

	"recoup/data"
)

// cell is one value of a text file. Its bytes are good until the next record.
type cell struct {
	text []byte
	kind cellKind
}

type cellKind uint8

const (
	cellBare   cellKind = iota // CSV: a number if it looks like one
	cellNull                   // nothing there
	cellText                   // JSON text
	cellNumber                 // JSON number
	cellOther                  // JSON true, false, list or object
)

// sort is what the cell is to a column of numbers.
func (c cell) sort() sort {
	if c.kind == cellBare || c.kind == cellNumber {
		return sortOf(c.text)
	}
	return word
}

// builder collects the cells of one column of a chunk.
type builder struct {
	data.Column
	tagged bool
	rows   int
	index  map[string]uint32
	last   uint32
	arena  []byte
	tag    []byte
}

func newBuilder(c data.Column, tagged bool) *builder {
	return &builder{Column: data.Column{Name: c.Name, Kind: c.Kind}, tagged: tagged, index: map[string]uint32{}}
}

// add appends a cell. The error is a fault of the cell.
func (b *builder) add(c cell) error {
	if c.kind == cellNull {
		for len(b.Nulls) < b.rows {
			b.Nulls = append(b.Nulls, false)
		}
		b.Nulls = append(b.Nulls, true)
	} else if b.Nulls != nil {
		b.Nulls = append(b.Nulls, false)
	}
	b.rows++
	if b.Kind == data.String {
		b.addText(c)
		return nil
	}
	if c.kind == cellNull {
		b.F = append(b.F, 0)
		return nil
	}
	if c.kind == cellText || c.kind == cellOther {
		return fmt.Errorf("not a number")
	}
	x, s := parseNumber(c.text)
	switch s {
	case word:
		return fmt.Errorf("not a number")
	case infinite:
		return fmt.Errorf("not a finite number")
	}
	b.F = append(b.F, x)
	return nil
}

func (b *builder) addText(c cell) {
	text := c.text
	if b.tagged && c.kind == cellText {
		b.tag = append(append(b.tag[:0], '"'), text...)
		text = b.tag
	}
	if len(b.Dict) > 0 && b.Dict[b.last] == string(text) {
		b.Codes = append(b.Codes, b.last)
		return
	}
	code, ok := b.index[string(text)]
	if !ok {
		code = uint32(len(b.Dict))
		s := b.keep(text)
		b.index[s] = code
		b.Dict = append(b.Dict, s)
	}
	b.last = code
	b.Codes = append(b.Codes, code)
}

// keep copies text into a block shared by its neighbours: one allocation for
// many short strings.
func (b *builder) keep(text []byte) string {
	if len(text) > cap(b.arena)-len(b.arena) {
		if len(text) > 1<<10 {
			return string(bytes.Clone(text))
		}
		b.arena = make([]byte, 0, 16<<10)
	}
	from := len(b.arena)
	b.arena = append(b.arena, text...)
	return view(b.arena[from:])
}

// take hands the chunk's column over and starts the next one.
func (b *builder) take() data.Column {
	if b.Nulls != nil {
		for len(b.Nulls) < b.rows {
			b.Nulls = append(b.Nulls, false)
		}
	}
	c := b.Column
	n := b.rows
	b.Column = data.Column{Name: c.Name, Kind: c.Kind}
	switch c.Kind {
	case data.String:
		b.Codes = make([]uint32, 0, n)
	default:
		b.F = make([]float64, 0, n)
	}
	b.rows, b.last, b.arena = 0, 0, nil
	clear(b.index)
	return c
}
