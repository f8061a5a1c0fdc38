package compare

import (
	"context"
	"fmt"
	"path/filepath"

	"recoup/cmd/recoup/worlds"
	"recoup/data/sim"
	"recoup/score"
)

// job is one comparison at work.
type job struct {
	Config
	know    *knowledge
	advice  *adviser
	lessons *lessons                   // nil = without a model, in tests
	anew    map[float64]map[string]int // by shift: the grid tuned again
	run     worlds.Run
}

// World is what a world's file holds.
type World struct {
	Input string   `json:"input"` // hash of all that decides this file
	Seed  uint64   `json:"seed"`
	Shift float64  `json:"shift"`
	Hands []Played `json:"hands"` // in the order of Hands
}

// Summary is what a comparison came to.
type Summary struct {
	Report  *Report  `json:"report"`
	Files   []string `json:"files"`
	Nothing bool     `json:"nothing_to_do"` // every world was there already
}

// Run does a whole comparison in c.Dir, or what is left of it. Two at once in one
// folder: the second gets data.ErrLocked.
func Run(ctx context.Context, c Config) (*Summary, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	release, err := worlds.Open(c.Dir, "compare")
	if err != nil {
		return nil, err
	}
	defer release()
	j := newJob(c)
	if j.know, err = j.before(ctx); err != nil {
		return nil, err
	}
	return j.compare(ctx)
}

func newJob(c Config) *job {
	return &job{Config: c, run: worlds.Run{Workers: c.Workers, Progress: c.Progress}}
}

// compare plays what is left to play, and reports.
func (j *job) compare(ctx context.Context) (*Summary, error) {
	before := j.run.Played()
	var err error
	if j.advice, err = newAdviser(j.know.Grid); err != nil {
		return nil, err
	}
	if j.know.model != nil {
		model, err := score.New(score.Default(), j.know.model)
		if err != nil {
			return nil, err
		}
		if j.lessons, err = j.learn(ctx, j.advice, model); err != nil {
			return nil, err
		}
	}
	if err := j.tuneAnew(ctx); err != nil {
		return nil, err
	}
	all, err := j.all(ctx)
	if err != nil {
		return nil, err
	}
	r := j.report(all)
	files, err := j.write(r)
	return &Summary{Report: r, Files: files, Nothing: j.run.Played() == before}, err
}

// all plays the worlds that have no file yet: by shift, then by seed.
func (j *job) all(ctx context.Context) ([]*World, error) {
	return worlds.Each(ctx, &j.run, worlds.Work[World]{Stage: "worlds", Worlds: len(j.Shifts) * j.Seeds, Path: j.path, Input: j.worldInput, Do: j.playWorld})
}

// at is the seed and the shift of the i-th world.
func (j *job) at(i int) (uint64, float64) { return j.First + uint64(i%j.Seeds), j.Shifts[i/j.Seeds] }

func (j *job) worldInput(i int) string {
	seed, shift := j.at(i)
	return j.input("world", j.modelID(), seed, shift)
}

func (j *job) path(i int) string {
	seed, shift := j.at(i)
	return filepath.Join(j.Dir, "worlds", fmt.Sprintf("%04d-%g.json", seed, shift))
}

// playWorld plays all hands in one world.
func (j *job) playWorld(ctx context.Context, i int) (*World, error) {
	seed, shift := j.at(i)
	w := &World{Input: j.worldInput(i), Seed: seed, Shift: shift}
	wrap := func(err error) error { return fmt.Errorf("compare: seed %d, shift %g: %w", seed, shift, err) }
	stage, err := sim.NewStage(ctx, j.world(seed, shift))
	if err != nil {
		return nil, wrap(err)
	}
	rules, err := score.New(score.Default(), nil)
	if err != nil {
		return nil, wrap(err)
	}
	hands, err := j.hands(shift)
	if err != nil {
		return nil, wrap(err)
	}
	for _, h := range hands {
		p, err := playHand(ctx, stage, rules, h, j.Config)
		if err != nil {
			return nil, wrap(err)
		}
		w.Hands = append(w.Hands, p)
	}
	return w, nil
}

// hands are fresh ones for a world at a shift.
func (j *job) hands(shift float64) (out []hand, err error) {
	known := j.lessons
	if known == nil {
		known = &lessons{}
	}
	out = []hand{{name: Ladder, pick: byLadder}, {name: Rules, pick: func(s *scene) (int, error) { return s.ruled, nil }}, {name: Tuned, pick: j.advice.tuned},
		{name: OwnDay, pick: j.advice.onOwnDay}, {name: Anew, pick: byGrid(j.anew[shift])}}
	for _, make := range []func() (*beta, error){flatBandit,
		func() (*beta, error) { return calendarBandit(known.Calendar) },
		func() (*beta, error) { return adviceBandit(Cold, j.advice, nil) },
		func() (*beta, error) { return adviceBandit(Bandit, j.advice, known.Advice) }} {
		b, err := make()
		if err != nil {
			return nil, err
		}
		out = append(out, b.hand())
	}
	if j.know.model != nil { // without one, in tests, the others play
		model, err := score.New(score.Default(), j.know.model)
		if err != nil {
			return nil, err
		}
		l, err := logisticBandit(model, j.advice, known.Logistic)
		if err != nil {
			return nil, err
		}
		out = append(out, l.hand(), hand{name: Model, pick: dearest(model)})
	}
	return append(out, hand{name: Oracle, pick: truest}), nil
}

// modelID names the model; "" = there is none.
func (j *job) modelID() string {
	if j.know.model == nil {
		return ""
	}
	return string(j.know.model.ID)
}
