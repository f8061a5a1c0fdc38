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
		text := raw[1 : len(raw)-1]
		var ok bool
		if m, ok = plainTime(text); ok {
			break
		}
		var t time.Time
		if escaped || t.UnmarshalText([]byte(text)) != nil {
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

// plainTime reads RFC 3339 of the years 2000 to 2099 with at most nine digits of
// a second's fraction: what nearly every time is. Not ok says nothing: package
// time knows the rest.
func plainTime(s string) (m Micros, ok bool) {
	const form = "2006-01-02T15:04:05"
	if len(s) <= len(form) || s[0] != '2' || s[1] != '0' || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' {
		return 0, false
	}
	year, month, day := pair(s, 2), pair(s, 5), pair(s, 8)
	hour, minute, second := pair(s, 11), pair(s, 14), pair(s, 17)
	if year < 0 || month < 1 || month > 12 || day < 1 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 {
		return 0, false
	}
	leap := 0
	if year%4 == 0 { // 2000 is one too, and 2100 is not among them
		leap = 1
	}
	days := daysBefore[month-1] + day
	if month > 2 {
		days += leap
	}
	if most := daysBefore[month] - daysBefore[month-1]; day > most && (month != 2 || day > most+leap) {
		return 0, false
	}
	days += year*365 + (year+3)/4 - 1
	m = minTime + Micros(days)*Day + Micros(hour)*Hour + Micros(minute)*Minute + Micros(second)*Second
	i := len(form)
	if s[i] == '.' {
		i++
		unit := Second
		for ; i < len(s) && isDigit(s[i]); i++ {
			unit /= 10 // what is finer than a microsecond counts nothing
			m += Micros(s[i]-'0') * unit
		}
		if n := i - len(form) - 1; n == 0 || n > 9 {
			return 0, false
		}
	}
	if i+1 == len(s) && s[i] == 'Z' {
		return m, true
	}
	if i+6 != len(s) || s[i] != '+' && s[i] != '-' || s[i+3] != ':' {
		return 0, false
	}
	hour, minute = pair(s, i+1), pair(s, i+4)
	if hour < 0 || hour > 23 || minute < 0 || minute > 59 {
		return 0, false
	}
	offset := Micros(hour)*Hour + Micros(minute)*Minute
	if s[i] == '+' {
		offset = -offset
	}
	return m + offset, true
}

// daysBefore counts the days of a common year before each month.
var daysBefore = [13]int{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365}

// pair is the number of two digits at i; negative where they are none.
func pair(s string, i int) int {
	if !isDigit(s[i]) || !isDigit(s[i+1]) {
		return -1
	}
	return int(s[i]-'0')*10 + int(s[i+1]-'0')
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
