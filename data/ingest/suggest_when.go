package ingest

import (
	"fmt"
	"slices"
	"strings"
)

// decideTimes finds when an attempt happened, and when it became known.
func (d *draft) decideTimes() {
	d.decideOccurred()
	for _, c := range d.byName("known_at") {
		t := c.asTime()
		if t == nil || d.occurred == nil {
			continue
		}
		after, both := 0, 0
		for i := range d.rows {
			known, ok1 := c.micros(i)
			occurred, ok2 := d.occurred.micros(i)
			if ok1 && ok2 {
				both++
				if known >= occurred {
					after++
				}
			}
		}
		if both*100 < d.rows*95 || after*100 < both*95 {
			d.notes[c.name()] = fmt.Sprintf("it would be known_at, but it is empty or before %s in %d of %d rows", d.occurred.name(), d.rows-after, d.rows)
			continue
		}
		d.writeTime("", "known_at", c, Likely, "its name, and it is never much before "+d.occurred.name())
		return
	}
	d.decided = append(d.decided, Decided{"known_at", []string{}, "no column says when a row became known: it is taken to be occurred_at", Assumed})
}

func (d *draft) decideOccurred() {
	var named, days, times []*examined
	for _, c := range d.byName("occurred_at") {
		switch t := c.asTime(); {
		case t == nil || !c.half():
		case t.hour:
			named = append(named, c)
		default:
			days = append(days, c)
		}
	}
	for _, c := range d.columns {
		if t := c.asTime(); t != nil && !t.epoch && c.half() && !d.used[c.name()] && rank("known_at", c.name()) == 0 && rank("case", c.name()) == 0 {
			times = append(times, c)
		}
	}
	switch {
	case len(named) > 0:
		d.takeOccurred(named[0], Likely, "its name")
	case d.twoColumns():
	case len(times) == 1 && times[0].asTime().hour:
		d.takeOccurred(times[0], Likely, "the only column of times")
	case len(days) > 0:
		d.takeOccurred(days[0], Assumed, "its name; it has no clock, so attempts of one day have no order")
	default:
		var choices []string
		for _, c := range times {
			choices = append(choices, "occurred_at: "+c.timeValue(c.asTime().pattern))
		}
		d.ask(d.put("fields", "occurred_at", ""), "occurred_at", "which column says when the attempt was made?", choices...)
	}
}

func (d *draft) takeOccurred(c *examined, sure Confidence, why string) {
	d.occurred = c
	d.writeTime("fields", "occurred_at", c, sure, why)
}

// timeValue is the value of a field of time.
func (c *examined) timeValue(pattern string) string {
	if pattern == "" || pattern == "iso" {
		return scalarOf(c.name())
	}
	return from(c.name(), "time", pattern)
}

func (d *draft) writeTime(section, key string, c *examined, sure Confidence, why string) {
	t := c.asTime()
	d.used[c.name()] = true
	if !t.zoned {
		d.needsZone = append(d.needsZone, c.name())
	}
	if t.other == "" {
		d.answer(d.put(section, key, c.timeValue(t.pattern)), key, sure, why+"; "+t.why(c), c.name())
		return
	}
	e := d.put(section, key, from(c.name(), "time", "?"))
	d.ask(e, key, fmt.Sprintf("%q of %s can be %s or %s: no value tells day and month apart (in order of time are %.0f %% of the rows read one way, %.0f %% the other)",
		c.levels[0].s, c.name(), t.pattern, t.other, 100*c.inOrder(t.pattern), 100*c.inOrder(t.other)),
		key+": "+c.timeValue(t.pattern), key+": "+c.timeValue(t.other))
}

// twoColumns joins a day and a clock.
func (d *draft) twoColumns() bool {
	for _, day := range append(d.byName("occurred_at"), d.columns...) {
		if d.used[day.name()] || day.filled == 0 {
			continue
		}
		t := day.asTime()
		byType := day.about.Type == "DATE"
		if !byType && (t == nil || t.hour) {
			continue
		}
		for _, clock := range append(d.byName("clock"), d.columns...) {
			if clock == day || d.used[clock.name()] || clock.filled == 0 {
				continue
			}
			hour, ok := clockOf(day, clock)
			if !ok {
				continue
			}
			value := func(pattern string) string {
				return "{from: " + list([]string{day.name(), clock.name()}) + ", time: " + scalarOf(pattern) + "}"
			}
			d.occurred = day // for order, a day is enough
			d.needsZone = append(d.needsZone, day.name())
			if byType {
				d.answer(d.put("fields", "occurred_at", value("iso")), "occurred_at", Likely, "a day and a clock by their types", day.name(), clock.name())
				return true
			}
			pattern := t.pattern + " " + hour
			if t.other != "" {
				d.used[day.name()], d.used[clock.name()] = true, true
				d.ask(d.put("fields", "occurred_at", value("?")), "occurred_at", fmt.Sprintf("%q of %s can be %s or %s: no value tells day and month apart",
					day.levels[0].s, day.name(), t.pattern, t.other), "occurred_at: "+value(pattern), "occurred_at: "+value(t.other+" "+hour))
				return true
			}
			d.answer(d.put("fields", "occurred_at", value(pattern)), "occurred_at", Likely, "a day and a clock, read as "+pattern, day.name(), clock.name())
			return true
		}
	}
	return false
}

// clockOf is the pattern of the clock beside a day of another column.
func clockOf(day, clock *examined) (hour string, ok bool) {
	if day.about.Type == "DATE" {
		return "", strings.HasPrefix(clock.about.Type, "TIME(")
	}
	return clock.asClock()
}

// asClock is how a column reads as a time of day.
func (c *examined) asClock() (hour string, ok bool) {
	for i := range c.levels {
		if c.levels[i].kind != textCell {
			return "", false
		}
	}
	for _, h := range hours {
		p, err := compilePattern("%Y-%m-%d " + h)
		if err != nil {
			continue
		}
		fits := len(c.levels) > 0 && h != "%H%M%S"
		for _, l := range spread(c.levels, 2000) {
			if _, read := (namedPattern{pattern: p}).read("2000-01-01 " + l.s); !read {
				fits = false
				break
			}
		}
		if fits {
			return h, true
		}
	}
	return "", false
}

// decideZone says where clocks without offset stood.
func (d *draft) decideZone() {
	if len(d.needsZone) == 0 {
		return
	}
	put := func(zone string, sure Confidence, why string) {
		d.answer(d.put("source", "zone", zone), "source.zone", sure, why, d.needsZone...)
	}
	for _, n := range d.needsZone {
		switch words := wordsOf(n); {
		case containsAny(strings.Join(words, " ")+" ", "utc ", "gmt "):
			put("UTC", Likely, fmt.Sprintf("the name %q says so", n))
			return
		case containsAny(" "+strings.Join(words, " ")+" ", " ist "):
			put("Asia/Kolkata", Likely, fmt.Sprintf("the name %q says so", n))
			return
		}
	}
	typed := false
	for _, n := range d.needsZone {
		typed = typed || slices.ContainsFunc(d.columns, func(c *examined) bool { return c.name() == n && c.about.Local })
	}
	if d.inRupees() && !typed { // typed times come from programs, which like UTC; texts are for people
		put("Asia/Kolkata", Assumed, fmt.Sprintf("times in %s have no offset and the money is INR: if the export is in UTC, write UTC", d.needsZone[0]))
		return
	}
	d.ask(d.put("source", "zone", open), "source.zone", fmt.Sprintf("times in %s have no offset: on which clock do they stand?", d.needsZone[0]),
		"zone: UTC", "zone: Asia/Kolkata", "zone: Europe/Berlin")
}
