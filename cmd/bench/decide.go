package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"recoup/data"
	"recoup/features"
	"recoup/models"
	"recoup/score"
)

// deciding measures the way of one decision in this process: the gate over all
// slots beside all of it, on the grid of 57 slots, with the champion of a small
// night. The gate alone is an engine without a model.
func deciding(ctx context.Context, b *bench) error {
	dir := filepath.Join(b.dir, "decide")
	for _, args := range [][]string{
		{"simulate", "--dir", dir, "--cases", "3000", "--seed", "1", "--policy", "uniform", "--json"},
		{"nightly", "--dir", dir, "--as-of", "2026-03-01", "--json"},
	} {
		var out any
		if _, err := measure(ctx, &out, b.recoup, args...); err != nil {
			return err
		}
	}
	r, err := models.OpenRegistry(filepath.Join(dir, "models"))
	if err != nil {
		return err
	}
	bundle, err := r.Load(models.Champion)
	if err != nil {
		return err
	}
	log, err := data.OpenLog(dir)
	if err != nil {
		return err
	}
	at := data.IST(2026, 2, 10, 9, 30)
	states, err := features.FoldLog(ctx, log, data.AsOf(at), 1, nil)
	if err != nil {
		return err
	}
	cases := states[0].OpenCases()
	for _, e := range []struct {
		name  string
		model *models.Bundle
	}{{"gate and rules arm", nil}, {"the whole way, logistic model", bundle}} {
		engine, err := score.New(score.Default(), e.model)
		if err != nil {
			return err
		}
		if err := decideEach(e.name, engine, states[0], cases, at); err != nil {
			return err
		}
	}
	return nil
}

// decideEach decides every open case that has a retry some times over and prints
// the median and the 95th percentile of a decision.
func decideEach(name string, e *score.Engine, s *features.State, cases []string, at data.Micros) error {
	var took []time.Duration
	slots := 0
	for round := range 6 {
		for _, id := range cases {
			start := time.Now()
			d, err := e.Decide(s, id, at)
			if err != nil {
				return err
			}
			if round > 0 && len(d.Allowed) >= 57 { // the first round warms the caches
				took, slots = append(took, time.Since(start)), slots+len(d.Allowed)
			}
		}
	}
	if len(took) == 0 {
		return fmt.Errorf("no open case has 57 slots")
	}
	slices.Sort(took)
	fmt.Printf("  %-34s %8.1f us median, %.1f us 95th percentile; %d decisions, %d candidates each\n", name,
		micros(took[len(took)/2]), micros(took[len(took)*95/100]), len(took), slots/len(took))
	return nil
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }
