package sim

import (
	"time"

	"recoup/data"
)

// payRule is the calendar date that a customer is paid on: a day of the month,
// or 0 for the last working day.
type payRule int

// payTime is when the pay of a month is in the account. Bank holidays are not
// known here: a working day is Monday to Friday. A date pays on weekends too,
// since NACH credits run every day.
func payTime(year int, month time.Month, rule payRule, hour data.Micros) data.Micros {
	if rule == 0 {
		return data.IST(year, month, lastWorkingDay(year, month), 0, 0) + hour
	}
	return data.IST(year, month, int(rule), 0, 0) + hour
}

// lastWorkingDay is the last Monday-to-Friday day of a month.
func lastWorkingDay(year int, month time.Month) int {
	d := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC)
	switch d.Weekday() {
	case time.Saturday:
		return d.Day() - 1
	case time.Sunday:
		return d.Day() - 2
	}
	return d.Day()
}

// windows of UPI AutoPay in IST time of day, half-open: debits run before
// 10:00, from 13:00 to 17:00, and from 21:30 on (NPCI OC-215A, in force since
// 1 August 2025; applied to the whole log).
const (
	morningEnds    = 10 * data.Hour
	afternoonOpens = 13 * data.Hour
	afternoonEnds  = 17 * data.Hour
	eveningOpens   = 21*data.Hour + 30*data.Minute
)

// nextLegal is the first time from t on at which the rail may be debited.
func nextLegal(r data.Rail, t data.Micros) data.Micros {
	if r != data.UPIAutopay {
		return t
	}
	switch tod := t.ISTTimeOfDay(); {
	case tod >= morningEnds && tod < afternoonOpens:
		return t - tod + afternoonOpens
	case tod >= afternoonEnds && tod < eveningOpens:
		return t - tod + eveningOpens
	}
	return t
}

// noticeFloor is how long before a debit its notice must be out: 25 h before a
// UPI debit, 36 h 05 min before a card debit (Razorpay, create subsequent
// payments), 24 h otherwise (RBI's e-mandate framework).
func noticeFloor(r data.Rail) data.Micros {
	switch r {
	case data.UPIAutopay:
		return 25 * data.Hour
	case data.Card:
		return 36*data.Hour + 5*data.Minute
	}
	return 24 * data.Hour
}

// midnight is 00:00 IST of the day of t.
func midnight(t data.Micros) data.Micros { return t - t.ISTTimeOfDay() }

func monthOf(n int) time.Month { return time.Month(n) }
