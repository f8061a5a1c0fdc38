package compare

import (
	"context"
	"fmt"
	"path/filepath"

	"recoup/cmd/recoup/worlds"
	"recoup/data/sim"
	"recoup/score"
)

// Rules tuned anew show how much of a shift rules of the same kind could take back, had
// somebody tuned them in the moved world, told every true chance: about the most that a
// learner can gain whose contexts are theirs.

// retuned is a grid tuned in a world that has moved.
type retuned struct {
	Input string         `json:"input"`
	Grid  map[string]int `json:"grid"`
}

// tuneAnew tunes the grid again at each shift, in worlds that nobody is judged in, as
// large as the world before.
func (j *job) tuneAnew(ctx context.Context) error {
	all, err := worlds.Each(ctx, &j.run, worlds.Work[retuned]{Stage: "rules anew", Worlds: len(j.Shifts),
		Path:  func(i int) string { return filepath.Join(j.Dir, "worlds", fmt.Sprintf("anew-%g.json", j.Shifts[i])) },
		Input: func(i int) string { return j.input("anew", "", anewSeed, j.Shifts[i]) },
		Do: func(ctx context.Context, i int) (*retuned, error) {
			grid, err := j.gridAt(ctx, j.Shifts[i])
			return &retuned{j.input("anew", "", anewSeed, j.Shifts[i]), grid}, err
		}})
	if err != nil {
		return err
	}
	j.anew = map[float64]map[string]int{}
	for i, r := range all {
		j.anew[j.Shifts[i]] = r.Grid
	}
	return nil
}

func (j *job) gridAt(ctx context.Context, shift float64) (map[string]int, error) {
	cfg, nature := j.Config.before(), sim.UsualNature().Shifted(shift)
	cfg.Seed, cfg.Nature = anewSeed, &nature
	stage, err := sim.NewStage(ctx, cfg)
	if err != nil {
		return nil, err
	}
	rules, err := score.New(score.Default(), nil)
	if err != nil {
		return nil, err
	}
	sums := &grid{attempts: j.Attempts}
	_, err = playHand(ctx, stage, rules, hand{name: Anew, pick: func(s *scene) (int, error) {
		row := s.d.Row()
		sums.add(s.turn, &row)
		return byLadder(s)
	}}, j.Config)
	return sums.best(), err
}
