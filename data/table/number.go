package table

import (
	"math"
	"strconv"
	"unsafe"
)

// sort is what a cell is to a column of numbers.
type sort uint8

const (
	word     sort = iota // not a number
	finite               // a number
	infinite             // a number that is not finite: NaN, Inf, 1e999
)

// sortOf says whether b is a number: an optional sign, decimal digits with at
// most one point, an optional exponent; or NaN, Inf, Infinity in any case.
// Hexadecimal, underscores, blanks and grouping commas make a word.
func sortOf(b []byte) sort {
	s := b
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	digits, point, i := 0, false, 0
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c-'0' <= 9:
			digits++
			continue
		case c == '.' && !point:
			point = true
			continue
		}
		break
	}
	if digits == 0 {
		if i == 0 && isNonFinite(s) {
			return infinite
		}
		return word
	}
	if i == len(s) {
		if digits > 308 {
			return magnitude(b)
		}
		return finite
	}
	if s[i] != 'e' && s[i] != 'E' {
		return word
	}
	s = s[i+1:]
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	if len(s) == 0 {
		return word
	}
	for _, c := range s {
		if c-'0' > 9 {
			return word
		}
	}
	return magnitude(b)
}

// magnitude tells a number within float64 from one beyond it.
func magnitude(b []byte) sort {
	if f, _ := strconv.ParseFloat(view(b), 64); math.IsInf(f, 0) {
		return infinite
	}
	return finite
}

func isNonFinite(s []byte) bool {
	return equalFold(s, "nan") || equalFold(s, "inf") || equalFold(s, "infinity")
}

// equalFold compares with a word in lower case; ASCII only.
func equalFold(s []byte, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i, c := range s {
		if c|0x20 != lower[i] {
			return false
		}
	}
	return true
}

// parseNumber is the nearest float64 of a finite number.
func parseNumber(b []byte) (float64, sort) {
	s := sortOf(b)
	if s != finite {
		return 0, s
	}
	f, _ := strconv.ParseFloat(view(b), 64) // sortOf has checked syntax and range
	return f, finite
}

// view is b as a string without a copy: for callees that do not keep it.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
