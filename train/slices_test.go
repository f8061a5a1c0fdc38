package train

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
)

var newYear = data.IST(2025, 1, 1, 0, 0)

func TestCutYear(t *testing.T) {
	asOf := newYear + 365*data.Day
	s, err := Cut(Span{First: newYear, Last: asOf - 6*data.Day, AsOf: asOf, Longest: 5 * data.Day})
	if err != nil {
		t.Fatal(err)
	}
	if s.Months != 2 || s.WarmUp != newYear+60*data.Day || s.Embargo != 5*data.Day {
		t.Errorf("months %d, warm-up until %s, embargo %s", s.Months, s.WarmUp, span(s.Embargo))
	}
	// The rows end on 26 December, the day on which the last emandate window that has closed began.
	test, cal, sel, train := s.Of(ForTest), s.Of(ForCalibrate), s.Of(ForSelect), s.Of(ForTrain)
	want := []data.Micros{
		data.IST(2025, 10, 27, 0, 0), data.IST(2025, 12, 27, 0, 0),
		data.IST(2025, 8, 22, 0, 0), data.IST(2025, 10, 22, 0, 0),
		data.IST(2025, 6, 17, 0, 0), data.IST(2025, 8, 17, 0, 0),
		newYear + 60*data.Day, data.IST(2025, 6, 12, 0, 0),
	}
	got := []data.Micros{test.From, test.To, cal.From, cal.To, sel.From, sel.To, train.From, train.To}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("bound %d: %s, want %s", i, got[i], want[i])
		}
	}
}

func TestCutEdges(t *testing.T) {
	last := func(asOf data.Micros) data.Micros { return asOf - 5*data.Day }
	for _, c := range []struct {
		name   string
		asOf   data.Micros
		warm   bool
		months int
	}{
		{"half a year", newYear + 183*data.Day, false, 0},
		{"over half a year", newYear + 183*data.Day + 1, true, 0},
		{"a year less a pay cycle's slack", newYear + 360*data.Day - 2, true, 0},
		{"a year", newYear + 360*data.Day - 1, true, 2},
	} {
		s, err := Cut(Span{First: newYear, Last: last(c.asOf), AsOf: c.asOf, Longest: 5 * data.Day})
		if err != nil {
			t.Fatal(c.name, err)
		}
		if (s.WarmUp != 0) != c.warm || s.Months != c.months {
			t.Errorf("%s: warm-up %v, months %d, want %v, %d", c.name, s.WarmUp != 0, s.Months, c.warm, c.months)
		}
	}
}

func TestCutShort(t *testing.T) {
	// Two months with a window of 60 s: 15 % of the time each.
	asOf := newYear + 60*data.Day
	s, err := Cut(Span{First: newYear, Last: asOf - data.Hour, AsOf: asOf, Longest: data.Minute})
	if err != nil {
		t.Fatal(err)
	}
	test := s.Of(ForTest)
	if test.To != asOf-data.Minute+1 {
		t.Errorf("test ends %s, want %s", test.To, asOf-data.Minute+1)
	}
	if d := test.To - test.From; d < 899*data.Day/100 || d > 9*data.Day {
		t.Errorf("test lasts %s", span(d))
	}
	if gap := test.From - s.Of(ForCalibrate).To; gap != data.Minute {
		t.Errorf("embargo of %d s, want 60", gap/data.Second)
	}
	p := s.ForPeriods()
	if gap := test.From - p.Of(ForCalibrate).To; gap != data.Day || *p.Of(ForTest) != *test {
		t.Errorf("person-period embargo of %s, want a day", span(gap))
	}
}

