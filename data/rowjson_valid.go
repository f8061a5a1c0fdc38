package data

import (
	"encoding/binary"
	"math/bits"
)

// maxDepth is how deep encoding/json lets values nest.
const maxDepth = 10_000

// validJSON reports whether a text in UTF-8 is one JSON value by RFC 8259. It
// agrees with json.Valid at a fraction of its time: it looks at eight bytes of a
// text at once.
func validJSON(s string) bool {
	var open []bool // of each open value: an object
	i := space(s, 0)
	for {
		// A value begins at i.
		if i == len(s) {
			return false
		}
		switch c := s[i]; c {
		case '{', '[':
			if len(open) == maxDepth {
				return false
			}
			open = append(open, c == '{')
			if i = space(s, i+1); i == len(s) {
				return false
			}
			if s[i] != c+2 { // the closing bracket stands two after the opening one
				if c == '{' {
					if i = validKey(s, i); i < 0 {
						return false
					}
				}
				continue
			}
			open = open[:len(open)-1]
			i++
		case '"':
			i = validText(s, i)
		case 't':
			i = literal(s, i, "true")
		case 'f':
			i = literal(s, i, "false")
		case 'n':
			i = literal(s, i, "null")
		default:
			i = validNumber(s, i)
		}
		// It ends at i: brackets close, until a comma or the end.
		for {
			if i < 0 {
				return false
			}
			i = space(s, i)
			if len(open) == 0 {
				return i == len(s)
			}
			if i == len(s) {
				return false
			}
			object := open[len(open)-1]
			if c := s[i]; c == ',' {
				i = space(s, i+1)
				if object {
					i = validKey(s, i)
				}
				if i < 0 {
					return false
				}
				break
			} else if object && c != '}' || !object && c != ']' {
				return false
			}
			open = open[:len(open)-1]
			i++
		}
	}
}

// space is where the white space at i ends.
func space(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\r' || s[i] == '\t') {
		i++
	}
	return i
}

func literal(s string, i int, want string) int {
	if len(s)-i < len(want) || s[i:i+len(want)] != want {
		return -1
	}
	return i + len(want)
}

// validKey is where the value of the key at i begins; -1 = no key.
func validKey(s string, i int) int {
	if i == len(s) || s[i] != '"' {
		return -1
	}
	if i = validText(s, i); i < 0 {
		return -1
	}
	if i = space(s, i); i == len(s) || s[i] != ':' {
		return -1
	}
	return space(s, i+1)
}

// validText is where the text that begins with the quote at i ends; -1 = it is none.
func validText(s string, i int) int {
	for i = plainEnd(s, i+1); i < len(s); i = plainEnd(s, i) {
		switch s[i] {
		case '"':
			return i + 1
		case '\\':
			if i++; i == len(s) {
				return -1
			}
			switch s[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				i++
			case 'u':
				if len(s)-i < 5 || !isHex(s[i+1]) || !isHex(s[i+2]) || !isHex(s[i+3]) || !isHex(s[i+4]) {
					return -1
				}
				i += 5
			default:
				return -1
			}
		default: // a control character
			return -1
		}
	}
	return -1
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// plainEnd is the first place from i on of a quote, a backslash or a control
// character; len(s) where there is none.
func plainEnd(s string, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for len(s)-i >= 8 {
		w := binary.LittleEndian.Uint64([]byte(s[i : i+8]))
		quote, slash := w^('"'*ones), w^('\\'*ones)
		// A byte's high bit is set where it is below ' ', or where quote or slash is
		// zero; a borrow can mislead only above the first byte found.
		if found := ((w-' '*ones)&^w | (quote-ones)&^quote | (slash-ones)&^slash) & highs; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
		i += 8
	}
	for i < len(s) && s[i] != '"' && s[i] != '\\' && s[i] >= ' ' {
		i++
	}
	return i
}

// validNumber is where the number at i ends; -1 = it is none.
func validNumber(s string, i int) int {
	if s[i] == '-' {
		i++
	}
	from := i
	if i = digits(s, i); i == from || s[from] == '0' && i > from+1 {
		return -1
	}
	if i < len(s) && s[i] == '.' {
		from = i + 1
		if i = digits(s, from); i == from {
			return -1
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		if i++; i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		from = i
		if i = digits(s, from); i == from {
			return -1
		}
	}
	return i
}

func digits(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}
