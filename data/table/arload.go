package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"

	"recoup/data"
)

// loader makes v the values of a column at some rows, none of them null. What
// the buffers hold is checked here: the library believes it.
type loader func(v *values, d arrow.ArrayData, rows []int32) error

var errBuffer = errors.New("its buffers hold less than its rows need")

// bufferOf is buffer i of a column; it must have size bytes for every row.
func bufferOf(d arrow.ArrayData, i, rows, size int) ([]byte, error) {
	all := d.Buffers()
	if i >= len(all) || all[i] == nil {
		if rows == 0 {
			return nil, nil
		}
		return nil, errBuffer
	}
	b := all[i].Bytes()
	if rows > len(b)/max(size, 1) {
		return nil, errBuffer
	}
	return b, nil
}

func loadNothing(*values, arrow.ArrayData, []int32) error {
	return errors.New("a value in a column that has none")
}

func decodeNothing(*builder, *values) error { return nil }

func loadBool(v *values, d arrow.ArrayData, rows []int32) error {
	b, err := bufferOf(d, 1, (d.Len()+7)/8, 1)
	if err != nil {
		return err
	}
	v.n, v.bool = len(rows), sized(v.bool, len(rows))
	for i, k := range rows {
		v.bool[i] = b[k/8]>>(k%8)&1 == 1
	}
	return nil
}

// loadWhole reads whole numbers of any width; 64 bits without sign come as they
// stand.
func loadWhole(id arrow.Type) loader {
	return func(v *values, d arrow.ArrayData, rows []int32) error {
		v.n, v.i64 = len(rows), sized(v.i64, len(rows))
		return wholes(v.i64, id, d, rows)
	}
}

func wholes(dst []int64, id arrow.Type, d arrow.ArrayData, rows []int32) error {
	size := map[arrow.Type]int{arrow.INT8: 1, arrow.UINT8: 1, arrow.INT16: 2, arrow.UINT16: 2, arrow.INT32: 4, arrow.UINT32: 4, arrow.INT64: 8, arrow.UINT64: 8}[id]
	b, err := bufferOf(d, 1, d.Len(), size)
	if err != nil {
		return err
	}
	at := binary.LittleEndian
	for i, k := range rows {
		p := b[int(k)*size:]
		switch id {
		case arrow.INT8:
			dst[i] = int64(int8(p[0]))
		case arrow.UINT8:
			dst[i] = int64(p[0])
		case arrow.INT16:
			dst[i] = int64(int16(at.Uint16(p)))
		case arrow.UINT16:
			dst[i] = int64(at.Uint16(p))
		case arrow.INT32:
			dst[i] = int64(int32(at.Uint32(p)))
		case arrow.UINT32:
			dst[i] = int64(at.Uint32(p))
		default:
			dst[i] = int64(at.Uint64(p))
		}
	}
	return nil
}

func loadFloat(id arrow.Type) loader {
	size := map[arrow.Type]int{arrow.FLOAT16: 2, arrow.FLOAT32: 4, arrow.FLOAT64: 8}[id]
	return func(v *values, d arrow.ArrayData, rows []int32) error {
		b, err := bufferOf(d, 1, d.Len(), size)
		if err != nil {
			return err
		}
		v.n, v.f64 = len(rows), sized(v.f64, len(rows))
		at := binary.LittleEndian
		for i, k := range rows {
			p := b[int(k)*size:]
			switch size {
			case 2:
				v.f64[i] = half(at.Uint16(p))
			case 4:
				v.f64[i] = float64(math.Float32frombits(at.Uint32(p)))
			default:
				v.f64[i] = math.Float64frombits(at.Uint64(p))
			}
		}
		return nil
	}
}

// loadDecimal turns the bytes around: Arrow has the lowest first.
func loadDecimal(size int) loader {
	return func(v *values, d arrow.ArrayData, rows []int32) error {
		b, err := bufferOf(d, 1, d.Len(), size)
		if err != nil {
			return err
		}
		v.texts(len(rows))
		for _, k := range rows {
			from := len(v.data)
			for j := size - 1; j >= 0; j-- {
				v.data = append(v.data, b[int(k)*size+j])
			}
			v.spans = append(v.spans, span{uint32(from), uint32(len(v.data))})
		}
		v.own = v.data
		return nil
	}
}

// texts makes v ready for n texts that are appended to data.
func (v *values) texts(n int) {
	v.n, v.spans, v.data = n, v.spans[:0], v.own[:0]
}

