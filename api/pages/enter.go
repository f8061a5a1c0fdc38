package pages

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"recoup/data"
)

// clock is an instant as an input of kind time takes it: India's wall clock.
func clock(t data.Micros) string {
	at := t.Time().In(india)
	if at.Second() == 0 {
		return at.Format("2006-01-02T15:04")
	}
	return at.Format("2006-01-02T15:04:05")
}

// readClock reads India's wall clock, to the minute or the second, with a T or
// a space.
func readClock(s string) (data.Micros, error) {
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02 15:04:05"} {
		at, err := time.ParseInLocation(layout, s, india)
		if err != nil {
			continue
		}
		if y := at.Year(); y < 2000 || y > 2100 {
			return 0, fmt.Errorf("the year %d is out of range: 2000 to 2100 is expected", y)
		}
		return data.MicrosOf(at), nil
	}
	return 0, fmt.Errorf("%q is no date and time such as 2026-02-03 09:30", short(s))
}

// grouped is a number with its thousands apart, by threes or the Indian way,
// or not at all. "1,23" is none: it could mean a decimal comma.
var grouped = regexp.MustCompile(`^(\d+|\d{1,3}(,\d{3})+|\d{1,2}(,\d{2})*,\d{3})(\.\d+)?$`)

// readMoney reads an amount above zero exactly, in rupees with at most two
// decimals or in whole paise. No float is involved.
func readMoney(s, unit string) (data.Paise, error) {
	text := strings.TrimSpace(strings.TrimPrefix(s, "₹"))
	if !grouped.MatchString(text) {
		return 0, fmt.Errorf("%q is no amount: digits are expected, with a point before the paise, such as 1,499.00", short(s))
	}
	whole, part, _ := strings.Cut(strings.ReplaceAll(text, ",", ""), ".")
	scale := int64(1)
	if unit == "rupees" {
		if len(part) > 2 {
			return 0, fmt.Errorf("%s has more than two decimals: there is nothing smaller than a paisa", short(s))
		}
		whole, scale = whole+(part + "00")[:2], 100
	} else if part != "" {
		return 0, fmt.Errorf("%s has decimals: paise are whole", short(s))
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	switch {
	case err != nil || n > mostPaise:
		return 0, fmt.Errorf("%s is too much: at most %s is expected", short(s), strconv.FormatInt(mostPaise/scale, 10))
	case n == 0:
		return 0, fmt.Errorf("the amount has to be above zero")
	}
	return data.Paise(n), nil
}

// mostPaise keeps sums and products of amounts far from the end of int64.
const mostPaise = math.MaxInt64 / 1_000_000

// readWhole reads a whole number between lo and hi.
func readWhole(s string, lo, hi int) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < lo || n > hi {
		return 0, fmt.Errorf("%q is no whole number from %d to %d", short(s), lo, hi)
	}
	return n, nil
}
