package data

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
	"unsafe"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// A codec is everything the log knows about one type of value: its Parquet
// type, its bytes in a spilled run, and what makes a value invalid.
type codec[V comparable] struct {
	node   func() parquet.Node
	value  func(V) parquet.Value
	put    func([]byte, V) []byte
	get    func(*record) V
	decode func(dst []V, v encoding.Values, n int) ([]V, error) // appends the n plain values of a page or dictionary
	alias  func(v encoding.Values) []V                          // the values in place, where they are kept as in memory; else nil
	check  func(V) string                                       // what is wrong with the value, "" when nothing
}

// plain makes a decode that copies.
func plain[V any](alias func(encoding.Values) []V) func([]V, encoding.Values, int) ([]V, error) {
	return func(dst []V, v encoding.Values, n int) ([]V, error) {
		vals, err := exactly(alias(v), n)
		return append(dst, vals...), err
	}
}

func int64sOf(v encoding.Values) []int64     { return v.Int64() }
func int32sOf(v encoding.Values) []int32     { return v.Int32() }
func float64sOf(v encoding.Values) []float64 { return v.Double() }

// record is a row in a spilled run. It is a string so that the texts of a row
// share one allocation.
type record struct {
	s   string
	bad bool // read past the end
}

func (r *record) uvarint() uint64 {
	var x uint64
	for i := 0; i < len(r.s) && i < binary.MaxVarintLen64; i++ {
		b := r.s[i]
		if b < 0x80 {
			r.s = r.s[i+1:]
			return x | uint64(b)<<(7*i)
		}
		x |= uint64(b&0x7f) << (7 * i)
	}
	r.bad, r.s = true, ""
	return 0
}

func (r *record) varint() int64 {
	u := r.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

func (r *record) text() string { return r.take(r.uvarint()) }

func (r *record) take(n uint64) string {
	if n > uint64(len(r.s)) {
		r.bad, r.s = true, ""
		return ""
	}
	t := r.s[:n]
	r.s = r.s[n:]
	return t
}

func (r *record) float() float64 {
	t := r.take(8)
	if r.bad {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64([]byte(t)))
}

func putText(b []byte, s string) []byte { return append(binary.AppendUvarint(b, uint64(len(s))), s...) }

func putFloat(b []byte, f float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
}

func deltaInt64() parquet.Node {
	return parquet.Encoded(parquet.Leaf(parquet.Int64Type), &parquet.DeltaBinaryPacked)
}

func exactly[V any](s []V, n int) ([]V, error) {
	if len(s) != n {
		return nil, fmt.Errorf("page has %d values, expected %d", len(s), n)
	}
	return s, nil
}

// int64Codec is a whole number from lo up.
func int64Codec(unit string, lo int64) *codec[int64] {
	return &codec[int64]{
		node:   deltaInt64,
		value:  parquet.Int64Value,
		put:    binary.AppendVarint,
		get:    (*record).varint,
		decode: plain(int64sOf),
		alias:  int64sOf,
		check: func(v int64) string {
			if v < lo {
				return fmt.Sprintf("%d %s: expected at least %d", v, unit, lo)
			}
			return ""
		},
	}
}

// paise is money that cannot be negative.
var paise = int64Codec("paise", 0)

// Times outside these years are taken for a wrong unit or a broken clock.
const (
	minTime = 946_684_800 * Second   // 2000-01-01T00:00:00Z
	maxTime = 4_102_444_800 * Second // 2100-01-01T00:00:00Z
)

var micros = &codec[int64]{
	node: func() parquet.Node {
		return parquet.Encoded(parquet.Timestamp(parquet.Microsecond), &parquet.DeltaBinaryPacked)
	},
	value:  parquet.Int64Value,
	put:    binary.AppendVarint,
	get:    (*record).varint,
	decode: plain(int64sOf),
	alias:  int64sOf,
	check: func(v int64) string {
		if m := Micros(v); !m.Plausible() {
			return fmt.Sprintf("%d µs since 1970 is %s: expected a time from 2000 to 2099; check the unit", v, m)
		}
		return ""
	},
}

var int32s = &codec[int32]{
	node: func() parquet.Node {
		return parquet.Encoded(parquet.Leaf(parquet.Int32Type), &parquet.DeltaBinaryPacked)
	},
	value:  parquet.Int32Value,
	put:    func(b []byte, v int32) []byte { return binary.AppendVarint(b, int64(v)) },
	get:    func(r *record) int32 { return int32(r.varint()) },
	decode: plain(int32sOf),
	alias:  int32sOf,
	check: func(v int32) string {
		if v < 0 {
			return fmt.Sprintf("%d: expected at least 0", v)
		}
		return ""
	},
}

// probability is a float in [0, 1].
var probability = &codec[float64]{
	node:   func() parquet.Node { return parquet.Encoded(parquet.Leaf(parquet.DoubleType), &parquet.Plain) },
	value:  parquet.DoubleValue,
	put:    putFloat,
	get:    (*record).float,
	decode: plain(float64sOf),
	alias:  float64sOf,
	check: func(v float64) string {
		if !(v >= 0 && v <= 1) {
			return fmt.Sprintf("%v: expected a probability in [0, 1]", v)
		}
		return ""
	},
}

// pointerTo makes a codec of optional values that have a meaningful zero.
func pointerTo[V comparable](c *codec[V]) *codec[*V] {
	return &codec[*V]{
		node:  c.node,
		value: func(p *V) parquet.Value { return c.value(*p) },
		put: func(b []byte, p *V) []byte {
			if p == nil {
				return append(b, 0)
			}
			return c.put(append(b, 1), *p)
		},
		get: func(r *record) *V {
			if r.take(1) != "\x01" {
				return nil
			}
			v := c.get(r)
			return &v
		},
		decode: func(dst []*V, v encoding.Values, n int) ([]*V, error) {
			own, err := c.decode(nil, v, n)
			for i := range own {
				dst = append(dst, &own[i])
			}
			return dst, err
		},
		check: func(p *V) string {
			if p == nil {
				return ""
			}
			return c.check(*p)
		},
	}
}

var bools = &codec[bool]{
	node:  func() parquet.Node { return parquet.Encoded(parquet.Leaf(parquet.BooleanType), &parquet.Plain) },
	value: parquet.BooleanValue,
	put: func(b []byte, v bool) []byte {
		if v {
			return append(b, 1)
		}
		return append(b, 0)
	},
	get: func(r *record) bool { return r.take(1) == "\x01" },
	decode: func(dst []bool, v encoding.Values, n int) ([]bool, error) {
		bits := v.Boolean()
		if len(bits) < (n+7)/8 {
			return nil, fmt.Errorf("page has %d bytes of bits, expected %d values", len(bits), n)
		}
		for i := range n {
			dst = append(dst, bits[i/8]>>(i%8)&1 == 1)
		}
		return dst, nil
	},
	check: func(bool) string { return "" },
}

// MaxText bounds a text: longer ones are a mapping fault, and would not fit a page.
const MaxText = 4096

func checkText(s string) string {
	switch {
	case len(s) > MaxText:
		return fmt.Sprintf("text of %d bytes: expected at most %d", len(s), MaxText)
	case !utf8.ValidString(s):
		return fmt.Sprintf("%q is not UTF-8", s)
	}
	return ""
}

func textCodec(e encoding.Encoding) *codec[string] {
	return &codec[string]{
		node:   func() parquet.Node { return parquet.Encoded(parquet.String(), e) },
		value:  textValue,
		put:    putText,
		get:    (*record).text,
		decode: texts,
		check:  checkText,
	}
}

var (
	ids   = textCodec(&parquet.Plain)         // mostly unique
	words = textCodec(&parquet.RLEDictionary) // few levels
)

// textValue lends the bytes of s to a Parquet value, which only reads them.
func textValue(s string) parquet.Value {
	return parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(s), len(s)))
}

