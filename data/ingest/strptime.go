package ingest

import (
	"errors"
	"fmt"
	"strings"
)

// pattern is a compiled strptime pattern, with the directives of Python's
// datetime: %Y %y %m %b %B %d %e %j %H %I %p %M %S %f %z %Z %a %A %D %F %R %T %n %t %%.
type pattern struct {
	steps  []step
	offset bool // it reads an offset
}

// step reads one part; false where the text does not fit.
type step func(r *reader, c *civil) bool

func compilePattern(text string) (*pattern, error) {
	p, seen := &pattern{}, map[byte]bool{}
	for _, composite := range [][2]string{{"%D", "%m/%d/%y"}, {"%F", "%Y-%m-%d"}, {"%R", "%H:%M"}, {"%T", "%H:%M:%S"}} {
		text = strings.ReplaceAll(text, composite[0], composite[1])
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '%' && i+1 == len(text):
			return nil, errors.New("it ends in %")
		case c == '%':
			i++
			s, ok := directive(text[i])
			if !ok {
				return nil, fmt.Errorf("unknown directive %%%c", text[i])
			}
			if seen[text[i]] && text[i] != '%' && text[i] != 'n' && text[i] != 't' {
				return nil, fmt.Errorf("%%%c twice", text[i])
			}
			seen[text[i]] = true
			p.steps = append(p.steps, s)
		case isBlank(c):
			p.steps = append(p.steps, blanks)
		default:
			p.steps = append(p.steps, func(r *reader, _ *civil) bool { return r.is(c) })
		}
	}
	p.offset = seen['z'] || seen['Z']
	year := seen['Y'] || seen['y']
	date := seen['j'] || (seen['m'] || seen['b'] || seen['B'] || seen['h']) && (seen['d'] || seen['e'])
	switch {
	case !year || !date:
		return nil, errors.New("it does not give year, month and day")
	case seen['I'] != seen['p']:
		return nil, errors.New("%I and %p go together")
	}
	return p, nil
}

// parse reads a whole text.
func (p *pattern) parse(s string) (c civil, ok bool) {
	r := reader{s}
	for _, step := range p.steps {
		if !step(&r, &c) {
			return c, false
		}
	}
	return c, r.s == ""
}

func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func blanks(r *reader, _ *civil) bool {
	n := len(r.s)
	for len(r.s) > 0 && isBlank(r.s[0]) {
		r.s = r.s[1:]
	}
	return len(r.s) < n
}

// number reads one or two digits, as strptime does.
func number(least, most int, at func(*civil) *int) step {
	return func(r *reader, c *civil) (ok bool) {
		*at(c), ok = r.digits(least, most)
		return ok
	}
}

func directive(c byte) (step, bool) {
	switch c {
	case 'Y':
		return number(4, 4, func(c *civil) *int { return &c.year }), true
	case 'y':
		return func(r *reader, c *civil) bool { // POSIX: 69 to 99 are the last century
			y, ok := r.digits(2, 2)
			if c.year = 2000 + y; y >= 69 {
				c.year = 1900 + y
			}
			return ok
		}, true
	case 'm':
		return number(1, 2, func(c *civil) *int { return &c.month }), true
	case 'd':
		return number(1, 2, func(c *civil) *int { return &c.day }), true
	case 'e':
		return func(r *reader, c *civil) (ok bool) {
			r.is(' ')
			c.day, ok = r.digits(1, 2)
			return ok
		}, true
	case 'j':
		return func(r *reader, c *civil) (ok bool) {
			c.yearDay, ok = r.digits(1, 3)
			return ok && c.yearDay > 0
		}, true
	case 'H':
		return number(1, 2, func(c *civil) *int { return &c.hour }), true
	case 'I':
		return func(r *reader, c *civil) (ok bool) {
			c.half = true
			c.hour, ok = r.digits(1, 2)
			return ok
		}, true
	case 'p':
		return func(r *reader, c *civil) bool {
			k := r.name("am", "pm")
			c.afternoon = k == 1
			return k >= 0
		}, true
	case 'M':
		return number(1, 2, func(c *civil) *int { return &c.minute }), true
	case 'S':
		return number(1, 2, func(c *civil) *int { return &c.second }), true
	case 'f':
		return func(r *reader, c *civil) (ok bool) {
			c.micros, ok = r.fraction(6)
			return ok
		}, true
	case 'z':
		return func(r *reader, c *civil) (ok bool) {
			c.offset, ok = r.offset()
			c.hasOffset = true
			return ok
		}, true
	case 'Z':
		return func(r *reader, c *civil) bool {
			c.hasOffset = true
			return r.name("utc", "gmt") >= 0
		}, true
	case 'b', 'h':
		return month(true), true
	case 'B':
		return month(false), true
	case 'a':
		return func(r *reader, _ *civil) bool {
			return r.name("mon", "tue", "wed", "thu", "fri", "sat", "sun") >= 0
		}, true
	case 'A':
		return func(r *reader, _ *civil) bool {
			return r.name("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday") >= 0
		}, true
	case 'n', 't':
		return blanks, true
	case '%':
		return func(r *reader, _ *civil) bool { return r.is('%') }, true
	}
	return nil, false
}

func month(short bool) step {
	names := []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
		"november", "december"}
	if short {
		for i := range names {
			names[i] = names[i][:3]
		}
	}
	return func(r *reader, c *civil) bool {
		c.month = r.name(names...) + 1
		return c.month > 0
	}
}

// name reads one of the names, in any case; -1 where none stands there.
func (r *reader) name(names ...string) int {
	for i, n := range names {
		if len(r.s) >= len(n) && strings.EqualFold(r.s[:len(n)], n) {
			r.s = r.s[len(n):]
			return i
		}
	}
	return -1
}
