package score

import (
	"cmp"
	"slices"

	"recoup/data"
)

// demanded is the candidate that class or risk leave no choice about: a person
// must look, or the merchant must be told. -1 = they leave a choice, or nobody
// may be asked.
func (s *situation) demanded(d *Decision) int {
	switch {
	case s.row.arm == data.Escalate || d.Risk.Above:
	case s.row.escalate == afterPolls && s.uncertain:
	default:
		return -1
	}
	return find(d.Allowed, data.Escalate, s.t)
}

// byRules is what the rules arm takes: the class table's last column, where the
// gate lets it, else what comes next: a link, a nudge, waiting. A link or a nudge
// goes out at the first time that the gate allows: not at night.
func (s *situation) byRules(allowed []Choice) int {
	i, next := -1, []data.Action{data.PaymentLink, data.Nudge}
	switch s.row.arm {
	case data.Retry:
		i = find(allowed, data.Retry, s.armSlot())
	case data.PaymentLink, data.Nudge:
		i = first(allowed, s.row.arm)
	default:
		i, next = find(allowed, s.row.arm, s.t), nil
	}
	for _, a := range next {
		if i < 0 {
			i = first(allowed, a)
		}
	}
	if i < 0 {
		i = find(allowed, data.Wait, s.t)
	}
	return i
}

// byLadder is what the control arm takes: the merchant's own day for the next
// retry, or the first time after it, and after t, for which a notice holds or can
// still be sent; where the gate refuses that one, the first that it allows within a
// day of it; else waiting.
func (s *situation) byLadder(allowed []Choice) int {
	if n := s.presented - 1; n >= 0 && n < len(s.policy.ladder) {
		from := s.legal(s.FirstFailure + data.Micros(s.policy.ladder[n])*data.Day)
		for i := range allowed {
			if c := &allowed[i]; c.Action == data.Retry && c.At >= from && c.At <= from+data.Day {
				return i
			}
		}
	}
	return find(allowed, data.Wait, s.t)
}

// first is the earliest candidate of an action; -1 = there is none.
func first(allowed []Choice, a data.Action) int {
	return slices.IndexFunc(allowed, func(c Choice) bool { return c.Action == a })
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

// rank finds the runner-up and how far it is from what was decided.
func (d *Decision) rank() {
	d.RunnerUp, d.Margin = -1, nil
	for i := range d.Allowed {
		if i != d.Decided && d.Allowed[i].EV != nil && (d.RunnerUp < 0 || better(&d.Allowed[i], &d.Allowed[d.RunnerUp])) {
			d.RunnerUp = i
		}
	}
	if d.RunnerUp >= 0 && d.Allowed[d.Decided].EV != nil {
		margin := *d.Allowed[d.Decided].EV - *d.Allowed[d.RunnerUp].EV
		d.Margin = &margin
	}
}
