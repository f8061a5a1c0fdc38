package experiment

import (
	"context"

	"recoup/cmd/recoup/worlds"
	"recoup/data/sim"
)

// Without is what an ablation's file holds: arms with one rule of the gate
// switched off, in one world.
type Without struct {
	Input string        `json:"input"`
	Seed  uint64        `json:"seed"`
	Rules []WithoutRule `json:"rules"` // in the policy's order
}

// WithoutRule is one rule switched off: the ladder inside the gate presses
// against every rule, the model takes what looks best.
type WithoutRule struct {
	Rule string     `json:"rule"`
	Arms []ArmWorld `json:"arms"` // control, model
}

// ablate plays a world without each rule in turn, beside the world as it was
// played with all of them.
func (j *job) ablate(ctx context.Context, seed uint64) (*Without, error) {
	base, err := worlds.Stored[World](j.path(j.normal.Name, seed), j.normal.input(&j.Config, seed))
	if err != nil {
		return nil, err
	}
	return j.ablateBeside(ctx, seed, base)
}

func (j *job) ablationInput(seed uint64) string { return j.input("ablation", j.model.id(), seed) }

// ablateBeside may take what an arm did with all rules for what it does without
// one: where the rule refused the arm nothing and moves no slot, every decision
// is the same. base may be nil: then everything is played.
func (j *job) ablateBeside(ctx context.Context, seed uint64, base *World) (*Without, error) {
	stage, err := sim.NewStage(ctx, j.world(seed, nil))
	if err != nil {
		return nil, err
	}
	out := &Without{Input: j.ablationInput(seed), Seed: seed}
	for _, rule := range j.policy().Rules() {
		p, err := j.policy().Without(rule.ID)
		if err != nil {
			return nil, err
		}
		w := &World{}
		for _, name := range []string{Control, Model} {
			if a := base.arm(name); a != nil && a.Refusals[rule.ID] == 0 && !j.policy().Moves(rule.ID) {
				w.Arms = append(w.Arms, *a)
				continue
			}
			player, err := PlayerOf(name, p, j.model.Bundle)
			if err != nil {
				return nil, err
			}
			refused := newRefusals()
			if err := w.play(ctx, stage, player.Name, player.Decider(refused.count), refused); err != nil {
				return nil, err
			}
		}
		out.Rules = append(out.Rules, WithoutRule{rule.ID, w.Arms})
	}
	return out, nil
}

// arm is an arm of a world; nil = it was not played.
func (w *World) arm(name string) *ArmWorld {
	if w == nil {
		return nil
	}
	for i := range w.Arms {
		if w.Arms[i].Arm == name {
			return &w.Arms[i]
		}
	}
	return nil
}
