package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"recoup/data"
	"recoup/data/sim"
)

type simulateCmd struct {
	Dir    string `required:"" placeholder:"D" help:"Folder of the event log; it must not hold one yet."`
	Cases  int    `required:"" placeholder:"N" help:"How many charges fail at their first attempt; those that succeed at once come on top, as history."`
	Seed   uint64 `required:"" placeholder:"S" help:"The world's seed: the same seed gives the same bytes."`
	Policy string `required:"" enum:"ladder,rules,uniform" placeholder:"P" help:"Who retries: ladder (a day after each failure, three times), rules (by the class of the reason), uniform (waiting and every legal slot alike)."`
	Months int    `default:"14" help:"Length of the log in months, the first two as warm-up."`
	Start  string `default:"2025-01-01" placeholder:"DATE" help:"First day of the log, in India."`
	Oracle string `placeholder:"D2" help:"Folder for the truth (p_true and outcome of every candidate, hazards of cure); apart from D."`
	JSON   bool   `help:"Print one JSON object."`
}

func (c *simulateCmd) Run(ctx context.Context, e *env) error {
	start, err := time.Parse(time.DateOnly, c.Start)
	if err != nil {
		return data.Faultf(data.ErrUsage, "simulate: --start %q: expected a date such as 2025-01-01", c.Start)
	}
	y, m, d := start.Date()
	cfg := sim.Config{Seed: c.Seed, Cases: c.Cases, Start: data.IST(y, m, d, 0, 0), Months: c.Months}
	all := sim.Behaviours()
	b := all[slices.IndexFunc(all, func(b sim.Behaviour) bool { return b.ID == c.Policy })] // kong checked the name
	done := func() {}
	if e.tty {
		cfg.Progress, done = progressOn(e.stderr, "cases")
	}
	s, err := sim.Write(ctx, cfg, b, c.Dir, c.Oracle)
	done()
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(s)
	}
	var t strings.Builder
	fmt.Fprintf(&t, "%s: %d cases of %d customers, from %s to %s\n", c.Dir, s.Cases, s.Customers, s.Start, s.End)
	fmt.Fprintf(&t, "%d charges, %.1f %% failed at first:", s.Charges, 100*s.FirstFailed)
	for _, r := range s.Reasons[:min(5, len(s.Reasons))] {
		fmt.Fprintf(&t, " %s %.1f %%,", r.Reason, 100*r.Share)
	}
	fmt.Fprintf(&t, " ...\n%d retries, %d captured; paid within 21 days: %.1f %% (retries %.1f %%, customers %.1f %%) of %d mature cases\n",
		s.Retries, s.Captured, 100*s.Recovery.All, 100*s.Recovery.ByRetry, 100*s.Recovery.ByCure, s.Recovery.Cases)
	if c.Oracle != "" {
		fmt.Fprintf(&t, "%s: the truth about %d candidates; nothing that learns may read it\n", c.Oracle, s.Rows.Candidates)
	}
	_, err = fmt.Fprint(e.stdout, t.String())
	return err
}
