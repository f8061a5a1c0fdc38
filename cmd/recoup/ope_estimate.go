package main

import (
	"fmt"
	"math"

	"recoup/data"
	"recoup/ope"
)

type opeEstimateCmd struct {
	Rows      string    `required:"" placeholder:"F" help:"Table (CSV, JSONL, Parquet, Arrow): reward, action, propensity, e_<action>; and where there are, q_<action>, cluster, logger, b<k>_<action>; shared (what customers have in common, like a bank's outage) and batch (a logger that learned from this log: when it stood still). With episode and step: a sequence. With t_logged, t_eval, density: retry time as a number."`
	Gamma     float64   `default:"1" help:"Sequences: what a reward one step later counts, in [0, 1]."`
	Kernel    string    `placeholder:"K" help:"Times: gaussian, epanechnikov, triangular or cosine."`
	Bandwidth *float64  `placeholder:"h" help:"Times: how far from the wanted time a logged one still counts, in the unit of the times."`
	Level     float64   `default:"0.95" help:"Of the intervals."`
	Bootstrap *int      `placeholder:"N" help:"Rows: draw the clusters (rows, without a cluster column) N times for percentile intervals; 0 = none (default 1000)."`
	Seed      *uint64   `help:"Of the draws (default 1)."`
	Sweep     bool      `help:"Rows: also the value at every lambda and clip, and what two tuners would pick."`
	Factor    []float64 `placeholder:"G" help:"Rows: also what the value could be if every propensity were wrong by up to this factor either way; several with commas."`
	Range     string    `placeholder:"lo,hi" help:"Rows: also bounds that assume nothing but rewards in this range, and hold however often one looks."`
	JSON      bool      `name:"json" help:"Print one JSON object."`
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
	case c.draws() < 0 || c.draws() == 1:
		return data.Faultf(data.ErrUsage, "ope estimate: --bootstrap %d: 2 or more draws, or 0 for none", c.draws())
	case kind != ope.RowFile && (c.Sweep || len(c.Factor) > 0 || c.Range != ""):
		return data.Faultf(data.ErrUsage, "ope estimate: --sweep, --factor and --range go with a file of one decision a row")
	case kind != ope.RowFile && (c.Bootstrap != nil && *c.Bootstrap != 0 || c.Seed != nil):
		return data.Faultf(data.ErrUsage, "ope estimate: --bootstrap and --seed go with a file of one decision a row: nothing is drawn from episodes and times")
	case kind == ope.TimeFile && (c.Kernel == "" || c.Bandwidth == nil):
		return data.Faultf(data.ErrUsage, "ope estimate: %s has times: give --kernel and --bandwidth", c.Rows)
	case c.Bandwidth != nil && !(*c.Bandwidth > 0 && *c.Bandwidth <= math.MaxFloat64):
		return data.Faultf(data.ErrUsage, "ope estimate: --bandwidth %v: a number above 0, in the unit of the times", *c.Bandwidth)
	case kind != ope.TimeFile && c.Bandwidth != nil:
		return data.Faultf(data.ErrUsage, "ope estimate: --bandwidth goes with --kernel and a file of times")
	case kind != ope.EpisodeFile && c.Gamma != 1:
		return data.Faultf(data.ErrUsage, "ope estimate: --gamma goes with a file of episodes: %s has no columns episode and step", c.Rows)
	}
	return nil
}

// draws is how often the rows are drawn again.
func (c *opeEstimateCmd) draws() int {
	if c.Bootstrap == nil {
		return 1000
	}
	return *c.Bootstrap
}

// seed is that of the draws.
func (c *opeEstimateCmd) seed() uint64 {
	if c.Seed == nil {
		return 1
	}
	return *c.Seed
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
	out, err := ope.EstimateTimes(in, ope.Kernel(c.Kernel), *c.Bandwidth, c.Level)
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
	all, err := c.more(out)
	if err != nil {
		return fmt.Errorf("ope estimate: %s: %w", c.Rows, err)
	}
	if c.JSON {
		return e.printJSON(all)
	}
	if err := printEstimates(e.stdout, out); err != nil {
		return err
	}
	return printMore(e.stdout, all)
}

// Help is what ope estimate --help adds.
func (opeEstimateCmd) Help() string {
	return `Examples:

recoup ope estimate --rows log.csv

recoup ope estimate --rows log.parquet --sweep --factor 1.1,1.5 --range 0,1 --json

recoup ope estimate --rows steps.csv --gamma 0.95

recoup ope estimate --rows times.csv --kernel triangular --bandwidth 2

Each row is a decision that was taken and logged: reward, action, the propensity with which the logger took it, and e_<action>, the probability with which the policy to be judged would. Look at the light first: it says what the weights can carry, and red means that the log cannot tell, whatever the numbers below it say. Plain weighting (ipw, snipw) stands beside the doubly robust values; where they part, trust neither.

A bad value refuses the file by row and column, a number that cannot be computed is null with its reason. ope/EXAMPLE.md does it all on a public log.`
}
