package lightgbm

import (
	"bytes"
	"math"
	"strconv"
)

// LightGBM divides the values of an array by one blank, writes numbers with
// %.17g, %g or %d, and infinity as inf. What it never writes is refused: other
// readers, and LightGBM itself, make other numbers of it (0x1p-2, 1_000, 1e999).

// items is how many values the array of a field has.
func items(v []byte) int {
	if len(v) == 0 {
		return 0
	}
	return bytes.Count(v, []byte{' '}) + 1
}

// want checks the length of an array before anything is allocated for it.
func (f field) want(n int, why string) error {
	k := items(f.value)
	if k == n {
		return nil
	}
	if v := f.value; k > 0 && (v[0] == ' ' || v[len(v)-1] == ' ' || bytes.Contains(v, []byte("  "))) {
		why += "; LightGBM writes one blank between two values, so the file was edited"
	}
	return f.fault("%d values, want %d (%s)", k, n, why)
}

// each calls do with the values of an array, in order.
func (f field) each(do func(i int, v []byte) error) error {
	rest := f.value
	for i := 0; len(f.value) > 0; i++ {
		v, after, more := bytes.Cut(rest, []byte{' '})
		if len(v) == 0 {
			return f.fault("a blank where value %d should be: LightGBM writes one blank between two values; the file was edited", i+1)
		}
		if err := do(i, v); err != nil {
			return err
		}
		if !more {
			break
		}
		rest = after
	}
	return nil
}

// integer reads a whole number from lo to hi, without plus sign and leading zeros.
func (f field) integer(v []byte, lo, hi int64) (int64, error) {
	if !isInteger(v) {
		return 0, f.fault("%s is not a whole number", clipped(v))
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil || n < lo || n > hi {
		return 0, f.fault("%s is not from %d to %d", clipped(v), lo, hi)
	}
	return n, nil
}

func isInteger(v []byte) bool {
	d := bytes.TrimPrefix(v, []byte{'-'})
	return len(d) > 0 && len(d) == digits(d) && (d[0] != '0' || len(v) == 1)
}

// digits is how many digits v begins with.
func digits(v []byte) int {
	n := 0
	for n < len(v) && v[n] >= '0' && v[n] <= '9' {
		n++
	}
	return n
}

// number reads a float64. Infinite values must be written inf or -inf; NaN is refused.
func (f field) number(v []byte) (float64, error) {
	switch string(v) {
	case "inf":
		return math.Inf(1), nil
	case "-inf":
		return math.Inf(-1), nil
	case "nan", "-nan":
		return 0, f.fault("%s: not a number", v)
	}
	if !isDecimal(v) {
		return 0, f.fault("%s is not a decimal number", clipped(v))
	}
	x, err := strconv.ParseFloat(string(v), 64)
	if err != nil {
		return 0, f.fault("%s is beyond float64: LightGBM writes inf for infinity", clipped(v))
	}
	return x, nil
}

// finite reads a float64 that is neither infinite nor NaN.
func (f field) finite(v []byte) (float64, error) {
	x, err := f.number(v)
	if err == nil && math.IsInf(x, 0) {
		return 0, f.fault("%s: must be finite", v)
	}
	return x, err
}

// isDecimal says whether v has the form 1, -1.5, 1e-05, without leading zeros.
func isDecimal(v []byte) bool {
	if len(v) > 0 && (v[0] == '-' || v[0] == '+') {
		v = v[1:]
	}
	n := digits(v)
	if n == 0 || n > 1 && v[0] == '0' {
		return false
	}
	if v = v[n:]; len(v) > 0 && v[0] == '.' {
		if n = digits(v[1:]); n == 0 {
			return false
		}
		v = v[1+n:]
	}
	if len(v) > 0 && (v[0] == 'e' || v[0] == 'E') {
		v = v[1:]
		if len(v) > 0 && (v[0] == '-' || v[0] == '+') {
			v = v[1:]
		}
		return len(v) > 0 && digits(v) == len(v)
	}
	return len(v) == 0
}

// counted checks an array of counts, which scoring does not use.
func (f field) counted(n int, why string) error {
	if err := f.want(n, why); err != nil {
		return err
	}
	return f.each(func(_ int, v []byte) error {
		_, err := f.integer(v, 0, math.MaxInt64)
		return err
	})
}

// told checks an array that scoring does not use: n values that are numbers.
func (f field) told(n int, why string) error {
	if err := f.want(n, why); err != nil {
		return err
	}
	return f.each(func(_ int, v []byte) error {
		if s := string(v); s == "nan" || s == "-nan" {
			return nil
		}
		_, err := f.number(v)
		return err
	})
}
