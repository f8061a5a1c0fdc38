package table

import (
	"bytes"
	"fmt"
	"hash/maphash"

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
	index  []uint32 // open addressing by hash: code + 1, 0 = free; a power of two long
	seed   maphash.Seed
	last   uint32
	arena  []byte
	faults []place // Parquet: values at fault in this chunk
	tag    []byte
}

func newBuilder(c data.Column, tagged bool) *builder {
	return &builder{Column: data.Column{Name: c.Name, Kind: c.Kind}, tagged: tagged, seed: maphash.MakeSeed()}
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
	if c.kind == cellNull {
		text = nil
	}
	if b.tagged && c.kind == cellText {
		b.tag = append(append(b.tag[:0], '"'), text...)
		text = b.tag
	}
	if len(b.Dict) > 0 && b.Dict[b.last] == string(text) {
		b.Codes = append(b.Codes, b.last)
		return
	}
	b.last = b.code(text)
	b.Codes = append(b.Codes, b.last)
}

// code finds or makes the level of a text.
func (b *builder) code(text []byte) uint32 {
	if 2*len(b.Dict) >= len(b.index) {
		b.index = make([]uint32, max(64, 2*len(b.index)))
		for i, s := range b.Dict {
			b.index[b.slot(maphash.String(b.seed, s), s)] = uint32(i + 1)
		}
	}
	at := b.slot(maphash.Bytes(b.seed, text), view(text))
	if b.index[at] == 0 {
		b.Dict = append(b.Dict, b.keep(text))
		b.index[at] = uint32(len(b.Dict))
	}
	return b.index[at] - 1
}

// slot is where s is, or the free place where it belongs.
func (b *builder) slot(hash uint64, s string) int {
	mask := len(b.index) - 1
	for at := int(hash) & mask; ; at = (at + 1) & mask {
		if k := b.index[at]; k == 0 || b.Dict[k-1] == s {
			return at
		}
	}
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
	case data.Float64:
		b.F = make([]float64, 0, n)
	default:
		b.I = make([]int64, 0, n)
	}
	b.rows, b.last, b.arena = 0, 0, nil
	clear(b.index)
	return c
}
