package score

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
)

// exactShare is share in exact fractions.
func exactShare(x float64, amount data.Paise) *big.Int {
	v := new(big.Rat).Mul(new(big.Rat).SetFloat64(x), new(big.Rat).SetInt64(int64(amount)))
	twice := new(big.Int).Mul(v.Num(), big.NewInt(2))
	den := new(big.Int).Mul(v.Denom(), big.NewInt(2)) // round((2n + d) / 2d) down, then back on a tie to odd
	floor := new(big.Int).Div(new(big.Int).Add(twice, v.Denom()), den)
	tie := new(big.Int).Mod(new(big.Int).Add(twice, v.Denom()), den).Sign() == 0
	if tie && floor.Bit(0) == 1 {
		floor.Sub(floor, big.NewInt(1))
	}
	return floor
}

// Money from a share is exact and rounds half to even, for every float64 in [-1, 1]
// and every amount.
func TestShareEqualsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.OneOf(rapid.Float64Range(-1, 1), rapid.Custom(func(t *rapid.T) float64 {
			return math.Ldexp(float64(rapid.IntRange(-1024, 1024).Draw(t, "n")), -10) // ties
		}), rapid.Custom(func(t *rapid.T) float64 {
			return math.Ldexp(rapid.Float64Range(-1, 1).Draw(t, "m"), -rapid.IntRange(0, 1080).Draw(t, "e"))
		})).Draw(t, "x")
		amount := data.Paise(rapid.OneOf(rapid.Int64Range(0, math.MaxInt64), rapid.Int64Range(0, 2000)).Draw(t, "amount"))
		want := exactShare(x, amount)
		if got := share(x, amount); !want.IsInt64() || int64(got) != want.Int64() {
			t.Fatalf("%v of %d: %d, expected %s", x, int64(amount), int64(got), want)
		}
	})
}

func TestShareOfTies(t *testing.T) {
	for _, c := range []struct {
		x      float64
		amount data.Paise
		want   data.Paise
	}{
		{0.5, 1, 0}, {0.5, 3, 2}, {0.5, 5, 2}, {-0.5, 1, 0}, {-0.5, 3, -2}, {1, math.MaxInt64, math.MaxInt64}, {-1, math.MaxInt64, -math.MaxInt64},
		{0, 5, 0}, {math.Copysign(0, -1), 5, 0}, {5e-324, math.MaxInt64, 0}, {0x1p-64, math.MaxInt64, 0}, {0x1p-63, math.MaxInt64, 1}, {0x1.8p-64, math.MaxInt64, 1}, {0.25, 2, 0}, {0.75, 2, 2},
	} {
		if got := share(c.x, c.amount); got != c.want {
			t.Errorf("%v of %d: %d, expected %d", c.x, int64(c.amount), int64(got), int64(c.want))
		}
	}
	if got := expected(-1, math.MaxInt64, 200); got != math.MinInt64 {
		t.Errorf("a loss beyond all money: %d", int64(got))
	}
	if got := expected(0.5, 1001, 200); got != 300 {
		t.Errorf("half of 1001 less 200: %d", int64(got))
	}
}
