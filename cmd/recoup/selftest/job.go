package selftest

import (
	"context"
	"fmt"
	"path/filepath"

	"recoup/cmd/recoup/worlds"
	"recoup/score"
)

// job is one self-test at work.
type job struct {
	Config
	policy *score.Policy
	alone  *score.Policy // the explorer alone
	run    worlds.Run
}

// Summary is what a self-test came to.
type Summary struct {
	Report  *Report  `json:"report"`
	Files   []string `json:"files"`
	Nothing bool     `json:"nothing_to_do"` // every world was there already
}

// found is what all files hold, by seed.
type found struct {
	logs      []*Judged
	rolls     []*Worth
	sequences []*Sequenced
	seqRolls  []*Worth

	learned      []*Learned
	learnedRolls []*Worth
}

// Run does a whole self-test in c.Dir, or what is left of it. Two at once in one folder:
// the second gets data.ErrLocked.
func Run(ctx context.Context, c Config) (*Summary, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	release, err := worlds.Open(c.Dir, "selftest")
	if err != nil {
		return nil, err
	}
	defer release()
	j := &job{Config: c, run: worlds.Run{Workers: c.Workers, Progress: c.Progress}}
	if j.policy, err = pooledPolicy(); err != nil {
		return nil, err
	}
	if j.alone, err = exploringPolicy(); err != nil {
		return nil, err
	}
	f, err := j.play(ctx)
	if err != nil {
		return nil, err
	}
	r, err := j.report(f)
	if err != nil {
		return nil, err
	}
	files, err := j.write(r)
	return &Summary{Report: r, Files: files, Nothing: j.run.Played() == 0}, err
}

// play does every world that has no file yet.
func (j *job) play(ctx context.Context) (_ *found, err error) {
	f := &found{}
	pooled := func(seed uint64) (*lab, error) { return newLab(j.policy, seed, nil) }
	hesitant := func(seed uint64) (*lab, error) { return hesitantLab(j.policy, seed) }
	if f.rolls, err = each(ctx, j, kind{"rollouts", j.Cases, truthSeed}, j.Truth, j.policy, pooled, rolls); err != nil {
		return nil, err
	}
	if f.sequences, err = each(ctx, j, kind{"sequences", j.sequenced(), sequenceSeed}, j.Sequences, j.policy, hesitant, sequences); err != nil {
		return nil, err
	}
	if f.seqRolls, err = each(ctx, j, kind{"sequence-rollouts", j.sequenced(), seqTruthSeed}, j.Sequences, j.policy, hesitant, seqRolls); err != nil {
		return nil, err
	}
	alone := func(seed uint64) (*lab, error) { return newLab(j.alone, seed, nil) }
	if f.learned, err = each(ctx, j, kind{"learned", j.sequenced(), learnedSeed}, j.Learned, j.alone, alone, learn); err != nil {
		return nil, err
	}
	if f.learnedRolls, err = each(ctx, j, kind{"learned-rollouts", j.sequenced(), learnedTruth}, j.Learned, j.alone, alone, learnedRolls); err != nil {
		return nil, err
	}
	f.logs, err = each(ctx, j, kind{"judged", j.Cases, 0}, j.Seeds, j.policy, pooled, judge)
	return f, err
}

// each does every world of a kind that has no file yet; the first is number 1. p is the
// policy that decides there.
func each[T any](ctx context.Context, j *job, k kind, n int, p *score.Policy, open func(seed uint64) (*lab, error),
	do func(context.Context, kind, *lab, int) (*T, error)) ([]*T, error) {
	return worlds.Each(ctx, &j.run, worlds.Work[T]{Stage: k.name, Worlds: n,
		Path:  func(i int) string { return j.path(k, i+1) },
		Input: func(i int) string { return k.input(p.ID(), i+1) },
		Do: func(ctx context.Context, i int) (*T, error) {
			l, err := open(k.first + uint64(i+1))
			if err != nil {
				return nil, err
			}
			v, err := do(ctx, k, l, i+1)
			if err != nil {
				return nil, fmt.Errorf("ope selftest: %s: seed %d: %w", k.name, l.seed, err)
			}
			return v, nil
		}})
}

func (j *job) path(k kind, n int) string {
	return filepath.Join(j.Dir, fmt.Sprintf("%s-%d", k.name, k.cases), fmt.Sprintf("%04d.json", n))
}
