package live

import (
	"errors"

	"recoup/data"
	"recoup/score"
)

// untilStep is how far apart the gate is asked about the hours to come: the quarters of
// the clock, at which the windows of rails and people begin.
const untilStep = 15 * data.Minute

// allowedUntil is the first moment after t, at most until, at which the gate would not
// let an action be done that it lets be done at t: to the second, and as far as is known
// now. A window that begins and ends between two quarters is not seen.
func (d *Desk) allowedUntil(e *score.Engine, caseID string, a data.Action, t, until data.Micros) (data.Micros, error) {
	return firstRefused(t, until, func(at data.Micros) (bool, error) {
		needs, refusal, err := e.Recheck(d.state, caseID, data.Candidate{Action: a, At: at}, at)
		if errors.Is(err, data.ErrContract) { // the case is forgotten by then
			return true, nil
		}
		return refusal != nil || needs.NoticeBy != 0 || needs.PollFrom != 0, err
	})
}

// firstRefused is the first whole second after t, or until if that is sooner, that is
// refused; until where none is.
func firstRefused(t, until data.Micros, refused func(data.Micros) (bool, error)) (data.Micros, error) {
	for last := t; last < until; {
		next := min(last-last%untilStep+untilStep, until)
		no, err := refused(next)
		if err != nil {
			return 0, err
		}
		if !no {
			last = next
			continue
		}
		for last -= last % data.Second; next-last > data.Second; {
			half := (next - last) / 2
			mid := last + max(data.Second, half-half%data.Second)
			if no, err = refused(mid); err != nil {
				return 0, err
			}
			if no {
				next = mid
			} else {
				last = mid
			}
		}
		return next, nil
	}
	return until, nil
}
