package main

import (
	"context"
	"fmt"

	"recoup/data"
	"recoup/models"
)

type evaluateCmd struct {
	Scores  string `placeholder:"F" help:"Table with p (in [0, 1]) and y (0 or 1), and perhaps weight (>= 0) and cluster (text)."`
	Model   string `placeholder:"M" help:"Instead of --scores: a registered model that scores --rows first: its folder, or with --dir its id, the first digits of it, or champion, challenger, previous."`
	Dir     string `placeholder:"D" help:"With --model: directory whose registry (D/models) holds it."`
	Rows    string `placeholder:"F" help:"With --model: table of rows to score and judge; columns are found by name."`
	Target  string `placeholder:"y" help:"With --model: the column of what came of each row, 0 or 1."`
	Weight  string `placeholder:"w" help:"With --model: a column of weights (>= 0)."`
	Cluster string `placeholder:"c" help:"With --model: the column of whole customers (or the like) that the bootstrap draws."`
	Part    string `enum:"attempt,cure" default:"attempt" help:"With --model: which of its two models: attempt (P of capture) or cure (hazard of the day)."`
	Bins    int    `default:"10" help:"Bins of the calibration error."`
	JSON    bool   `name:"json" help:"Print one JSON object."`
}

// evaluateResult is what evaluate prints.
type evaluateResult struct {
	Model *models.ID `json:"model,omitempty"` // of --model
	Part  string     `json:"part,omitempty"`
	models.Metrics
	Clusters  *int              `json:"n_clusters,omitempty"`
	Intervals *models.Intervals `json:"intervals"`
}

func (c *evaluateCmd) Run(ctx context.Context, e *env) error {
	if err := c.check(); err != nil {
		return err
	}
	var r evaluateResult
	s, path, err := c.read(ctx, &r)
	if err != nil {
		return err
	}
	if r.Metrics, err = (models.MetricOptions{Bins: c.Bins}).Evaluate(s.p, s.y, s.w); err != nil {
		return fmt.Errorf("evaluate: %s: %w", path, err)
	}
	boot, err := models.Bootstrap{Bins: c.Bins, Cluster: s.cluster}.Intervals(s.p, s.y, s.w)
	if err != nil {
		return fmt.Errorf("evaluate: %s: %w", path, err)
	}
	r.Intervals = &boot
	if s.cluster != nil {
		r.Clusters = &boot.Clusters
	}
	if c.JSON {
		return e.printJSON(r)
	}
	if r.Model != nil {
		fmt.Fprintf(e.stdout, "model %s (%s)\n", *r.Model, r.Part)
	}
	return printMetrics(e.stdout, &r.Metrics, &boot)
}

func (c *evaluateCmd) check() error {
	switch {
	case c.Bins < 1:
		return data.Faultf(data.ErrUsage, "evaluate: --bins %d: 1 or more", c.Bins)
	case c.Scores != "" && c.Model != "":
		return data.Faultf(data.ErrUsage, "evaluate: --scores and --model exclude each other: scores that are there, or a model that makes them")
	case c.Scores == "" && c.Model == "":
		return data.Faultf(data.ErrUsage, "evaluate: nothing to judge: give --scores F, or --model M --rows F --target y")
	case c.Scores != "":
		for _, f := range []struct{ name, value string }{{"dir", c.Dir}, {"rows", c.Rows}, {"target", c.Target}, {"weight", c.Weight}, {"cluster", c.Cluster}} {
			if f.value != "" {
				return data.Faultf(data.ErrUsage, "evaluate: --%s goes with --model: a file of scores has its columns p, y, weight and cluster", f.name)
			}
		}
		if c.Part != "attempt" {
			return data.Faultf(data.ErrUsage, "evaluate: --part goes with --model")
		}
	case c.Rows == "" || c.Target == "":
		return data.Faultf(data.ErrUsage, "evaluate: --model %s needs --rows F and --target y: what is scored, and the column of what came of it", c.Model)
	}
	return nil
}

// read gets the scores of a file, or has a model make them.
func (c *evaluateCmd) read(ctx context.Context, r *evaluateResult) (s *scoreFile, path string, err error) {
	if c.Scores != "" {
		s, err = readScores(c.Scores)
		return s, c.Scores, err
	}
	b, err := loadModel("evaluate", c.Model, c.Dir)
	if err != nil {
		return nil, "", err
	}
	m, also, err := scorer("evaluate", b, c.Part)
	if err != nil {
		return nil, "", err
	}
	for _, in := range m.Inputs() {
		if in.Name == c.Target {
			return nil, "", data.Faultf(data.ErrUsage, "evaluate: --target %s: the model reads that column: it is no outcome", c.Target)
		}
	}
	r.Model, r.Part = &b.ID, c.Part
	if s, err = readOutcomes(c.Rows, c.Target, c.Weight, c.Cluster); err != nil {
		return nil, "", err
	}
	if _, s.p, err = m.ScoreFile(ctx, c.Rows, append(also, c.Target, c.Weight, c.Cluster)); err != nil {
		return nil, "", fmt.Errorf("evaluate: %w", err)
	}
	return s, c.Rows, nil
}
