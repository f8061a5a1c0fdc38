package ope

import (
	"math"
	"strconv"
	"strings"

	"recoup/data"
)

// chunk is some rows of a file.
type chunk struct {
	frame *data.Frame
	first int // rows of the file before it
}

// numbers are the values of a column; absent, a NaN, where there is none. Text that is no
// number is refused. A number beyond float64 is infinite.
func (c *chunk) numbers(name string) ([]float64, error) {
	col := c.frame.Column(name)
	out := make([]float64, c.frame.N)
	var parsed []float64 // of the words of a text column; a word is read once
	var word []bool
	if col.Kind == data.String {
		parsed, word = make([]float64, len(col.Dict)), make([]bool, len(col.Dict))
		for k, text := range col.Dict {
			v, ok := parseNumber(text)
			parsed[k], word[k] = v, !ok
		}
	}
	for i := range out {
		switch {
		case col.Null(i):
			out[i] = absent
		case col.Kind == data.String:
			if k := col.Codes[i]; word[k] {
				return nil, refuse(NotANumber, c.row(i), name, "%q", col.Dict[k])
			} else {
				out[i] = parsed[k]
			}
		case col.Kind == data.Float64:
			out[i] = col.F[i]
		case col.Kind == data.Timestamp:
			return nil, refuse(NotANumber, c.row(i), name, "it is a time: give a number")
		default:
			out[i] = float64(col.I[i])
		}
	}
	return out, nil
}

// words are the values of a column as text; "" where there is none. Whole numbers
// of typed files are their digits.
func (c *chunk) words(name string) []string {
	col := c.frame.Column(name)
	out := make([]string, c.frame.N)
	for i := range out {
		switch {
		case col.Null(i):
		case col.Kind == data.String:
			out[i] = col.Text(i)
		case col.Kind == data.Float64:
			out[i] = strconv.FormatFloat(col.F[i], 'f', -1, 64)
		default:
			out[i] = strconv.FormatInt(col.I[i], 10)
		}
	}
	return out
}

// row is the 1-based row of the file.
func (c *chunk) row(i int) int { return c.first + i + 1 }

// parseNumber reads decimal text: an optional sign, digits with at most one point,
// an optional exponent, blanks around it; nan and inf in any case. Nothing is absent.
func parseNumber(text string) (v float64, ok bool) {
	text = strings.Trim(text, " \t")
	if text == "" {
		return absent, true
	}
	switch strings.ToLower(strings.TrimLeft(text, "+-")) {
	case "nan", "inf", "infinity":
	default:
		if strings.Trim(text, "0123456789+-.eE") != "" {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}
