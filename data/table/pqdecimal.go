package table

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/parquet-go/parquet-go"

	"recoup/data"
)

// decodeDecimal delivers the exact digits as text.
func decodeDecimal(kind parquet.Kind, scale int) decoder {
	return func(b *builder, v *values) error {
		var digits func(k int) string
		switch kind {
		case parquet.Int32:
			digits = func(k int) string { return fmt.Sprint(v.i32[k]) }
		case parquet.Int64:
			digits = func(k int) string { return fmt.Sprint(v.i64[k]) }
		default:
			digits = func(k int) string { return bigEndian(v.bytes(k)).String() }
		}
		return v.each(func(k int) error {
			s := "0"
			if kind != parquet.Int32 && kind != parquet.Int64 && len(v.bytes(k)) > 64 {
				b.fault("", fmt.Sprintf("a decimal number of %d bytes", len(v.bytes(k))))
			} else {
				s = point(digits(k), scale)
			}
			if b.Kind == data.Float64 {
				x, _ := parseNumber([]byte(s))
				b.F = append(b.F, x)
				return nil
			}
			b.text(s)
			return nil
		})
	}
}

// bigEndian is a signed integer in two's complement.
func bigEndian(b []byte) *big.Int {
	x := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return x
}

// point puts a decimal point before the last scale digits.
func point(digits string, scale int) string {
	if scale <= 0 {
		return digits + strings.Repeat("0", -scale)
	}
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale-len(digits)+1) + digits
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}