func loadDays(v *values, d arrow.ArrayData, rows []int32) error {
	b, err := bufferOf(d, 1, d.Len(), 4)
	if err != nil {
		return err
	}
	v.n, v.i32 = len(rows), sized(v.i32, len(rows))
	for i, k := range rows {
		v.i32[i] = int32(binary.LittleEndian.Uint32(b[4*int(k):]))
	}
	return nil
}

// loadDate64 reads days that are counted in milliseconds.
func loadDate64(v *values, d arrow.ArrayData, rows []int32) error {
	if err := loadWhole(arrow.INT64)(v, d, rows); err != nil {
		return err
	}
	const ms = int64(data.Day) / 1000
	v.i32 = sized(v.i32, len(rows))
	for i, x := range v.i64 {
		day := floorDiv(x, ms)
		if day*ms != x || day != int64(int32(day)) {
			return fmt.Errorf("%d ms is no day", x)
		}
		v.i32[i] = int32(day)
	}
	return nil
}

// loadText reads texts whose ends are numbers of size bytes.
func loadText(size int) loader {
	return func(v *values, d arrow.ArrayData, rows []int32) error {
		ends, err := bufferOf(d, 1, d.Len()+min(d.Len(), 1), size)
		if err != nil {
			return err
		}
		text, err := bufferOf(d, 2, 0, 1)
		if err != nil {
			return err
		}
		at := func(k int) uint64 {
			if size == 8 {
				return binary.LittleEndian.Uint64(ends[8*k:])
			}
			return uint64(binary.LittleEndian.Uint32(ends[4*k:]))
		}
		v.n, v.spans, v.data = len(rows), v.spans[:0], text
		for _, k := range rows {
			from, to := at(int(k)), at(int(k)+1)
			if from > to || to > uint64(len(text)) || to > math.MaxUint32 {
				return errors.New("a text reaches beyond its buffer")
			}
			v.spans = append(v.spans, span{uint32(from), uint32(to)})
		}
		return nil
	}
}

// loadViews reads texts of up to 12 bytes in place, and longer ones from one of
// several buffers.
func loadViews(v *values, d arrow.ArrayData, rows []int32) error {
	views, err := bufferOf(d, 1, d.Len(), 16)
	if err != nil {
		return err
	}
	v.texts(len(rows))
	at := binary.LittleEndian
	for _, k := range rows {
		p := views[16*int(k) : 16*int(k)+16]
		n := int(int32(at.Uint32(p)))
		text := p[4:]
		if n > 12 {
			b, err := bufferOf(d, 2+int(at.Uint32(p[8:])), 0, 1)
			if err != nil {
				return err
			}
			from := int(int32(at.Uint32(p[12:])))
			if from < 0 || from > len(b) {
				return errors.New("a text reaches beyond its buffer")
			}
			text = b[from:]
		}
		if n < 0 || n > len(text) || len(v.data)+n > maxPage {
			return errors.New("a text reaches beyond its buffer")
		}
		from := len(v.data)
		v.data = append(v.data, text[:n]...)
		v.spans = append(v.spans, span{uint32(from), uint32(len(v.data))})
	}
	v.own = v.data
	return nil
}

// loadDictionary reads places in a dictionary, which is loaded whole once.
func loadDictionary(id arrow.Type, load loader) loader {
	var of arrow.ArrayData
	var wide []int64
	return func(v *values, d arrow.ArrayData, rows []int32) error {
		wide = sized(wide, len(rows))
		if err := wholes(wide, id, d, rows); err != nil {
			return err
		}
		dict := d.Dictionary()
		if dict != of {
			if dict == nil || dict.Len() > holds(dict) {
				return errBuffer
			}
			all := make([]int32, dict.Len())
			for i := range all {
				all[i] = int32(i)
			}
			v.codes = nil
			if err := load(v, dict, all); err != nil {
				return err
			}
			v.remap, of = nil, dict
		}
		v.codes = sized(v.codes, len(rows))
		for i, k := range wide {
			if k < 0 || k >= int64(v.n) {
				return fmt.Errorf("place %d in a dictionary of %d", k, v.n)
			}
			v.codes[i] = int32(k)
		}
		return nil
	}
}

// holds is the most rows that the buffers of a column can have, at a bit each.
func holds(d arrow.ArrayData) int {
	n := 0
	for _, b := range d.Buffers() {
		if b != nil {
			n += 8 * b.Len()
		}
	}
	return n
}
