package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"recoup/ope"
)

// printMore prints what was asked for beside the estimates, and the warnings.
func printMore(w io.Writer, r *opeEstimateResult) error {
	for _, name := range slices.Sorted(maps.Keys(r.Sweep)) {
		fmt.Fprintf(w, "%s at every lambda", name)
		if t, ok := r.Tuning[name]; ok {
			fmt.Fprintf(w, " (SLOPE would take %v, the bound of the squared error %v)", t.SLOPE.Lambda, t.MSEBound.Lambda)
		}
		fmt.Fprintln(w, ":")
		if err := printSweep(w, r.Sweep[name]); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Sensitivity)) {
		for _, s := range r.Sensitivity[name] {
			fmt.Fprintf(w, "%s, propensities wrong by up to %gx: %.6g to %.6g\n", name, s.Factor, s.Low, s.High)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Safe)) {
		s := r.Safe[name]
		if s == nil {
			continue
		}
		fmt.Fprintf(w, "%s, terms in %.6g to %.6g: ", name, s.Range[0], s.Range[1])
		if s.Bounds.Bernstein != nil {
			fmt.Fprintf(w, "empirical Bernstein %s; ", fromTo(s.Bounds.Bernstein))
		}
		fmt.Fprintf(w, "under peeking %.6g to %.6g\n", s.Sequence.Lower, s.Sequence.Upper)
	}
	for _, x := range r.Warnings {
		fmt.Fprintf(w, "note: %s: %s\n", x.Measure, x.Reason)
	}
	return nil
}

func printSweep(w io.Writer, swept []ope.Swept) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  lambda\tvalue\tinterval\tequal rows\trows changed")
	for _, s := range swept {
		if s.Figure.Value == nil {
			fmt.Fprintf(t, "  %v\tnull: %s\t\t\t\n", s.Lambda, s.Figure.Reason)
			continue
		}
		note := ""
		if s.NoOp {
			note = " (no effect)"
		}
		fmt.Fprintf(t, "  %v\t%.6g\t%s\t%.0f\t%d%s\n", s.Lambda, *s.Figure.Value, fromTo(s.Figure.CI), s.ESS, s.Clipped, note)
	}
	return t.Flush()
}
