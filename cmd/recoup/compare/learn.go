package compare

import (
	"context"
	"encoding/json"
	"path/filepath"

	"recoup/cmd/recoup/worlds"
	"recoup/data"
	"recoup/data/sim"
	"recoup/ope/bandit"
	"recoup/score"
)

// lessons are what the bandits bring from the world before.
type lessons struct {
	Input    string          `json:"input"`
	Trials   int             `json:"trials"`
	Advice   json.RawMessage `json:"advice"`
	Calendar json.RawMessage `json:"calendar"`
	Logistic json.RawMessage `json:"logistic"`
}

// What the world before is worth to the bandits at most, in trials: it may have changed
// since.
const (
	knownTrials    = 600
	knownCorrected = 3000
)

// lesson is a trial as each bandit learns from it.
type lesson struct {
	advice   []bandit.Outcome // none, or one for each timing that says this slot
	calendar bandit.Outcome
	in       input
}

// learn lets dice choose among all slots in a second world like the one before, which the
// model has not seen, and teaches the bandits what came of it.
func (j *job) learn(ctx context.Context, a *adviser, model *score.Engine) (*lessons, error) {
	input := j.input("learn", j.modelID(), learnSeed, 0)
	path := filepath.Join(j.Dir, "learned-"+input[:12]+".json")
	if l, err := worlds.Stored[lessons](path, input); err != nil || l != nil {
		return l, err
	}
	j.run.Tell("before: bandits", 0, 1)
	cfg := j.Config.before()
	cfg.Seed = learnSeed
	stage, err := sim.NewStage(ctx, cfg)
	if err != nil {
		return nil, err
	}
	rules, err := score.New(score.Default(), nil)
	if err != nil {
		return nil, err
	}
	t := &teacher{advice: a, model: model, open: map[string]lesson{}}
	if _, err := playHand(ctx, stage, rules, t.hand(), j.Config); err != nil {
		return nil, err
	}
	out, err := t.lessons(j.Start)
	if err != nil {
		return nil, err
	}
	out.Input = input
	j.run.Tell("before: bandits", 1, 1)
	return out, worlds.WriteJSON(path, out)
}

// teacher draws a slot with equal chances, and notes what each bandit learns from it.
type teacher struct {
	tracker
	advice *adviser
	model  *score.Engine
	open   map[string]lesson
	last   lesson
}

func (t *teacher) hand() hand {
	return hand{name: "dice", pick: t.pick, seen: t.seen, plan: func(s *scene) error {
		id := trialID(s.turn.CaseID, s.turn.AttemptNo)
		t.open[id] = t.last
		return t.plan(bandit.Trial{ID: id, Cell: bandit.Cell(id), Closes: s.turn.FirstFailedAt + judged})
	}}
}

func (t *teacher) pick(s *scene) (int, error) {
	equal := make([]float64, len(s.retries))
	for i := range equal {
		equal[i] = 1 / float64(len(equal))
	}
	i := bandit.Draw(salt, "dice/"+s.turn.DecisionID, equal)
	slots, err := t.advice.both(s)
	if err != nil {
		return 0, err
	}
	t.last = lesson{calendar: bandit.Outcome{Cell: coarseCell(s, nil), Arm: monthArm(s.at(0), s.at(i)), Weight: 1}}
	for k, slot := range slots {
		if slot >= 0 && gap(s.at(slot), s.at(i)) <= near {
			t.last.advice = append(t.last.advice, bandit.Outcome{Cell: adviceCell(s, slots), Arm: k, Weight: 1})
		}
	}
	all, err := inputs(t.model, t.advice, s)
	t.last.in = all[i]
	return i, err
}

// lessons are what the trials taught whose windows closed by a time.
func (t *teacher) lessons(by data.Micros) (*lessons, error) {
	var advice, calendar []bandit.Outcome
	var rows [][]float64
	var success []bool
	var offset []float64
	for _, o := range t.book.Close(by) {
		l := t.open[string(o.Cell)]
		for _, x := range l.advice {
			x.At, x.Success = o.At, o.Success
			advice = append(advice, x)
		}
		l.calendar.At, l.calendar.Success = o.At, o.Success
		calendar = append(calendar, l.calendar)
		rows, success, offset = append(rows, l.in.row), append(success, o.Success), append(offset, l.in.offset)
	}
	out := &lessons{Trials: len(rows)}
	var err error
	if out.Advice, err = taught(adviceNames(), advice, by); err != nil {
		return nil, err
	}
	if out.Calendar, err = taught(monthNames(), calendar, by); err != nil {
		return nil, err
	}
	p, err := newLogistic()
	if err != nil {
		return nil, err
	}
	if err := p.Learn(rows, success, offset, by); err != nil {
		return nil, err
	}
	if err := p.Fade(min(1, knownCorrected/float64(max(1, len(rows))))); err != nil {
		return nil, err
	}
	out.Logistic, err = p.Encode()
	return out, err
}

// taught is the state of a bandit that learned from outcomes.
func taught(arms []string, outcomes []bandit.Outcome, by data.Micros) ([]byte, error) {
	p, err := bandit.New(sharing(arms))
	if err != nil {
		return nil, err
	}
	if err := p.Learn(outcomes); err != nil {
		return nil, err
	}
	p.Fade(knownTrials, by)
	return bandit.EncodeState(p, &bandit.Book{})
}
