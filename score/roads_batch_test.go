package score

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
	"recoup/features"
	"recoup/models"
)

// crowd draws the events of some cases of a few customers: every reason, rail and
// mandate state, amounts around each cap, notices, polls, promises, outages, ends.
func crowd(rt *rapid.T, n int) *features.State {
	l := &caseLog{}
	pick := func(name string, most int) int { return rapid.IntRange(0, most).Draw(rt, name) }
	for i := range n {
		id, mandate, customer := fmt.Sprintf("case%02d", i), fmt.Sprintf("m%d", i/2), fmt.Sprintf("cust%d", i/3)
		rail := data.Rails()[pick("rail", len(data.Rails())-1)]
		amount := rapid.SampledFrom([]data.Paise{0, 1, 499_00, 999_00, 1499_00, 2999_00, 15_000_00, 15_000_01, 1_00_000_00, 1_00_000_01, 2_00_000_00, 2_00_000_01, math.MaxInt64}).Draw(rt, "amount")
		if pick("has mandate", 1) == 1 {
			m := data.Mandate{MandateID: mandate, CustomerID: customer, Rail: rail, Status: rapid.SampledFrom([]data.MandateStatus{1, 1, 1, 1, 2, 3, 4}).Draw(rt, "status"),
				MaxAmount: rapid.SampledFrom([]data.Paise{0, 1, amount, amount, 1 << 40}).Draw(rt, "max")}
			add(l, failedAt-data.Micros(1+pick("old", 40))*data.Day, &m, &m.Event)
		}
		at, tries := failedAt-data.Micros(pick("ago", 100))*data.Hour, rapid.SampledFrom([]int{1, 1, 1, 2, 3, 5}).Draw(rt, "tries")
		reasons := []data.Reason{data.MustReason("insufficient_funds"), data.MustReason("duplicate_rrn_found"), data.MustReason("bank_technical_error")}
		if pick("any reason", 2) == 0 {
			reasons = data.Reasons()
		}
		for no := range int32(tries) {
			at += data.Micros(1+pick("gap", 20)) * data.Hour
			a := data.Attempt{CaseID: id, AttemptNo: no, AttemptID: fmt.Sprintf("%s-%d", id, no), CustomerID: customer, MandateID: mandate, Rail: rail, Bank: "HDFC",
				Amount: amount, Status: data.Failed, Reason: rapid.SampledFrom(reasons).Draw(rt, "reason"), Initiator: data.Initiator(1 + pick("by", 2))}
			if rail == data.Card {
				a.Network, a.ResponseCode, a.AdviceCode = rapid.SampledFrom([]string{"", "visa", "mastercard", "rupay"}).Draw(rt, "network"),
					rapid.SampledFrom([]string{"", "04", "51", "57"}).Draw(rt, "code"), rapid.SampledFrom([]string{"", "03", "21", "24"}).Draw(rt, "advice")
			}
			add(l, at, &a, &a.Event)
			if pick("polled", 3) == 0 {
				p := data.Poll{AttemptID: a.AttemptID, Status: data.PollStatus(1 + pick("says", 3))}
				add(l, at+data.Hour/2, &p, &p.Event)
			}
		}
		switch pick("also", 6) {
		case 0:
			c := data.CaseEvent{CaseID: id, Kind: data.CaseEventKind(1 + pick("kind", 3))}
			add(l, at+data.Hour, &c, &c.Event)
		case 1, 2:
			x := data.Notice{CaseID: id, MandateID: mandate, Kind: data.NoticeKind(1 + pick("notice", 2)), Status: data.NoticeStatus(1 + pick("sent", 3)), Amount: amount}
			add(l, at+data.Hour, &x, &x.Event)
		case 3:
			p := data.Promise{CaseID: id, Status: data.PromiseMade, PromisedFor: at + data.Micros(pick("due", 10))*data.Day}
			add(l, at+data.Hour, &p, &p.Event)
		case 4:
			d := data.Downtime{DowntimeID: id, Rail: rail, Severity: data.SeverityHigh, Status: data.DowntimeStarted, Begin: at}
			add(l, at+data.Hour, &d, &d.Event)
		}
	}
	slices.SortStableFunc(l.rows, func(a, b data.AnyRow) int { return a.Cursor().Compare(b.Cursor()) })
	s := features.NewState()
	for i, r := range l.rows {
		r.Seq = int64(i + 1)
		if err := features.FoldAny(s, r); err != nil {
			rt.Fatal(err)
		}
	}
	return s
}

