package ingest

import (
	"fmt"
	"sync"
	"time"

	"recoup/data"
)

// timeReading is how a column can be read as a time.
type timeReading struct {
	pattern string // of the mapping: iso, epoch_s, ... or strptime; "" = a time by its type
	zoned   bool   // it says its own offset
	hour    bool   // it has a clock, not only a day
	epoch   bool   // a bare number: only a name makes it a time
	other   string // another pattern that reads every value too, to other times: day and month are open
	strange int    // rows that it does not read
	odd     string // one of them
	clock   *pattern
}

// readable is the least share of values that a pattern must read, in percent;
// the others are reported.
const readable = 90

// clocks and days are the parts that patterns are put together from, the
// commoner first: of two patterns that read a column alike the first is taken.
var (
	days = []string{"%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%d.%m.%Y", "%Y/%m/%d", "%Y.%m.%d", "%d/%m/%y", "%m/%d/%y",
		"%d-%m-%y", "%m-%d-%y", "%d.%m.%y", "%d %b %Y", "%d-%b-%Y", "%d-%b-%y", "%d/%b/%Y", "%d %b %y", "%b %d, %Y", "%b %d %Y", "%d %B %Y",
		"%d %B, %Y", "%d %b, %Y", "%B %d, %Y", "%Y%m%d", "%a %b %d %Y", "%a, %d %b %Y"}
	betweens = []string{" ", "T", ", ", ""}
	hours    = []string{"%H:%M:%S", "%H:%M", "%H:%M:%S.%f", "%I:%M:%S %p", "%I:%M %p", "%I:%M:%S%p", "%I:%M%p", "%H.%M.%S", "%H%M%S", "%H:%M:%S:%f", "%H:%M:%S,%f"}
	offsets  = []string{"", " %z", "%z", " %Z"}
)

type namedPattern struct {
	text string
	hour bool
	*pattern
}

// patterns are all candidates, compiled once.
var patterns = sync.OnceValue(func() []namedPattern {
	var out []namedPattern
	add := func(text string, hour bool) {
		if p, err := compilePattern(text); err == nil {
			out = append(out, namedPattern{text, hour, p})
		}
	}
	for _, d := range days {
		for _, b := range betweens {
			for _, h := range hours {
				if b == "" && (d != "%Y%m%d" || h != "%H%M%S") {
					continue
				}
				for _, o := range offsets {
					add(d+b+h+o, true)
				}
			}
		}
		add(d, false)
	}
	return out
})

// asTime is how the column reads as a time, nil where it does not.
func (c *examined) asTime() *timeReading {
	if !c.timed {
		c.timed, c.times = true, c.findTime()
	}
	return c.times
}

func (c *examined) findTime() *timeReading {
	if c.about.Kind == data.Timestamp {
		return &timeReading{zoned: !c.about.Local, hour: true}
	}
	if len(c.levels) == 0 {
		return nil
	}
	if t := c.epochTime(); t != nil {
		return t
	}
	var texts []level
	read := 0
	for _, l := range c.levels {
		if l.kind == textCell {
			texts = append(texts, l)
			read += l.rows
		}
	}
	if read*100 < c.filled*readable {
		return nil
	}
	if t := isoTime(texts, read); t != nil {
		return t
	}
	return patternTime(texts)
}

// epochTime reads whole numbers as times between 2000 and 2100.
func (c *examined) epochTime() *timeReading {
	for _, e := range []string{"epoch_s", "epoch_ms", "epoch_us"} {
		t := &timeReading{pattern: e, zoned: true, hour: true, epoch: true}
		per := 1e6 / epoch(e)
		for i := range c.levels {
			l := &c.levels[i]
			if n, ok := l.whole(); !ok || n/per < 946684800 || n/per >= 4102444800 {
				t.strange, t.odd = t.strange+l.rows, l.raw()
			}
		}
		if t.strange*100 <= c.filled*(100-readable) {
			return t
		}
	}
	return nil
}

// whole is the cell as a whole number, if it is one.
func (c cell) whole() (int64, bool) {
	n, why := (&converter{Field: &Field{kind: numberField}}).whole(c)
	return n, why == ""
}

// isoTime reads texts of so many rows.
func isoTime(texts []level, rows int) *timeReading {
	t := &timeReading{pattern: "iso", hour: true}
	offsets := 0
	for i := range texts {
		l := &texts[i]
		v, ok := iso(l.s)
		if !ok {
			t.strange, t.odd = t.strange+l.rows, l.s
		} else if v.hasOffset {
			offsets += l.rows
		}
	}
	if t.strange*100 > rows*(100-readable) {
		return nil
	}
	t.zoned = offsets == rows-t.strange
	return t
}

