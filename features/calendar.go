package features

import (
	"sync"

	"recoup/data"
)

// Calendar columns use India's clock, UTC + 19800 s: never the machine's zone.

// civil is a date of the proleptic Gregorian calendar.
type civil struct {
	year       int16
	month, day int8 // 1..12, 1..31
}

// dates are those of day numbers 0 to 36,524, from 1970 to 2069: nearly all
// that is ever asked.
var dates = sync.OnceValue(func() []civil {
	out := make([]civil, 36525)
	for d := range out {
		out[d] = computeCivil(int64(d))
	}
	return out
})

// civilOf is the date of a day number, 0 = 1 January 1970.
func civilOf(days int64) civil {
	if t := dates(); days >= 0 && days < int64(len(t)) {
		return t[days]
	}
	return computeCivil(days)
}

// computeCivil follows Hinnant, "chrono-compatible low-level date algorithms", 2014.
func computeCivil(days int64) civil {
	z := days + 719468
	era := z / 146097
	if z < 0 {
		era = (z - 146096) / 146097
	}
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	c := civil{year: int16(yoe + era*400), day: int8(doy-(153*mp+2)/5) + 1}
	if mp < 10 {
		c.month = int8(mp) + 3
	} else {
		c.month, c.year = int8(mp)-9, c.year+1
	}
	return c
}

// monthLength is the number of days in the month of c.
func (c civil) monthLength() int8 {
	switch c.month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if c.year%4 == 0 && (c.year%100 != 0 || c.year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// weekday of a day number: 1 = Monday .. 7 = Sunday.
func weekday(days int64) int {
	w := (days + 3) % 7 // 1 January 1970 was a Thursday
	if w < 0 {
		w += 7
	}
	return int(w) + 1
}

// lastWorkingDay is the day of the month of the last Monday to Friday; days is
// the day number of c. Bank holidays are not known.
func (c civil) lastWorkingDay(days int64) int8 {
	n := c.monthLength()
	switch weekday(days + int64(n-c.day)) {
	case 6:
		return n - 1
	case 7:
		return n - 2
	}
	return n
}

// peakWindow: NPCI keeps AutoPay debits out of 10:00-13:00 and 17:00-21:30 IST
// (members' deadline 31 July 2025).
func peakWindow(t data.Micros) bool {
	tod := t.ISTTimeOfDay()
	return tod >= 10*data.Hour && tod < 13*data.Hour || tod >= 17*data.Hour && tod < 21*data.Hour+30*data.Minute
}
