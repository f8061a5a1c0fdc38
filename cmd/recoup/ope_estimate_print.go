package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"recoup/ope"
)

// printEstimates prints what the weights can carry before what was estimated.
func printEstimates(w io.Writer, r *ope.Result) error {
	fmt.Fprintf(w, "%d rows%s, %d actions, mean reward %.6g\n", r.N, clustersOf(r.Clusters), len(r.Actions), r.MeanReward)
	f := &r.Weights
	fmt.Fprintf(w, "weights: worth %.0f equal rows (%.1f %%), mean %.4g%s, largest %.4g (%.1f %% of the sum), %d rows matched\n",
		f.ESS, 100*f.ESSFraction, f.Mean, zOf(f), f.Max, 100*f.MaxShare, f.Matched)
	if f.UnsupportedMass > 0 {
		why := "no logger could take"
		if f.UnsupportedByRow == nil { // what the loggers could have done is not known
			why = "were never logged"
		}
		fmt.Fprintf(w, "unsupported: %.2f %% of what the target does is on actions that %s\n", 100*f.UnsupportedMass, why)
	}
	if len(f.NeverLogged) > 0 {
		fmt.Fprintf(w, "never logged: %s\n", quotedOdds(f.NeverLogged))
	}
	printLight(w, r.Light)
	fmt.Fprintf(w, "value of %s:\n", r.Estimand)
	if err := printFigures(w, r.Estimators, r.Level); err != nil {
		return err
	}
	if len(r.MinusMeanReward) > 0 {
		fmt.Fprintln(w, "less the logged mean reward, paired:")
		if err := printFigures(w, r.MinusMeanReward, r.Level); err != nil {
			return err
		}
	}
	if a := r.Adaptive; a != nil {
		fmt.Fprintf(w, "the logger learned from this log, %d times; weighted by how steady it was (Zhan et al. 2021), the interval stays valid:\n", a.Batches-1)
		if err := printFigures(w, ope.Estimates{a.DR}, r.Level); err != nil {
			return err
		}
	}
	if r.Pooled == nil {
		return nil
	}
	fmt.Fprintln(w, "loggers pooled:")
	var all ope.Estimates
	for _, p := range []struct {
		name string
		pool ope.Pool
	}{{"naive", r.Pooled.Naive}, {"balanced", r.Pooled.Balanced}, {"weighted", r.Pooled.Weighted}} {
		for _, x := range []ope.PoolFigure{p.pool.IPW, p.pool.DR} {
			x.Name = p.name + " " + x.Name
			all = append(all, x.Figure)
		}
	}
	return printFigures(w, all, r.Level)
}

func printSequence(w io.Writer, s *ope.Sequence) error {
	fmt.Fprintf(w, "%d episodes of up to %d steps%s, mean return %.6g at gamma %v\n", s.N, s.Horizon, clustersOf(s.Clusters), s.MeanReturn, s.Gamma)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "step\trunning\tequal episodes\tmean weight\tlargest")
	for _, x := range s.Steps {
		fmt.Fprintf(t, "%d\t%d\t%.1f\t%.4g\t%.4g\n", x.Step, x.Active, x.ESS, x.Mean, x.Max)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	printLight(w, s.Light)
	fmt.Fprintf(w, "value of %s:\n", s.Estimand)
	return printFigures(w, s.Estimators, s.Level)
}

func printTimes(w io.Writer, r *ope.KernelResult) error {
	fmt.Fprintf(w, "%d rows%s, mean reward %.6g; %s kernel, bandwidth %v%s\n", r.N, clustersOf(r.Clusters), r.MeanReward, r.Kernel, r.Bandwidth, boundaryOf(r.Boundary))
	f := r.Weights
	fmt.Fprintf(w, "weights: worth %.0f equal rows, mean %.4g, largest %.4g, %d rows near enough\n", f.ESS, f.Mean, f.Max, f.Matched)
	printLight(w, r.Light)
	fmt.Fprintf(w, "value of %s:\n", r.Estimand)
	return printFigures(w, r.Estimators, r.Level)
}

func boundaryOf(corrected bool) string {
	if corrected {
		return ", corrected at the ends of each row's window"
	}
	return "; the ends of what could be taken are not known (t_from, t_to), so that kipw is low near them"
}

func clustersOf(n *int) string {
	if n == nil {
		return ""
	}
	return fmt.Sprintf(" of %d clusters", *n)
}

func zOf(f *ope.Weights) string {
	if f.MeanZ == nil {
		return fmt.Sprintf(" (%s)", f.MeanZReason)
	}
	return fmt.Sprintf(" (z %.2f)", *f.MeanZ)
}

func printLight(w io.Writer, l ope.Light) {
	var why []string
	for _, s := range append(append([]ope.Signal{}, l.Red...), l.Amber...) {
		why = append(why, string(s))
	}
	text := string(l.Level)
	if len(why) > 0 {
		text += ": " + strings.Join(why, ", ")
	}
	if l.Level == ope.Red {
		text += "; the log cannot tell"
	}
	fmt.Fprintf(w, "light: %s\n", text)
}

// printFigures prints a table; what is null is its reason.
func printFigures(w io.Writer, all ope.Estimates, level float64) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	by := "se by cluster"
	if slices.ContainsFunc(all, func(x ope.Figure) bool { return x.SEShared != nil }) {
		by = "se by cluster and what they share"
	}
	fmt.Fprintf(t, "  estimator\tvalue\tse\t%s\t%g %% interval\tby draws\n", by, 100*level)
	for _, x := range all {
		if x.Value == nil {
			fmt.Fprintf(t, "  %s\tnull: %s\t\t\t\t\n", x.Name, x.Reason)
			continue
		}
		fmt.Fprintf(t, "  %s\t%.6g\t%s\t%s\t%s\t%s\n", x.Name, *x.Value, orReason(x.SE, x.SEReason),
			orReason(cmp.Or(x.SEShared, x.SECluster), x.SEClusterReason), fromTo(x.CI), fromTo(x.DrawnCI()))
	}
	return t.Flush()
}

func orReason(v *float64, why ope.Reason) string {
	if v == nil {
		return string(why)
	}
	return fmt.Sprintf("%.4g", *v)
}

func fromTo(ci *ope.Interval) string {
	if ci == nil {
		return "-"
	}
	return fmt.Sprintf("%.6g to %.6g", ci[0], ci[1])
}
