package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"

	"recoup/api/report"
	"recoup/cmd/recoup/bracket"
	"recoup/data"
)

type opeBracketCmd struct {
	Dir    string `required:"" placeholder:"D" help:"Folder that holds the event log (D/events), with the registry (D/models) and the policy file where there are."`
	AsOf   string `name:"as-of" placeholder:"T" help:"What is known by T counts, nothing after it: a date (its start, UTC) or an RFC 3339 time. Default: all of the log."`
	From   string `placeholder:"T" help:"Cases decided first from T on. Default: where the test slices of the registered models begin, since models are not judged on what they learned from; all, where there is no model."`
	Oracle string `placeholder:"D2" help:"Folder of a simulation's truth: adds the oracle and the headroom captured."`
	Seed   uint64 `default:"1" help:"Seed of folds and bootstrap draws."`
	Draws  int    `default:"2000" help:"Bootstrap draws of whole customers behind every interval."`
	Out    string `placeholder:"DIR" help:"Also write DIR/ope.json, .md and .html, with pictures."`
	JSON   bool   `name:"json" help:"Print one JSON object: what ope.json holds."`
}

// Help is what ope --help adds.
func (opeBracketCmd) Help() string {
	return `Examples:

recoup ope --dir shop --out shop/ope

recoup ope --dir demo --oracle demo-oracle

Judges many policies on the decisions of one log: do nothing, retry everything, ladders, the rules, champion and challenger, with and without exploring. The live comparison of the randomised arms stands first: what was measured before what is estimated.

Each value is that of one decision by the policy and the rest as the log went on; policies as whole sequences stand in a section of their own. A red light means that the log cannot tell. A log in which nothing was left to chance gives the live comparison alone, and says so.`
}

func (c *opeBracketCmd) Run(ctx context.Context, e *env) error {
	cfg := bracket.Config{Dir: c.Dir, Oracle: c.Oracle, Aliases: true, Seed: c.Seed, Draws: c.Draws, Workers: runtime.GOMAXPROCS(0)}
	var err error
	if c.From != "" {
		if cfg.From, err = parseAsOf("ope", c.From); err != nil {
			return err
		}
	}
	if cfg.AsOf, err = c.asOf(); err != nil {
		return err
	}
	if e.tty {
		cfg.Progress = stageProgress(e)
	}
	b, err := bracket.Run(ctx, cfg)
	if err != nil {
		return err
	}
	if c.AsOf == "" {
		b.AsOfWhy = "the log's last event, as none was given"
	}
	var files []string
	if c.Out != "" {
		if files, err = bracket.Write(b, filepath.Join(c.Out, "ope")); err != nil {
			return err
		}
	}
	if c.JSON {
		return e.printJSON(b)
	}
	return printBracket(e.stdout, b, files)
}

// asOf is the given one, or the end of the log.
func (c *opeBracketCmd) asOf() (data.Micros, error) {
	if c.AsOf != "" {
		return parseAsOf("ope", c.AsOf)
	}
	if err := bracket.HasLog(c.Dir); err != nil {
		return 0, err
	}
	l, err := data.OpenLog(c.Dir)
	if err != nil {
		return 0, err
	}
	m := l.Manifest()
	last, ok := m.Last()
	if !ok {
		return 0, data.Faultf(data.ErrTooLittle, "ope: %s holds no event", c.Dir)
	}
	return last.KnownAt, nil
}

// printBracket says the most important things on a terminal.
func printBracket(out io.Writer, b *report.Bracket, files []string) error {
	var t strings.Builder
	asOfWhy := ""
	if b.AsOfWhy != "" {
		asOfWhy = " (" + b.AsOfWhy + ")"
	}
	fmt.Fprintf(&t, "%s cases of %s customers measured, as of %s%s; rupees a case, net of costs, 95 %% by customer.\n\nMeasured, arm by arm (each case in the arm that it was given, whoever answered):\n", report.Count(b.Decided.Measured), report.Count(b.Decided.MeasuredOf), b.AsOf, asOfWhy)
	if b.Live.NotAssessed != "" {
		fmt.Fprintf(&t, "  nothing: %s\n", b.Live.NotAssessed)
	}
	for _, a := range b.Live.Arms {
		fmt.Fprintf(&t, "  %-10s %7s cases, recovered %s, net %s%s\n", a.Arm, report.Count(a.Cases), a.Recovered.Percent(), a.Net.Text(), everyLook(a.NetAnytime))
	}
	for _, d := range b.Live.Differences {
		fmt.Fprintf(&t, "  %s less %s: net %s%s\n", d.Arm, d.Against, d.Net.Text(), everyLook(d.NetAnytime))
	}
	if b.NotAssessed != "" {
		fmt.Fprintf(&t, "\nNot estimated: %s.\n", b.NotAssessed)
	} else {
		fmt.Fprintf(&t, "\nEstimated from the first decisions of %s of these cases, of %s customers (%s):\n  %-22s %-9s %-28s %-28s %s\n", report.Count(b.Decided.Rows), report.Count(b.Decided.RowsOf), b.Estimand, "policy", "light", "net", "less the incumbent", "weights worth")
		for i := range b.Lines {
			l := &b.Lines[i]
			light, net, minus := l.Light, l.Net.Text(), l.Minus.Text()
			switch {
			case l.Measured:
				light, minus = "measured", ""
			case l.Alike == bracket.Incumbent:
				minus = "0: is the incumbent"
			case l.Light == "red":
				net, minus = "cannot tell", ""
			}
			fmt.Fprintf(&t, "  %-22s %-9s %-28s %-28s %.0f of %d\n", l.Policy, light, net, minus, l.ESS, l.N)
		}
		for i := range b.Lines {
			if l := &b.Lines[i]; l.Alike != "" {
				fmt.Fprintf(&t, "\n%s: %s.\n", l.Policy, report.AlikeSays(l.Alike))
			}
		}
		if b.Line(bracket.Oracle) != nil {
			fmt.Fprintf(&t, "\n%s.\n", report.OracleSays)
		}
	}
	for _, w := range b.Warnings {
		fmt.Fprintf(&t, "\nWarning: %s.\n", strings.TrimSuffix(w, "."))
	}
	if len(files) > 0 {
		fmt.Fprintf(&t, "\nReport: %s\n", strings.Join(files, ", "))
	}
	_, err := io.WriteString(out, t.String())
	return err
}

// everyLook is the interval that one may look at as often as one likes.
func everyLook(e report.Estimate) string {
	if e.Lo == nil {
		return ""
	}
	return fmt.Sprintf("; at every look %s to %s", report.Rupees(*e.Lo), report.Rupees(*e.Hi))
}
