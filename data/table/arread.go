package table

import (
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"recoup/data"
)

// arrowColumn reads one column of record after record.
type arrowColumn struct {
	path   []int
	load   loader
	decode decoder
	build  *builder
	values values
	chain  []arrow.ArrayData // of the record at hand: the structs around, then the column
	levels []byte            // 1 = the row has a value
	rows   []int32           // those rows, by place in the record
}

// arrowFrames streams a file record by record.
func (f *File) arrowFrames(columns []data.Column, yield func(*data.Frame, error) bool) {
	if err := f.arrowRecords(columns, yield); err != nil && err != errStop {
		yield(nil, err)
	}
}

func (f *File) arrowRecords(columns []data.Column, yield func(*data.Frame, error) bool) error {
	file, err := f.reopen()
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := f.arrowReader(file)
	if err != nil {
		return err
	}
	defer r.messages.unpack.close()
	defer r.Release()
	read := make([]*arrowColumn, len(columns))
	for j, c := range columns {
		k := slices.IndexFunc(f.arrow, func(l arrowLeaf) bool { return l.Name == c.Name })
		_, load, decode := describeArrow(f.arrow[k].of)
		read[j] = &arrowColumn{path: f.arrow[k].path, load: load, decode: decode, build: newBuilder(c, false)}
	}
	first := int64(0)
	for {
		record, err := r.record()
		if err == io.EOF {
			break
		}
		if err != nil {
			return f.fault("row %d: %w", first+1, err)
		}
		for from := 0; from < int(record.NumRows()); from += ChunkRows {
			n := min(ChunkRows, int(record.NumRows())-from)
			frame, faults, err := arrowFrame(record, read, columns, from, n)
			if err != nil {
				return f.fault("rows %d to %d: %w", first+1, first+int64(n), err)
			}
			frame.First = first
			first += int64(n)
			if err := f.putAside(frame, faults); err != nil {
				return f.fault("%w", err)
			}
			if !yield(frame, nil) {
				return errStop
			}
		}
	}
	if first != f.rows {
		return f.fault("%d rows are there, and %d were counted", first, f.rows)
	}
	return nil
}

// arrowFrame decodes n rows of a record. What does not decode is an error, also
// where the library panics.
func arrowFrame(record arrow.Record, read []*arrowColumn, columns []data.Column, from, n int) (frame *data.Frame, faults []Reject, err error) {
	at := ""
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("column %s: a record does not decode: %v", at, fault)
		}
	}()
	frame = &data.Frame{N: n}
	for j, c := range read {
		at = columns[j].Name
		if err := c.take(record, from, n); err != nil {
			return nil, nil, fmt.Errorf("column %s: %w", at, err)
		}
		faults = append(faults, c.build.faulty(at)...)
		frame.Columns = append(frame.Columns, c.build.take())
	}
	slices.SortStableFunc(faults, func(a, b Reject) int { return a.Line - b.Line })
	return frame, faults, nil
}

// take appends n rows of a record.
func (c *arrowColumn) take(record arrow.Record, from, n int) error {
	if err := c.find(record); err != nil {
		return err
	}
	if err := c.present(from, n); err != nil {
		return err
	}
	b, k := c.build, len(c.rows)
	if k > 0 {
		if err := c.load(&c.values, c.chain[len(c.chain)-1], c.rows); err != nil {
			return err
		}
		if err := c.decode(b, &c.values); err != nil {
			return err
		}
	}
	if k < n {
		b.spread(c.levels, 1, k, 0)
	}
	b.rows += n
	return nil
}

// find follows the path into the record.
func (c *arrowColumn) find(record arrow.Record) error {
	c.chain = append(c.chain[:0], record.Column(c.path[0]).Data())
	for _, k := range c.path[1:] {
		c.chain = append(c.chain, c.chain[len(c.chain)-1].Children()[k])
	}
	for _, d := range c.chain {
		if d.Offset() != 0 || d.Len() != int(record.NumRows()) {
			return fmt.Errorf("%d rows in a record of %d", d.Len(), record.NumRows())
		}
	}
	return nil
}

// present finds the rows that have a value: neither they nor a struct around
// them is null.
func (c *arrowColumn) present(from, n int) error {
	c.levels = sized(c.levels, n)
	for i := range c.levels {
		c.levels[i] = 1
	}
	for _, d := range c.chain {
		if d.DataType().ID() == arrow.NULL {
			clear(c.levels)
			continue
		}
		if err := c.without(d, from, n, func(i int) int { return from + i }); err != nil {
			return err
		}
	}
	d := c.chain[len(c.chain)-1]
	c.list(from)
	if t, ok := d.DataType().(*arrow.DictionaryType); ok && d.Dictionary().NullN() != 0 {
		return c.nullWords(d, t.IndexType.ID(), from, n)
	}
	return nil
}

// nullWords clears the levels of rows whose place in the dictionary is a null.
func (c *arrowColumn) nullWords(d arrow.ArrayData, id arrow.Type, from, n int) error {
	dict := d.Dictionary()
	places, at := make([]int64, len(c.rows)), make([]int, n)
	if err := wholes(places, id, d, c.rows); err != nil {
		return err
	}
	for i, p := range places {
		if p < 0 || p >= int64(dict.Len()) {
			return fmt.Errorf("place %d in a dictionary of %d", p, dict.Len())
		}
		at[int(c.rows[i])-from] = int(p)
	}
	if err := c.without(dict, 0, dict.Len(), func(i int) int { return at[i] }); err != nil {
		return err
	}
	c.list(from)
	return nil
}

// list makes rows of the levels.
func (c *arrowColumn) list(from int) {
	c.rows = c.rows[:0]
	for i, l := range c.levels {
		if l == 1 {
			c.rows = append(c.rows, int32(from+i))
		}
	}
}

// without clears the levels of rows whose bit of d, of those from on, is not set.
func (c *arrowColumn) without(d arrow.ArrayData, from, n int, bit func(i int) int) error {
	if d.NullN() == 0 {
		return nil
	}
	var bits []byte
	if b := d.Buffers(); len(b) > 0 && b[0] != nil {
		bits = b[0].Bytes()
	}
	if len(bits) == 0 && d.NullN() < 0 { // not counted, and none is marked
		return nil
	}
	if from+n > 8*len(bits) {
		return errBuffer
	}
	for i := range c.levels {
		if k := bit(i); c.levels[i] == 1 && bits[k/8]>>(k%8)&1 == 0 {
			c.levels[i] = 0
		}
	}
	return nil
}
