package main

import (
	"context"
	"fmt"
	"runtime"

	"recoup/cmd/recoup/selftest"
)

type opeSelftestCmd struct {
	Seeds     int    `required:"" placeholder:"N" help:"Simulated logs to judge; a verdict on coverage to the per cent needs 1,000."`
	Cases     int    `default:"5000" placeholder:"M" help:"Failed charges in each log."`
	Truth     int    `placeholder:"W" help:"Worlds of roll-outs that the truth is the mean of, for every policy; by default twice the logs, from 10 to as many as have 1,600,000 cases."`
	Sequences int    `placeholder:"Q" help:"Logs, and worlds of roll-outs, for policies over three attempts; by default as many as logs, 20 at most."`
	Learned   int    `placeholder:"L" help:"Logs, and worlds of roll-outs, of an explorer that learns from its own log; by default as many as logs, 200 at most."`
	Out       string `default:"selftest" placeholder:"DIR" help:"Folder of the files; what it holds already is not made again."`
	JSON      bool   `name:"json" help:"Print one JSON object."`
}

// Help is what ope selftest --help adds.
func (*opeSelftestCmd) Help() string {
	return "Examples:\n\nrecoup ope selftest --seeds 40\n\n" +
		"recoup ope selftest --seeds 1000 --out selftest\n\n" +
		"recoup ope selftest --seeds 200 --cases 20000 --out selftest\n\n" +
		"Makes logs of three pooled arms at the real gate, judges policies that are unlike them as recoup ope would, and counts how often the 95 % intervals hold what the policies are truly worth: the mean of fresh roll-outs in other worlds. " +
		"Each logged arm is estimated from the others, by week too, and a policy over three attempts is valued as a sequence and by its first decision alone. Logs whose explorer is a bandit that learns from them are judged by the usual interval and by the one that is made for adaptive logging.\n\n" +
		"A world that was done is not done again: a killed run goes on where it stopped, and comes to the same bytes; logs of another size in the same folder share the roll-outs. " +
		"The report is DIR/selftest-M.html, .md and .json; it says of each criterion whether it holds. That one does not hold is a finding, and no error."
}

func (c *opeSelftestCmd) Run(ctx context.Context, e *env) error {
	cfg := selftest.Of(c.Seeds, c.Cases)
	cfg.Dir, cfg.Workers = c.Out, runtime.GOMAXPROCS(0)
	for _, n := range []struct {
		flag int
		to   *int
	}{{c.Truth, &cfg.Truth}, {c.Sequences, &cfg.Sequences}, {c.Learned, &cfg.Learned}} {
		if n.flag != 0 {
			*n.to = n.flag
		}
	}
	if e.tty {
		cfg.Progress = stageProgress(e)
	}
	s, err := selftest.Run(ctx, cfg)
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(s)
	}
	_, err = fmt.Fprint(e.stdout, s)
	return err
}
