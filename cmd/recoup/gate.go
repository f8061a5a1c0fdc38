package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"recoup/data"
	"recoup/score"
)

type gateCmd struct {
	Table   gateTableCmd   `cmd:"" default:"withargs" help:"Print the whole gate: rules in order, their numbers, the class table. This is what recoup gate alone does."`
	Explain gateExplainCmd `cmd:"" help:"Say of every rule, in order, what it makes of a case, and what remains."`
	Diff    gateDiffCmd    `cmd:"" help:"Replay a log under two policies, and show what changes."`
}

// Help is what gate --help adds.
func (*gateCmd) Help() string {
	return "Examples:\n\nrecoup gate\n\nrecoup gate explain case.json --at 2026-02-01T09:30:00+05:30\n\nrecoup gate diff old.yaml new.yaml --dir shop\n\n" +
		"The gate says what may be done about a failed payment, before any model is asked. Its numbers are dated rows of a policy file: " +
		"recoup gate --yaml > policy.yaml writes the one built in, to edit; D/policy.yaml or --policy takes its place."
}

// policyFlags name the policy.
type policyFlags struct {
	Policy string `placeholder:"P" help:"Policy file; by default D/policy.yaml, and the one built in where there is none."`
	Dir    string `placeholder:"D" help:"Folder whose policy.yaml is used."`
	JSON   bool   `name:"json" help:"Print one JSON object."`
}

func (f *policyFlags) find() (*score.Policy, error) { return score.FindPolicy(f.Policy, f.Dir) }

type gateTableCmd struct {
	policyFlags
	YAML bool `name:"yaml" help:"Print the policy file that is built in, to copy and edit."`
}

func (c *gateTableCmd) Run(e *env) error {
	if c.YAML {
		if c.Policy != "" || c.Dir != "" || c.JSON {
			return data.Faultf(data.ErrUsage, "gate: --yaml prints the policy that is built in, as it is: it goes with no other flag")
		}
		_, err := e.stdout.Write(score.DefaultText())
		return err
	}
	p, err := c.find()
	if err != nil {
		return err
	}
	t := p.Table()
	if c.JSON {
		return e.printJSON(t)
	}
	return printTable(e.stdout, &t)
}

// printTable writes the gate for people.
func printTable(w io.Writer, t *score.Table) error {
	fmt.Fprintf(w, "gate %s, policy %s of %s\n\n", t.Gate, t.PolicyID, t.Version)
	fmt.Fprintf(w, "Rules, in the order in which they are asked; the first that refuses is told. Dates and times of day are India's.\n\n")
	for i, r := range t.Rules {
		fmt.Fprintf(w, "%2d  %s%s\n    %s\n    refuses %s\n", i+1, r.ID, dates(r.From, r.To), r.Why, r.Refuses)
		if r.Route != "" {
			fmt.Fprintf(w, "    becomes %s\n", r.Route)
		}
		fmt.Fprintf(w, "    source: %s\n", r.Source)
	}
	fmt.Fprint(w, "\nRules after the gate, about what it allows.\n\n")
	for _, r := range t.After {
		fmt.Fprintf(w, "  %s\n    %s\n    refuses %s\n", r.ID, r.Why, r.Refuses)
		if r.Route != "" {
			fmt.Fprintf(w, "    becomes %s\n", r.Route)
		}
		fmt.Fprintf(w, "    source: %s\n", r.Source)
	}
	fmt.Fprint(w, "\nNumbers. Of the rows that hold, the last counts.\n\n")
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, n := range t.Numbers {
		fmt.Fprintf(tw, "  %s\t%s\t%d %s\t%s\t%s\n", n.ID, scope(n.Rail, n.Network, n.Category, n.Code, n.Reason), n.Value, n.Unit, strings.TrimSpace(dates(n.From, n.To)), n.Source)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprint(w, "\nCodes after which a card is not tried again.\n\n")
	for _, s := range t.Stops {
		fmt.Fprintf(w, "  %s%s%s%s\n    source: %s\n", s.Network, listed(" response", s.Response), listed(" advice", s.Advice), dates(s.From, s.To), s.Source)
	}
	fmt.Fprint(w, "\nHours without debits (retry) or messages (contact); what falls into them is moved to their end.\n\n")
	for _, x := range t.Windows {
		fmt.Fprintf(w, "  %s %s to %s%s%s\n    source: %s\n", x.What, x.At, x.Until, listed(" on", one(x.Rail)), dates(x.From, x.To), x.Source)
	}
	fmt.Fprint(w, "\nDays without clearing.\n\n")
	for _, h := range t.Holidays {
		fmt.Fprintf(w, "  %s: Sundays %t, Saturdays %v of the month%s%s\n    source: %s\n", h.Rail, h.Sundays, h.Saturdays, listed(", and", h.Days), dates(h.From, h.To), h.Source)
	}
	if err := printClasses(w, t); err != nil {
		return err
	}
	fmt.Fprint(w, "\nHow to read it, here and in --json.\n\n")
	for _, line := range t.Read {
		fmt.Fprintf(w, "  - %s\n", line)
	}
	return nil
}

// printClasses writes the class table with the reasons of each class.
func printClasses(w io.Writer, t *score.Table) error {
	fmt.Fprint(w, "\nClasses: what a failure allows, and what the rules arm does.\n\n")
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "  class\tretry\tpayment_link\tnudge\tescalate\tlink as\tnudge as\tinstead of a no\trules arm")
	for _, c := range t.Classes {
		fmt.Fprintf(tw, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", c.Class, c.Retry, c.Link, c.Nudge, c.Escalate, c.LinkKind, c.NudgeKind, cmp.Or(c.Instead, "-"), c.Arm)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprint(w, "\nReasons by class; in hours the least wait before a retry.\n")
	for _, c := range t.Classes {
		var reasons []string
		for _, r := range t.Reasons {
			if r.Class != c.Class && (r.Class != "" || c.Class != "NOT_REPORTED") {
				continue
			}
			name := cmp.Or(r.Reason, "(no reason)")
			if r.MinWait > 0 {
				name += fmt.Sprintf(" (%d h)", r.MinWait)
			}
			reasons = append(reasons, name)
		}
		fmt.Fprintf(w, "\n  %s: %s\n", c.Class, strings.Join(reasons, ", "))
	}
	return nil
}

// dates tells from when to when a row holds, where it has not always held.
func dates(from, to string) string {
	const always = "2000-01-01"
	switch {
	case to != "" && from <= always:
		return "  until before " + to
	case to != "":
		return "  from " + from + " until before " + to
	case from > always:
		return "  from " + from
	}
	return ""
}

func scope(words ...string) string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	if out == nil {
		return "all"
	}
	return strings.Join(out, " ")
}

func listed(what string, words []string) string {
	if len(words) == 0 {
		return ""
	}
	return what + " " + strings.Join(words, " ")
}

func one(word string) []string {
	if word == "" {
		return nil
	}
	return []string{word}
}
