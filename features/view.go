package features

import (
	"math"
	"slices"

	"recoup/data"
)

// view is what a column is computed from: the past, and the moment it is asked
// about. The moment of an attempt row is its candidate's, that of a cure row
// the start of its day.
type view struct {
	*Past
	at                  data.Micros
	today               int64 // IST day number of at
	date                civil
	lastLink, lastNudge data.Micros // contacts before at that are known or planned
	links, nudges       int32
	dayNo               int // of a cure row: days since the failure
	hour, month         circle
}

func (p *Past) viewAt(at data.Micros) view {
	today := at.ISTDay()
	date, tod := civilOf(today), float64(at.ISTTimeOfDay())/float64(data.Day)
	return view{Past: p, at: at, today: today, date: date,
		hour: turn(tod), month: turn((float64(date.day-1) + tod) / float64(date.monthLength())),
		lastLink: p.lastLink, lastNudge: p.lastNudge, links: p.links, nudges: p.nudges}
}

// column is a column and the one function that computes it, for tables and for
// serving alike.
type column struct {
	Column
	get func(v *view) float64
}

// row appends the columns' numbers.
func (v *view) row(dst []float64, columns []column) []float64 {
	dst = slices.Grow(dst, len(columns))
	for i := range columns {
		dst = append(dst, columns[i].get(v))
	}
	return dst
}

// The units of time in feature rows. Spans are logarithms so that seconds and
// weeks both tell; log1p keeps zero at zero.
func logSeconds(d data.Micros) float64 { return math.Log1p(max(0, float64(d)/float64(data.Second))) }
func logHours(d data.Micros) float64   { return math.Log1p(max(0, float64(d)/float64(data.Hour))) }
func logDays(d data.Micros) float64    { return math.Log1p(max(0, float64(d)/float64(data.Day))) }

// logHoursSince is the log hours from an event that may not have happened, and
// def when it has not.
func logHoursSince(at, event data.Micros, def float64) float64 {
	if event == 0 {
		return def
	}
	return min(def, logHours(at-event))
}

func logCount[N ~int32 | ~int64 | ~uint32](n N) float64 {
	if n < N(len(logCounts)) {
		return logCounts[n]
	}
	return math.Log1p(float64(n))
}

// logCounts are the logarithms of the counts that nearly all rows have.
var logCounts = func() (out [64]float64) {
	for n := range out {
		out[n] = math.Log1p(float64(n))
	}
	return out
}()

// logRupees is money inside a feature row: log(1 + rupees).
func logRupees(p data.Paise) float64 { return math.Log1p(max(0, float64(p)/100)) }

// shrunk is a rate pulled towards a/b until n outweighs b: one division.
func shrunk[N ~int32 | ~int64 | ~uint32](k, n, a, b N) float64 { return float64(k+a) / float64(n+b) }

// deviation is how much worse a window failed than the baseline of its own
// key, shrunk to 0 while the window is thin: f/(n+20) - F/N * n/(n+20), one
// division of integers.
func deviation(f, n, baseF, baseN uint32) float64 {
	if baseN == 0 {
		return 0
	}
	return float64(int64(f)*int64(baseN)-int64(baseF)*int64(n)) / float64(int64(baseN)*(int64(n)+20))
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// turn places a share of a cycle, in [0, 1), on the unit circle.
func turn(share float64) (t circle) {
	t.sin, t.cos = math.Sincos(2 * math.Pi * share)
	return t
}

type circle struct{ sin, cos float64 }

const paydayFar = 10 // days; further from the pay day tells nothing more

func (v *view) sincePayday() float64 {
	if v.payday.day == 0 {
		return paydayFar
	}
	return float64(min(paydayFar, daysSincePayday(v.today, v.payday.day)))
}

func (v *view) untilPayday() float64 {
	if v.payday.day == 0 {
		return paydayFar
	}
	return float64(min(paydayFar, daysUntilPayday(v.today, v.payday.day)))
}

// paydayFresh is 1 on the learned pay day, 0 from the sixth day on, scaled by
// how sure the day is.
func (v *view) paydayFresh() float64 {
	if v.payday.day == 0 {
		return 0
	}
	fresh := max(0, 6-daysSincePayday(v.today, v.payday.day))
	sure := float64(v.payday.evidence) / float64(v.payday.evidence+2*paydayPoints)
	return sure * float64(fresh) / 6
}

// paydayCrossed: does the learned pay day lie after the day of the latest
// failure and not after today?
func (v *view) paydayCrossed() float64 {
	if v.payday.day == 0 {
		return 0
	}
	return flag(v.today-daysSincePayday(v.today, v.payday.day) > v.failed.occurred.ISTDay())
}

func (v *view) sinceCommonPayday() float64 {
	return float64(min(paydayFar, daysSinceCommonPayday(v.today)))
}

func (v *view) commonPaydaysCrossed() float64 {
	return float64(min(4, commonPaydaysBetween(v.failed.occurred.ISTDay(), v.today)))
}

// daysRate is the customer's own rate of paid outcomes within two days of this
// day of the month, shrunk to one half.
func (v *view) daysRate() float64 {
	var paid, failed int32
	for d := v.today - 2; d <= v.today+2; d++ {
		t := v.days[civilOf(d).day]
		paid += int32(t.paid)
		failed += int32(t.failed)
	}
	return shrunk(paid, paid+failed, 2, 4)
}

// sinceDue is how many days past a promised date the moment is, in [-7, 7]; -7
// is far off or no promise.
func (v *view) sinceDue() float64 {
	if v.promiseDue == 0 {
		return -7
	}
	return float64(min(7, max(-7, v.today-v.promiseDue.ISTDay())))
}

func (v *view) sinceDowntime() float64 {
	since, ok := sinceDowntime(&v.spans, v.at, v.T)
	if !ok {
		return logHours(7 * data.Day)
	}
	return min(logHours(7*data.Day), logHours(since))
}

// expiryDays is how long the mandate still lives, in [-30, 365] days.
func (v *view) expiryDays() float64 {
	if v.mandate.until == 0 {
		return 365
	}
	return min(365, max(-30, float64(v.mandate.until-v.at)/float64(data.Day)))
}

// capShare is the amount over the mandate's cap, in [0, 2].
func (v *view) capShare() float64 {
	if v.mandate.maxAmount <= 0 {
		return 0.5
	}
	return min(2, float64(v.amount)/float64(v.mandate.maxAmount)) // paise over paise
}

// amountDeviation is (amount - mean) / mean absolute deviation of past
// captures, in [-5, 5]; a hundredth of the mean and a rupee keep a constant
// history finite.
func (v *view) amountDeviation() float64 {
	if v.captured == 0 {
		return 0
	}
	return min(5, max(-5, float64(v.amount-v.meanPaid)/float64(v.spreadPaid+v.meanPaid/100+100)))
}
