package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"recoup/ope/bandit"
)

// banditProbs measures exact selection probabilities: a decision of a bandit waits for
// one such call.
func banditProbs(ctx context.Context, _ *bench) error {
	sets := []struct {
		name string
		arms []bandit.Arm
	}{
		{"six arms", []bandit.Arm{{Alpha: 1989, Beta: 21290}, {Alpha: 40, Beta: 474}, {Alpha: 64, Beta: 730}, {Alpha: 71, Beta: 818}, {Alpha: 52, Beta: 659}, {Alpha: 59, Beta: 718}}},
		{"sharp with flat, 1e7 trials", []bandit.Arm{{Alpha: 2e6, Beta: 8e6}, {Alpha: 3, Beta: 9}, {Alpha: 50, Beta: 200}}},
	}
	dice, many := rand.New(rand.NewPCG(1, 2)), []bandit.Arm{}
	for range 34 {
		many = append(many, bandit.Arm{Alpha: 1 + 500*dice.Float64(), Beta: 2000 + 9000*dice.Float64()})
	}
	sets = append(sets, struct {
		name string
		arms []bandit.Arm
	}{"34 arms", many})
	for _, s := range sets {
		if err := ctx.Err(); err != nil {
			return err
		}
		best, worst := time.Hour, 0.0
		for range 200 {
			start := time.Now()
			_, off, err := bandit.Best(s.arms)
			if err != nil {
				return err
			}
			best, worst = min(best, time.Since(start)), max(worst, off)
		}
		line("exact, "+s.name, best.Seconds(), 0, fmt.Sprintf("%.3f ms a call at best of 200; integrals sum to 1 within %.0e", best.Seconds()*1e3, worst))
	}
	return nil
}
