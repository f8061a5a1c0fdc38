package main

import (
	"cmp"
	"fmt"
	"slices"
	"text/tabwriter"

	"recoup/models/lightgbm"
)

// inspectedText is a LightGBM text file as the loader found it.
type inspectedText struct {
	lightgbm.Summary
	HostileRows int `json:"hostile_rows"` // on which the compiled form, the plain walk and leaves agreed
}

// inspectText checks a LightGBM text file and prints what it holds.
func (c *modelsInspectCmd) inspectText(e *env) error {
	l, err := loadText(c.Model)
	if err != nil {
		return err
	}
	r := inspectedText{Summary: l.Model.Summary(), HostileRows: l.Hostile}
	if c.JSON {
		return e.printJSON(r)
	}
	fmt.Fprintf(e.stdout, "LightGBM model %s: checked, and read alike by three readers on %d rows\n\n", r.SHA256, r.HostileRows)
	return printSummary(e, r.Summary)
}

// printSummary prints a model for people, its features by gain.
func printSummary(e *env, s lightgbm.Summary) error {
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "text\tversion v%d\n", s.Version)
	link := fmt.Sprintf("p = 1/(1+exp(-%v raw))", s.Sigmoid)
	if s.Average {
		link = fmt.Sprintf("p = 1/(1+exp(-%v raw/%d)): a random forest, raw is the sum", s.Sigmoid, s.Trees)
	}
	fmt.Fprintf(w, "objective\t%s, %s\n", s.Objective, link)
	fmt.Fprintf(w, "trees\t%d of %d leaves together, %d splits deep at most; %d of one leaf, %d linear\n", s.Trees, s.Leaves, s.Deepest, s.OneLeaf, s.LinearTrees)
	for _, v := range s.Warnings {
		fmt.Fprintf(w, "warning\t%s\n", v)
	}
	fmt.Fprintln(w, "\nfeature\tkind\tgain\tsplits\tmissing\ttraining data")
	features := slices.Clone(s.Features)
	slices.SortStableFunc(features, func(a, b lightgbm.FeatureSummary) int { return cmp.Compare(b.Gain, a.Gain) })
	for _, f := range features {
		fmt.Fprintf(w, "%s\t%s\t%.6g\t%d\t%s\t%s\n", quotedOdd(f.Name), f.Kind, f.Gain, f.Splits, f.Missing, cutShort(f.Range))
	}
	return w.Flush()
}

// cutShort keeps a line readable.
func cutShort(s string) string {
	const most = 48
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}
