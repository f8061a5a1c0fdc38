package data

import (
	"cmp"
	"math"
	"time"
)

// Micros is an instant: microseconds since the Unix epoch, UTC. The zero value
// is the null of optional columns.
type Micros int64

// Spans of time, in Micros.
const (
	Second Micros = 1_000_000
	Minute        = 60 * Second
	Hour          = 60 * Minute
	Day           = 24 * Hour
)

// ISTOffset is India's distance from UTC. India keeps no daylight saving time,
// so calendar features need no zone database.
const ISTOffset = 19800 * Second

// MicrosOf converts a time.Time, dropping what is finer than a microsecond.
func MicrosOf(t time.Time) Micros { return Micros(t.UnixMicro()) }

// Time is the instant in UTC.
func (m Micros) Time() time.Time { return time.UnixMicro(int64(m)).UTC() }

// String is RFC 3339 in UTC.
func (m Micros) String() string { return m.Time().Format(time.RFC3339Nano) }

// ISTDay is the number of the calendar day in India, day 0 = 1 January 1970.
func (m Micros) ISTDay() int64 { return floorDiv(int64(m+ISTOffset), int64(Day)) }

// ISTTimeOfDay is the time since midnight in India, in [0, 24 h).
func (m Micros) ISTTimeOfDay() Micros { return m + ISTOffset - Micros(m.ISTDay())*Day }

// ISTDate is the calendar date in India.
func (m Micros) ISTDate() (year int, month time.Month, day int) { return (m + ISTOffset).Time().Date() }

// IST is the instant of a wall clock time in India.
func IST(year int, month time.Month, day, hour, minute int) Micros {
	return MicrosOf(time.Date(year, month, day, hour, minute, 0, 0, time.UTC)) - ISTOffset
}

// Plausible reports whether the instant is one that a log may hold, from 2000 to
// 2099; others are taken for a wrong unit or a broken clock.
func (m Micros) Plausible() bool { return m >= minTime && m < maxTime }

// UTCDate is "2006-01-02" in UTC, as used in paths.
func (m Micros) UTCDate() string { return m.Time().Format(time.DateOnly) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// Cursor is a position in the total order of everything we came to know:
// (known_at, seq). seq is unique in a log, so no two events tie.
type Cursor struct {
	KnownAt Micros `json:"known_at_us"`
	Seq     int64  `json:"seq"`
}

// AsOf is the cursor that sees every event with known_at <= t.
func AsOf(t Micros) Cursor { return Cursor{t, math.MaxInt64} }

// Compare orders cursors: negative when c is before d.
func (c Cursor) Compare(d Cursor) int {
	return cmp.Or(cmp.Compare(c.KnownAt, d.KnownAt), cmp.Compare(c.Seq, d.Seq))
}

// Sees reports whether an event with cursor e is visible at as_of c: e <= c.
func (c Cursor) Sees(e Cursor) bool { return e.Compare(c) <= 0 }
