package main

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"recoup/models"
)

// print writes a fit for people.
func (r *fitResult) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "rows\t%d, %d of weight > 0, %d positive\n", r.Rows, r.RowsUsed, r.Positives)
	fmt.Fprintf(w, "log loss\t%s in all, %s a unit of weight\n", short(r.NLL), short(r.NLL/r.WeightSum))
	penalty := "none"
	if r.L2 > 0 {
		penalty = fmt.Sprintf("%s on standardised coefficients", short(r.L2))
		if !r.Standardize {
			penalty = fmt.Sprintf("%s on raw coefficients", short(r.L2))
		}
	}
	fmt.Fprintf(w, "penalty\t%s\n", penalty)
	fmt.Fprintf(w, "search\t%d steps, gradient %.1e, condition %.3g\n\n", r.Iterations, r.GradInf, r.Condition)
	fmt.Fprintln(w, "column\tcoefficient\tstd. error\tper std. deviation")
	fmt.Fprintf(w, "(intercept)\t%s\n", short(r.Intercept))
	for _, c := range r.columns {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", c.name, short(c.coef), short(c.se), short(c.coef*c.sd))
	}
	for _, d := range r.Dropped {
		fmt.Fprintf(w, "%s\tleft out: %s\n", d.Column, d.Why)
	}
	if r.Platt != nil {
		fmt.Fprintf(w, "\nPlatt\ta %s, b %s on %d rows, %d positive\n", short(r.Platt.A), short(r.Platt.B), r.Calibration.N, r.Calibration.Positives)
	}
	for _, v := range r.Warnings {
		if r.Platt != nil {
			fmt.Fprintf(w, "warning\t%s: %s\n", v.Measure, v.Reason)
		}
	}
	if err := w.Flush(); err != nil || r.Test == nil {
		return err
	}
	fmt.Fprintln(out, "\nTest, as fitted")
	if err := printMetrics(out, &r.Test.Raw, nil); err != nil || r.Test.Calibrated == nil {
		return err
	}
	fmt.Fprintln(out, "\nTest, calibrated")
	return printMetrics(out, r.Test.Calibrated, nil)
}

// printMetrics writes measures for people, with their intervals where there are any.
func printMetrics(out io.Writer, m *models.Metrics, b *models.Intervals) error {
	if b == nil {
		b = &models.Intervals{}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, value, note string, ci *models.Interval) {
		if ci != nil {
			value += fmt.Sprintf(" [%s, %s]", short(ci[0]), short(ci[1]))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, value, note)
	}
	row("rows", strconv.Itoa(m.N), fmt.Sprintf("%d of weight 0 left out", m.ZeroWeight), nil)
	row("base rate", short(m.BaseRate), "", b.BaseRate)
	row("Brier", short(m.Brier), "mean squared error of p", b.Brier)
	row("skill", maybe(m.SkillTest), "1 - Brier / Brier of the base rate of these rows", nil)
	if m.SkillTrain != nil {
		row("skill, train rate", maybe(m.SkillTrain), "1 - Brier / Brier of the training rate", nil)
	}
	row("log loss", maybe(m.LogLoss), fmt.Sprintf("not clipped; %d rows within 1e-6 of 0 or 1", m.Outside1e6), b.LogLoss)
	row("ROC-AUC", maybe(m.AUC), "share of pairs in the right order", b.AUC)
	row("average precision", maybe(m.AveragePrecision), "of a useless score: the base rate", nil)
	row("calibration error", short(m.ECEMass), fmt.Sprintf("%d equal-count bins; a perfect forecast shows about %s", m.ECEMassBins, short(m.NoiseFloor)), b.ECEMass)
	row("", short(m.ECEWidth), fmt.Sprintf("%d equal-width bins", m.ECEWidthBins), nil)
	row("", short(m.CalL2), "root mean square, noise taken off", nil)
	row("largest bin gap", short(m.MCEMass), "", nil)
	row("slope", maybe(m.CoxSlope), "of logit p; 1 is right, below 1 too extreme", nil)
	row("in the large", maybe(m.CITL), "shift of logit p; 0 is right", nil)
	row("Spiegelhalter z", maybe(m.SpiegelZ), "p "+maybe(m.SpiegelP), nil)
	row("decomposition", fmt.Sprintf("%s - %s + %s", short(m.Reliability), short(m.Resolution), short(m.Uncertainty)), "reliability - resolution + uncertainty", nil)
	row("isotonic", fmt.Sprintf("%s - %s + %s", short(m.CorpMCB), short(m.CorpDSC), short(m.CorpUNC)), "miscalibration - discrimination + uncertainty", nil)
	for _, v := range append(m.Warnings, b.Warnings...) {
		row("not defined", v.Measure, v.Reason, nil)
	}
	if b.Draws > 0 {
		row("intervals", "95 %", fmt.Sprintf("%d draws of %d %ss, seed %d", b.Draws, b.Clusters, b.Unit, b.Seed), nil)
	}
	return w.Flush()
}

// short is a number for people.
func short(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

func maybe(v *float64) string {
	if v == nil {
		return "-"
	}
	return short(*v)
}
