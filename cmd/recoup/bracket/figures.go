package bracket

import (
	"math"

	"recoup/api/report"
	"recoup/ope"
)

// estimateOf is a figure of package ope as a report shows it: the interval by
// customers drawn again where there is one, else the normal one by customer. What the
// customers of a bank share in a week widens the former as it does the latter.
func estimateOf(f *ope.Figure, n int64) report.Estimate {
	switch {
	case f == nil:
		return report.Unknown("not computed")
	case f.Value == nil:
		return report.Unknown(string(f.Reason))
	}
	ci := f.DrawnCI()
	if ci == nil {
		ci = f.CI
	}
	if ci == nil {
		e := report.Number(*f.Value, n)
		e.Why = string(f.SEClusterReason)
		return e
	}
	return report.Ranged(*f.Value, ci[0], ci[1], n)
}

// numberOf is a number or why there is none.
func numberOf(v *float64, why ope.Reason, n int64) report.Estimate {
	if v == nil {
		return report.Unknown(string(why))
	}
	return report.Number(*v, n)
}

// logWeights counts rows by log10 of their weight: below -3, then in halves, above 3.
func logWeights(rows *ope.Rows) []int64 {
	out := make([]int64, 14)
	for i := range rows.Len() {
		w := rows.Target[rows.At(i)] / rows.Propensity[i]
		if w <= 0 {
			continue
		}
		out[min(13, max(0, int(math.Floor((math.Log10(w)+3)*2))+1))]++
	}
	return out
}
