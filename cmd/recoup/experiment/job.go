package experiment

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"recoup/cmd/recoup/worlds"
	"recoup/data"
)

// job is one experiment at work.
type job struct {
	Config
	school school
	model  *lesson   // of the explorer's log
	taught *lesson   // of the rules' log
	blank  *lesson   // of nothing
	forest *lesson   // LightGBM of the explorer's log
	bandit []byte    // what the bandit knows
	fewer  []*lesson // of as many of the explorer's cases as Curve says
	normal *scene
	work   worlds.Run
}

// Summary is what an experiment came to.
type Summary struct {
	Report  *Report  `json:"report"`
	Files   []string `json:"files"`
	Nothing bool     `json:"nothing_to_do"` // every world was there already
}

// Run does a whole experiment in c.Dir, or what is left of it. Two at once in
// one folder: the second gets data.ErrLocked.
func Run(ctx context.Context, c Config) (*Summary, error) {
	return start(ctx, c, school{(*job).train, (*job).banditKnows})
}

// school makes what must be learned before anybody plays.
type school struct {
	model  func(*job, context.Context, course) (*lesson, error)
	bandit func(*job, context.Context) ([]byte, error) // nil = the bandit knows nothing
}

// start is Run with another school.
func start(ctx context.Context, c Config, at school) (_ *Summary, err error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	release, err := worlds.Open(c.Dir, "experiment")
	if err != nil {
		return nil, err
	}
	defer release()
	c.Curve = slices.DeleteFunc(slices.Clone(c.Curve), func(cases int) bool { return cases >= c.TrainCases })
	j := &job{Config: c, school: at, work: worlds.Run{Workers: c.Workers, Progress: c.Progress}}
	if err := j.teach(ctx); err != nil {
		return nil, err
	}
	r, err := j.run(ctx)
	if err != nil {
		return nil, err
	}
	files, err := j.write(r)
	return &Summary{Report: r, Files: files, Nothing: j.work.Played() == 0}, err
}

// teach makes the models.
func (j *job) teach(ctx context.Context) (err error) {
	if j.model, err = j.school.model(j, ctx, course{Log: Explorer, Cases: j.TrainCases}); err != nil {
		return err
	}
	if j.model.Bundle == nil {
		return data.Faultf(data.ErrTooLittle, "experiment: no model from %d cases of the explorer: %s: give more with --train", j.TrainCases, j.model.Why)
	}
	if j.taught, err = j.school.model(j, ctx, course{Log: Rules, Cases: j.TrainCases}); err != nil {
		return err
	}
	if j.blank, err = j.knowsNothing(); err != nil {
		return err
	}
	j.forest = &lesson{Why: "not asked for: --lightgbm"}
	if j.LightGBM {
		if j.forest, err = j.school.model(j, ctx, course{Log: Explorer, Cases: j.TrainCases, Forest: true}); err != nil {
			return err
		}
	}
	if j.bandit, err = j.school.bandit(j, ctx); err != nil {
		return err
	}
	for _, cases := range j.Curve {
		l, err := j.school.model(j, ctx, course{Log: Explorer, Cases: cases})
		if err != nil {
			return err
		}
		j.fewer = append(j.fewer, l)
	}
	return nil
}

// hands are the arms that can be played, in the order of the headline table.
func (j *job) hands() []hand {
	out := append([]hand{{Name: Ladder, Arm: Ladder}, {Name: Rules, Arm: Rules}, {Name: PayDay, Arm: PayDay}, {Name: Unlearned, Arm: Model, Bundle: j.blank.Bare}}, j.taughtHands()...)
	return append(out, hand{Name: Bandit, Arm: Bandit, Known: j.bandit}, hand{Name: Corrected, Arm: Corrected, Bundle: j.model.Bundle}, hand{Name: Explorer, Arm: Explorer}, hand{Name: Oracle, Arm: Oracle}, hand{Name: Control, Arm: Control})
}

// taughtHands are those that take the highest expected value by a model.
func (j *job) taughtHands() (out []hand) {
	for _, m := range []struct {
		name string
		from *lesson
	}{{RulesTaught, j.taught}, {Model, j.model}, {Forest, j.forest}} {
		if m.from.Bundle != nil {
			out = append(out, hand{Name: m.name, Arm: Model, Bundle: m.from.Bundle})
		}
	}
	return out
}

// run plays every scene and tells what came of it.
func (j *job) run(ctx context.Context) (*Report, error) {
	j.normal = &scene{Name: "seeds", Seeds: seedsFrom(1, j.Seeds), Hands: j.hands()}
	worlds, err := j.show(ctx, j.normal)
	if err != nil {
		return nil, err
	}
	var without []*Without
	if j.Ablation {
		if without, err = each(ctx, j, "ablation", j.normal.Seeds, j.ablationInput, j.ablate); err != nil {
			return nil, err
		}
	}
	r, err := j.report(worlds, without)
	if err != nil {
		return nil, err
	}
	if r.Timing, err = j.timing(ctx); err != nil {
		return nil, err
	}
	if r.Elsewhere, err = j.elsewhere(ctx); err != nil {
		return nil, err
	}
	if r.Tuning, err = j.tuning(ctx); err != nil {
		return nil, err
	}
	if r.Choosing, err = j.choosing(ctx); err != nil {
		return nil, err
	}
	if r.Curve, err = j.curve(ctx, r); err != nil {
		return nil, err
	}
	if r.Moved, err = j.moved(ctx); err != nil {
		return nil, err
	}
	r.Says = says(r)
	r.Notes = j.notes(r)
	return r, nil
}

// each plays every world that has no file yet. input names what a file is made of.
func each[T any](ctx context.Context, j *job, kind string, seeds []uint64, input func(seed uint64) string, play func(context.Context, uint64) (*T, error)) ([]*T, error) {
	return worlds.Each(ctx, &j.work, worlds.Work[T]{Stage: kind, Worlds: len(seeds),
		Path:  func(i int) string { return j.path(kind, seeds[i]) },
		Input: func(i int) string { return input(seeds[i]) },
		Do: func(ctx context.Context, i int) (*T, error) {
			w, err := play(ctx, seeds[i])
			if err != nil {
				return nil, fmt.Errorf("experiment: seed %d: %w", seeds[i], err)
			}
			return w, nil
		}})
}

func (j *job) path(kind string, seed uint64) string {
	return filepath.Join(j.Dir, kind, fmt.Sprintf("%04d.json", seed))
}
