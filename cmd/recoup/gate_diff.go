package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"recoup/data"
	"recoup/score"
)

type gateDiffCmd struct {
	Old  string `arg:"" placeholder:"OLD" help:"Policy file."`
	New  string `arg:"" placeholder:"NEW" help:"Policy file."`
	Dir  string `required:"" placeholder:"D" help:"Folder of the event log."`
	AsOf string `name:"as-of" placeholder:"T" help:"Failures known by then; without it all of the log. RFC 3339, or a date (its first instant in UTC)."`
	JSON bool   `name:"json" help:"Print one JSON object."`
}

// Help is what gate diff --help adds.
func (*gateDiffCmd) Help() string {
	return "Example: recoup gate --yaml > new.yaml; edit it; recoup gate diff policy.yaml new.yaml --dir shop\n\n" +
		"At each failure of the log that left a case owed, both policies are asked what they allow. That there are changes is no error: the exit code is 0."
}

func (c *gateDiffCmd) Run(ctx context.Context, e *env) error {
	before, err := score.LoadPolicy(c.Old)
	if err != nil {
		return err
	}
	after, err := score.LoadPolicy(c.New)
	if err != nil {
		return err
	}
	asOf := data.Cursor{KnownAt: math.MaxInt64, Seq: math.MaxInt64}
	if c.AsOf != "" {
		t, err := parseAsOf("gate diff", c.AsOf)
		if err != nil {
			return err
		}
		asOf = data.AsOf(t)
	}
	log, err := data.OpenLog(c.Dir)
	if err != nil {
		return err
	}
	var progress func(done, total int64)
	done := func() {}
	if e.tty {
		progress, done = progressOn(e.stderr, "gate diff")
	}
	d, err := score.DiffPolicies(ctx, log, before, after, asOf, progress)
	done()
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(d)
	}
	return printDiff(e.stdout, &d)
}

// printDiff writes a difference for people.
func printDiff(w io.Writer, d *score.PolicyDiff) error {
	fmt.Fprintf(w, "policy %s against %s: %d of %d decisions change\n", d.NewID, d.OldID, d.Changed, d.Decisions)
	if d.Changed == 0 {
		return nil
	}
	fmt.Fprintf(w, "  candidates newly refused: %d, newly allowed: %d, at times that the other does not consider: %d\n\n", d.Closed, d.Opened, d.Moved)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(d.Rules) > 0 {
		fmt.Fprintln(tw, "  rule\tdecisions\tnewly refused\tno longer refused")
	}
	for _, r := range d.Rules {
		fmt.Fprintf(tw, "  %s\t%d\t%d\t%d\n", r.Rule, r.Decisions, r.Closed, r.Opened)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nThe first of them:")
	for _, x := range d.Examples {
		who, why := "old", x.Rule
		if x.NewRefuses {
			who = "new"
		}
		if why == "" {
			why = "it does not consider that time"
		}
		fmt.Fprintf(w, "  %s at %s: %d candidates, now %d; %s at %s: the %s one says no, %s\n", x.CaseID, indian(x.At), x.Old, x.New, x.First.Action, indian(x.First.At), who, why)
	}
	return nil
}
