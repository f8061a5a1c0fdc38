package table

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

func (p *lineParser) number() *jsonFault {
	start := p.i
	digits := func() bool {
		from := p.i
		for p.i < len(p.b) && p.b[p.i]-'0' <= 9 {
			p.i++
		}
		return p.i > from
	}
	if p.b[p.i] == '-' {
		p.i++
	}
	zero := p.i
	ok := digits() && (p.b[zero] != '0' || p.i == zero+1)
	if ok && p.i < len(p.b) && p.b[p.i] == '.' {
		p.i++
		ok = digits()
	}
	if ok && p.i < len(p.b) && p.b[p.i]|0x20 == 'e' {
		p.i++
		if p.i < len(p.b) && (p.b[p.i] == '+' || p.b[p.i] == '-') {
			p.i++
		}
		ok = digits()
	}
	if !ok {
		if bytes.HasPrefix(p.b[start:], []byte("-Infinity")) {
			return &jsonFault{"", "-Infinity is not JSON"}
		}
		return notJSON("%q is no number", shown(p.b[start:min(len(p.b), start+20)]))
	}
	return nil
}

// text reads a text and takes the escapes out.
func (p *lineParser) text() ([]byte, *jsonFault) {
	p.i++
	start, from := p.i, len(p.scratch)
	for plain := true; p.i < len(p.b); {
		c := p.b[p.i]
		switch {
		case c == '"':
			p.i++
			if plain {
				return p.b[start : p.i-1], nil
			}
			p.scratch = append(p.scratch, p.b[start:p.i-1]...)
			return p.scratch[from:len(p.scratch):len(p.scratch)], nil
		case c < 0x20:
			return nil, notJSON("a control character in a text")
		case c == '\\':
			plain = false
			p.scratch = append(p.scratch, p.b[start:p.i]...)
			if fault := p.escape(); fault != nil {
				return nil, fault
			}
			start = p.i
		default:
			p.i++
		}
	}
	return nil, notJSON("a text is not closed")
}

func (p *lineParser) escape() *jsonFault {
	if p.i+1 == len(p.b) {
		return notJSON("the line ends too early")
	}
	c := p.b[p.i+1]
	if k := strings.IndexByte(`"\/bfnrt`, c); k >= 0 {
		p.scratch = append(p.scratch, "\"\\/\b\f\n\r\t"[k])
		p.i += 2
		return nil
	}
	r, ok := p.hex()
	if !ok {
		return notJSON("a wrong escape %q", shown(p.b[p.i:min(len(p.b), p.i+6)]))
	}
	if utf16.IsSurrogate(r) {
		low, ok := p.hex()
		if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
			return notJSON("half of a surrogate pair")
		}
	}
	p.scratch = utf8.AppendRune(p.scratch, r)
	return nil
}

// hex reads \uXXXX.
func (p *lineParser) hex() (r rune, ok bool) {
	if p.i+6 > len(p.b) || p.b[p.i] != '\\' || p.b[p.i+1] != 'u' {
		return 0, false
	}
	for _, c := range p.b[p.i+2 : p.i+6] {
		k := strings.IndexByte("0123456789abcdef", c|0x20)
		if k < 0 || c < '0' {
			return 0, false
		}
		r = r<<4 | rune(k)
	}
	p.i += 6
	return r, true
}
