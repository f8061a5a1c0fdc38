package features

import (
	"math"
	"slices"
)

// The customer's own pay day, learned from which days his debits succeeded and
// lacked funds. Right after the pay day there is money, later there is less: a
// capture speaks for the pay days shortly before it, a failure for lack of funds
// for those shortly after it.

// payday is what was learned: points for each day of the month, 1..31, where 31
// stands for the last day.
type payday struct {
	points   [32]int16
	day      int8  // the day with the most points, the smallest of equals; 0 = nothing to learn from
	evidence int32 // its points over the mean of all days
}

// Points are 32 times a natural logarithm of likelihood, so that folding is
// integer and 32 points make a day e times as likely. The assumption behind
// them: a debit finds the money with probability 0.92 on the pay day, falling
// evenly to 0.35 before the next.
const paydayPoints = 32

// The index is 31 + the day of the outcome - the pay day, so that no day of the
// month before needs a division.
var paidPoints, unpaidPoints = func() (paid, unpaid [62]int16) {
	for since := range paid {
		p := 0.92 - 0.57*float64(since%31)/30
		paid[since] = int16(math.Round(paydayPoints * math.Log(p)))
		unpaid[since] = int16(math.Round(paydayPoints * math.Log(1-p)))
	}
	return paid, unpaid
}()

// paydayPrior: most salaries come on the last working day, the 1st or the 7th.
var paydayPrior = map[int]int16{1: 40, 7: 24, 31: 32, 10: 12, 5: 12, 2: 12, 15: 8, 25: 8}

// learnPayday folds the ring's outcomes. No failure for lack of funds, nothing
// to learn: money was always there.
func learnPayday(ring []past) (out payday) {
	if !slices.ContainsFunc(ring, func(e past) bool { return e.failedFunds() }) {
		return out
	}
	for day, points := range paydayPrior {
		out.points[day] = points
	}
	for i := range ring {
		e := &ring[i]
		table := &unpaidPoints
		if e.paid() {
			table = &paidPoints
		} else if !e.failedFunds() {
			continue
		}
		for p, from := 1, 31+int(e.day()); p <= 31; p++ {
			out.points[p] += table[from-p]
		}
	}
	best, total := int32(math.MinInt32), int32(0)
	for p := int8(1); p <= 31; p++ {
		total += int32(out.points[p])
		if int32(out.points[p]) > best {
			best, out.day = int32(out.points[p]), p
		}
	}
	out.evidence = best - total/31
	return out
}

// expected is how much of the pay cycle is still ahead on a day of the month,
// 1 on the pay day and 0 before the next, over all pay days by their likelihood;
// one half when nothing is known.
func (p *payday) expected(today int8) float64 {
	if p.day == 0 {
		return 0.5
	}
	best := p.points[p.day]
	var ahead, weight float64
	for d := int8(1); d <= 31; d++ {
		w := likelihoods[min(int(best-p.points[d]), len(likelihoods)-1)]
		weight += w
		since := today - d
		if since < 0 {
			since += 31
		}
		ahead += w * float64(30-since)
	}
	return ahead / (30 * weight)
}

// likelihoods are exp(-points / 32).
var likelihoods = func() (out [256]float64) {
	for n := range out {
		out[n] = math.Exp(-float64(n) / paydayPoints)
	}
	return out
}()

// daysSincePayday is how many days ago the pay day last was, 0 = today.
func daysSincePayday(today int64, payday int8) int64 {
	c := civilOf(today)
	if due := min(payday, c.monthLength()); c.day >= due {
		return int64(c.day - due)
	}
	last := civilOf(today - int64(c.day)) // last day of the month before
	return int64(c.day) + int64(last.day-min(payday, last.day))
}

// daysUntilPayday is how many days ahead the next pay day is, at least 1.
func daysUntilPayday(today int64, payday int8) int64 {
	c := civilOf(today)
	n := c.monthLength()
	if due := min(payday, n); c.day < due {
		return int64(due - c.day)
	}
	next := civilOf(today + int64(n-c.day) + 1)
	return int64(n-c.day) + int64(min(payday, next.monthLength()))
}

// daysSinceCommonPayday counts from the latest of the days on which most
// salaries come: the 1st, the 7th and the last working day.
func daysSinceCommonPayday(today int64) int64 {
	c := civilOf(today)
	if c.day >= 26 { // no last working day is earlier
		if lw := c.lastWorkingDay(today); c.day >= lw {
			return int64(c.day - lw)
		}
	}
	if c.day >= 7 {
		return int64(c.day - 7)
	}
	return int64(c.day - 1)
}

// commonPaydaysBetween counts the 1st, the 7th and last working days in
// (from, to], at most 31 days looked at.
func commonPaydaysBetween(from, to int64) (n int64) {
	for d := max(from, to-31) + 1; d <= to; d++ {
		c := civilOf(d)
		if c.day == 1 || c.day == 7 || c.day >= 26 && c.day == c.lastWorkingDay(d) {
			n++
		}
	}
	return n
}

// fundsFailureBefore says whether the same case lacked funds before.
func fundsFailureBefore(ring []past, e *past) bool {
	for i := len(ring) - 1; i >= 0; i-- {
		if ring[i].caseLo == e.caseLo && ring[i].failedFunds() {
			return true
		}
	}
	return false
}
