package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

const (
	minus = "−"
	none  = "–" // nothing to show; the reason stands nearby
)

// digits is the number of decimals that shows two significant digits of a
// span, at least 1 and at most 9.
func digits(span float64) int {
	if span == 0 || math.IsNaN(span) || math.IsInf(span, 0) {
		return 4
	}
	return min(max(1-int(math.Floor(math.Log10(math.Abs(span)))), 1), 9)
}

func fixed(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return strings.Replace(s, "-", minus, 1)
}

// number is a number without an interval, to three significant digits.
func number(v float64) string {
	if v == 0 {
		return "0"
	}
	if a := math.Abs(v); a < 1e-6 || a >= 1e7 {
		return strings.Replace(strconv.FormatFloat(v, 'e', 2, 64), "-", minus, 1)
	}
	if v == math.Trunc(v) && math.Abs(v) >= 1000 {
		return count(int64(v))
	}
	return fixed(v, min(max(2-int(math.Floor(math.Log10(math.Abs(v)))), 0), 8))
}

// setting is a number somebody chose, to six significant digits.
func setting(v float64) string {
	return strings.Replace(strconv.FormatFloat(v, 'g', 6, 64), "-", minus, 1)
}

// estimate is "0.1530 [0.1492, 0.1568]".
func estimate(e Estimate) string {
	if !e.known() {
		return none
	}
	if !e.ranged() {
		return number(*e.Value)
	}
	d := digits(*e.Hi - *e.Lo)
	for range 2 { // an end that is not 0 must not read as 0
		if s := e.sign(); s > 0 && fixed(*e.Lo, d) == fixed(0, d) || s < 0 && fixed(*e.Hi, d) == fixed(0, d) {
			d++
		}
	}
	return fmt.Sprintf("%s [%s, %s]", fixed(*e.Value, d), fixed(*e.Lo, d), fixed(*e.Hi, d))
}

// percent is an estimate as a percentage, "4.7 % [3.9, 5.5]".
func percent(e Estimate) string {
	if !e.known() {
		return none
	}
	if !e.ranged() {
		return fixed(100**e.Value, 1) + "\u00a0%"
	}
	return fmt.Sprintf("%s\u00a0%% [%s, %s]", fixed(100**e.Value, 1), fixed(100**e.Lo, 1), fixed(100**e.Hi, 1))
}

// count groups by thousands: "50,410".
func count(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = minus, s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// when shows an RFC 3339 instant, the date alone at midnight UTC.
func when(s string) string {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return s
	}
	if t = t.UTC(); t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format("2 Jan 2006")
	}
	if t.Equal(t.Truncate(time.Minute)) {
		return t.Format("2 Jan 2006 15:04 UTC")
	}
	return t.Format("2 Jan 2006 15:04:05 UTC")
}

// digest shortens a hash to what tells two apart; the JSON has it whole.
func digest(s string) string {
	if len(s) > 16 {
		return s[:16] + "…"
	}
	return s
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
