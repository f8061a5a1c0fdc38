package main

import (
	"fmt"

	"recoup/data"
	"recoup/ope"
)

type opeEstimateCmd struct {
	Rows      string  `required:"" placeholder:"F" help:"Table (CSV, JSONL, Parquet, Arrow): reward, action, propensity, e_<action>; and where there are, q_<action>, cluster, logger, b<k>_<action>. With episode and step: a sequence. With t_logged, t_eval, density: retry time as a number."`
	Gamma     float64 `default:"1" help:"Sequences: what a reward one step later counts, in [0, 1]."`
	Kernel    string  `placeholder:"K" help:"Times: gaussian, epanechnikov, triangular or cosine."`
	Bandwidth float64 `placeholder:"h" help:"Times: how far from the wanted time a logged one still counts, in the unit of the times."`
	Level     float64 `default:"0.95" help:"Of the intervals."`
	JSON      bool    `name:"json" help:"Print one JSON object."`
}

// Run looks at the columns, and lets them decide what the file is.
func (c *opeEstimateCmd) Run(e *env) error {
	f, err := ope.Open(c.Rows)
	if err != nil {
		return err
	}
	kind := f.Kind()
	if c.Kernel != "" {
		kind = ope.TimeFile
	}
	if err := c.check(kind); err != nil {
		return err
	}
	switch kind {
	case ope.EpisodeFile:
		return c.episodes(e, f)
	case ope.TimeFile:
		return c.times(e, f)
	}
	return c.rows(e, f)
}

func (c *opeEstimateCmd) check(kind ope.FileKind) error {
	switch {
	case kind == ope.TimeFile && (c.Kernel == "" || c.Bandwidth == 0):
		return data.Faultf(data.ErrUsage, "ope estimate: %s has times: give --kernel and --bandwidth", c.Rows)
	case kind != ope.TimeFile && c.Bandwidth != 0:
		return data.Faultf(data.ErrUsage, "ope estimate: --bandwidth goes with --kernel and a file of times")
	case kind != ope.EpisodeFile && c.Gamma != 1:
		return data.Faultf(data.ErrUsage, "ope estimate: --gamma goes with a file of episodes: %s has no columns episode and step", c.Rows)
	}
	return nil
}

func (c *opeEstimateCmd) episodes(e *env, f *ope.File) error {
	in, err := f.Episodes()
	if err != nil {
		return err
	}
	out, err := ope.EstimateEpisodes(in, c.Gamma, c.Level)
	if err != nil {
		return fmt.Errorf("ope estimate: %s: %w", c.Rows, err)
	}
	if c.JSON {
		return e.printJSON(out)
	}
	return printSequence(e.stdout, out)
}

func (c *opeEstimateCmd) times(e *env, f *ope.File) error {
	in, err := f.Times()
	if err != nil {
		return err
	}
	out, err := ope.EstimateTimes(in, ope.Kernel(c.Kernel), c.Bandwidth, c.Level)
	if err != nil {
		return fmt.Errorf("ope estimate: %s: %w", c.Rows, err)
	}
	if c.JSON {
		return e.printJSON(out)
	}
	return printTimes(e.stdout, out)
}

func (c *opeEstimateCmd) rows(e *env, f *ope.File) error {
	in, err := f.Rows()
	if err != nil {
		return err
	}
	out, err := ope.Estimate(in, ope.Options{Level: c.Level})
	if err != nil {
		return fmt.Errorf("ope estimate: %s: %w", c.Rows, err)
	}
	if c.JSON {
		return e.printJSON(out)
	}
	return printEstimates(e.stdout, out)
}
