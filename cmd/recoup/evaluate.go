package main

import (
	"context"
	"fmt"

	"recoup/data"
	"recoup/data/table"
	"recoup/models"
)

type evaluateCmd struct {
	Scores string `required:"" placeholder:"F" help:"Table with p (in [0, 1]) and y (0 or 1), and perhaps weight (>= 0) and cluster (text)."`
	Bins   int    `default:"10" help:"Bins of the calibration error."`
	JSON   bool   `name:"json" help:"Print one JSON object."`
}

// evaluateResult is what evaluate prints.
type evaluateResult struct {
	models.Metrics
	Clusters  *int              `json:"n_clusters,omitempty"`
	Intervals *models.Intervals `json:"intervals"`
}

func (c *evaluateCmd) Run(ctx context.Context, e *env) error {
	if c.Bins < 1 {
		return data.Faultf(data.ErrUsage, "evaluate: --bins %d: 1 or more", c.Bins)
	}
	s, err := c.read()
	if err != nil {
		return err
	}
	var r evaluateResult
	if r.Metrics, err = (models.MetricOptions{Bins: c.Bins}).Evaluate(s.p, s.y, s.w); err != nil {
		return fmt.Errorf("evaluate: %s: %w", c.Scores, err)
	}
	boot, err := models.Bootstrap{Bins: c.Bins, Cluster: s.cluster}.Intervals(s.p, s.y, s.w)
	if err != nil {
		return fmt.Errorf("evaluate: %s: %w", c.Scores, err)
	}
	r.Intervals = &boot
	if s.cluster != nil {
		r.Clusters = &boot.Clusters
	}
	if c.JSON {
		return e.printJSON(r)
	}
	return printMetrics(e.stdout, &r.Metrics, &boot)
}

// scoreFile is a file of scores in memory.
type scoreFile struct {
	p, y, w []float64
	cluster []int // nil = none given
}

func (c *evaluateCmd) read() (*scoreFile, error) {
	f, err := table.Open(c.Scores, table.Options{})
	if err != nil {
		return nil, err
	}
	want := []data.Column{{Name: "p", Kind: data.Float64}, {Name: "y", Kind: data.Float64}}
	have := map[string]bool{}
	for _, col := range f.Columns() {
		have[col.Name] = true
	}
	if have["weight"] {
		want = append(want, data.Column{Name: "weight", Kind: data.Float64})
	}
	if have["cluster"] {
		for _, col := range f.Columns() {
			if col.Name == "cluster" {
				want = append(want, data.Column{Name: "cluster", Kind: col.Kind})
			}
		}
	}
	s, ids := &scoreFile{}, map[string]int{}
	for frame, err := range f.FramesAs(want...) {
		if err == nil {
			err = s.add(frame, have["weight"], have["cluster"], ids)
		}
		if err != nil {
			return nil, fmt.Errorf("evaluate: %s: %w", c.Scores, err)
		}
	}
	if len(s.p) == 0 {
		return nil, data.Faultf(data.ErrTooLittle, "evaluate: %s: no rows", c.Scores)
	}
	return s, nil
}

func (s *scoreFile) add(f *data.Frame, weight, cluster bool, ids map[string]int) error {
	p, err := models.Numbers(f, "p")
	if err != nil {
		return err
	}
	for i, v := range p {
		if v < 0 || v > 1 {
			return data.Faultf(data.ErrContract, "column p, %s: %v is outside [0, 1]", models.Where(f, i), v)
		}
	}
	y, err := models.Target(f, "y")
	if err != nil {
		return err
	}
	s.p, s.y = append(s.p, p...), append(s.y, y...)
	if weight {
		w, err := models.Weights(f, "weight")
		if err != nil {
			return err
		}
		s.w = append(s.w, w...)
	}
	if !cluster {
		return nil
	}
	names, err := models.Labels(f, "cluster")
	if err != nil {
		return err
	}
	for _, name := range names {
		k, ok := ids[name]
		if !ok {
			k = len(ids)
			ids[name] = k
		}
		s.cluster = append(s.cluster, k)
	}
	return nil
}
