package experiment

import (
	"context"

	"recoup/cmd/recoup/corrected"
	"recoup/data/sim"
	"recoup/models"
	"recoup/score"
)

// scene is a set of worlds of one kind and who plays in each of them.
type scene struct {
	Name   string      // folder of the worlds' files
	Nature *sim.Nature // nil = as usual
	Seeds  []uint64
	Hands  []hand
}

// hand is who plays, under which name: an arm may play twice, with other numbers or
// another model.
type hand struct {
	Name   string
	Arm    string         // of PlayerOf, or Ladder
	Policy *score.Policy  // nil = that of the experiment
	Bundle *models.Bundle // of the model's arm, and of the corrected model's
	Known  []byte         // what the bandit's has learned before
}

// key is what decides what a hand does.
func (h *hand) key(c *Config) [5]string {
	policy, model := c.policy().ID(), ""
	if h.Policy != nil {
		policy = h.Policy.ID()
	}
	if h.Bundle != nil {
		model = string(h.Bundle.ID)
	}
	if h.Arm == Corrected {
		return [5]string{h.Name, h.Arm, policy, model, corrected.Name}
	}
	return [5]string{h.Name, h.Arm, policy, model, string(h.Known)}
}

// input names what a world of the scene is made of.
func (s *scene) input(c *Config, seed uint64) string {
	of := []any{s.Nature}
	for i := range s.Hands {
		of = append(of, s.Hands[i].key(c))
	}
	return c.input(s.Name, of, seed)
}

// seedsFrom are n seeds from a first one on. Those of a purpose of its own are far from
// the others.
func seedsFrom(first uint64, n int) (out []uint64) {
	for i := range uint64(n) {
		out = append(out, first+i)
	}
	return out
}

// show plays a scene, or what is left of it.
func (j *job) show(ctx context.Context, s *scene) ([]*World, error) {
	play := func(ctx context.Context, seed uint64) (*World, error) { return j.playWorld(ctx, s, seed) }
	return each(ctx, j, s.Name, s.Seeds, func(seed uint64) string { return s.input(&j.Config, seed) }, play)
}

// playWorld plays the hands in one world.
func (j *job) playWorld(ctx context.Context, s *scene, seed uint64) (*World, error) {
	stage, err := sim.NewStage(ctx, j.world(seed, s.Nature))
	if err != nil {
		return nil, err
	}
	w := &World{Input: s.input(&j.Config, seed), Seed: seed}
	for i := range s.Hands {
		h, refused := &s.Hands[i], newRefusals()
		d := stage.Ladder()
		if h.Arm != Ladder {
			p, err := j.playerOf(h)
			if err != nil {
				return nil, err
			}
			d = p.Decider(refused.count)
		}
		if err := w.play(ctx, stage, h.Name, d, refused); err != nil {
			return nil, err
		}
	}
	return w, nil
}

func (j *job) playerOf(h *hand) (Player, error) {
	policy := h.Policy
	if policy == nil {
		policy = j.policy()
	}
	p, err := PlayerOf(h.Arm, policy, h.Bundle)
	if h.Known != nil {
		p.alive = lived(h.Known, policy.Horizon())
	}
	return p, err
}
