package data

import (
	"encoding/json"
	"strconv"
	"strings"
)

// kind is the first byte of the value the reader stands at.
func (r *JSONReader) kind() byte {
	r.space()
	return r.text[r.at]
}

func (r *JSONReader) space() {
	for r.at < len(r.text) && r.text[r.at] <= ' ' {
		r.at++
	}
}

// ends steps over the comma before the next element, or over the closing bracket.
func (r *JSONReader) ends(bracket byte) bool {
	r.space()
	if c := r.text[r.at]; c == ',' {
		r.at++
		r.space()
	} else if c == bracket {
		r.at++
		return true
	}
	return false
}

// key reads a key and the colon after it.
func (r *JSONReader) key() string {
	s := r.unquoted()
	r.space()
	r.at++ // the colon
	r.space()
	return s
}

// quoted steps over a text and gives it with its quotes.
func (r *JSONReader) quoted() (raw string, escaped bool) {
	from := r.at
	for i := plainEnd(r.text, from+1); ; i = plainEnd(r.text, i) {
		if r.text[i] == '"' {
			r.at = i + 1
			return r.text[from:r.at], escaped
		}
		escaped = true
		i += 2
	}
}

// unquoted reads a text. Half of a surrogate pair stands for no letter: it is a fault.
func (r *JSONReader) unquoted() string {
	raw, escaped := r.quoted()
	if !escaped {
		return raw[1 : len(raw)-1]
	}
	var s string
	_ = json.Unmarshal([]byte(raw), &s) // the text is well formed
	if strings.ContainsRune(s, '\ufffd') && strings.Contains(strings.ToLower(raw), `\ud`) {
		r.Fault("", `half of a surrogate pair (\ud800 to \udfff)`)
	}
	return s
}

// skip steps over a value of any kind and depth.
func (r *JSONReader) skip() {
	r.space()
	for depth := 0; r.at < len(r.text); {
		switch r.text[r.at] {
		case '"':
			r.quoted()
		case '{', '[':
			depth++
			r.at++
		case '}', ']':
			depth--
			r.at++
		case ',', ':', ' ', '\t', '\n', '\r':
			r.at++
		default:
			r.scalar()
		}
		if depth == 0 {
			return
		}
	}
}

// scalar steps over a number, true, false or null.
func (r *JSONReader) scalar() string {
	from := r.at
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ',', ']', '}', ' ', '\t', '\n', '\r', ':':
			return r.text[from:r.at]
		}
		r.at++
	}
	return r.text[from:r.at]
}

// Wrong tells that the value is of another kind, and passes over it.
func (r *JSONReader) Wrong(expected string) {
	r.Fault("", "%s, expected %s", kindOf(r.kind()), expected)
	r.skip()
}

func kindOf(first byte) string {
	switch first {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a text"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

// Null steps over a null, where the value is one.
func (r *JSONReader) Null() bool {
	if r.kind() != 'n' {
		return false
	}
	r.scalar()
	return true
}

// Text reads a text.
func (r *JSONReader) Text() (string, bool) {
	if r.kind() != '"' {
		r.Wrong("a text")
		return "", false
	}
	return r.unquoted(), true
}

// Whole reads a whole number without fraction or exponent.
func (r *JSONReader) Whole() (int64, bool) {
	if c := r.kind(); c != '-' && (c < '0' || c > '9') {
		r.Wrong("a whole number")
		return 0, false
	}
	if n, ok := r.fewDigits(); ok {
		return n, true
	}
	s := r.scalar()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		r.Fault(s, "expected a whole number, without fraction or exponent, of at most 64 bits")
	}
	return n, err == nil
}

// fewDigits steps over a whole number that surely fits; not ok says nothing.
func (r *JSONReader) fewDigits() (n int64, ok bool) {
	i, minus := r.at, r.text[r.at] == '-'
	if minus {
		i++
	}
	from := i
	for ; i < len(r.text) && isDigit(r.text[i]) && i-from < 18; i++ {
		n = n*10 + int64(r.text[i]-'0')
	}
	if i < len(r.text) && (isDigit(r.text[i]) || r.text[i] == '.' || r.text[i] == 'e' || r.text[i] == 'E') {
		return 0, false
	}
	if r.at = i; minus {
		n = -n
	}
	return n, true
}

// Float reads a number.
func (r *JSONReader) Float() (float64, bool) {
	if c := r.kind(); c != '-' && (c < '0' || c > '9') {
		r.Wrong("a number")
		return 0, false
	}
	s := r.scalar()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		r.Fault(s, "too large for a number")
	}
	return x, err == nil
}

// Truth reads true or false.
func (r *JSONReader) Truth() (bool, bool) {
	if c := r.kind(); c != 't' && c != 'f' {
		r.Wrong("true or false")
		return false, false
	}
	return r.scalar() == "true", true
}
