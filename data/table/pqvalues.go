package table

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// values are some values of a column, none of them null: those of a dictionary,
// or the next ones of a page. One of the slices is filled, by the physical type.
type values struct {
	i32   []int32
	i64   []int64
	i96   [][3]uint32
	f32   []float32
	f64   []float64
	bool  []bool
	spans []span // of data: texts, and bytes of fixed length
	data  []byte
	own   []byte // a buffer that data may be in

	codes []int32 // places in these values; nil = as they stand
	n     int     // how many values there are
	remap []uint32
	used  []int32
}

type span struct{ from, to uint32 }

// bytes is value k of a column of texts or of bytes of fixed length.
func (v *values) bytes(k int) []byte { return v.data[v.spans[k].from:v.spans[k].to] }

// each calls use with the place of every value.
func (v *values) each(use func(k int) error) error {
	if v.codes == nil {
		for k := range v.n {
			if err := use(k); err != nil {
				return err
			}
		}
		return nil
	}
	for _, k := range v.codes {
		if err := use(int(k)); err != nil {
			return err
		}
	}
	return nil
}

// resize makes room for n values of the physical type.
func (v *values) resize(kind parquet.Kind, n int) {
	v.n = n
	switch kind {
	case parquet.Boolean:
		v.bool = sized(v.bool, n)
	case parquet.Int32:
		v.i32 = sized(v.i32, n)
	case parquet.Int64:
		v.i64 = sized(v.i64, n)
	case parquet.Int96:
		v.i96 = sized(v.i96, n)
	case parquet.Float:
		v.f32 = sized(v.f32, n)
	case parquet.Double:
		v.f64 = sized(v.f64, n)
	default:
		v.spans, v.data = v.spans[:0], nil
	}
}

func sized[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// width is how many bytes a value of fixed size has; 0 for others.
func width(kind parquet.Kind, length int) int {
	switch kind {
	case parquet.Int32, parquet.Float:
		return 4
	case parquet.Int64, parquet.Double:
		return 8
	case parquet.Int96:
		return 12
	case parquet.FixedLenByteArray:
		return length
	}
	return 0
}

// plain reads n values from the beginning of PLAIN bytes and returns how many
// bytes they have. What is behind them is not looked at: some writers pad.
func (v *values) plain(kind parquet.Kind, length int, src []byte, n int) (used int, err error) {
	if size := width(kind, length); size > 0 {
		if n > len(src)/size {
			return 0, errShort
		}
		v.resize(kind, n)
		v.fixed(kind, size, src[:n*size])
		return n * size, nil
	}
	v.resize(kind, 0)
	v.n, v.data = n, src
	for range n {
		if len(src)-used < 4 {
			return 0, errShort
		}
		k := int(binary.LittleEndian.Uint32(src[used:]))
		used += 4
		if k > len(src)-used {
			return 0, errors.New("a text reaches beyond its page")
		}
		v.spans = append(v.spans, span{uint32(used), uint32(used + k)})
		used += k
	}
	return used, nil
}

// fixed turns bytes into as many values of size as they hold.
func (v *values) fixed(kind parquet.Kind, size int, src []byte) {
	at := binary.LittleEndian
	switch kind {
	case parquet.Int32:
		for i := range v.i32 {
			v.i32[i] = int32(at.Uint32(src[4*i:]))
		}
	case parquet.Int64:
		for i := range v.i64 {
			v.i64[i] = int64(at.Uint64(src[8*i:]))
		}
	case parquet.Int96:
		for i := range v.i96 {
			v.i96[i] = [3]uint32{at.Uint32(src[12*i:]), at.Uint32(src[12*i+4:]), at.Uint32(src[12*i+8:])}
		}
	case parquet.Float:
		for i := range v.f32 {
			v.f32[i] = math.Float32frombits(at.Uint32(src[4*i:]))
		}
	case parquet.Double:
		for i := range v.f64 {
			v.f64[i] = math.Float64frombits(at.Uint64(src[8*i:]))
		}
	default:
		v.data = src
		for i := range len(src) / size {
			v.spans = append(v.spans, span{uint32(i * size), uint32(i*size + size)})
		}
	}
}
