package ingest

import (
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"recoup/data"
)

func TestPaise(t *testing.T) {
	for _, c := range []struct {
		s    string
		per  int64
		want int64
		why  string
	}{
		{"0", 100, 0, ""}, {"12", 100, 1200, ""}, {"12.5", 100, 1250, ""}, {"12.50", 100, 1250, ""}, {"0.29", 100, 29, ""},
		{"1234.50", 100, 123450, ""}, {"1,234.50", 100, 123450, ""}, {"12,34,567", 100, 123456700, ""}, {"1,23,456", 1, 123456, ""},
		{"12.500", 100, 1250, ""}, {"12.505", 100, 0, fraction}, {"12.0", 1, 12, ""}, {"12.5", 1, 0, fraction}, {"007", 1, 7, ""},
		{"92233720368547758.07", 100, math.MaxInt64, ""}, {"92233720368547758.08", 100, 0, tooLarge},
		{"9223372036854775807", 1, math.MaxInt64, ""}, {"9223372036854775808", 1, 0, tooLarge}, {strings.Repeat("9", 400), 1, 0, tooLarge},
		{"-1", 1, 0, negative}, {"-0.01", 100, 0, negative}, {"-0.001", 100, 0, negative}, {"-0", 1, 0, ""},
		{"", 1, 0, notMoney}, {"-", 1, 0, notMoney}, {".5", 100, 0, notMoney}, {"5.", 100, 0, notMoney}, {"1.2.3", 100, 0, notMoney},
		{"+5", 1, 0, notMoney}, {" 5", 1, 0, notMoney}, {"5 ", 1, 0, notMoney}, {"5e2", 1, 0, notMoney}, {"₹5", 1, 0, notMoney},
		{"12,5", 100, 0, notMoney}, {"1,2345", 1, 0, notMoney}, {",123", 1, 0, notMoney}, {"1,,234", 1, 0, notMoney}, {"1234,567", 1, 0, notMoney},
		{"1.234,5", 100, 0, notMoney}, {"NaN", 1, 0, notMoney}, {"１２", 1, 0, notMoney}, {"--5", 1, 0, notMoney},
	} {
		if got, why := paise(c.s, c.per, '.', ','); got != c.want || why != c.why {
			t.Errorf("%q x %d: %d, %q; want %d, %q", c.s, c.per, got, why, c.want, c.why)
		}
	}
	if got, why := paise("1.234,50", 100, ',', '.'); got != 123450 || why != "" {
		t.Errorf("European: %d, %q", got, why)
	}
	if _, why := paise("1,234", 100, '.', 0); why != notMoney {
		t.Errorf("no group mark: %q", why)
	}
}

// TestPaiseExact compares with big rationals.
func TestPaiseExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`-?[0-9]{1,19}(\.[0-9]{1,4})?`).Draw(t, "s")
		per := rapid.SampledFrom([]int64{1, 100}).Draw(t, "per")
		x, _ := new(big.Rat).SetString(s)
		x.Mul(x, big.NewRat(per, 1))
		got, why := paise(s, per, '.', ',')
		switch {
		case x.Sign() < 0:
			if why != negative {
				t.Fatalf("%s: %q", s, why)
			}
		case !x.IsInt():
			if why != fraction {
				t.Fatalf("%s: %q", s, why)
			}
		case !x.Num().IsInt64():
			if why != tooLarge {
				t.Fatalf("%s: %q", s, why)
			}
		case why != "" || got != x.Num().Int64():
			t.Fatalf("%s: %d, %q", s, got, why)
		}
	})
}

func TestPaiseOf(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want int64
		why  string
	}{
		{0.29, 29, ""}, {1.1, 110, ""}, {339.67, 33967, ""}, {12.345, 0, fraction}, {12.3400099, 1234, ""}, {12.34002, 0, fraction}, {-1, 0, negative},
		{math.NaN(), 0, notFinite}, {math.Inf(1), 0, notFinite}, {math.Inf(-1), 0, notFinite}, {1e15, 0, inexact}, {1e300, 0, inexact},
	} {
		if got, why := paiseOf(c.x, 100); got != c.want || why != c.why {
			t.Errorf("%v: %d, %q; want %d, %q", c.x, got, why, c.want, c.why)
		}
	}
}

