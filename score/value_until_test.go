package score

import (
	"testing"

	"recoup/data"
)

// The horizon counts from the first failure, however late the latest one: what a
// retry brings after it does not count, and nothing looks beyond it.
func TestHorizonIsTheCase(t *testing.T) {
	e, again := engine(t, testBundle(t, nil)), failedAt+12*data.Day
	l := failure(everyAction)
	l.attempt(again, 1, data.Failed, everyAction)
	until := failedAt + e.policy.horizon
	before, after := 0, 0
	d := l.decide(t, e, again)
	for i := range d.Allowed {
		switch c := &d.Allowed[i]; {
		case c.Action != data.Retry:
		case c.At < until:
			if before++; *c.Uplift <= 0 {
				t.Errorf("at %s: uplift %v", c.At, *c.Uplift)
			}
		default:
			if after++; *c.Uplift != 0 || c.Later != 0 || *c.EV >= 0 {
				t.Errorf("at %s, after %s: uplift %v, later %s, EV %s", c.At, until, *c.Uplift, c.Later, *c.EV)
			}
		}
	}
	if before < 10 || after < 10 {
		t.Errorf("%d slots before the end, %d after it: too few to tell", before, after)
	}
	if fresh := failure(everyAction).decide(t, e, failedAt); *d.Allowed[0].P >= *fresh.Allowed[0].P {
		t.Errorf("waiting 9 days %v, 21 days %v", *d.Allowed[0].P, *fresh.Allowed[0].P)
	}
	// An old case has a week ahead, though not beyond the days that the gate leaves.
	late := until + data.Hour
	worth := map[bool]int{}
	for _, c := range l.decide(t, e, late).Allowed {
		if c.Action == data.Retry {
			worth[*c.Uplift > 0]++
			if in := c.At < late+e.policy.least; in != (*c.Uplift > 0) {
				t.Errorf("at %s, decided at %s: uplift %v", c.At, late, *c.Uplift)
			}
		}
	}
	if worth[true] == 0 || worth[false] == 0 {
		t.Errorf("slots with and without worth: %v", worth)
	}
}
