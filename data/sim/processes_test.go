package sim

import (
	"math"
	"testing"

	"recoup/data"
)

// z is how far a count of n trials with probability p each lies from its mean.
func z(count, n int, p float64) float64 {
	return (float64(count) - float64(n)*p) / math.Sqrt(float64(n)*p*(1-p))
}

func TestDice(t *testing.T) {
	const n = 100000
	var sum, square, expo float64
	var tenths [10]int
	for i := range uint64(n) {
		k := key(7).sub(i)
		x := k.normal(tagMain)
		sum, square = sum+x, square+x*x
		expo += k.exp(tagSecond)
		tenths[int(k.unit(tagThird)*10)]++
	}
	if v := sum / math.Sqrt(n); math.Abs(v) > 5 {
		t.Errorf("normal: z of the mean is %.1f", v)
	}
	if v := (square - n) / math.Sqrt(2*n); math.Abs(v) > 5 {
		t.Errorf("normal: z of the variance is %.1f", v)
	}
	if v := (expo - n) / math.Sqrt(n); math.Abs(v) > 5 {
		t.Errorf("exponential: z of the mean is %.1f", v)
	}
	for i, c := range tenths {
		if math.Abs(z(c, n, .1)) > 5 {
			t.Errorf("unit: tenth %d holds %d of %d", i, c, n)
		}
	}
}

// TestSpells holds the closed form of a spell against its paths.
func TestSpells(t *testing.T) {
	const n = 20000
	now, every, mean := 100*data.Day, 20*data.Day, 5*data.Day
	for _, ahead := range []data.Micros{data.Hour, 3 * data.Day, 40 * data.Day} {
		var seen, on [2]int
		var p [2]float64
		for i := range uint64(n) {
			s := newSpells(key(3).sub(i), every, mean, 0, 200*data.Day)
			state := 0
			if s.at(now) >= 0 {
				state = 1
			}
			seen[state]++
			p[state] = s.chance(now, now+ahead)
			if s.at(now+ahead) >= 0 {
				on[state]++
			}
		}
		for state := range seen {
			if v := z(on[state], seen[state], p[state]); math.Abs(v) > 5 {
				t.Errorf("from state %d, %s ahead: %d of %d on, expected share %.4f (z %.1f)", state, ahead, on[state], seen[state], p[state], v)
			}
		}
	}
	if s := newSpells(key(1), 0, mean, 0, data.Day); s.at(5) >= 0 || s.chance(0, 5) != 0 {
		t.Error("a spell that never comes came")
	}
}

// TestMandateSurvives holds the closed form of survival against deaths.
func TestMandateSurvives(t *testing.T) {
	const n = 20000
	failed, now := 30*data.Day, 32*data.Day
	alive, died := 0, 0
	var p float64
	for i := range uint64(n) {
		m := &mandate{spentTo: 0, death: never, left: key(5).sub(i).exp(tagRevoke), raisedFrom: -revokeWindow, raise: .02}
		m.spend(failed)
		m.raisedFrom = failed
		m.spend(failed + 60*data.Day)
		if m.death <= now {
			if m.survives(now, now+data.Day) != 0 {
				t.Fatal("a dead mandate may survive")
			}
			continue
		}
		alive++
		p = m.survives(now, now+30*data.Day)
		if m.death <= now+30*data.Day {
			died++
		}
	}
	if v := z(died, alive, 1-p); math.Abs(v) > 5 {
		t.Errorf("%d of %d died, expected share %.4f (z %.1f)", died, alive, 1-p, v)
	}
	m := &mandate{death: never, left: math.Inf(1), raisedFrom: -revokeWindow, validUntil: 50 * data.Day}
	if m.survives(0, 50*data.Day-1) != 1 || m.survives(0, 50*data.Day) != 0 {
		t.Error("a mandate must live until its end and not at it")
	}
	if m.spend(60 * data.Day); m.death != m.validUntil || !m.expired {
		t.Errorf("death %s, expired %v", m.death, m.expired)
	}
}

// TestCures holds hazards and F0 against the days on which customers pay.
func TestCures(t *testing.T) {
	w := newWorld(Config{Seed: 4, Cases: 1, Start: data.IST(2025, 1, 1, 0, 0), Months: 2})
	c := w.newCustomer(11)
	c.intent = .9
	q := &charge{w: w, c: c}
	const n = 40000
	from := w.start + 5*data.Day + 7*data.Hour
	u := q.newUrge(from, Funds)
	var within, late, answered int
	for i := range uint64(n) {
		at := u.first(key(9).sub(i))
		if at <= from {
			t.Fatal("a cure before the failure was known")
		}
		if at <= from+judged {
			within++
		}
		if at > from+10*data.Day && at <= from+11*data.Day {
			late++
		}
		if u.answered(key(9).sub(i), data.PaymentLink, from+2*data.Day) <= from+9*data.Day {
			answered++
		}
	}
	if v := z(within, n, u.within(from, from+judged)); math.Abs(v) > 5 {
		t.Errorf("F0: z %.1f", v)
	}
	day := u.spent(from+11*data.Day) - u.spent(from+10*data.Day)
	if v := z(late, n, math.Exp(-u.spent(from+10*data.Day))*-math.Expm1(-day)); math.Abs(v) > 5 {
		t.Errorf("day 10: z %.1f", v)
	}
	if v := z(answered, n, -math.Expm1(-u.contactSpent(data.PaymentLink, from+2*data.Day, from+9*data.Day))); math.Abs(v) > 5 {
		t.Errorf("contact: z %.1f", v)
	}
}

// TestBalance holds the closed form over squeezes against the balances that
// customers turn out to have, and the balance to its shape: it fills at pay,
// drains, and does not cover more when more is asked.
func TestBalance(t *testing.T) {
	w := newWorld(Config{Seed: 6, Cases: 1, Start: data.IST(2025, 1, 1, 0, 0), Months: 3})
	now := w.start + 40*data.Day
	var n int
	var expect, got, variance float64
	for i := range uint64(20000) {
		c := w.newCustomer(i)
		if !c.constrained || c.squeeze.at(now) < 0 {
			continue
		}
		at := now + 2*data.Day
		n++
		p := c.coversAhead(now, at, data.Rupees(999))
		q := c.covers(at, data.Rupees(999), c.squeeze.at(at) >= 0)
		low, high := c.covers(at, data.Rupees(999), true), c.covers(at, data.Rupees(999), false)
		if low >= high || p < low || p > high {
			t.Fatalf("customer %d: squeezed %v, free %v, ahead %v", i, low, high, p)
		}
		expect, got, variance = expect+p, got+q, variance+(high-low)*(high-low)/4
		if more := c.covers(at, data.Rupees(4999), false); more >= high {
			t.Fatalf("customer %d: covers 4999 with %v and 999 with %v", i, more, high)
		}
		pay := c.pays[c.cycle(now)+1]
		if before, after := c.covers(pay-1, data.Rupees(999), false), c.covers(pay, data.Rupees(999), false); c.luck[c.cycle(pay)] == c.luck[c.cycle(pay-1)] && before >= after {
			t.Fatalf("customer %d: pay does not fill the account", i)
		}
	}
	if v := (got - expect) / math.Sqrt(variance); n < 300 || math.Abs(v) > 5 {
		t.Errorf("of %d in a squeeze %.1f are covered two days later, expected %.1f (z %.1f)", n, got, expect, v)
	}
}