// anyEngine draws who decides: an arm, with a model, without, or with a broken one,
// the explorer on, watched or off, and few people, attempts and rupees a day.
func anyEngine(rt *rapid.T, whole, broken *models.Bundle) *Engine {
	p := *Default()
	c := &p.choice
	c.escalations = rapid.IntRange(0, 3).Draw(rt, "people")
	c.explorer.mode = rapid.SampledFrom([]ExplorerMode{ExplorerOn, ExplorerMonitor, ExplorerOff}).Draw(rt, "mode")
	c.explorer.formula = rapid.SampledFrom([]string{Uniform, Softened}).Draw(rt, "formula")
	c.explorer.attempts = rapid.SampledFrom([]int{0, 1, 2000}).Draw(rt, "a day")
	c.breaker.RunAttempts = rapid.SampledFrom([]int{1, 3, 1000}).Draw(rt, "a run")
	c.breaker.DebitPaise = rapid.SampledFrom([]data.Paise{499_00, c.breaker.DebitPaise}).Draw(rt, "a debit")
	e, err := New(&p, rapid.SampledFrom([]*models.Bundle{nil, whole, broken}).Draw(rt, "model"))
	if err == nil {
		e, err = e.Explore(Explorer{Salt: testSalt, Only: data.Arm(rapid.IntRange(1, int(data.ArmControl)).Draw(rt, "arm"))})
	}
	if err != nil {
		rt.Fatal(err)
	}
	return e
}

// insideTheGate holds a decision to what the gate's own explanation lets remain:
// nothing beyond it has a probability or is chosen, decided or logged as allowed.
func insideTheGate(t interface{ Fatalf(string, ...any) }, p *Policy, st *features.State, d *Decision) {
	f, err := st.Facts(d.CaseID, d.DecidedAt)
	if err != nil {
		t.Fatalf("%v", err)
	}
	x := p.Explain(&f, d.DecidedAt)
	row := d.Row()
	if len(row.Allowed) != len(d.Allowed) {
		t.Fatalf("case %s: %d candidates are logged of %d", d.CaseID, len(row.Allowed), len(d.Allowed))
	}
	sum := 0.0
	for i, c := range d.Allowed {
		o := row.Allowed[i]
		if !slices.ContainsFunc(x.Allowed, func(g Choice) bool {
			return g.Action == c.Action && g.At == c.At && g.NoticeBy == c.NoticeBy && g.PollFrom == c.PollFrom
		}) ||
			o.Action != c.Action || o.At != c.At {
			t.Fatalf("case %s: %s at %s by %s: the gate does not let it remain", d.CaseID, c.Action, c.At, d.Logger)
		}
		sum += c.Propensity
	}
	if c := d.Allowed[d.Decided]; math.Abs(sum-1) > 1e-12 || !(c.Propensity > 0) || d.Chosen != d.Decided && d.Allowed[d.Chosen].Action != data.Wait {
		t.Fatalf("case %s: %s of probability %v, sum %v", d.CaseID, c.Action, c.Propensity, sum)
	}
}

// Through a batch, where people, the explorer's budget and the circuit breaker take
// candidates away and the arms choose again, nobody gets around the gate; nor does
// the run act beyond its limits.
func TestNoRoadThroughABatch(t *testing.T) {
	whole, broken := testBundle(t, nil), testBundle(t, nil)
	broken.Attempt.Platt.B = math.NaN()
	rapid.Check(t, func(rt *rapid.T) {
		st, e := crowd(rt, 8), anyEngine(rt, whole, broken)
		states, now := []*features.State{st}, failedAt+data.Micros(rapid.IntRange(5, 12).Draw(rt, "days"))*data.Day
		var sum BatchSummary
		cases, err := e.toDecide(states, now, &sum)
		must(t, err)
		run, err := e.newRun(context.Background(), states, cases, now)
		must(t, err)
		people, debits := 0, 0
		must(t, e.each(context.Background(), states, cases, now, func(_ int, d *Decision) error {
			if err := run.settle(d, st); err != nil {
				return err
			}
			insideTheGate(rt, e.policy, st, d)
			switch c := d.Allowed[d.Chosen]; c.Action {
			case data.Escalate:
				people++
			case data.Retry:
				debits++
				if d.Amount <= 0 || d.Amount > e.policy.choice.breaker.DebitPaise {
					rt.Fatalf("case %s: a debit of %s", d.CaseID, d.Amount)
				}
			}
			return nil
		}, &sum))
		if c := &e.policy.choice; people > c.escalations || debits > c.breaker.RunAttempts {
			rt.Fatalf("%d escalations of %d, %d debits of %d", people, c.escalations, debits, c.breaker.RunAttempts)
		}
	})
}

// A log that is decided again failure by failure, as a night or a diff does, stays
// inside the gate in every arm.
func TestNoRoadThroughAReplay(t *testing.T) {
	l, asOf := world(t)
	for arm := data.ArmRules; arm <= data.ArmControl; arm++ {
		e, retries := divided(t, true, nil, Explorer{Only: arm}), 0
		must(t, features.Replay(t.Context(), l, data.AsOf(asOf), nil, func(s *features.State, caseID string, now data.Micros) error {
			d, err := e.Decide(s, caseID, now)
			if err != nil {
				return err
			}
			insideTheGate(t, e.policy, s, &d)
			if d.Allowed[d.Chosen].Action == data.Retry {
				retries++
			}
			return nil
		}))
		if retries < 50 {
			t.Errorf("%s arm: %d retries: too few to tell", arm, retries)
		}
	}
}