func TestCutRefuses(t *testing.T) {
	for _, c := range []Span{
		{First: newYear, Last: newYear, AsOf: newYear, Longest: data.Day},
		{First: newYear, Last: newYear - 1, AsOf: newYear + data.Day, Longest: data.Day},
		{First: newYear, Last: newYear + data.Day, AsOf: newYear + 2*data.Day, Longest: 5 * data.Day},
		{First: newYear, Last: newYear + 5*data.Day, AsOf: newYear + 10*data.Day, Longest: 5 * data.Day},
	} {
		if _, err := Cut(c); !errors.Is(err, data.ErrTooLittle) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Slices never overlap, keep their embargo, are in order and never pass the
// closing of the longest window.
func TestCutProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := data.Micros(rapid.IntRange(1, 1500).Draw(t, "days"))
		off := data.Micros(rapid.Int64Range(0, int64(data.Day)).Draw(t, "offset"))
		s := Span{First: newYear + off, Longest: data.Micros(rapid.Int64Range(1, int64(5*data.Day)).Draw(t, "longest"))}
		s.AsOf = s.First + days*data.Day
		s.Last = s.First + data.Micros(rapid.Int64Range(0, int64(days*data.Day)).Draw(t, "last"))
		c, err := Cut(s)
		if err != nil {
			if !errors.Is(err, data.ErrTooLittle) {
				t.Fatal(err)
			}
			return
		}
		for i, c := range []Slices{c, c.ForPeriods()} {
			if c.Of(ForTrain).From < s.First || c.Of(ForTest).To > s.AsOf-s.Longest+1 {
				t.Fatalf("%+v outside %+v", c, s)
			}
			for p := ForTrain; p < ForTest; p++ {
				if c.Of(p).To > c.Of(p+1).From-c.Embargo {
					t.Fatalf("%s ends %s, %s begins %s", p, c.Of(p).To, p+1, c.Of(p+1).From)
				}
			}
			for p := ForSelect; p <= ForTest; p++ {
				if i == 0 && c.Of(p).From >= c.Of(p).To {
					t.Fatalf("%s is empty: %+v", p, c.Of(p))
				}
			}
		}
	})
}

func TestEnoughNamesTheSlice(t *testing.T) {
	asOf := newYear + 100*data.Day
	s, err := Cut(Span{First: newYear, Last: asOf, AsOf: asOf, Longest: data.Day})
	if err != nil {
		t.Fatal(err)
	}
	fill := func(p Part, rows, positives int) {
		for i := range rows {
			y := int64(0)
			if i < positives {
				y = 1
			}
			s.Count(s.Of(p).From, y)
		}
	}
	fill(ForTrain, 600, 60)
	fill(ForSelect, 500, 50)
	fill(ForCalibrate, 500, 49)
	fill(ForTest, 499, 60)
	s.Count(s.Of(ForTrain).To, 1) // in the embargo
	err = s.Enough("attempts")
	if !errors.Is(err, data.ErrTooLittle) || !strings.Contains(err.Error(), "slice calibrate") || !strings.Contains(err.Error(), "500 rows, 49 of them positive: 1 positive too few; slice test") ||
		!strings.Contains(err.Error(), "499 rows, 60 of them positive: 1 row too few; each slice needs") {
		t.Error(err)
	}
	s.Count(s.Of(ForCalibrate).From, 1)
	if err := s.Enough("attempts"); err == nil || !strings.Contains(err.Error(), "slice test") {
		t.Error(err)
	}
	s.Count(s.Of(ForTest).To-1, 0)
	if err := s.Enough("attempts"); err != nil {
		t.Error(err)
	}
	if s.Outside != 1 {
		t.Errorf("%d outside, want 1", s.Outside)
	}
}

func TestMonthsBefore(t *testing.T) {
	for _, c := range []struct{ from, want data.Micros }{
		{data.IST(2025, 12, 27, 0, 0), data.IST(2025, 10, 27, 0, 0)},
		{data.IST(2025, 1, 15, 10, 30), data.IST(2024, 11, 15, 10, 30)},
		{data.IST(2025, 4, 30, 0, 0), data.IST(2025, 2, 28, 0, 0)},
		{data.IST(2024, 4, 30, 0, 0), data.IST(2024, 2, 29, 0, 0)},
		{data.IST(2025, 8, 31, 0, 0), data.IST(2025, 6, 30, 0, 0)},
	} {
		if got := monthsBefore(c.from, 2); got != c.want {
			t.Errorf("two months before %s: %s, want %s", c.from, got, c.want)
		}
	}
}
