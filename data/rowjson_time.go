package data

import "time"

const timeForm = "a time such as 2026-02-01T09:30:00+05:30 (its offset is needed), or whole microseconds since 1970"

// Time reads a time from 2000 to 2099: RFC 3339 with an offset, or whole
// microseconds since 1970. What is finer than a microsecond is dropped.
func (r *JSONReader) Time() (Micros, bool) {
	var m Micros
	switch r.kind() {
	case '"':
		raw, escaped := r.quoted()
		var t time.Time
		if escaped || t.UnmarshalText([]byte(raw[1:len(raw)-1])) != nil {
			r.Fault(raw, "expected %s", timeForm)
			return 0, false
		}
		m = MicrosOf(t)
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		n, ok := r.Whole()
		if !ok {
			return 0, false
		}
		m = Micros(n)
	default:
		r.Wrong(timeForm)
		return 0, false
	}
	if wrong := micros.check(int64(m)); wrong != "" {
		r.Fault("", "%s", wrong)
		return 0, false
	}
	return m, true
}

var cursorKeys = NewKeys("known_at", "seq")

// AsOf reads an as_of: a time, which sees every event known by then, or a cursor
// {"known_at": T, "seq": N}. exact = it was a cursor.
func (r *JSONReader) AsOf() (c Cursor, exact, ok bool) {
	if r.kind() != '{' {
		t, ok := r.Time()
		return AsOf(t), false, ok
	}
	good := true
	seen, _ := r.Object(cursorKeys, func(i int) {
		var read bool
		if i == 0 {
			c.KnownAt, read = r.Time()
		} else if c.Seq, read = r.Whole(); read && c.Seq < 0 {
			r.Fault("", "%d: expected at least 0", c.Seq)
			read = false
		}
		good = good && read
	})
	r.Missing(cursorKeys, seen, 0b11)
	return c, true, good && seen == 0b11
}
