package experiment

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/score"
)

// TestDecisionsReplay: what an arm decided in the world, the log that it left
// behind decides again: the same candidates, refusals and choice; and the log
// breaks neither law nor terms.
func TestDecisionsReplay(t *testing.T) {
	for _, name := range []string{Control, Rules, Explorer, Model} {
		b, err := madeUp(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		p, err := PlayerOf(name, score.Default(), b)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "log")
		c := sim.Config{Seed: 5, Cases: 40, Start: data.IST(2026, 5, 1, 0, 0), Months: 4, Workers: 1}
		if _, err := sim.WritePlay(context.Background(), c, p.Decider(nil), dir, ""); err != nil {
			t.Fatal(err)
		}
		log, err := data.OpenLog(dir)
		if err != nil {
			t.Fatal(err)
		}
		rows := rowsOf[data.Decision](t, log)
		if len(rows) < 60 {
			t.Fatalf("%s: only %d decisions", name, len(rows))
		}
		for i := 0; i < len(rows); i += len(rows) / 12 {
			replay(t, log, p, &rows[i])
		}
		lawful(t, log, name)
	}
}

// lawful holds a log that simulate wrote to the law, as whoever reads it from disk
// would: with the checker that shares nothing with the gate.
func lawful(t *testing.T, log *data.Log, arm string) {
	t.Helper()
	rows := Rows{Attempts: rowsOf[data.Attempt](t, log), CaseEvents: rowsOf[data.CaseEvent](t, log), Subscriptions: rowsOf[data.Subscription](t, log),
		Mandates: rowsOf[data.Mandate](t, log), Notices: rowsOf[data.Notice](t, log)}
	retries := 0
	for _, a := range rows.Attempts {
		if a.Initiator == data.ByRecoup {
			retries++
		}
	}
	if retries < 10 {
		t.Errorf("%s: %d debits: too few to tell", arm, retries)
	}
	for _, b := range Breaches(rows) {
		t.Errorf("%s: %+v", arm, b)
	}
}

// rowsOf is all rows of a table.
func rowsOf[T data.Row](t *testing.T, log *data.Log) (out []T) {
	t.Helper()
	for rows, err := range data.Scan[T](log, data.AsOf(math.MaxInt64)) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, rows...)
	}
	return out
}

func replay(t *testing.T, log *data.Log, p Player, row *data.Decision) {
	t.Helper()
	states, err := features.FoldLog(context.Background(), log, row.AsOf, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := p.Engine.DecideAs(score.Ask{DecisionID: row.DecisionID}, states[0], row.CaseID, row.DecidedAt)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Allowed) != len(row.Allowed) || len(d.Refusals) != len(row.Refusals) {
		t.Fatalf("%s %s: %d candidates and %d refusals, logged %d and %d", p.Name, row.DecisionID, len(d.Allowed), len(d.Refusals), len(row.Allowed), len(row.Refusals))
	}
	for k, c := range d.Allowed {
		if o := row.Allowed[k]; c.Action != o.Action || c.At != o.At || c.Kind != o.Kind || c.NoticeBy != o.NoticeBy || c.Propensity != o.Propensity || (c.P == nil) != (o.P == nil) || c.P != nil && *c.P != *o.P {
			t.Errorf("%s %s: candidate %d is %s at %s, logged %s at %s", p.Name, row.DecisionID, k, c.Action, c.At, o.Action, o.At)
		}
	}
	for k, r := range d.Refusals {
		if o := row.Refusals[k]; r.Rule != o.Rule || r.Action != o.Action || r.At != o.At || r.Route != o.Route {
			t.Errorf("%s %s: refusal %d is %+v, logged %+v", p.Name, row.DecisionID, k, r, o)
		}
	}
	if d.Chosen != int(row.Chosen) {
		t.Errorf("%s %s: chosen %d, logged %d", p.Name, row.DecisionID, d.Chosen, row.Chosen)
	}
}

// TestPlan holds the backward induction against trying every sequence.
func TestPlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var slots []slot
		at := data.Micros(0)
		for range rapid.IntRange(0, 7).Draw(t, "slots") {
			at += data.Micros(rapid.IntRange(1, 30).Draw(t, "after")) * data.Hour
			slots = append(slots, slot{at, rapid.Float64Range(0, 1).Draw(t, "q")})
		}
		gap, most := data.Micros(rapid.IntRange(1, 40).Draw(t, "gap"))*data.Hour, rapid.IntRange(1, 3).Draw(t, "most")
		var best func(i, left int) float64
		best = func(i, left int) float64 {
			rest := 0.0
			for k := range slots {
				if left > 1 && slots[k].at >= slots[i].at+gap {
					rest = max(rest, best(k, left-1))
				}
			}
			return slots[i].q + (1-slots[i].q)*rest
		}
		for i, got := range plan(slots, gap, most) {
			if want := best(i, most); math.Abs(got-want) > 1e-12 {
				t.Fatalf("slot %d: %v, want %v", i, got, want)
			}
		}
	})
}

// TestNoArmBreaksTheLaw: the gate holds, whoever chooses behind it, in worlds of
// several seeds; and the ladder outside it breaks nothing that it should keep.
func TestNoArmBreaksTheLaw(t *testing.T) {
	c := small(t.TempDir())
	c.Cases = 80
	for _, b := range play(t, c).Report.Breaches {
		for arm, n := range b.Arms {
			if arm != Ladder && n > 0 {
				t.Errorf("%s: %d debits of the %s arm: %s", b.Rule, n, arm, b.Example)
			}
		}
	}
}

