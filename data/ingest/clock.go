package ingest

import (
	"time"

	"recoup/data"
)

// civil is a date and a clock as a text states them.
type civil struct {
	year, month, day     int
	hour, minute, second int
	micros               int
	offset               int // seconds east of UTC
	hasOffset            bool
	yearDay              int // instead of month and day; 0 = none
	afternoon, half      bool
}

// instant puts a civil time on the time line, in zone z where it has no offset.
func (c *civil) instant(z *zone) (at data.Micros, why string) {
	if c.half {
		if c.hour < 1 || c.hour > 12 {
			return 0, notATime
		}
		c.hour %= 12
		if c.afternoon {
			c.hour += 12
		}
	}
	if c.yearDay > 0 {
		d := time.Date(c.year, 1, c.yearDay, 0, 0, 0, 0, time.UTC)
		if d.Year() != c.year {
			return 0, notATime
		}
		c.month, c.day = int(d.Month()), d.Day()
	}
	if c.hour > 23 || c.minute > 59 || c.second > 59 || c.month < 1 || c.month > 12 || c.day < 1 {
		return 0, notATime
	}
	t := time.Date(c.year, time.Month(c.month), c.day, c.hour, c.minute, c.second, c.micros*1000, time.UTC)
	if t.Day() != c.day {
		return 0, notATime
	}
	if c.hasOffset {
		return data.MicrosOf(t) - data.Micros(c.offset)*data.Second, ""
	}
	return z.instant(data.MicrosOf(t))
}

// reader takes a text apart from the left.
type reader struct {
	s string
}

// digits reads between least and most digits.
func (r *reader) digits(least, most int) (n int, ok bool) {
	k := 0
	for k < len(r.s) && k < most && r.s[k]-'0' <= 9 {
		n = n*10 + int(r.s[k]-'0')
		k++
	}
	r.s = r.s[k:]
	return n, k >= least
}

func (r *reader) is(c byte) bool {
	if len(r.s) == 0 || r.s[0] != c {
		return false
	}
	r.s = r.s[1:]
	return true
}

// fraction reads up to nine decimals of a second; what is finer than a
// microsecond is dropped.
func (r *reader) fraction(most int) (micros int, ok bool) {
	k := 0
	for k < len(r.s) && k < most && r.s[k]-'0' <= 9 {
		if k < 6 {
			micros = micros*10 + int(r.s[k]-'0')
		}
		k++
	}
	r.s = r.s[k:]
	for i := k; i < 6; i++ {
		micros *= 10
	}
	return micros, k > 0
}

// offset reads Z, +05:30 or +0530.
func (r *reader) offset() (seconds int, ok bool) {
	if r.is('Z') || r.is('z') {
		return 0, true
	}
	sign := 1
	if r.is('-') {
		sign = -1
	} else if !r.is('+') {
		return 0, false
	}
	h, ok1 := r.digits(2, 2)
	r.is(':')
	m, ok2 := r.digits(2, 2)
	return sign * (h*3600 + m*60), ok1 && ok2 && h < 24 && m < 60
}

// iso reads a time of RFC 3339; a blank may stand for the T, and the offset may
// be missing.
func iso(s string) (c civil, ok bool) {
	r := reader{s}
	read := func(n *int, width int, then byte) {
		if ok {
			*n, ok = r.digits(width, width)
			ok = ok && (then == 0 || r.is(then))
		}
	}
	ok = true
	read(&c.year, 4, '-')
	read(&c.month, 2, '-')
	read(&c.day, 2, 0)
	ok = ok && (r.is('T') || r.is('t') || r.is(' '))
	read(&c.hour, 2, ':')
	read(&c.minute, 2, ':')
	read(&c.second, 2, 0)
	if ok && r.is('.') {
		c.micros, ok = r.fraction(9)
	}
	if ok && r.s != "" {
		c.offset, ok = r.offset()
		c.hasOffset = true
	}
	return c, ok && r.s == ""
}
