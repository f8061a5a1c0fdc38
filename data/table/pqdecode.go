package table

import (
	"encoding/binary"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"recoup/data"
)

// numbers appends the numbers to dst.
func numbers[T int32 | int64 | uint32 | float32 | float64, D int64 | float64](dst []D, v *values, src []T) []D {
	if v.codes == nil {
		for _, x := range src {
			dst = append(dst, D(x))
		}
		return dst
	}
	for _, k := range v.codes {
		dst = append(dst, D(src[k]))
	}
	return dst
}

func decodeDouble(b *builder, v *values) error {
	if v.codes == nil {
		b.F = append(b.F, v.f64...)
	} else {
		b.F = numbers(b.F, v, v.f64)
	}
	return nil
}

func decodeFloat(b *builder, v *values) error {
	b.F = numbers(b.F, v, v.f32)
	return nil
}

// decodeFloat16 reads halves: a sign, 5 bits of exponent, 10 of fraction.
func decodeFloat16(b *builder, v *values) error {
	return v.each(func(k int) error {
		b.F = append(b.F, half(binary.LittleEndian.Uint16(v.bytes(k))))
		return nil
	})
}

// half is the value of a 16-bit floating point number.
func half(x uint16) float64 {
	exponent, fraction := int(x>>10&31), float64(x&1023)
	f := 0.0
	switch exponent {
	case 0:
		f = math.Ldexp(fraction, -24)
	case 31:
		if f = math.Inf(1); fraction > 0 {
			f = math.NaN()
		}
	default:
		f = math.Ldexp(1024+fraction, exponent-25)
	}
	if x>>15 == 1 {
		return -f
	}
	return f
}

// whole appends integers as the kind that is asked for.
func whole[T int32 | int64](b *builder, v *values, src []T) {
	if b.Kind == data.Float64 {
		b.F = numbers(b.F, v, src)
	} else {
		b.I = numbers(b.I, v, src)
	}
}

func decodeInt32(b *builder, v *values) error {
	whole(b, v, v.i32)
	return nil
}

func decodeUint32(b *builder, v *values) error {
	return v.each(func(k int) error {
		b.integer(int64(uint32(v.i32[k])))
		return nil
	})
}

func decodeInt64(b *builder, v *values) error {
	whole(b, v, v.i64)
	return nil
}

func decodeUint64(b *builder, v *values) error {
	return v.each(func(k int) error {
		if v.i64[k] < 0 {
			b.fault(fmt.Sprint(uint64(v.i64[k])), "beyond 64 bits with sign")
			b.integer(0)
			return nil
		}
		b.integer(v.i64[k])
		return nil
	})
}

func (b *builder) integer(x int64) {
	if b.Kind == data.Float64 {
		b.F = append(b.F, float64(x))
	} else {
		b.I = append(b.I, x)
	}
}

func decodeBool(b *builder, v *values) error {
	return v.each(func(k int) error {
		x := int64(0)
		if v.bool[k] {
			x = 1
		}
		b.integer(x)
		return nil
	})
}

func decodeTimestamp(perSecond int64) decoder {
	return func(b *builder, v *values) error {
		return v.each(func(k int) error {
			x := v.i64[k]
			switch {
			case perSecond > 1e6:
				x = floorDiv(x, perSecond/1e6)
			case x > math.MaxInt64/(1e6/perSecond) || x < math.MinInt64/(1e6/perSecond):
				b.fault(fmt.Sprint(x), "a time out of range")
				x = 0
			default:
				x *= 1e6 / perSecond
			}
			b.I = append(b.I, x)
			return nil
		})
	}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// decodeInt96 reads Impala's times: nanoseconds of the day and a Julian day.
func decodeInt96(b *builder, v *values) error {
	const epoch = 2440588 // the Julian day of 1970-01-01
	return v.each(func(k int) error {
		us, ok := int96(v.i96[k], epoch)
		if !ok {
			b.fault(fmt.Sprint(v.i96[k]), "a time out of range")
		}
		b.I = append(b.I, us)
		return nil
	})
}

func int96(x [3]uint32, epoch int64) (us int64, ok bool) {
	nanos, day := int64(uint64(x[1])<<32|uint64(x[0])), int64(int32(x[2]))-epoch
	const perDay = int64(data.Day)
	if limit := math.MaxInt64/perDay - 1; day > limit || day < -limit || nanos < 0 || nanos > 2*86400e9 {
		return 0, false
	}
	return day*perDay + nanos/1000, true
}

func decodeDate(b *builder, v *values) error {
	return v.each(func(k int) error {
		b.text(data.Micros(int64(v.i32[k]) * int64(data.Day)).UTCDate())
		return nil
	})
}

// decodeClock reads a time of day as 15:04:05.000000000.
func decodeClock(kind parquet.Kind, perSecond int64) decoder {
	return func(b *builder, v *values) error {
		at := func(k int) int64 { return v.i64[k] }
		if kind == parquet.Int32 {
			at = func(k int) int64 { return int64(v.i32[k]) }
		}
		return v.each(func(k int) error {
			x := at(k)
			if x < 0 || x >= 86400*perSecond {
				b.fault(fmt.Sprint(x), "a time of day out of range")
				x = 0
			}
			s := x / perSecond
			fraction := fmt.Sprintf("%09d", x%perSecond*(1e9/perSecond))
			b.text(fmt.Sprintf("%02d:%02d:%02d.%s", s/3600, s/60%60, s%60, fraction))
			return nil
		})
	}
}

func decodeUUID(b *builder, v *values) error {
	return v.each(func(k int) error {
		x := v.bytes(k)
		b.text(fmt.Sprintf("%x-%x-%x-%x-%x", x[:4], x[4:6], x[6:8], x[8:10], x[10:]))
		return nil
	})
}

// decodeText looks each level of a dictionary up once a chunk. Text that is not
// UTF-8 is a fault of its row.
func decodeText(b *builder, v *values) error {
	if v.codes == nil {
		return v.each(func(k int) error {
			b.checkedText(v.bytes(k))
			return nil
		})
	}
	if len(v.remap) < v.n {
		v.remap = make([]uint32, v.n)
	}
	for _, k := range v.codes {
		if v.remap[k] == 0 {
			text := v.bytes(int(k))
			if !utf8.Valid(text) {
				b.checkedText(text)
				continue
			}
			v.remap[k] = b.code(text) + 1
			v.used = append(v.used, k)
		}
		b.Codes = append(b.Codes, v.remap[k]-1)
	}
	for _, k := range v.used { // the next call may build another chunk
		v.remap[k] = 0
	}
	v.used = v.used[:0]
	return nil
}

func (b *builder) text(s string) { b.Codes = append(b.Codes, b.code([]byte(s))) }

func (b *builder) checkedText(text []byte) {
	if !utf8.Valid(text) {
		b.fault(shown(text), "not UTF-8")
		text = nil
	}
	b.Codes = append(b.Codes, b.code(text))
}
