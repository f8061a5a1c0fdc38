package main

import (
	"context"
	"fmt"
	"runtime"

	"recoup/cmd/recoup/compare"
)

type banditCompareCmd struct {
	Out      string    `default:"compare" placeholder:"DIR" help:"Folder of the files; what it holds already is not made again."`
	Seeds    int       `placeholder:"N" help:"Worlds at each shift; by default 40, with --quick 4."`
	Cases    int       `placeholder:"N" help:"Failed charges in each world; by default 1000, with --quick 400."`
	Tune     int       `placeholder:"N" help:"Failed charges in the world that all are tuned on; by default 12000, with --quick 5000."`
	First    uint64    `name:"first-seed" default:"1" placeholder:"S" help:"Seed of the first world at each shift; the others follow. The bandits' settings were chosen on 1001 and up."`
	Shifts   []float64 `placeholder:"S,..." help:"How far the worlds have moved, 0 to 1, ascending, 0 first; by default 0,0.2,0.4,0.6,0.8,1, with --quick 0,0.4,1."`
	Attempts int       `default:"1" placeholder:"N" help:"Retries that each hand may use on a case, 1 to 3."`
	Quick    bool      `help:"A small comparison: three shifts, four worlds each."`
	JSON     bool      `name:"json" help:"Print one JSON object."`
}

// Help is what bandit compare --help adds.
func (*banditCompareCmd) Help() string {
	return "Examples:\n\nrecoup bandit compare --quick\n\nrecoup bandit compare --seeds 40 --out bandits --json\n\nrecoup bandit compare --seeds 20 --first-seed 2001 --attempts 3 --out other\n\n" +
		"A fixed ladder, hand rules tuned on a 6 h grid over 14 days, bandits, the trained model and an oracle choose when to retry, " +
		"in simulated worlds that are 0 to 1 away from the one that all of them were tuned on, with the same cases and dice.\n\n" +
		"Four Beta-Bernoulli Thompson bandits show what decides whether learning pays: a flat one with many contexts and nothing known; one whose arms are parts of the month and whose contexts share strength; " +
		"one with two arms only, the tuned rules and the customer's own pay day; and that one without what the world before showed. A logistic one corrects the model.\n\n" +
		"Each difference to the tuned rules is given twice: by what was paid, and by the true chances of the slots that were chosen, which only a simulation knows and which is some three times sharper. " +
		"The report says at which shift each bandit crosses the rules, by the mean and for sure, from which month on it is ahead, and what learning costs meanwhile. " +
		"Two hands tell why: the rules on the own pay day (knowledge without a bandit) and the rules tuned anew in the moved world (the most that contexts like theirs can teach).\n\n" +
		"A killed run goes on where it stopped, and comes to the same bytes. The report is DIR/report.html, .md and .json."
}

func (c *banditCompareCmd) Run(ctx context.Context, e *env) error {
	cfg := compare.Full()
	if c.Quick {
		cfg = compare.Quick()
	}
	cfg.Dir, cfg.First, cfg.Attempts, cfg.Workers = c.Out, c.First, c.Attempts, runtime.GOMAXPROCS(0)
	for _, n := range []struct {
		flag int
		to   *int
	}{{c.Seeds, &cfg.Seeds}, {c.Cases, &cfg.Cases}, {c.Tune, &cfg.TuneCases}} {
		if n.flag != 0 {
			*n.to = n.flag
		}
	}
	if len(c.Shifts) > 0 {
		cfg.Shifts = c.Shifts
	}
	if e.tty {
		cfg.Progress = stageProgress(e)
	}
	s, err := compare.Run(ctx, cfg)
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(s)
	}
	_, err = fmt.Fprint(e.stdout, s)
	return err
}
