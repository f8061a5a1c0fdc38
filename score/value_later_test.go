package score

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
)

// schedule is what days of attempts lose, played forward by the definition: who
// is still owed pays for the attempt, which captures with its share of the day's q.
func schedule(a *ahead, from int, tried []bool) float64 {
	owed, paid, used := 1.0, 0.0, 0
	for d := from; d < a.end; d++ {
		q := 0.0
		if tried[d] {
			paid += owed * a.cost
			q = a.q[d] * math.Pow(a.again, float64(used))
			used++
		}
		owed *= a.surv[d] * (1 - q)
	}
	return owed + paid
}

// brute is the least loss over every set of days that keeps the gap and the
// number of attempts: what was used before them makes them weaker.
func brute(a *ahead, from, k int) float64 {
	least := math.Inf(1)
	tried := make([]bool, a.end)
	var try func(d, left int)
	try = func(d, left int) {
		if d >= a.end {
			b := *a
			for day := from; day < a.end; day++ {
				b.q[day] *= math.Pow(a.again, float64(a.k-k))
			}
			least = min(least, schedule(&b, from, tried))
			return
		}
		try(d+1, left)
		if left > 0 {
			tried[d] = true
			try(d+a.gap, left-1)
			tried[d] = false
		}
	}
	try(from, k)
	return least
}

// The table of losses equals trying out every schedule.
func TestAheadEqualsEnumeration(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		a := ahead{first: rapid.IntRange(0, 3).Draw(rt, "first"), k: rapid.IntRange(0, 4).Draw(rt, "k"), gap: rapid.IntRange(1, 4).Draw(rt, "gap"),
			cost: rapid.SampledFrom([]float64{0, .001, .05, math.Inf(1)}).Draw(rt, "cost"), again: rapid.SampledFrom([]float64{1, .88, 0}).Draw(rt, "again")}
		a.end = a.first + rapid.IntRange(1, 9).Draw(rt, "days")
		for d := range a.end {
			a.surv[d] = rapid.Float64Range(0, 1).Draw(rt, "surv")
			if rapid.Bool().Draw(rt, "slot") {
				a.q[d] = rapid.Float64Range(0, 1).Draw(rt, "q")
			}
		}
		a.solve()
		for k := 0; k <= a.k; k++ {
			for d := a.first; d < a.end; d++ {
				if want := brute(&a, d, k); math.Abs(a.loss[k][d]-want) > 1e-12 {
					rt.Fatalf("L(%d, %d) = %v, by enumeration %v", k, d, a.loss[k][d], want)
				}
				if k > 0 && a.loss[k][d] > a.loss[k-1][d]+1e-15 {
					rt.Fatalf("L(%d, %d) = %v: an attempt more makes it worse than %v", k, d, a.loss[k][d], a.loss[k-1][d])
				}
			}
		}
	})
}

// A candidate's whole value is that of the best schedule that begins with it:
// among the last attempts only the slot itself counts.
func TestOpportunity(t *testing.T) {
	a := ahead{end: 6, k: 2, gap: 2, again: 1, surv: days{1, 1, 1, 1, 1, 1}, q: days{.2, 0, 0, .5, 0, 0}}
	a.solve()
	// Day 0, then day 3: what the second attempt brings of the .8 left; nothing better could have been kept.
	if later, opp := a.afterRetry(0, .2); math.Abs(later-.8*.5) > 1e-15 || opp != 0 {
		t.Errorf("later %v, opportunity %v", later, opp)
	}
	// With one attempt in all, day 0 takes it away from day 3.
	a.k = 1
	a.solve()
	if later, opp := a.afterRetry(0, .2); math.Abs(later-.4) > 1e-15 || math.Abs(opp-.4) > 1e-15 {
		t.Errorf("later %v, opportunity %v", later, opp)
	}
	if later, opp := a.afterRetry(3, .5); later != 0 || opp != 0 {
		t.Errorf("the last slot: later %v, opportunity %v", later, opp)
	}
	// A contact uses none: after three days of rest day 3 is left.
	if later := a.afterContact(0, 3); math.Abs(later-.5) > 1e-15 {
		t.Errorf("after a contact %v", later)
	}
	if later := a.afterContact(1, 3); later != 0 {
		t.Errorf("after a contact too late %v", later)
	}
}

// Another contact costs more the more there were, in 7 days, and retries cost none.
func TestFatigue(t *testing.T) {
	e := engine(t, testBundle(t, nil))
	var last data.Paise
	for n := range 6 {
		l := failure(everyAction)
		l.rows[0].Row.(*data.Attempt).CaseID = "case"
		now := failedAt + 5*data.Day
		for i := range n {
			l.notice(failedAt+data.Micros(i+1)*data.Hour, data.NoticePlainLink, data.NoticeSent)
		}
		f, err := l.state(t).Facts("case", now)
		must(t, err)
		s := situationOf(e.policy, &f, now)
		d := Decision{Allowed: []Choice{{Action: data.Retry}, {Action: data.PaymentLink}, {Action: data.Nudge}, {Action: data.Escalate}}, Amount: 1}
		s.watch(&d)
		hazards := []data.Paise{5, 20, 40, 80}
		want := hazards[min(n, 3)] * 600000 / 10000
		for _, c := range d.Allowed {
			if contact := c.Action == data.PaymentLink || c.Action == data.Nudge; contact && c.Fatigue != want || !contact && c.Fatigue != 0 {
				t.Errorf("%d contacts: %s costs %s, expected %s", n, c.Action, c.Fatigue, want)
			}
		}
		if want < last {
			t.Errorf("%d contacts: %s after %s", n, want, last)
		}
		last = want
	}
}
