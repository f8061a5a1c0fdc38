package sim

import (
	"testing"
	"time"

	"recoup/data"
)

func TestNextLegal(t *testing.T) {
	at := func(h, m int) data.Micros { return data.IST(2025, 8, 4, h, m) }
	for _, c := range []struct{ from, want data.Micros }{
		{at(0, 0), at(0, 0)},
		{at(10, 0) - 1, at(10, 0) - 1},
		{at(10, 0), at(13, 0)},
		{at(13, 0) - 1, at(13, 0)},
		{at(13, 0), at(13, 0)},
		{at(17, 0) - 1, at(17, 0) - 1},
		{at(17, 0), at(21, 30)},
		{at(21, 30) - 1, at(21, 30)},
		{at(21, 30), at(21, 30)},
		{at(24, 0) - 1, at(24, 0) - 1},
	} {
		if got := nextLegal(data.UPIAutopay, c.from); got != c.want {
			t.Errorf("UPI from %s: got %s, want %s", c.from, got, c.want)
		}
		if got := nextLegal(data.Card, c.from); got != c.from {
			t.Errorf("card from %s: moved to %s", c.from, got)
		}
	}
}

func TestPayDays(t *testing.T) {
	for _, c := range []struct {
		year  int
		month time.Month
		want  int
	}{{2025, 5, 30}, {2025, 8, 29}, {2025, 6, 30}, {2026, 1, 30}, {2026, 2, 27}, {2024, 2, 29}} {
		if got := lastWorkingDay(c.year, c.month); got != c.want {
			t.Errorf("last working day of %d-%02d: got %d, want %d", c.year, c.month, got, c.want)
		}
	}
	if got, want := payTime(2025, 13, 7, 9*data.Hour), data.IST(2026, 1, 7, 9, 0); got != want {
		t.Errorf("a month past December: got %s, want %s", got, want)
	}
	d := func(day, h, m int) data.Micros { return data.IST(2025, 8, day, h, m) }
	for _, c := range []struct{ from, want data.Micros }{
		{d(1, 7, 0), d(1, 8, 0)},
		{d(1, 8, 30), d(1, 8, 30)},
		{d(1, 9, 30), d(1, 9, 30)},
		{d(1, 9, 30) + 1, d(5, 8, 0)},
		{d(6, 0, 0), d(29, 8, 0)}, // the 30th and 31st are a weekend
		{d(29, 12, 0), data.IST(2025, 9, 1, 8, 0)},
	} {
		if got := nextPayDay(c.from); got != c.want {
			t.Errorf("from %s: got %s, want %s", c.from, got, c.want)
		}
	}
}
