package score

import (
	"cmp"

	"recoup/data"
)

// demanded is the candidate that the class leaves no choice about: a person must
// look, or the merchant must be told. -1 = the class leaves a choice.
func (s *situation) demanded(allowed []Choice) int {
	switch {
	case s.row.arm == data.Escalate:
	case s.row.escalate == afterPolls && s.uncertain:
	default:
		return -1
	}
	return find(allowed, data.Escalate, s.t)
}

// byRules is what the rules arm takes: the class table's last column, where the
// gate lets it, else what comes next: a link, a nudge, waiting.
func (s *situation) byRules(allowed []Choice) int {
	at := s.t
	if s.row.arm == data.Retry {
		at = s.armSlot()
	}
	if i := find(allowed, s.row.arm, at); i >= 0 {
		return i
	}
	if s.row.arm == data.Retry || s.row.arm == data.PaymentLink || s.row.arm == data.Nudge {
		for _, a := range []data.Action{data.PaymentLink, data.Nudge} {
			if i := find(allowed, a, s.t); i >= 0 {
				return i
			}
		}
	}
	return find(allowed, data.Wait, s.t)
}

func find(allowed []Choice, a data.Action, at data.Micros) int {
	for i := range allowed {
		if allowed[i].Action == a && allowed[i].At == at {
			return i
		}
	}
	return -1
}

// byValue is the candidate of the highest expected value; equal ones: the earlier,
// then the cheaper, then the order of the actions. Waiting is worth 0, so that
// nothing which loses money is chosen. -1 = nothing has a value.
func byValue(allowed []Choice) int {
	best := -1
	for i := range allowed {
		if allowed[i].EV != nil && (best < 0 || better(&allowed[i], &allowed[best])) {
			best = i
		}
	}
	return best
}

func better(a, b *Choice) bool {
	return cmp.Or(cmp.Compare(*b.EV, *a.EV), cmp.Compare(a.At, b.At), cmp.Compare(a.Cost, b.Cost), cmp.Compare(a.Action, b.Action)) < 0
}
