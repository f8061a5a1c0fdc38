package score

import (
	"fmt"
	"math"
	"slices"

	"recoup/data"
	"recoup/features"
	"recoup/models"
)

// valuer asks the model what the candidates of one case are worth.
type valuer struct {
	bundle *models.Bundle
	past   *features.Rows
	t      data.Micros
	from   data.Micros                  // the latest failure was known: day 0 of the cure model begins
	days   int                          // the horizon
	hazard [features.CureDays]float64   // of the days from t on, without contacts
	rows   [features.CureDays][]float64 // their rows
	row    []float64                    // scratch
}

// value fills P, uplift and EV of the allowed candidates. An error leaves them to
// the rules arm: nothing is filled.
func (v *valuer) value(d *Decision) error {
	first := int((v.t - v.from) / data.Day)
	f0, err := v.wait(first)
	if err != nil {
		return err
	}
	worth := make([]float64, len(d.Allowed))
	for i := range d.Allowed {
		c := &d.Allowed[i]
		switch {
		case c.Action == data.Wait:
			worth[i] = f0
		case c.Action == data.Retry:
			worth[i], err = v.retry(f0, c.At)
		case c.Action == data.Escalate || v.bundle.Cure == nil: // no model speaks of it
			worth[i] = math.NaN()
		default:
			worth[i], err = v.contact(first, features.Contact{At: c.At, Action: c.Action})
		}
		if err != nil {
			return fmt.Errorf("%s at %s: %w", c.Action, c.At, err)
		}
	}
	v.fill(d, worth, f0)
	return nil
}

// fill writes what candidates are worth; NaN = nothing is known.
func (v *valuer) fill(d *Decision, worth []float64, f0 float64) {
	numbers := make([]float64, 0, 2*len(worth)) // one allocation for all pointers
	values := make([]data.Paise, 0, len(worth))
	for i, p := range worth {
		if math.IsNaN(p) {
			continue
		}
		c := &d.Allowed[i]
		numbers = append(numbers, p, p-f0)
		values = append(values, expected(p-f0, d.Amount, c.Cost))
		n := len(numbers)
		c.P, c.Uplift, c.EV = &numbers[n-2], &numbers[n-1], &values[len(values)-1]
	}
}

// retry is P(recover by T | retry at that time).
func (v *valuer) retry(f0 float64, at data.Micros) (float64, error) {
	var err error
	if v.row, err = v.past.Attempt(v.row[:0], data.Candidate{Action: data.Retry, At: at}); err != nil {
		return 0, err
	}
	q, err := v.bundle.Capture(v.row)
	if err != nil {
		return 0, err
	}
	return models.Recover(f0, q)
}

// wait is F0(T): paid by T when nothing is done, being owed at t. first is the day
// that t lies in.
func (v *valuer) wait(first int) (float64, error) {
	if v.bundle.Cure == nil {
		return 0, nil
	}
	var all []float64 // one allocation for the rows
	for day := first; day < v.days; day++ {
		at := len(all)
		var err error
		if all, err = v.past.Cure(all, day, nil); err != nil {
			return 0, err
		}
		if day == first {
			all = slices.Grow(all, (v.days-first-1)*len(all))
		}
		v.rows[day] = all[at:]
		if v.hazard[day], err = v.ask(day, v.rows[day]); err != nil {
			return 0, err
		}
	}
	return 1 - v.unpaid(first, v.days), nil
}

// contact is P(recover by T | link or nudge at that time): it counts for the days
// that begin at or after it.
func (v *valuer) contact(first int, c features.Contact) (float64, error) {
	day := int((c.At - v.from + data.Day - 1) / data.Day) // not before first: c is not before t
	unpaid, contacts := v.unpaid(first, min(day, v.days)), [1]features.Contact{c}
	for ; day < v.days; day++ {
		v.row = append(v.row[:0], v.rows[day]...)
		if err := v.past.CureContacts(v.row, day, contacts[:]); err != nil {
			return 0, err
		}
		h, err := v.ask(day, v.row)
		if err != nil {
			return 0, err
		}
		unpaid *= v.rest(day, 1-h)
	}
	return 1 - unpaid, nil
}

// ask is the hazard of a day by its row.
func (v *valuer) ask(day int, row []float64) (float64, error) {
	h, err := v.bundle.Hazard(row)
	if err == nil && !(h >= 0 && h <= 1) {
		err = fmt.Errorf("hazard of day %d is %v", day, h)
	}
	return h, err
}

// unpaid is the probability of not being paid on days first to before last.
func (v *valuer) unpaid(first, last int) float64 {
	out := 1.0
	for day := first; day < last; day++ {
		out *= v.rest(day, 1-v.hazard[day])
	}
	return out
}

// rest is the part of a day's survival that lies after t: the hazard is even within a day.
func (v *valuer) rest(day int, survival float64) float64 {
	begun := v.t - v.start(day)
	if begun <= 0 {
		return survival
	}
	return math.Pow(survival, float64(data.Day-begun)/float64(data.Day))
}

func (v *valuer) start(day int) data.Micros { return v.from + data.Micros(day)*data.Day }
