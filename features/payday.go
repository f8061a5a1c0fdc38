package features

// The customer's own pay day, learned from what happened on which day. A
// capture after failures for lack of funds says that money came in between; a
// failure for lack of funds says that it had not come shortly before.

// payday is what was learned. Day 0 = nothing to learn from.
type payday struct {
	day      int   // 1..31; 31 = the last day of the month
	evidence int32 // points for the day over the mean of all days, >= 0
	between  int32 // captures after a failure for lack of funds: the strong evidence
}

const (
	paydaySpan    = 10 // days; a longer wait between failure and capture tells nothing
	paydayPoints  = 60 // shared by the days between a failure and its capture
	paydayBefore  = 12 // taken from the day of a failure for lack of funds and the 2 days before
	paydayCapture = 2  // given to the day of a plain capture and the 4 days before
)

// learnPayday scores every day of the month by integer votes of the ring's
// events and takes the best; ties go to the smallest day.
func learnPayday(ring []past) payday {
	var score [32]int32
	var out payday
	for i := range ring {
		e := &ring[i]
		day := e.at.ISTDay()
		switch {
		case e.paid():
			if failed, ok := fundsFailureBefore(ring[:i], e); ok && day > failed && day-failed <= paydaySpan {
				out.between++
				for d := failed + 1; d <= day; d++ {
					score[civilOf(d).day] += paydayPoints / int32(day-failed)
				}
				continue
			}
			for d := day - 4; d <= day; d++ {
				score[civilOf(d).day] += paydayCapture
			}
		case e.failedFunds():
			for d := day - 2; d <= day; d++ {
				score[civilOf(d).day] -= paydayBefore
			}
		}
	}
	total, best := int32(0), int32(0)
	for d := 1; d <= 31; d++ {
		total += score[d]
		if score[d] > best {
			best, out.day = score[d], d
		}
	}
	if out.day > 0 {
		out.evidence = max(0, best-total/31)
	}
	return out
}

// fundsFailureBefore is the day of the latest failure for lack of funds of the
// same case.
func fundsFailureBefore(ring []past, e *past) (day int64, ok bool) {
	for i := len(ring) - 1; i >= 0; i-- {
		if ring[i].caseLo == e.caseLo && ring[i].failedFunds() {
			return ring[i].at.ISTDay(), true
		}
	}
	return 0, false
}

// daysSincePayday is how many days ago the pay day last was, 0 = today.
func daysSincePayday(today int64, payday int) int64 {
	c := civilOf(today)
	if due := min(int8(payday), c.monthLength()); c.day >= due {
		return int64(c.day - due)
	}
	last := civilOf(today - int64(c.day)) // last day of the month before
	return int64(c.day) + int64(last.day-min(int8(payday), last.day))
}

// daysUntilPayday is how many days ahead the next pay day is, at least 1.
func daysUntilPayday(today int64, payday int) int64 {
	c := civilOf(today)
	n := c.monthLength()
	if due := min(int8(payday), n); c.day < due {
		return int64(due - c.day)
	}
	next := civilOf(today + int64(n-c.day) + 1)
	return int64(n-c.day) + int64(min(int8(payday), next.monthLength()))
}

// daysSinceCommonPayday counts from the latest of the days on which most
// salaries come: the 1st, the 7th and the last working day.
func daysSinceCommonPayday(today int64) int64 {
	c := civilOf(today)
	if lw := c.lastWorkingDay(today); c.day >= lw {
		return int64(c.day - lw)
	}
	if c.day >= 7 {
		return int64(c.day - 7)
	}
	return int64(c.day - 1)
}

// commonPaydaysBetween counts the 1st, the 7th and last working days in
// (from, to], at most 31 days looked at.
func commonPaydaysBetween(from, to int64) int64 {
	n := int64(0)
	for d := max(from, to-31) + 1; d <= to; d++ {
		c := civilOf(d)
		if c.day == 1 || c.day == 7 || c.day == c.lastWorkingDay(d) {
			n++
		}
	}
	return n
}
