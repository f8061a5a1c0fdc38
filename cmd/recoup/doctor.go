package main

import (
	"context"

	"recoup/cmd/recoup/doctor"
)

type doctorCmd struct {
	Dir  string `required:"" placeholder:"D" help:"Folder that holds the event log (D/events)."`
	AsOf string `placeholder:"T" help:"What is known by T counts, nothing after it: a date (its start, UTC) or an RFC 3339 time. Default: all of the log, since this is a diagnosis and decides nothing."`
	JSON bool   `name:"json" help:"Print one JSON object."`
}

// Help is what doctor --help adds.
func (doctorCmd) Help() string {
	return `Example: recoup doctor --dir mylog

Reads the log and says what it can and cannot support: coverage, late and impossible times, reasons, cases, amounts, propensities, and how many rows each slice of a night would have. Findings come worst first (stop, warn, note, ok), each with why it matters and what to do; the last lines are the verdicts on training, the cure model, off-policy evaluation and a replay of the gate.

It exits 0 whatever it finds, unless the log cannot be read.`
}

func (c *doctorCmd) Run(ctx context.Context, e *env) error {
	cfg := doctor.Config{Dir: c.Dir}
	if c.AsOf != "" {
		t, err := parseAsOf("doctor", c.AsOf)
		if err != nil {
			return err
		}
		cfg.AsOf = t
	}
	if e.tty {
		cfg.Progress = stageProgress(e)
	}
	r, err := doctor.Run(ctx, cfg)
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(r)
	}
	return r.Print(e.stdout)
}
