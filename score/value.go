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
	attempt *swift
	cure    *swift // nil = not assessed
	policy  *Policy
	past    *features.Rows
	t       data.Micros
	from    data.Micros // the latest failure was known: day 0 of the cure model begins
	until   data.Micros // the end of the horizon: what comes in later does not count
	days    int         // from day 0 to it, the last one whole; at least 1
	left    int         // attempts
	hazard  days        // of the days from t on, without contacts
	begun   []begun     // their rows
	tried   []begun     // the first retry's
	row     []float64   // scratch
	kept    *kept       // gets the rows; nil = they are not kept
}

// guess is what the models say of a candidate; p NaN = nothing is known.
type guess struct {
	p                  float64
	q                  float64 // of a retry: that it captures
	later, opportunity float64 // shares of the amount
}

// value fills P, uplift and what candidates are worth. An error leaves them to
// the rules arm: nothing is filled.
func (v *valuer) value(d *Decision) error {
	first := int((v.t - v.from) / data.Day)
	f0, err := v.wait(first)
	if err != nil {
		return err
	}
	all := make([]guess, len(d.Allowed))
	plain := v.ahead(first, d.Amount)
	for i := range d.Allowed {
		c, w := &d.Allowed[i], &all[i]
		switch c.Action {
		case data.Wait:
			w.p = f0
		case data.Retry:
			if w.p, w.q, err = v.retry(f0, c.At); err != nil {
				return fmt.Errorf("%s at %s: %w", c.Action, c.At, err)
			}
			day := v.dayOf(c.At)
			plain.q[day] = max(plain.q[day], w.q)
		case data.Escalate: // no model speaks of it; the policy may
			if w.p = math.NaN(); v.policy.choice.recovers > 0 {
				w.p = f0 + float64(float64(v.policy.choice.recovers)/wholeShare*(1-f0))
			}
		default:
			w.p = math.NaN()
		}
	}
	if plain.q == (days{}) { // no retry, nothing to keep attempts for
		plain.k = 0
	}
	plain.solve()
	for i := range d.Allowed {
		c, w := &d.Allowed[i], &all[i]
		switch {
		case c.Action == data.Retry:
			w.later, w.opportunity = plain.afterRetry(v.dayOf(c.At), w.q)
		case v.cure != nil && (c.Action == data.PaymentLink || c.Action == data.Nudge):
			if err := v.contact(first, features.Contact{At: c.At, Action: c.Action}, &plain, w); err != nil {
				return fmt.Errorf("%s at %s: %w", c.Action, c.At, err)
			}
		}
	}
	v.fill(d, all, f0)
	return nil
}

// ahead is a table of what is kept, without the retries.
func (v *valuer) ahead(first int, amount data.Paise) ahead {
	p := &v.policy.choice
	a := ahead{first: first, end: v.days, k: v.left, gap: p.gap, again: float64(p.again) / wholeShare, cost: math.Inf(1)}
	if amount > 0 {
		a.cost = float64(v.policy.costs[data.Retry]) / float64(amount)
	}
	for day := first; day < v.days; day++ {
		a.surv[day] = v.rest(day, 1-v.hazard[day])
	}
	return a
}

// dayOf is the day of the cure model that a time lies in, the last one at most.
func (v *valuer) dayOf(at data.Micros) int { return min(int((at-v.from)/data.Day), v.days-1) }

// fill writes what candidates are worth.
func (v *valuer) fill(d *Decision, all []guess, f0 float64) {
	numbers := make([]float64, 0, 2*len(all)) // one allocation for all pointers
	values := make([]data.Paise, 0, len(all))
	for i := range all {
		w := &all[i]
		if math.IsNaN(w.p) {
			continue
		}
		c := &d.Allowed[i]
		uplift, net := w.p-f0, max(0, w.later-w.opportunity)
		numbers = append(numbers, w.p, uplift)
		c.Opportunity = share(max(0, w.opportunity), d.Amount)
		// Rounded as one share, so that more money never makes less of it.
		whole := min(1, uplift+net)
		c.Later = plus(share(whole, d.Amount)-share(uplift, d.Amount), c.Opportunity)
		values = append(values, expected(whole, d.Amount, c.Cost+c.Fatigue))
		n := len(numbers)
		c.P, c.Uplift, c.EV = &numbers[n-2], &numbers[n-1], &values[len(values)-1]
	}
}

// plus adds what is not negative; what does not fit stays at the most there is.
func plus(a, b data.Paise) data.Paise {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// retry is P(recover by T | retry at that time), and that the retry captures by T.
func (v *valuer) retry(f0 float64, at data.Micros) (p, q float64, err error) {
	var row []float64
	if c := (data.Candidate{Action: data.Retry, At: at}); v.kept != nil {
		row, err = v.kept.retry(v.past, c)
	} else {
		v.row, err = v.past.Attempt(v.row[:0], c)
		row = v.row
	}
	if err != nil {
		return 0, 0, err
	}
	if v.tried == nil {
		v.tried = v.attempt.space(1)
		q, err = v.attempt.begin(&v.tried[0], slices.Clone(row))
	} else {
		q, err = v.attempt.like(&v.tried[0], row)
	}
	if err != nil {
		return 0, 0, err
	}
	if at >= v.until {
		q = 0
	}
	p, err = models.Recover(f0, q)
	return p, q, err
}

// wait is F0(T): paid by T when nothing is done, being owed at t. first is the day
// that t lies in.
func (v *valuer) wait(first int) (float64, error) {
	if v.cure == nil {
		return 0, nil
	}
	var all []float64 // one allocation for the rows
	v.begun = v.cure.space(v.days)
	if v.kept != nil {
		v.kept.cure = v.begun
	}
	for day := first; day < v.days; day++ {
		at := len(all)
		var err error
		if all, err = v.past.Cure(all, day, nil); err != nil {
			return 0, err
		}
		if day == first {
			all = slices.Grow(all, (v.days-first-1)*len(all))
		}
		h, err := v.cure.begin(&v.begun[day], all[at:])
		if v.hazard[day], err = hazard(day, h, err); err != nil {
			return 0, err
		}
	}
	return 1 - v.unpaid(first, v.days), nil
}

// contact fills in P(recover by T | link or nudge at that time), which counts for
// the days that begin at or after it, and what retries after it are worth.
func (v *valuer) contact(first int, c features.Contact, plain *ahead, w *guess) error {
	day := int((c.At - v.from + data.Day - 1) / data.Day) // not before first: c is not before t
	a := *plain
	for contacts := [1]features.Contact{c}; day < v.days; day++ {
		v.row = append(v.row[:0], v.begun[day].row...)
		if err := v.past.CureContacts(v.row, day, contacts[:]); err != nil {
			return err
		}
		h, err := v.cure.like(&v.begun[day], v.row)
		if h, err = hazard(day, h, err); err != nil {
			return err
		}
		a.surv[day] = v.rest(day, 1-h)
	}
	a.solve()
	w.p = 1 - a.unpaid(first, v.days)
	w.later = a.afterContact(v.dayOf(c.At), v.policy.choice.rest)
	return nil
}

// hazard refuses what is no probability of a day.
func hazard(day int, h float64, err error) (float64, error) {
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
