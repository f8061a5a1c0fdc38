package live

import (
	"recoup/data"
	"recoup/score"
)

// tallies count what was decided on the days in India that are near: the explorer's
// budget is one a day, and so are the people and the limits of the day's pass.
type tallies struct{ days map[int64]*tally }

type tally struct {
	spent score.Spent
	done  score.Tally // by the day's pass
}

// of is the tally of a day.
func (t *tallies) of(at data.Micros) tally {
	if day := t.days[at.ISTDay()]; day != nil {
		return *day
	}
	return tally{}
}

// daysKept is how many days stay: a decision comes hardly later than its day.
const daysKept = 3

func (t *tallies) add(x *decided) {
	day := x.DecidedAt.ISTDay()
	if t.days == nil {
		t.days = map[int64]*tally{}
	}
	if t.days[day] == nil {
		t.days[day] = &tally{}
		for old := range t.days {
			if old < day-daysKept {
				delete(t.days, old)
			}
		}
	}
	n, c := t.days[day], &x.Allowed[x.Chosen]
	if x.Arm == data.ArmExplorer && c.Action == data.Retry {
		n.spent.Attempts++
		n.spent.Paise += x.Amount
	}
	if !x.pass {
		return
	}
	switch c.Action {
	case data.Retry:
		n.done.Attempts++
		n.done.Paise += x.Amount
	case data.Escalate:
		n.done.Escalations++
	}
}
