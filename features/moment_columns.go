package features

// momentColumns say where a moment lies in week, month and pay cycle.
func momentColumns(prefix, g string) []column {
	return []column{
		cat(g, prefix+"weekday", "day of the week, IST", weekdayLevels, func(v *view) uint8 { return uint8(weekday(v.today)) }),
		num(g, prefix+"month_sin", "sine", "moment of the month, IST", 0, func(v *view) float64 { return v.month.sin }),
		num(g, prefix+"month_cos", "cosine", "moment of the month, IST", 0, func(v *view) float64 { return v.month.cos }),
		num(g, prefix+"month_end", "0 or 1", "last two days of the month", 0, func(v *view) float64 {
			return flag(v.date.day > v.date.monthLength()-2)
		}),
		num(g, prefix+"payday_since", "days", "since the customer's learned pay day, at most 10", paydayFar, (*view).sincePayday, attempts),
		num(g, prefix+"payday_until", "days", "until the customer's learned pay day, at most 10", paydayFar, (*view).untilPayday, attempts),
		num(g, prefix+"payday_fresh", "share", "1 on the learned pay day falling to 0 on the sixth day after, times how sure it is", 0, (*view).paydayFresh, attempts),
		num(g, prefix+"payday_expected", "share", "of the pay cycle still ahead, over all pay days by how likely each is", 0.5, func(v *view) float64 {
			return v.payday.expected(v.date.day)
		}, attempts),
		num(g, prefix+"payday_crossed", "0 or 1", "the learned pay day lies between the latest failure and this day", 0, (*view).paydayCrossed, attempts),
		num(g, prefix+"common_since", "days", "since the 1st, the 7th or the last working day, at most 10", 5, (*view).sinceCommonPayday),
		num(g, prefix+"common_crossed", "count", "common pay days between the latest failure and this day, at most 4", 0, (*view).commonPaydaysCrossed, attempts),
		num(g, prefix+"days_rate", "rate", "the customer's paid outcomes within 2 days of this day of the month, against failures for funds, shrunk to 1/2 by 4", 0.5, (*view).daysRate, attempts),
		num(g, prefix+"promise_since", "days", "past the promised date, in [-7, 7]; -7 when nothing is promised", -7, (*view).sinceDue, promises),
		num(g, prefix+"mandate_expiry", "days", "until the mandate ends, in [-30, 365]", 365, (*view).expiryDays, mandates),
	}
}
