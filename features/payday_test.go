package features

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"recoup/data"
)

// In a world where debits find money shortly after the pay day, 40 outcomes of
// a year show it: within two days for most customers.
func TestPaydayIsLearned(t *testing.T) {
	g := rand.New(rand.NewPCG(8, 9))
	near, fresher, n := 0, 0, 300
	for range n {
		payday := 1 + g.IntN(28)
		var ring []past
		for range 40 {
			at := epoch + data.Micros(g.Int64N(int64(365*data.Day)))
			since := daysSincePayday(at.ISTDay(), int8(payday))
			words := outcomeWords{status: data.Failed, cause: data.CauseInsufficientFunds}
			if g.Float64() < 0.95-0.85*float64(since)/30 {
				words = outcomeWords{status: data.Captured}
			}
			ring = insert(ring, pastOf(at, 1, 100_00, words))
		}
		p := learnPayday(ring)
		if off := (int(p.day) - payday + 31 + 15) % 31; off >= 13 && off <= 17 {
			near++
		}
		if p.expected(int8(payday+2)%31+1) > p.expected(int8(payday+16)%31+1) {
			fresher++
		}
	}
	if near < n*7/10 || fresher < n*9/10 {
		t.Errorf("of %d pay days %d within two days; %d times more of the cycle is ahead three days after the true one than two weeks later", n, near, fresher)
	}
}

func TestNoLackOfFundsNoPayday(t *testing.T) {
	ring := []past{pastOf(epoch, 1, 100, outcomeWords{status: data.Captured}), pastOf(epoch, 1, 100, outcomeWords{status: data.Failed, cause: data.CauseTechnical})}
	if p := learnPayday(ring); p.day != 0 || p.expected(3) != 0.5 {
		t.Errorf("learned %d from nothing", p.day)
	}
}

// Days since and until, against a walk through the calendar.
func TestPaydayDistances(t *testing.T) {
	isPayday := func(day int64, payday int8) bool {
		c := civilOf(day)
		return c.day == min(payday, c.monthLength())
	}
	start := data.IST(2024, time.January, 1, 12, 0).ISTDay() // a leap year
	for day := start; day < start+800; day++ {
		for _, payday := range []int8{1, 15, 28, 29, 30, 31} {
			since, until := int64(0), int64(1)
			for !isPayday(day-since, payday) {
				since++
			}
			for !isPayday(day+until, payday) {
				until++
			}
			if got := daysSincePayday(day, payday); got != since {
				t.Fatalf("day %v, pay day %d: %d days since, expected %d", civilOf(day), payday, got, since)
			}
			if got := daysUntilPayday(day, payday); got != until {
				t.Fatalf("day %v, pay day %d: %d days until, expected %d", civilOf(day), payday, got, until)
			}
		}
	}
}

// The calendar against the standard library's.
func TestCalendarEqualsTime(t *testing.T) {
	for day := int64(-1000); day < 60000; day += 7 {
		want := time.Unix(day*86400, 0).UTC()
		c := civilOf(day)
		if int(c.year) != want.Year() || int(c.month) != int(want.Month()) || int(c.day) != want.Day() {
			t.Fatalf("day %d: %v, expected %v", day, c, want)
		}
		if n := want.AddDate(0, 1, -want.Day()).Day(); want.Day() < 29 && int(c.monthLength()) != n {
			t.Fatalf("day %d: month of %d days, expected %d", day, c.monthLength(), n)
		}
		if got, want := weekdayLevels[weekday(day)], fmt.Sprint(want.Weekday()); got != lower(want) {
			t.Fatalf("day %d: %s, expected %s", day, got, want)
		}
	}
	for _, tt := range []struct {
		hour, minute int
		peak         bool
	}{{9, 59, false}, {10, 0, true}, {12, 59, true}, {13, 0, false}, {16, 59, false}, {17, 0, true}, {21, 29, true}, {21, 30, false}} {
		if got := peakWindow(data.IST(2026, 1, 5, tt.hour, tt.minute)); got != tt.peak {
			t.Errorf("%02d:%02d IST: peak %t", tt.hour, tt.minute, got)
		}
	}
	for _, tt := range []struct {
		y, m, d int
		since   int64
	}{{2026, 1, 30, 0}, {2026, 1, 31, 1}, {2026, 2, 1, 0}, {2026, 2, 6, 5}, {2026, 2, 7, 0}, {2026, 2, 27, 0}, {2026, 2, 28, 1}, {2026, 2, 26, 19}} {
		if got := daysSinceCommonPayday(data.IST(tt.y, time.Month(tt.m), tt.d, 12, 0).ISTDay()); got != tt.since {
			t.Errorf("%d-%02d-%02d: %d days since a common pay day, expected %d", tt.y, tt.m, tt.d, got, tt.since)
		}
	}
}

func lower(s string) string { return string(s[0]|0x20) + s[1:] }