func TestLadderKeepsWhatItKnows(t *testing.T) {
	kept := []string{"peak_window", "notice_missing", "notice_young", "notice_rail", "notice_old", "notice_amount", "budget", "mandate_cap", "afa_cap",
		"after_payment", "unanswered", "last_day"}
	var all Rows
	for seed := range uint64(4) {
		stage, err := sim.NewStage(context.Background(), sim.Config{Seed: seed + 1, Cases: 300, Start: data.IST(2026, 5, 1, 0, 0), Months: 5, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		var rows Rows
		if _, _, err := stage.Play(context.Background(), stage.Ladder(), func(b *sim.Batch) error {
			rows.Attempts = append(rows.Attempts, b.Attempts...)
			rows.CaseEvents = append(rows.CaseEvents, b.CaseEvents...)
			rows.Subscriptions = append(rows.Subscriptions, b.Subscriptions...)
			rows.Mandates = append(rows.Mandates, b.Mandates...)
			rows.Notices = append(rows.Notices, b.Notices...)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		ignored := map[string]int{}
		for _, b := range Breaches(rows) {
			ignored[b.Rule]++
			for _, rule := range kept {
				if b.Rule == rule {
					t.Errorf("seed %d: %+v", seed+1, b)
				}
			}
		}
		if ignored["mandate_state"] == 0 {
			t.Errorf("seed %d: the ladder looked at the mandate: %v", seed+1, ignored)
		}
		all.Attempts = append(all.Attempts, rows.Attempts...)
	}
	if len(all.Attempts) == 0 {
		t.Error("nothing was presented")
	}
}

// TestDayBudget: what the explorer's retries of a day in India used counts until
// the day ends; what others choose, and waiting, uses nothing.
func TestDayBudget(t *testing.T) {
	var b dayBudget
	decided := func(arm data.Arm, a data.Action) *score.Decision {
		return &score.Decision{Arm: arm, Amount: 100, Allowed: []score.Choice{{Action: a}}}
	}
	last := data.IST(2026, 5, 2, 0, 0) - 1
	b.on(data.IST(2026, 5, 1, 0, 0))
	for _, d := range []*score.Decision{decided(data.ArmExplorer, data.Retry), decided(data.ArmExplorer, data.Wait), decided(data.ArmRules, data.Retry), decided(data.ArmExplorer, data.Retry)} {
		b.take(d)
	}
	if got := b.on(last); got != (score.Spent{Attempts: 2, Paise: 200}) {
		t.Errorf("on the day: %+v", got)
	}
	if got := b.on(last + 1); got != (score.Spent{}) {
		t.Errorf("on the next: %+v", got)
	}
}

func TestPlayerOf(t *testing.T) {
	for _, name := range []string{"ladder", "guess", Model} {
		if _, err := PlayerOf(name, score.Default(), nil); err == nil {
			t.Errorf("%s without a model was accepted", name)
		}
	}
}

// TestPresentsOnlyWhatStillMayBe: the gate is asked again before each debit and each
// contact; what it then refuses (an outage that has begun meanwhile, say) is not done.
func TestPresentsOnlyWhatStillMayBe(t *testing.T) {
	stage, err := sim.NewStage(context.Background(), sim.Config{Seed: 3, Cases: 500, Start: data.IST(2026, 5, 1, 0, 0), Months: 5, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	p, err := PlayerOf(Explorer, score.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	d := p.Decider(nil)
	ask, asked := d.Recheck, 0
	type debit struct {
		id string
		at data.Micros
	}
	refused := map[debit]bool{}
	d.Recheck = func(id string, c data.Candidate, at data.Micros) (bool, error) {
		ok, err := ask(id, c, at)
		if asked++; !ok {
			refused[debit{id, c.At}] = true
		}
		return ok, err
	}
	debits := 0
	if _, _, err := stage.Play(context.Background(), d, func(b *sim.Batch) error {
		for _, a := range b.Attempts {
			if a.Initiator == data.ByRecoup {
				debits++
				if refused[debit{a.CaseID, a.OccurredAt}] {
					t.Errorf("attempt %s at %s was refused when its time came", a.AttemptID, a.OccurredAt)
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(refused) == 0 || asked < debits || debits < 100 {
		t.Errorf("%d debits, asked %d times, refused %d", debits, asked, len(refused))
	}
	t.Logf("%d debits, asked %d times, refused %d", debits, asked, len(refused))
}

// TestCyclesOfOldCharges: a charge whose cycle has ended is debited no more, though a
// new cycle runs.
func TestCyclesOfOldCharges(t *testing.T) {
	for seed := uint64(1); seed <= 4; seed++ {
		stage, err := sim.NewStage(context.Background(), sim.Config{Seed: seed, Cases: 500, Start: data.IST(2026, 5, 1, 0, 0), Months: 5, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		p, err := PlayerOf(Explorer, score.Default(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var rows Rows
		if _, _, err := stage.Play(context.Background(), p.Decider(nil), func(b *sim.Batch) error {
			rows.Attempts = append(rows.Attempts, b.Attempts...)
			rows.CaseEvents = append(rows.CaseEvents, b.CaseEvents...)
			rows.Subscriptions = append(rows.Subscriptions, b.Subscriptions...)
			rows.Mandates = append(rows.Mandates, b.Mandates...)
			rows.Notices = append(rows.Notices, b.Notices...)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for _, b := range Breaches(rows) {
			t.Errorf("seed %d: %+v", seed, b)
		}
	}
}
