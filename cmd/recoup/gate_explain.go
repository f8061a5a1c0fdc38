package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"recoup/data"
	"recoup/score"
)

type gateExplainCmd struct {
	Case string `arg:"" placeholder:"CASE.json" help:"The case: the body of /v1/decide. '-' reads standard input."`
	At   string `required:"" placeholder:"T" help:"Decision time, not before the case's as_of. RFC 3339."`
	policyFlags
}

// Help is what gate explain --help adds.
func (*gateExplainCmd) Help() string {
	return "Example: recoup gate explain case.json --at 2026-02-01T09:30:00+05:30\n\n" +
		"Each rule says what it sees: ok, no (an action is refused at any time), times (some times are refused), or silent (it has nothing to go by). " +
		"Below stands what remains, and by when a notice must be sent for it."
}

func (c *gateExplainCmd) Run(e *env) error {
	at, err := parseTime("gate explain", "--at", c.At)
	if err != nil {
		return err
	}
	p, err := c.find()
	if err != nil {
		return err
	}
	r, err := requestIn(c.Case)
	if err != nil {
		return err
	}
	f, err := r.Facts(at)
	if err != nil {
		return err
	}
	x := p.Explain(&f, at)
	x.Unchecked = append(x.Unchecked, r.Warnings...)
	if c.JSON {
		return e.printJSON(x)
	}
	return printExplanation(e.stdout, &x)
}

// requestIn reads a case file, or tells all its faults.
func requestIn(path string) (*score.Request, error) {
	body, err := readCase(path)
	if err != nil {
		return nil, err
	}
	r, faults := score.ParseRequest(body)
	if len(faults) == 0 {
		return r, nil
	}
	lines := make([]string, len(faults))
	for i, f := range faults {
		lines[i] = f.String()
	}
	return nil, data.Faultf(data.ErrContract, "gate explain: %s:\n  %s", path, strings.Join(lines, "\n  "))
}

// printExplanation writes an explanation for people, times in India's clock.
func printExplanation(w io.Writer, x *score.Explanation) error {
	f := &x.Facts
	fmt.Fprintf(w, "%s: %s rupees of %s on %s, at %s (India)\n", f.CaseID, f.Amount, f.CustomerID, f.Rail, indian(x.At))
	fmt.Fprintf(w, "  failed %s for %s, the latest of %d, known %s; policy %s\n\n", indian(f.LastFinal), cmp.Or(f.Reason.String(), "no reported reason"), f.Failures, indian(f.LastFailure), x.PolicyID)
	for _, a := range data.Actions()[1:] {
		fmt.Fprintf(w, "  %s: %s\n", a, inShort(x, a))
	}
	fmt.Fprint(w, "\nThe rules, in order:\n\n")
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i := range x.Rules {
		v := &x.Rules[i]
		fmt.Fprintf(tw, "  %s\t%s\t%s%s\n", standing(v), v.Rule, v.Says, refused(v))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if !slices.ContainsFunc(x.Allowed, func(c score.Choice) bool { return c.Action == data.Retry }) {
		return printNotes(w, x)
	}
	fmt.Fprint(w, "\nWhen a retry may be, and what it needs:\n\n")
	tw = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i := range x.Allowed {
		if c := &x.Allowed[i]; c.Action == data.Retry {
			fmt.Fprintf(tw, "  retry\t%s\t%s\n", indian(c.At), strings.Join(needs(c), ", "))
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	return printNotes(w, x)
}

func printNotes(w io.Writer, x *score.Explanation) error {
	if len(x.Unchecked) > 0 {
		fmt.Fprintln(w)
	}
	for _, n := range x.Unchecked {
		fmt.Fprintf(w, "note: %s\n", n)
	}
	return nil
}

// inShort is what may be done of an action, in a line.
func inShort(x *score.Explanation, a data.Action) string {
	n, first, last := 0, -1, -1
	for i := range x.Allowed {
		if x.Allowed[i].Action == a {
			if n++; first < 0 {
				first = i
			}
			last = i
		}
	}
	if n == 0 {
		for _, r := range x.Refusals {
			if r.Action == a {
				why := fmt.Sprintf("no. %s (%s)", r.Why, r.Rule)
				if r.Route != 0 {
					why += "; instead " + does(r.Route.Action(), r.Route)
				}
				return why
			}
		}
		return "no"
	}
	c := &x.Allowed[first]
	s := "yes"
	if c.Kind != 0 {
		s += ", as " + c.Kind.String()
	}
	switch {
	case c.At > x.At:
		s += ", from " + indian(c.At)
	case a != data.Escalate:
		s += ", now"
	}
	if n > 1 {
		s += fmt.Sprintf("; %d times until %s", n, indian(x.Allowed[last].At))
	}
	if need := needs(c); need != nil {
		s += "; the first needs " + strings.Join(need, " and ")
	}
	return s
}

// standing is the rule's verdict in a word.
func standing(v *score.Verdict) string {
	switch {
	case !v.InForce:
		return "not in force"
	case len(v.Actions) > 0:
		return "no"
	case len(v.Times) > 0:
		return "times"
	case v.Silent:
		return "silent"
	}
	return "ok"
}

// refused tells what a rule refuses, and what becomes of it.
func refused(v *score.Verdict) string {
	var out []string
	for _, a := range v.Actions {
		out = append(out, "no "+a.String())
	}
	for _, t := range v.Times {
		switch {
		case t.N == t.Of:
			out = append(out, fmt.Sprintf("no %s at any of %d times", t.Action, t.Of))
		case t.N == 1:
			out = append(out, fmt.Sprintf("no %s at %s", t.Action, indian(t.First)))
		default:
			out = append(out, fmt.Sprintf("no %s at %d of %d times, %s to %s", t.Action, t.N, t.Of, indian(t.First), indian(t.Last)))
		}
	}
	if out == nil {
		return ""
	}
	s := ": " + strings.Join(out, ", ")
	if v.Route != 0 {
		s += "; instead " + does(v.Route.Action(), v.Route)
	}
	return s
}

// needs is what must happen before a candidate.
func needs(c *score.Choice) (out []string) {
	if c.NoticeBy != 0 {
		out = append(out, "a notice by "+indian(c.NoticeBy))
	}
	if c.PollFrom != 0 {
		out = append(out, "a status check from "+indian(c.PollFrom)+" that says failed")
	}
	return out
}

// parseTime reads a time of a flag.
func parseTime(verb, flag, s string) (data.Micros, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return 0, data.Faultf(data.ErrUsage, "%s: %s %q: expected a time such as 2026-02-01T09:30:00+05:30", verb, flag, s)
	}
	return data.MicrosOf(t), nil
}
