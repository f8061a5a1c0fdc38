package data

import (
	"fmt"
	"math"
)

// checkRow is what makes a row unfit for the log, or nil.
func (t *table[T]) checkRow(r *T) error {
	for i, c := range t.columns {
		if i == seqColumn { // given at Commit
			continue
		}
		if err := c.check(r); err != nil {
			return t.fault(r, err)
		}
	}
	if t.check != nil {
		if err := t.check(r); err != nil {
			return t.fault(r, err)
		}
	}
	return nil
}

func (t *table[T]) fault(r *T, err error) error {
	return Faultf(ErrContract, "data: %s: event %q: %w", t.name, t.event(r).EventID, err)
}

// sumTolerance is how far probabilities may be from summing to 1.
const sumTolerance = 1e-12

// checkDowntime refuses an outage that ends before it begins.
func checkDowntime(d *Downtime) error {
	if d.End != 0 && d.End < d.Begin {
		return fmt.Errorf("column end: %s is before begin, %s", d.End, d.Begin)
	}
	return nil
}

// checkDecision holds a decision to what off-policy evaluation needs: the
// chosen option is one of the allowed, could be drawn, and both distributions
// are distributions.
func checkDecision(d *Decision) error {
	if int(d.Chosen) >= len(d.Allowed) {
		return fmt.Errorf("column chosen: %d, but allowed has %d options", d.Chosen, len(d.Allowed))
	}
	var given, mixed float64
	for i := range d.Allowed {
		given += d.Allowed[i].Propensity
		mixed += d.Allowed[i].Mix
	}
	switch o := d.Allowed[d.Chosen]; {
	case d.ArmShare == 0:
		return fmt.Errorf("column arm_share: 0, but the case is in the arm")
	case math.Abs(given-1) > sumTolerance:
		return fmt.Errorf("column allowed: propensities sum to %v, expected 1", given)
	case math.Abs(mixed-1) > sumTolerance:
		return fmt.Errorf("column allowed: mixes sum to %v, expected 1", mixed)
	case o.Propensity == 0:
		return fmt.Errorf("column allowed: the chosen option %d has propensity 0", d.Chosen)
	case o.Mix == 0:
		return fmt.Errorf("column allowed: the chosen option %d has mix 0", d.Chosen)
	}
	return nil
}