// texts copies the page's bytes once; the strings share them.
func texts(dst []string, v encoding.Values, n int) ([]string, error) {
	b, offsets := v.ByteArray()
	if n == 0 {
		return dst, nil
	}
	if len(offsets) != n+1 {
		return nil, fmt.Errorf("page has %d texts, expected %d", len(offsets)-1, n)
	}
	all := string(b)
	dst = slices.Grow(dst, n)
	from := offsets[0]
	for _, to := range offsets[1:] {
		dst = append(dst, all[from:to])
		from = to
	}
	return dst, nil
}

// enumCodec keeps a word of a closed list by its name.
func enumCodec(kind string, names []string) *codec[uint8] {
	byName := make(map[string]uint8, len(names))
	for i, n := range names {
		byName[n] = uint8(i)
	}
	return &codec[uint8]{
		node:  words.node,
		value: func(v uint8) parquet.Value { return textValue(names[v]) },
		put:   func(b []byte, v uint8) []byte { return append(b, v) },
		get: func(r *record) uint8 {
			t := r.take(1)
			if r.bad {
				return 0
			}
			return t[0]
		},
		decode: func(dst []uint8, v encoding.Values, n int) ([]uint8, error) {
			all, err := texts(nil, v, n)
			if err != nil {
				return nil, err
			}
			for _, s := range all {
				e, ok := byName[s]
				if !ok || e == 0 {
					return nil, fmt.Errorf("unknown %s %q", kind, s)
				}
				dst = append(dst, e)
			}
			return dst, nil
		},
		check: func(v uint8) string {
			if int(v) >= len(names) {
				return fmt.Sprintf("%d is no %s", v, kind)
			}
			return ""
		},
	}
}
