package razorpay

import (
	"strconv"
	"strings"

	"recoup/data"
)

// fields reads the scanner's cells as what they should be, and gathers the
// faults. An absent value and null are the same.
type fields struct {
	s      *scanner
	faults []data.Fault
}

func (f *fields) fault(at slot, value, message string) {
	f.faults = append(f.faults, data.Fault{Path: paths[at], Value: value, Message: message})
}

func (f *fields) is(at slot) bool { return f.s.cells[at].kind > null }

// need reports whether there is a value that is no empty text, which is a fault
// otherwise.
func (f *fields) need(at slot) bool {
	if c := &f.s.cells[at]; c.kind <= null || c.kind == text && len(c.b) == 0 {
		f.fault(at, "", "missing")
		return false
	}
	return true
}

// bytes is a text; nil where there is none.
func (f *fields) bytes(at slot) []byte {
	c := &f.s.cells[at]
	switch c.kind {
	case absent, null:
	case text:
		return c.b
	default:
		f.fault(at, "", "expected a text")
	}
	return nil
}

// id reads an id of the provider's: prefix, underscore, letters and digits. It
// is "" where there is none.
func (f *fields) id(at slot, prefix string) string {
	b := f.bytes(at)
	if len(b) == 0 {
		return ""
	}
	if !isID(b, prefix) {
		f.fault(at, "", "expected an id such as "+prefix+"_00000000000001")
		return ""
	}
	return string(b)
}

func isID(b []byte, prefix string) bool {
	n := len(prefix)
	if len(b) < n+7 || len(b) > n+41 || b[n] != '_' || string(b[:n]) != prefix {
		return false
	}
	for _, c := range b[n+1:] {
		if c-'0' > 9 && (c|0x20)-'a' > 25 {
			return false
		}
	}
	return true
}

// word reads a text that begins with a letter and goes on with letters, digits
// and underscores, up to 48. Spaces are taken out: the documentation spells
// psp_app_not_available with one. It is "" where there is none.
func (f *fields) word(at slot) string {
	b := f.bytes(at)
	if len(b) == 0 {
		return ""
	}
	w := string(b)
	if strings.IndexByte(w, ' ') >= 0 {
		w = strings.ReplaceAll(w, " ", "")
	}
	if !isWord(w) {
		f.fault(at, "", "expected a word of letters, digits and underscores")
		return ""
	}
	return w
}

func isWord(s string) bool {
	if len(s) == 0 || len(s) > 48 || (s[0]|0x20)-'a' > 25 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c-'0' > 9 && (c|0x20)-'a' > 25 && c != '_' {
			return false
		}
	}
	return true
}

// oneOf tells that a word is not in a vocabulary.
func (f *fields) oneOf(at slot, w, message string) { f.fault(at, shown(w), message) }

// shown is a word as a reject may show it: only what looks like a word of a
// vocabulary, so that nothing personal that took its place gets out.
func shown(w string) string {
	for i := range len(w) {
		if c := w[i]; c-'a' > 25 && c != '_' {
			return ""
		}
	}
	return w
}

// paise reads an amount in the currency's hundredth.
func (f *fields) paise(at slot) int64 {
	if !f.need(at) {
		return 0
	}
	n, ok := f.whole(at)
	if !ok {
		f.fault(at, "", "expected a whole number, at least 0, of the currency's hundredth")
	}
	return n
}

// whole reads a whole number, at least 0.
func (f *fields) whole(at slot) (int64, bool) {
	c := &f.s.cells[at]
	if c.kind != number {
		return 0, false
	}
	n, err := strconv.ParseInt(string(c.b), 10, 64)
	return n, err == nil && n >= 0
}

// time reads whole seconds since 1970; 0 where there is none, which some
// entities write as the number 0.
func (f *fields) time(at slot) data.Micros {
	if !f.is(at) {
		return 0
	}
	n, ok := f.whole(at)
	if ok && n == 0 {
		return 0
	}
	if !ok || n >= int64(lastTime/data.Second) || !isTime(data.Micros(n)*data.Second) {
		f.fault(at, "", "expected seconds since 1970, from 2000 to 2099")
		return 0
	}
	return data.Micros(n) * data.Second
}

// needTime is time where there must be one.
func (f *fields) needTime(at slot) data.Micros {
	t := f.time(at)
	if t == 0 && !f.faulty(at) {
		f.fault(at, "", "missing: expected seconds since 1970")
	}
	return t
}
