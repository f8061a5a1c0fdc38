package razorpay

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"recoup/data"
)

// plain is what may stand in a text as it is.
var plain = func() (ok [256]bool) {
	for c := 0x20; c < 256; c++ {
		ok[c] = c != '"' && c != '\\'
	}
	return
}()

// text reads a text; keep takes its escapes out, else they are only checked.
func (s *scanner) text(keep bool) ([]byte, *data.Fault) {
	s.i++
	start := s.i
	for s.i < len(s.b) && plain[s.b[s.i]] {
		s.i++
	}
	if s.i < len(s.b) && s.b[s.i] == '"' {
		s.i++
		return s.b[start : s.i-1], nil
	}
	from := len(s.scratch)
	for s.i < len(s.b) {
		switch c := s.b[s.i]; {
		case c == '"':
			s.scratch = append(s.scratch, s.b[start:s.i]...)
			s.i++
			t := s.scratch[from:len(s.scratch):len(s.scratch)]
			if !keep {
				s.scratch = s.scratch[:from]
			}
			return t, nil
		case c == '\\':
			s.scratch = append(s.scratch, s.b[start:s.i]...)
			if !s.escape() {
				return nil, s.unexpected("an escape of JSON")
			}
			start = s.i
		case c < 0x20:
			return nil, broken("not JSON: a control character in a text, at byte " + strconv.Itoa(s.i+1))
		default:
			s.i++
		}
	}
	return nil, broken(errShort)
}

const escapes, escaped = `"\/bfnrt`, "\"\\/\b\f\n\r\t"

func (s *scanner) escape() bool {
	if s.i+1 >= len(s.b) {
		return false
	}
	if k := strings.IndexByte(escapes, s.b[s.i+1]); k >= 0 {
		s.scratch = append(s.scratch, escaped[k])
		s.i += 2
		return true
	}
	r, ok := s.hex()
	if ok && utf16.IsSurrogate(r) {
		var low rune
		low, ok = s.hex()
		if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
			return false // half of a pair
		}
	}
	s.scratch = utf8.AppendRune(s.scratch, r)
	return ok
}

// hex reads \uXXXX.
func (s *scanner) hex() (rune, bool) {
	if s.i+6 > len(s.b) || s.b[s.i] != '\\' || s.b[s.i+1] != 'u' {
		return 0, false
	}
	r := rune(0)
	for _, c := range s.b[s.i+2 : s.i+6] {
		k := strings.IndexByte("0123456789abcdef", c|0x20)
		if k < 0 || c < '0' {
			return 0, false
		}
		r = r<<4 | rune(k)
	}
	s.i += 6
	return r, true
}

// number checks a number.
func (s *scanner) number() *data.Fault {
	digits := func() bool {
		from := s.i
		for s.i < len(s.b) && s.b[s.i]-'0' <= 9 {
			s.i++
		}
		return s.i > from
	}
	if s.b[s.i] == '-' {
		s.i++
	}
	zero := s.i
	ok := digits() && (s.b[zero] != '0' || s.i == zero+1)
	if ok && s.i < len(s.b) && s.b[s.i] == '.' {
		s.i++
		ok = digits()
	}
	if ok && s.i < len(s.b) && s.b[s.i]|0x20 == 'e' {
		s.i++
		if s.i < len(s.b) && (s.b[s.i] == '+' || s.b[s.i] == '-') {
			s.i++
		}
		ok = digits()
	}
	if !ok {
		return s.unexpected("a number")
	}
	return nil
}
