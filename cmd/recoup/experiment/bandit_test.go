package experiment

import (
	"bytes"
	"context"
	"testing"

	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/score"
)

// TestBanditKeepsToTheRules: it retries where the rules do and nowhere else, at one of
// its timings; twice it does the same; and what it has learned is not nothing.
func TestBanditKeepsToTheRules(t *testing.T) {
	c := sim.Config{Seed: 9, Cases: 60, Start: data.IST(2026, 5, 1, 0, 0), Months: 4, Workers: 1}
	stage, err := sim.NewStage(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	live := func() (moved, stayed int, versions [2]string) {
		l, err := newLearner(nil, score.Default().Horizon())
		if err != nil {
			t.Fatal(err)
		}
		versions[0] = l.post.Version()
		p, err := PlayerOf(Bandit, score.Default(), nil)
		if err != nil {
			t.Fatal(err)
		}
		p.alive = nil
		p.Choose = func(st *features.State, turn *sim.Turn, d *score.Decision) (int, error) {
			chosen, err := l.choose(st, turn, d)
			if err != nil || d.Allowed[d.Chosen].Action != data.Retry {
				if err == nil && chosen != d.Chosen {
					t.Errorf("the rules chose %s, the bandit %s", d.Allowed[d.Chosen].Action, d.Allowed[chosen].Action)
				}
				return chosen, err
			}
			slots, err := l.slots(st, turn, d)
			if err != nil {
				return chosen, err
			}
			is := map[int]bool{}
			for _, i := range slots {
				is[i] = true
			}
			switch {
			case d.Allowed[chosen].Action != data.Retry || !is[chosen]:
				t.Errorf("the bandit chose %s at %s", d.Allowed[chosen].Action, d.Allowed[chosen].At)
			case chosen != d.Chosen:
				moved++
			default:
				stayed++
			}
			return chosen, nil
		}
		d := p.Decider(nil)
		fold := d.Fold
		d.Fold = func(row data.AnyRow) error { l.seen(row.Row); return fold(row) }
		if _, _, err := stage.Play(context.Background(), d, nil); err != nil {
			t.Fatal(err)
		}
		versions[1] = l.post.Version()
		return moved, stayed, versions
	}
	moved, stayed, versions := live()
	if moved < 20 || stayed < 20 || versions[0] == versions[1] {
		t.Errorf("%d moved, %d stayed, learned %v", moved, stayed, versions)
	}
	if m, s, v := live(); m != moved || s != stayed || v != versions {
		t.Errorf("the second time %d moved, %d stayed, %v", m, s, v)
	}
}

// TestBanditKnows: what it has learned in the world to learn from is found again, the
// same bytes, and it is paid cases that count as successes.
func TestBanditKnows(t *testing.T) {
	c := small(t.TempDir())
	c.TrainCases, c.TrainMonth = 150, 4
	j := &job{Config: c}
	first, err := j.banditKnows(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	again, err := j.banditKnows(context.Background())
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("other bytes: %v", err)
	}
	if h := (hand{Name: Bandit, Arm: Bandit, Known: first}); h.key(&c) == (&hand{Name: Bandit, Arm: Bandit}).key(&c) {
		t.Error("what it knows is no part of what a world is made of")
	}
	l, err := newLearner(first, score.Default().Horizon())
	if err != nil {
		t.Fatal(err)
	}
	won, lost := 0.0, 0.0
	for _, a := range l.post.At("", c.Start) {
		won, lost = won+a.Alpha-1, lost+a.Beta-1
	}
	if won < 10 || lost < 10 {
		t.Errorf("%v trials succeeded, %v failed: too few to tell", won, lost)
	}
}

// TestCorrectedKeepsToTheModel: it retries where the model does and nowhere else, and
// mostly at another time once it draws.
func TestCorrectedKeepsToTheModel(t *testing.T) {
	b, err := madeUp(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := PlayerOf(Corrected, score.Default(), nil); err == nil {
		t.Error("corrected what is not there")
	}
	stage, err := sim.NewStage(context.Background(), sim.Config{Seed: 9, Cases: 60, Start: data.IST(2026, 5, 1, 0, 0), Months: 4, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	p, err := PlayerOf(Corrected, score.Default(), b)
	if err != nil {
		t.Fatal(err)
	}
	lives, err := p.alive()
	if err != nil {
		t.Fatal(err)
	}
	moved, stayed, other, paid := 0, 0, 0, 0
	p.alive = func() (alive, error) {
		return alive{func(st *features.State, turn *sim.Turn, d *score.Decision) (int, error) {
			k, err := lives.choose(st, turn, d)
			switch {
			case err != nil:
			case d.Allowed[k].Action != d.Allowed[d.Chosen].Action:
				t.Errorf("the model chose %s, it %s", d.Allowed[d.Chosen].Action, d.Allowed[k].Action)
			case d.Allowed[k].Action != data.Retry:
				other++
			case k == d.Chosen:
				stayed++
			default:
				moved++
			}
			return k, err
		}, func(row any) {
			whenPaid(row, func(string, data.Micros) { paid++ })
			lives.seen(row)
		}}, nil
	}
	if _, _, err := stage.Play(context.Background(), p.Decider(nil), nil); err != nil {
		t.Fatal(err)
	}
	if moved < 10 || stayed == 0 || other == 0 || paid < 10 {
		t.Errorf("%d moved, %d stayed, %d other, %d told of payments", moved, stayed, other, paid)
	}
}
