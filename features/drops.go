package features

// Reasons that a report counts apart from the others.
const (
	NotClosed     = "window not closed at as_of"
	DaysNotClosed = "days not closed at as_of"
)

// Left is how many made no row for a reason.
func (t TableSummary) Left(why string) int64 {
	var n int64
	for _, d := range t.Dropped {
		if d.Why == why {
			n += d.N
		}
	}
	return n
}

func (d *drops) add(o *drops) {
	d.immature += o.immature
	d.noFailure += o.noFailure
	d.settled += o.settled
	d.noDecision += o.noDecision
	d.early += o.early
	d.cutBefore += o.cutBefore
	d.openDays += o.openDays
}

func (d *drops) attempts() []Drop {
	return []Drop{
		{NotClosed, d.immature},
		{"no failure of the case known before", d.noFailure},
		{"case paid or ended before the attempt was presented", d.settled},
		{"its decision is not in the log", d.noDecision},
		{"presented before its decision", d.early},
	}
}

func (d *drops) periods() []Drop {
	return []Drop{
		{"failures whose wait was over before they were known", d.cutBefore},
		{DaysNotClosed, d.openDays},
	}
}
