package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
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

// stream hands out the values of a page in order, as many as are asked for.
type stream struct {
	kind     parquet.Kind
	length   int
	encoding format.Encoding
	src      []byte // PLAIN: not used yet; BYTE_STREAM_SPLIT: all
	at       int    // values handed out
	codes    runs   // dictionary places; booleans
	deltas   *deltas
	texts    *deltaTexts
	scratch  []byte
	wide     []int64
	places   []int32
}

// plainDictionary is what version 1 of the format called both the dictionary
// and the places in it.
const plainDictionary = format.Encoding(2)

// inDictionary says whether a page holds places in the dictionary.
func inDictionary(e format.Encoding) bool { return e == plainDictionary || e == format.RLEDictionary }

// newStream opens the values of a page.
func newStream(kind parquet.Kind, length int, encoding format.Encoding, src []byte, dict *values) (s stream, err error) {
	s = stream{kind: kind, length: length, encoding: encoding, src: src}
	text := kind == parquet.ByteArray || kind == parquet.FixedLenByteArray
	switch {
	case encoding == format.Plain:
	case inDictionary(encoding):
		if dict == nil {
			return s, errors.New("a page of dictionary places and no dictionary before it")
		}
		if len(src) > 0 { // a page of nulls alone may have none
			s.codes, err = newRuns(src[1:], uint(src[0]))
		}
	case encoding == format.RLE && kind == parquet.Boolean:
		if len(src) < 4 || int64(binary.LittleEndian.Uint32(src)) > int64(len(src)-4) {
			return s, errShort
		}
		s.codes, err = newRuns(src[4:4+binary.LittleEndian.Uint32(src)], 1)
	case encoding == format.DeltaBinaryPacked && (kind == parquet.Int32 || kind == parquet.Int64):
		s.deltas, err = newDeltas(src)
	case encoding == format.DeltaLengthByteArray && kind == parquet.ByteArray:
		s.texts, err = newDeltaTexts(src, false)
	case encoding == format.DeltaByteArray && text:
		s.texts, err = newDeltaTexts(src, true)
	case encoding == format.ByteStreamSplit && width(kind, length) > 0 && kind != parquet.Int96:
	default:
		err = fmt.Errorf("%s of %s values, which is not read: write the file without it", encoding, kind)
	}
	return s, err
}

// next makes v the next n values; of a dictionary-encoded page, their places.
func (s *stream) next(v *values, n int) error {
	switch {
	case inDictionary(s.encoding):
		s.places = sized(s.places, n)
		v.codes = s.places
		if err := fill(&s.codes, v.codes); err != nil {
			return err
		}
		for _, k := range v.codes {
			if uint(uint32(k)) >= uint(v.n) {
				return fmt.Errorf("place %d in a dictionary of %d", uint32(k), v.n)
			}
		}
		return nil
	case s.encoding == format.Plain && s.kind == parquet.Boolean:
		if s.at+n > 8*len(s.src) {
			return errShort
		}
		v.resize(s.kind, n)
		for i := range v.bool {
			v.bool[i] = s.src[(s.at+i)/8]>>((s.at+i)%8)&1 == 1
		}
		s.at += n
	case s.encoding == format.Plain:
		used, err := v.plain(s.kind, s.length, s.src, n)
		s.src = s.src[used:]
		return err
	case s.encoding == format.RLE:
		s.places = sized(s.places, n)
		if err := fill(&s.codes, s.places); err != nil {
			return err
		}
		v.resize(s.kind, n)
		for i, x := range s.places {
			v.bool[i] = x == 1
		}
	case s.deltas != nil:
		s.wide = sized(s.wide, n)
		if err := s.deltas.next(s.wide); err != nil {
			return err
		}
		v.resize(s.kind, n)
		copy(v.i64, s.wide)
		for i := range v.i32 {
			v.i32[i] = int32(s.wide[i])
		}
	case s.texts != nil:
		v.resize(s.kind, 0)
		v.n, v.data = n, s.scratch[:0]
		err := s.texts.next(v, n)
		s.scratch = v.data
		return err
	default:
		return s.split(v, n)
	}
	return nil
}

// split reads BYTE_STREAM_SPLIT: the first bytes of all values, then the second
// ones.
func (s *stream) split(v *values, n int) error {
	size := width(s.kind, s.length)
	all := len(s.src) / size
	if s.at+n > all {
		return errShort
	}
	s.scratch = sized(s.scratch, n*size)
	for j := range size {
		for i, x := range s.src[j*all+s.at : j*all+s.at+n] {
			s.scratch[i*size+j] = x
		}
	}
	s.at += n
	v.resize(s.kind, n)
	v.fixed(s.kind, size, s.scratch)
	return nil
}

// rest checks what a page has behind its values: some writers pad with zeros,
// and anything else means that the page is not what it says.
func (s *stream) rest() error {
	if s.encoding != format.Plain || s.kind == parquet.Boolean {
		return nil
	}
	for _, x := range s.src {
		if x != 0 {
			return fmt.Errorf("a page has %d bytes behind its last value", len(s.src))
		}
	}
	return nil
}
