package score

import (
	"math"
	"math/bits"

	"recoup/data"
)

// share is x times an amount, rounded half to even, exactly: the product is taken
// in 128 bits before it is rounded. x in [-1, 1], amount not negative.
func share(x float64, amount data.Paise) data.Paise {
	b := math.Float64bits(x)
	exp := int(b >> 52 & 0x7ff)
	m := b & (1<<52 - 1)
	if exp > 0 {
		m |= 1 << 52
	} else {
		exp = 1
	}
	right := 1075 - exp // |x| = m / 2^right; at least 52
	hi, lo := bits.Mul64(m, uint64(amount))
	var whole, rest, half uint64
	var below bool // something beyond rest
	switch {
	case right >= 128: // the product is below 2^116
		return 0
	case right > 64:
		r := right - 64
		whole, rest, half, below = hi>>r, hi&(1<<r-1), 1<<(r-1), lo != 0
	case right == 64:
		whole, rest, half = hi, lo, 1<<63
	default:
		whole, rest, half = hi<<(64-right)|lo>>right, lo&(1<<right-1), 1<<(right-1)
	}
	if rest > half || rest == half && (below || whole&1 == 1) {
		whole++
	}
	if x < 0 {
		return -data.Paise(whole)
	}
	return data.Paise(whole)
}

// expected is the expected value of an action: uplift times the amount less the
// cost. What does not fit stays at the least money there is.
func expected(uplift float64, amount, cost data.Paise) data.Paise {
	v := share(uplift, amount)
	if v < math.MinInt64+cost {
		return math.MinInt64
	}
	return v - cost
}
