package sim

import (
	"strings"
	"testing"

	"recoup/data"
)

// TestNatureIsTheUsual: a world that is told the usual constants is the same world.
func TestNatureIsTheUsual(t *testing.T) {
	_, want := gather(t, config(300), Uniform())
	c := config(300)
	usual := UsualNature().Shifted(0)
	c.Nature = &usual
	if _, got := gather(t, c, Uniform()); got.tally != want.tally {
		t.Errorf("another world:\n%+v\n%+v", got.tally, want.tally)
	}
}

// TestEveryConstantActs moves each constant by a quarter either way: something of the
// world changes, and what must rise with it does.
func TestEveryConstantActs(t *testing.T) {
	const cases = 1500
	funds := data.MustReason("insufficient_funds")
	count := map[string]func(Summary) float64{ // rises with the constant
		"keep":         func(s Summary) float64 { return -float64(s.tally.Failed[funds]) },
		"drain_days":   func(s Summary) float64 { return -float64(s.tally.Failed[funds]) },
		"swept":        func(s Summary) float64 { return float64(s.tally.Failed[funds]) },
		"constrained":  func(s Summary) float64 { return float64(s.tally.Failed[funds]) },
		"cure_daily":   func(s Summary) float64 { return float64(s.tally.Roads[byCure]) },
		"outages":      func(s Summary) float64 { return float64(s.tally.Failed[data.MustReason("bank_not_available")]) },
		"issuer":       func(s Summary) float64 { return float64(s.tally.Failed[data.MustReason("card_declined")]) },
		"revoke_daily": func(s Summary) float64 { return float64(s.tally.Failed[data.MustReason("mandate_not_active")]) },
	}
	n := UsualNature()
	for i, k := range n.Constants() {
		of := func(by float64, b Behaviour) Summary {
			m := UsualNature()
			*m.Constants()[i].At *= by
			c := config(cases)
			c.Nature = &m
			_, s := gather(t, c, b)
			return s
		}
		less, more := of(.5, Rules()), of(1.5, Rules())
		if less.tally == more.tally {
			t.Errorf("%s does nothing", k.Name)
		}
		if f := count[k.Name]; f != nil && f(less) >= f(more) {
			t.Errorf("%s: %v at half, %v at half as much again", k.Name, f(less), f(more))
		}
	}
}

func TestNatureRefused(t *testing.T) {
	n := UsualNature()
	n.Swept, n.Keep, n.OutageHours, n.PayDays = 1.5, 0, .2, nil
	c := config(10)
	c.Nature = &n
	err := c.Validate()
	for _, word := range []string{"swept", "keep", "outage_hours", "pay_days"} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s is missing from: %v", word, err)
		}
	}
}

// TestShifted: pay days and outages move where they are said to.
func TestShifted(t *testing.T) {
	c := config(800)
	far := UsualNature().Shifted(1)
	c.Nature = &far
	days := func(c Config) (early int) {
		w := newWorld(c)
		for n := range uint64(2000) {
			if cust := w.newCustomer(n); cust.rule <= 1 {
				early++
			}
		}
		return early
	}
	usual, moved := days(config(800)), days(c)
	if usual < 1400 || moved > 300 {
		t.Errorf("%d of 2000 paid at the turn of the month, %d after the shift", usual, moved)
	}
	if a, b := len(newWorld(config(10)).banks[0].outages), len(newWorld(c).banks[0].outages); b < 2*a {
		t.Errorf("%d outages, %d after the shift", a, b)
	}
}