// patternTime tries the strptime patterns: on a few values, then what is left on
// all.
func patternTime(texts []level) *timeReading {
	if !digital(spread(texts, 20)) {
		return nil
	}
	left := patterns()
	for _, n := range []int{20, 2000, len(texts)} {
		left = surviving(left, spread(texts, n))
	}
	if len(left) == 0 {
		return nil
	}
	best := left[0]
	t := &timeReading{pattern: best.text, zoned: best.offset, hour: best.hour, clock: best.pattern}
	for i := range texts {
		l := &texts[i]
		v, ok := best.read(l.s)
		if !ok {
			t.strange, t.odd = t.strange+l.rows, l.s
		}
		for _, o := range left[1:] {
			if w, too := o.read(l.s); t.other == "" && ok && too && w != v {
				t.other = o.text
			}
		}
	}
	return t
}

// surviving are the patterns that read nearly all of the levels, those that
// read most.
func surviving(from []namedPattern, levels []level) []namedPattern {
	var out []namedPattern
	all := 0
	for i := range levels {
		all += levels[i].rows
	}
	fewest := all * (100 - readable) / 100 // rows not read by the best so far
	for _, p := range from {
		unread := 0
		for i := 0; i < len(levels) && unread <= fewest; i++ {
			if _, ok := p.read(levels[i].s); !ok {
				unread += levels[i].rows
			}
		}
		switch {
		case unread > fewest:
			continue
		case unread < fewest:
			fewest, out = unread, nil
		}
		out = append(out, p)
	}
	return out
}

// digital says whether most of the levels have digits enough for a date.
func digital(levels []level) bool {
	few := 0
	for i := range levels {
		digits := 0
		for _, c := range []byte(levels[i].s) {
			if c-'0' <= 9 {
				digits++
			}
		}
		if digits < 3 {
			few++
		}
	}
	return few*100 <= len(levels)*(100-readable)
}

// read is the instant of a text, a clock without offset being counted as UTC.
func (p namedPattern) read(s string) (data.Micros, bool) {
	v, ok := p.parse(s)
	if !ok {
		return 0, false
	}
	at, why := v.instant(&zone{location: time.UTC})
	return at, why == ""
}

// micros is the value of a row, a clock without offset being counted as UTC.
func (c *examined) micros(row int) (data.Micros, bool) {
	t, v := c.asTime(), c.at(row)
	switch {
	case t == nil || v.kind == nullCell:
		return 0, false
	case t.pattern == "":
		return data.Micros(v.i), true
	case t.epoch:
		n, ok := v.whole()
		return data.Micros(n * epoch(t.pattern)), ok
	case t.clock != nil:
		return namedPattern{pattern: t.clock}.read(v.s)
	}
	w, ok := iso(v.s)
	if !ok {
		return 0, false
	}
	at, why := w.instant(&zone{location: time.UTC})
	return at, why == ""
}

// inOrder is the share of neighbouring rows whose times do not go back when
// read by a pattern, for rows read downwards or upwards, whichever is more.
func (c *examined) inOrder(text string) float64 {
	compiled, err := compilePattern(text)
	if err != nil {
		return 0
	}
	p := namedPattern{pattern: compiled}
	at := make([]data.Micros, len(c.levels))
	for i := range c.levels {
		at[i], _ = p.read(c.levels[i].s)
	}
	up, down, n, last := 0, 0, 0, uint32(0)
	for _, k := range c.codes {
		if k == 0 {
			continue
		}
		if last > 0 {
			n++
			if at[k-1] >= at[last-1] {
				up++
			}
			if at[k-1] <= at[last-1] {
				down++
			}
		}
		last = k
	}
	if n == 0 {
		return 0
	}
	return float64(max(up, down)) / float64(n)
}

// why says what was read.
func (t *timeReading) why(c *examined) string {
	s := "every value reads as " + t.pattern
	switch {
	case t.pattern == "":
		return "a time by its type (" + c.about.Type + ")"
	case t.strange > 0:
		s = fmt.Sprintf("%d of %d values read as %s; %d do not, such as %q", c.filled-t.strange, c.filled, t.pattern, t.strange, t.odd)
	}
	return s
}
