package experiment

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"recoup/cmd/recoup/worlds"
	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/ope/bandit"
	"recoup/score"
)

// The bandit retries where the rules do, and chooses when: its arms are timings that a
// person would think of, and it learns which of them pays by class, rail and attempt.
var timings = []string{"the first slot", "2 days later", "4 days later", "7 days later", "the rules' own", "the own pay day"}

// later are the delays of the second to the fourth, from the first slot.
var later = []data.Micros{2 * data.Day, 4 * data.Day, 7 * data.Day}

const banditFloor = 0.005 // of each timing

// banditSettings: half of what was seen is gone after 69 days, a cell borrows 25 trials of its
// parent. The prior is weak, and about what a retry brings.
func banditSettings() bandit.Config {
	return bandit.Config{Arms: timings, Prior: bandit.Arm{Alpha: 1, Beta: 1}, Keep: 0.99, Strength: 25}
}

// learner is a bandit that lives through one world: a trial succeeds when its case is
// paid within the horizon after its first failure, by whatever road, and counts when
// that is over.
type learner struct {
	post    *bandit.Posterior
	book    bandit.Book
	own     Chooser // the own pay day
	horizon data.Micros
	night   data.Micros // to which it has learned
}

// newLearner begins with what is known; nil = with nothing.
func newLearner(known []byte, horizon data.Micros) (*learner, error) {
	l := &learner{horizon: horizon}
	var err error
	if l.own, err = ownPayDay(); err != nil {
		return nil, err
	}
	if known == nil {
		l.post, err = bandit.New(banditSettings())
	} else {
		l.post, _, err = bandit.DecodeState(known)
	}
	return l, err
}

// lived makes one that begins with what is known, for one world.
func lived(known []byte, horizon data.Micros) func() (alive, error) {
	return func() (alive, error) {
		l, err := newLearner(known, horizon)
		if err != nil {
			return alive{}, err
		}
		return alive{l.choose, l.seen}, nil
	}
}

// seen notes that a case is paid.
func (l *learner) seen(row any) {
	whenPaid(row, func(trial string, at data.Micros) { l.book.Succeed(trial, at) })
}

// whenPaid calls succeed for each trial that a case can have, if the row says that it is
// paid, by whatever road.
func whenPaid(row any, succeed func(trial string, at data.Micros)) {
	paid := func(caseID string, at data.Micros) {
		for no := range 4 {
			succeed(trialOf(caseID, no), at)
		}
	}
	switch r := row.(type) {
	case *data.Attempt:
		if r.Status == data.Captured || r.Status == data.AuthorizedLate {
			paid(r.CaseID, r.OccurredAt)
		}
	case *data.CaseEvent:
		if r.Kind == data.PaidElsewhere {
			paid(r.CaseID, r.OccurredAt)
		}
	}
}

func trialOf(caseID string, attemptNo int) string { return fmt.Sprintf("%s/%d", caseID, attemptNo) }

// choose draws a timing with its exact probability, by what was known at midnight.
func (l *learner) choose(st *features.State, t *sim.Turn, d *score.Decision) (int, error) {
	if d.Allowed[d.Chosen].Action != data.Retry {
		return d.Chosen, nil
	}
	if midnight := t.Now - t.Now.ISTTimeOfDay(); midnight > l.night {
		l.night = midnight
		if err := l.post.Learn(l.book.Close(midnight)); err != nil {
			return 0, err
		}
	}
	slots, err := l.slots(st, t, d)
	if err != nil {
		return 0, err
	}
	legal, n := make([]bool, len(slots)), 0
	for k, i := range slots {
		if legal[k] = i >= 0; legal[k] {
			n++
		}
	}
	cell := bandit.Cell(fmt.Sprintf("%s/%d/%s", d.Class, min(t.AttemptNo, 2), d.Rail))
	sel, err := l.post.Select(cell, l.night, legal, min(banditFloor, 1/float64(n)))
	if err != nil {
		return 0, err
	}
	arm := bandit.Draw(salt, "bandit/"+t.DecisionID, sel.Probs)
	id := trialOf(t.CaseID, t.AttemptNo)
	l.book.Void(id) // what was planned before for this attempt
	return slots[arm], l.book.Open(bandit.Trial{ID: id, Cell: cell, Arm: arm, Closes: t.FirstFailedAt + l.horizon})
}

// slots are the candidates that the timings stand for; -1 = there is none within a day.
func (l *learner) slots(st *features.State, t *sim.Turn, d *score.Decision) ([]int, error) {
	own, err := l.own(st, t, d)
	if err != nil {
		return nil, err
	}
	first := slices.IndexFunc(d.Allowed, func(c score.Choice) bool { return c.Action == data.Retry })
	out := []int{first, -1, -1, -1, d.Chosen, own}
	for i := first; i < len(d.Allowed) && d.Allowed[i].Action == data.Retry; i++ { // by time
		for k, after := range later {
			if from := d.Allowed[first].At + after; out[k+1] < 0 && d.Allowed[i].At >= from && d.Allowed[i].At < from+data.Day {
				out[k+1] = i
			}
		}
	}
	return out, nil
}

// banditKnows is what the bandit has learned when it has lived through the world that
// the models learn from, from as many cases; it is found again when it is there.
func (j *job) banditKnows(ctx context.Context) ([]byte, error) {
	path := filepath.Join(j.Dir, "bandit-"+j.input("bandit", []any{j.TrainCases, banditSettings(), later}, trainSeed)[:12]+".json")
	if known, err := os.ReadFile(path); err == nil {
		return known, nil
	}
	stage, err := sim.NewStage(ctx, sim.Config{Seed: trainSeed, Cases: j.TrainCases, Start: j.trainStart(), Months: j.TrainMonth, Workers: 1})
	if err != nil {
		return nil, err
	}
	j.work.Tell("train: bandit", 0, 1)
	p, err := PlayerOf(Bandit, j.policy(), nil)
	if err != nil {
		return nil, err
	}
	l, err := newLearner(nil, j.policy().Horizon())
	if err != nil {
		return nil, err
	}
	p.alive = func() (alive, error) { return alive{l.choose, l.seen}, nil }
	if _, _, err := stage.Play(ctx, p.Decider(nil), nil); err != nil {
		return nil, err
	}
	if err := l.post.Learn(l.book.Close(j.Start)); err != nil {
		return nil, err
	}
	known, err := bandit.EncodeState(l.post, &bandit.Book{})
	if err != nil {
		return nil, err
	}
	j.work.Tell("train: bandit", 1, 1)
	return known, worlds.WriteFile(path, known)
}
