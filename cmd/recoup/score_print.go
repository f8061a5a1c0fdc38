package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"recoup/data"
	"recoup/score"
)

// shownCandidates is how many candidates a person gets; --json has all.
const shownCandidates = 12

// printDecision writes a decision for people, times in India's clock.
func printDecision(w io.Writer, d *score.Decision) error {
	var t strings.Builder
	c := &d.Allowed[d.Chosen]
	fmt.Fprintf(&t, "%s: %s", d.CaseID, does(c.Action, c.Kind))
	if c.At > d.AsOf.KnownAt {
		fmt.Fprintf(&t, " at %s", indian(c.At))
	}
	t.WriteString("\n")
	fmt.Fprintf(&t, "  %s rupees of %s on %s, as of %s\n", d.Amount, d.CustomerID, d.Rail, indian(d.AsOf.KnownAt))
	fmt.Fprintf(&t, "  failed for %s", cmp.Or(d.Reason.String(), "no reported reason"))
	if d.Class != 0 {
		fmt.Fprintf(&t, ", which is %s: %s", d.Class, d.Reason.Info().Rationale)
	}
	fmt.Fprintf(&t, "\n  decided by the %s arm (policy %s, model %s)\n", d.Arm, d.PolicyID, cmp.Or(d.ModelID, "none"))
	if d.RunnerUp >= 0 && d.Margin != nil {
		r := &d.Allowed[d.RunnerUp]
		fmt.Fprintf(&t, "  runner-up: %s at %s, %s rupees less\n", does(r.Action, r.Kind), indian(r.At), d.Margin)
	}
	t.WriteString("\n")
	if _, err := io.WriteString(w, t.String()); err != nil {
		return err
	}
	if err := printCandidates(w, d); err != nil {
		return err
	}
	for _, r := range refusedOnce(d.Refusals) {
		fmt.Fprintln(w, r)
	}
	for _, warning := range d.Warnings {
		fmt.Fprintf(w, "note: %s\n", warning)
	}
	return nil
}

// printCandidates lists the best candidates, and the chosen and waiting always.
func printCandidates(w io.Writer, d *score.Decision) error {
	order := make([]int, len(d.Allowed))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compareEV(&d.Allowed[a], &d.Allowed[b]) })
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "\taction\tat (IST)\tP(recover)\tover waiting\tcost\texpected value")
	left := 0
	for k, i := range order {
		c := &d.Allowed[i]
		if k >= shownCandidates && i != d.Chosen && c.Action != data.Wait {
			left++
			continue
		}
		mark := " "
		if i == d.Chosen {
			mark = "*"
		}
		ev := "-"
		if c.EV != nil {
			ev = c.EV.String()
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", mark, does(c.Action, c.Kind), indian(c.At), share(c.P), share(c.Uplift), c.Cost, ev)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if left > 0 {
		fmt.Fprintf(w, "  and %d more: --json has all\n", left)
	}
	return nil
}

// compareEV puts the highest expected value first, and what has none last.
func compareEV(a, b *score.Choice) int {
	switch {
	case a.EV == nil && b.EV == nil:
		return 0
	case a.EV == nil:
		return 1
	case b.EV == nil:
		return -1
	}
	return cmp.Compare(*b.EV, *a.EV)
}

// refusedOnce says each rule's refusals of an action in one line.
func refusedOnce(refusals []score.Refusal) (out []string) {
	for i := 0; i < len(refusals); {
		r, n := refusals[i], 0
		for ; i < len(refusals) && refusals[i].Rule == r.Rule && refusals[i].Action == r.Action; i++ {
			n++
		}
		line := fmt.Sprintf("refused: %s", r.Action)
		if r.At != 0 {
			line += fmt.Sprintf(" at %s", indian(r.At))
		}
		if n > 1 {
			line += fmt.Sprintf(" and %d more times", n-1)
		}
		line += fmt.Sprintf(" [%s]: %s", r.Rule, r.Why)
		if r.Route != 0 {
			line += fmt.Sprintf("; instead: %s", does(r.Route.Action(), r.Route))
		}
		out = append(out, line)
	}
	return out
}

func does(a data.Action, kind data.Route) string {
	if kind == 0 {
		return a.String()
	}
	return fmt.Sprintf("%s (%s)", a, kind)
}

func share(p *float64) string {
	if p == nil {
		return "-"
	}
	return strconv.FormatFloat(*p, 'f', 4, 64)
}

var ist = time.FixedZone("IST", int(data.ISTOffset/data.Second))

func indian(m data.Micros) string { return m.Time().In(ist).Format("Mon 2 Jan 2006 15:04") }

func describeBatch(s score.BatchSummary) string {
	var t strings.Builder
	fmt.Fprintf(&t, "as of %s: %d open cases decided, %s rupees owed\n", s.AsOf, s.Cases, s.Amount)
	for _, a := range s.Actions {
		if a.N > 0 {
			fmt.Fprintf(&t, "  %s: %d\n", a.Action, a.N)
		}
	}
	if s.ModelID != nil {
		fmt.Fprintf(&t, "expected value of it: %s rupees (model %s, policy %s); %d cases by rule\n", s.EV, *s.ModelID, s.PolicyID, s.ByRules)
	}
	if s.Unattended > 0 {
		fmt.Fprintf(&t, "people: %d cases got one, %d that asked had the next best: the day's capacity is spent\n", s.Escalated, s.Unattended)
	}
	if s.Refused > 0 {
		fmt.Fprintf(&t, "refused by the circuit breaker: %d\n", s.Refused)
	}
	if s.Stopped != nil {
		fmt.Fprintf(&t, "STOPPED after %d of %d cases, before %s: %s\n", s.Stopped.Done, s.Stopped.Of, s.Stopped.Case, s.Stopped.Why)
	}
	if s.PastHorizon > 0 {
		fmt.Fprintf(&t, "left out: %d open cases whose first failure is older than the horizon\n", s.PastHorizon)
	}
	if s.KnownAtAssumed {
		t.WriteString("known_at of some rows is an assumption: the mapping names no such column\n")
	}
	for _, w := range s.Warnings {
		fmt.Fprintf(&t, "note: %s\n", w)
	}
	for _, f := range s.Files {
		fmt.Fprintf(&t, "written: %s\n", f)
	}
	return t.String()
}
