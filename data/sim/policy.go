package sim

import (
	"recoup/data"
)

// Ladder is Razorpay's fixed schedule: a retry a day after the failure, three
// times, whatever the reason.
func Ladder() Behaviour {
	return Behaviour{ID: "ladder", Arm: data.ArmControl, Policy: func(dst []float64, s *Situation) []float64 {
		return only(dst, len(s.Candidates), s.Ladder)
	}}
}

// Rules is the table of classes, with hand-written timing and nothing learned.
func Rules() Behaviour {
	return Behaviour{ID: "rules", Arm: data.ArmRules, Contacts: true, Policy: func(dst []float64, s *Situation) []float64 {
		return only(dst, len(s.Candidates), s.Rules)
	}}
}

// Uniform draws waiting and every legal retry slot alike: the log that has
// support for everything.
func Uniform() Behaviour {
	return Behaviour{ID: "uniform", Arm: data.ArmExplorer, Policy: func(dst []float64, s *Situation) []float64 {
		dst = only(dst, len(s.Candidates), -1)
		n := 0
		for _, c := range s.Candidates {
			if c.Action == data.Wait || c.Action == data.Retry {
				n++
			}
		}
		for i, c := range s.Candidates {
			if c.Action == data.Wait || c.Action == data.Retry {
				dst[i] = 1 / float64(n)
			}
		}
		return dst
	}}
}

// only puts all probability on one candidate, or none for i < 0.
func only(dst []float64, n, i int) []float64 {
	dst = append(dst[:0], make([]float64, n)...)
	if i >= 0 {
		dst[i] = 1
	}
	return dst
}

// Behaviours is the policies that need no model, by name.
func Behaviours() []Behaviour { return []Behaviour{Ladder(), Rules(), Uniform()} }

// ladderSlot is when the ladder would retry.
func ladderSlot(s *Situation) data.Micros { return s.FailedAt + data.Day }

// rulesSlot is what the rules would do about a class and when.
func rulesSlot(s *Situation) (data.Action, data.Micros) {
	switch s.Class {
	case data.RetryNow:
		return data.Retry, s.FailedAt + []data.Micros{data.Hour, 6 * data.Hour, 24 * data.Hour}[s.AttemptNo-1]
	case data.RetryScheduled:
		return data.Retry, nextPayDay(max(s.Now, s.FailedAt+s.Reason.Info().MinWait))
	case data.SwitchRail:
		from := s.Now
		if d := s.Downtime; d != nil && d.End > from {
			from = d.End
		}
		return data.Retry, from + 2*data.Hour
	case data.SwitchInstrument:
		return data.PaymentLink, s.Now
	case data.NudgeCustomer:
		return data.Nudge, s.Now
	case data.MerchantAlert:
		return data.Escalate, s.Now
	}
	return data.Wait, s.Now // AWAIT_STATUS, STOP, and what has no class
}

// nextPayDay is 08:00 IST of the next common pay day (the 1st, the 5th or the
// last working day) not before t; on such a day from 08:00 to 09:30 it is t.
func nextPayDay(t data.Micros) data.Micros {
	for day := midnight(t); ; day += data.Day {
		y, m, d := day.ISTDate()
		if d != 1 && d != 5 && d != lastWorkingDay(y, m) {
			continue
		}
		if at := max(t, day+8*data.Hour); at <= day+9*data.Hour+30*data.Minute {
			return at
		}
	}
}
