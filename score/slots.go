package score

import (
	"slices"
	"time"

	"recoup/data"
)

// retrySlots are the times at which a retry may be tried, in order, each once: the
// grid, moved out of hours without debits, the first legal time, and those of the
// rules arm and of the ladder, moved to the next legal time. None is before t.
func (s *situation) retrySlots() []data.Micros {
	slots := make([]data.Micros, 0, len(s.policy.retryHours)*(s.policy.gridDays+1)+len(s.row.after)+len(s.policy.ladder)+1)
	slots = append(s.policy.grid(slots, s.t, s.policy.retryHours), s.legal(s.t))
	for i, at := range slots {
		slots[i] = s.moved(data.Retry, at)
	}
	if s.row.arm == data.Retry {
		if s.row.when == after {
			for _, d := range s.row.after {
				slots = append(slots, s.legal(s.LastFailure+d))
			}
		}
		slots = append(slots, s.armSlot())
	}
	for _, d := range s.policy.ladder {
		if at := s.FirstFailure + data.Micros(d)*data.Day; at >= s.t {
			slots = append(slots, s.legal(at))
		}
	}
	return sortedOnce(slots)
}

// contactSlots are the times for links and nudges: t, and the grid, moved out of
// the night. They are worked out once.
func (s *situation) contactSlots() []data.Micros {
	if s.messages != nil {
		return s.messages
	}
	slots := make([]data.Micros, 0, 1+len(s.policy.contacts)*(s.policy.gridDays+1))
	slots = s.policy.grid(append(slots, s.t), s.t, s.policy.contacts)
	for i, at := range slots {
		slots[i] = s.moved(data.PaymentLink, at)
	}
	s.messages = sortedOnce(slots)
	return s.messages
}

func sortedOnce(slots []data.Micros) []data.Micros {
	slices.Sort(slots)
	return slices.Compact(slots)
}

// grid appends the slots of the grid in [t, t + days).
func (p *Policy) grid(dst []data.Micros, t data.Micros, hours []data.Micros) []data.Micros {
	midnight := t - t.ISTTimeOfDay()
	for day := range data.Micros(p.gridDays + 1) {
		for _, h := range hours {
			if at := midnight + day*data.Day + h; at >= t && at < t+data.Micros(p.gridDays)*data.Day {
				dst = append(dst, at)
			}
		}
	}
	return dst
}

// armSlot is when the rules arm would retry.
func (s *situation) armSlot() data.Micros {
	first := s.legal(s.t)
	switch s.row.when {
	case after:
		n := min(max(s.presented-1, 0), len(s.row.after)-1)
		return s.legal(s.LastFailure + s.row.after[n])
	case payDay:
		return s.legal(s.policy.payDays.next(first))
	case outageEnd:
		return s.legal(s.outageEnds() + s.now.span(outageWait, data.Hour))
	}
	return first
}

// outageEnds is when the latest outage that touched the case ends or ended; 0
// when there is none.
func (s *situation) outageEnds() (end data.Micros) {
	for _, o := range s.Outages {
		if o.Severity > 0 && o.End > s.LastFailure && o.Begin <= s.t {
			end = max(end, o.End)
		}
	}
	return end
}

// next is the first moment of a common pay day's window that is not before t. Bank
// holidays are not known.
func (p *payDays) next(t data.Micros) data.Micros {
	for day := t - t.ISTTimeOfDay(); ; day += data.Day {
		if at := max(t, day+p.from); p.on(day) && at <= day+p.to {
			return at
		}
	}
}

// on says whether the day that begins at midnight is a pay day.
func (p *payDays) on(midnight data.Micros) bool {
	y, m, d := midnight.ISTDate()
	return slices.Contains(p.days, d) || p.lastWork && d == lastWorkingDay(y, m)
}

// lastWorkingDay is the day of the month of the last Monday to Friday.
func lastWorkingDay(y int, m time.Month) int {
	last := time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC)
	switch last.Weekday() {
	case time.Saturday:
		return last.Day() - 1
	case time.Sunday:
		return last.Day() - 2
	}
	return last.Day()
}
