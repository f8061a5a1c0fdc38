package ingest

import (
	"math"
	"strings"
)

// Why an amount cannot be taken. The texts say what is wrong, not where.
const (
	notMoney   = "not an amount: expected digits, with the decimal and group marks of the mapping"
	negative   = "negative"
	fraction   = "a fraction of a paisa"
	tooLarge   = "too large"
	notFinite  = "not a finite number"
	inexact    = "too large to be exact as a floating point number"
	missing    = "missing"
	notText    = "not text"
	numeral    = ": a JSON number; digits: true in the mapping takes its digits"
	notDigits  = "not digits alone: a number with a sign, a point or an exponent is no id"
	notInteger = "not a whole number"
)

// paise reads an exact amount from text; why is "" when it is one. perUnit is
// 100 for rupees, 1 for paise. Marks between thousands must stand where they
// belong: 1,234 or 12,34,567, never 12,5.
func paise(s string, perUnit int64, decimal, group byte) (amount int64, why string) {
	minus := strings.HasPrefix(s, "-")
	whole, decimals, point := strings.Cut(strings.TrimPrefix(s, "-"), string(decimal))
	if point && decimals == "" || whole == "" {
		return 0, notMoney
	}
	digits, ok := ungroup(whole, group)
	if !ok {
		return 0, notMoney
	}
	n, over := int64(0), false
	add := func(c byte) {
		if n > (math.MaxInt64-int64(c-'0'))/10 {
			over = true
			return
		}
		n = n*10 + int64(c-'0')
	}
	for i := range len(digits) {
		add(digits[i])
	}
	places := 0
	if perUnit == 100 {
		places = 2
	}
	beyond := false
	for i := range max(len(decimals), places) {
		c := byte('0')
		if i < len(decimals) {
			c = decimals[i]
		}
		switch {
		case c-'0' > 9:
			return 0, notMoney
		case i < places:
			add(c)
		case c != '0':
			beyond = true
		}
	}
	switch {
	case minus && (over || n > 0 || beyond):
		return 0, negative
	case beyond:
		return 0, fraction
	case over:
		return 0, tooLarge
	}
	return n, ""
}

// ungroup takes the marks between thousands out of a whole number: the last
// group has three digits, the others two (India) or three.
func ungroup(s string, group byte) (digits string, ok bool) {
	for i := range len(s) {
		if s[i]-'0' > 9 && (group == 0 || s[i] != group) {
			return "", false
		}
	}
	if group == 0 || strings.IndexByte(s, group) < 0 {
		return s, true
	}
	parts := strings.Split(s, string(group))
	for i, p := range parts {
		switch {
		case i == 0 && (len(p) < 1 || len(p) > 3), i == len(parts)-1 && len(p) != 3, i > 0 && len(p) != 2 && len(p) != 3:
			return "", false
		}
	}
	return strings.Join(parts, ""), true
}

// paiseOf is the amount of a floating point column: the nearest paisa, if it
// is within 0.001 paisa.
func paiseOf(x float64, perUnit int64) (amount int64, why string) {
	switch p := x * float64(perUnit); {
	case math.IsNaN(p) || math.IsInf(p, 0):
		return 0, notFinite
	case p < 0:
		return 0, negative
	case p > 1<<53:
		return 0, inexact
	case math.Abs(p-math.Round(p)) > 0.001:
		return 0, fraction
	default:
		return int64(math.Round(p)), ""
	}
}

// paiseInt is the amount of a whole number of rupees or paise.
func paiseInt(n, perUnit int64) (amount int64, why string) {
	switch {
	case n < 0:
		return 0, negative
	case n > math.MaxInt64/perUnit:
		return 0, tooLarge
	}
	return n * perUnit, ""
}