func TestISO(t *testing.T) {
	for _, c := range []struct {
		s, zone string
		want    string // "" = refused
		why     string
	}{
		{"2026-07-21T07:26:52Z", "", "2026-07-21T07:26:52Z", ""},
		{"2026-07-21 07:26:52.5+05:30", "", "2026-07-21T01:56:52.5Z", ""},
		{"2026-07-21t07:26:52.1234567-0330", "", "2026-07-21T10:56:52.123456Z", ""},
		{"2026-07-21T07:26:52", "Asia/Kolkata", "2026-07-21T01:56:52Z", ""},
		{"2026-07-21T07:26:52", "", "", noZone},
		{"2026-07-21", "UTC", "", notATime},
		{"2026-07-21T07:26", "UTC", "", notATime},
		{"2026-02-29T07:26:00Z", "", "", notATime},
		{"2024-02-29T07:26:00Z", "", "2024-02-29T07:26:00Z", ""},
		{"2026-13-01T07:26:00Z", "", "", notATime},
		{"2026-01-01T24:00:00Z", "", "", notATime},
		{"2026-01-01T23:59:60Z", "", "", notATime},
		{"2026-01-01T00:00:00+24:00", "", "", notATime},
		{"2026-01-01T00:00:00Zx", "", "", notATime},
		{" 2026-01-01T00:00:00Z", "", "", notATime},
		{"2026-01-01T00:00:00.Z", "", "", notATime},
		// Berlin: on 29 March 2026 at 02:00 the clock jumps to 03:00, on 25 October at 03:00 back to 02:00.
		{"2026-03-29T01:59:59", "Europe/Berlin", "2026-03-29T00:59:59Z", ""},
		{"2026-03-29T02:00:00", "Europe/Berlin", "", notInZone},
		{"2026-03-29T02:59:59", "Europe/Berlin", "", notInZone},
		{"2026-03-29T03:00:00", "Europe/Berlin", "2026-03-29T01:00:00Z", ""},
		{"2026-10-25T01:59:59", "Europe/Berlin", "2026-10-24T23:59:59Z", ""},
		{"2026-10-25T02:00:00", "Europe/Berlin", "", twiceInZone},
		{"2026-10-25T02:59:59", "Europe/Berlin", "", twiceInZone},
		{"2026-10-25T03:00:00", "Europe/Berlin", "2026-10-25T02:00:00Z", ""},
		{"2011-12-30T12:00:00", "Pacific/Apia", "", notInZone}, // Samoa left this day out
		{"1800-01-01T00:00:00", "Asia/Kolkata", "1799-12-31T18:06:32Z", ""},
	} {
		var z *zone
		if c.zone != "" {
			l, err := time.LoadLocation(c.zone)
			if err != nil {
				t.Fatal(err)
			}
			z = &zone{location: l}
		}
		for range 2 { // the second time from memory
			got, why := data.Micros(0), notATime
			if civil, ok := iso(c.s); ok {
				got, why = civil.instant(z)
			}
			if why != c.why || why == "" && got.String() != c.want {
				t.Errorf("%q in %q: %v, %q; want %s, %q", c.s, c.zone, got, why, c.want, c.why)
			}
		}
	}
}

// TestZone compares with time.Date, which picks one of two readings, on random
// clocks in zones that change.
func TestZone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia", "UTC"}).Draw(t, "zone")
		l, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		z := &zone{location: l}
		for _, minute := range rapid.SliceOfN(rapid.Int64Range(0, 60*24*365*60), 1, 20).Draw(t, "minutes") {
			wall := data.Micros(minute) * data.Minute
			at, why := z.instant(wall)
			// All instants whose wall clock is wall, by trying every offset in steps of 15 minutes.
			var found []data.Micros
			for o := -16 * data.Hour; o <= 16*data.Hour; o += 15 * data.Minute {
				if z.offsetAt(wall-o) == o {
					found = append(found, wall-o)
				}
			}
			switch {
			case len(found) == 1 && (why != "" || at != found[0]), len(found) == 0 && why != notInZone, len(found) == 2 && why != twiceInZone:
				t.Fatalf("%s in %s: %v, %q; found %v", wall, name, at, why, found)
			}
		}
	})
}

func TestStrptime(t *testing.T) {
	for _, c := range []struct{ pattern, s, want string }{
		{"%d/%m/%Y %H:%M:%S", "05/11/2019 23:04:05", "2019-11-05T23:04:05Z"},
		{"%d/%m/%Y %H:%M:%S", "5/1/2019 3:4:5", "2019-01-05T03:04:05Z"},
		{"%d.%m.%Y %H:%M:%S.%f", "05.11.2019 23:04:05.25", "2019-11-05T23:04:05.25Z"},
		{"%Y%m%d%H%M%S", "20191105230405", "2019-11-05T23:04:05Z"},
		{"%Y-%m-%dT%H:%M:%S%z", "2019-11-05T23:04:05+0530", "2019-11-05T17:34:05Z"},
		{"%Y-%m-%d %H:%M:%S %Z", "2019-11-05 23:04:05 UTC", "2019-11-05T23:04:05Z"},
		{"%d %b %Y %I:%M %p", "05 nov 2019 12:04 AM", "2019-11-05T00:04:00Z"},
		{"%d %B %y %I:%M %p", "05 November 19 12:04 pm", "2019-11-05T12:04:00Z"},
		{"%a %b %e %T %Y", "Tue Nov  5 23:04:05 2019", "2019-11-05T23:04:05Z"},
		{"%F %R", "2019-11-05 23:04", "2019-11-05T23:04:00Z"},
		{"%D", "11/05/69", "1969-11-05T00:00:00Z"},
		{"%Y-%j", "2020-366", "2020-12-31T00:00:00Z"},
		{"%Y-%j", "2019-366", ""},
		{"100%% %Y%m%d", "100% 20191105", "2019-11-05T00:00:00Z"},
		{"%d/%m/%Y", "31/02/2019", ""},
		{"%d/%m/%Y", "00/02/2019", ""},
		{"%d/%m/%Y", "05/13/2019", ""},
		{"%d/%m/%Y", "05/11/19", ""},
		{"%d/%m/%Y", "05/11/2019 ", ""},
		{"%d/%m/%Y %H", "05/11/2019 24", ""},
		{"%d/%m/%Y %I %p", "05/11/2019 13 pm", ""},
		{"%d/%m/%Y %I %p", "05/11/2019 0 am", ""},
		{"%d/%m/%Y", "٠٥/11/2019", ""},
	} {
		p, err := compilePattern(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		got := ""
		if civil, ok := p.parse(c.s); ok {
			if at, why := civil.instant(&zone{location: time.UTC}); why == "" {
				got = at.String()
			}
		}
		if got != c.want {
			t.Errorf("%q as %q: %q, want %q", c.s, c.pattern, got, c.want)
		}
	}
}
