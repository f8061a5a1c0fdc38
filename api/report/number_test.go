package report

import (
	"math"
	"testing"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{number(0), "0"}, {number(.153), "0.153"}, {number(.00940), "0.00940"}, {number(1234), "1,234"}, {number(-2.5), "−2.50"}, {number(1e-9), "1.00e−09"}, {number(97.5), "97.5"},
		{setting(.1), "0.1"}, {setting(-3), "−3"},
		{count(0), "0"}, {count(999), "999"}, {count(1000), "1,000"}, {count(-1234567), "−1,234,567"},
		{estimate(Ranged(.153, .1492, .1568, 9)), "0.1530 [0.1492, 0.1568]"},
		{estimate(Ranged(.0004, -.0003, .0011, 9)), "0.0004 [−0.0003, 0.0011]"},
		{estimate(Ranged(.00042, -.00031, .00108, 9)), "0.0004 [−0.0003, 0.0011]"},
		{estimate(Ranged(-.09, -.17, -.004, 9)), "−0.090 [−0.170, −0.004]"}, // an end below 0 does not read as 0
		{estimate(Ranged(.5, .5, .5, 9)), "0.5000 [0.5000, 0.5000]"},
		{estimate(Number(.5, 9)), "0.500"}, {estimate(Unknown("x")), "–"},
		{percent(Ranged(.0471, .032, .062, 9)), "4.7\u00a0% [3.2, 6.2]"}, {percent(Number(.0471, 9)), "4.7\u00a0%"},
		{when("2026-11-01T00:00:00Z"), "1 Nov 2026"}, {when("2026-11-01T05:30:00+05:30"), "1 Nov 2026"}, {when("2026-11-01T00:00:01Z"), "1 Nov 2026 00:00:01 UTC"}, {when("2026-11-01T18:30:00Z"), "1 Nov 2026 18:30 UTC"}, {when("?"), "?"}, {setting(39.044000000000004), "39.044"}, {digest("0123456789abcdef0"), "0123456789abcdef…"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		s    scale
		n    int
		want []float64
	}{
		{scale{lo: 0, hi: 1}, 5, []float64{0, .2, .4, .6, .8, 1}},
		{scale{lo: 0, hi: .6}, 5, []float64{0, .2, .4, .6}},
		{scale{lo: -.1, hi: .05}, 5, []float64{-.1, -.05, 0, .05}},
		{scale{lo: 0, hi: .05}, 5, []float64{0, .01, .02, .03, .04, .05}},
	} {
		got := c.s.ticks(c.n)
		if len(got) != len(c.want) {
			t.Errorf("%+v: %v", c.s, got)
			continue
		}
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("%+v: %v, want %v", c.s, got, c.want)
			}
		}
	}
}
