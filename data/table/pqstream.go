package table

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

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
