package ope

import (
	"fmt"
	"slices"
)

// Warning is something about a number that its reader should know.
type Warning struct {
	Measure string `json:"measure"` // as the JSON names it
	Reason  string `json:"reason"`
}

// nulls names what could not be computed.
func nulls(prefix string, all Estimates) []Warning {
	out := []Warning{}
	for _, f := range all {
		name := prefix + f.Name
		switch {
		case f.Value == nil && f.Step > 0:
			out = append(out, Warning{name, fmt.Sprintf("%s from step %d on", f.Reason, f.Step)})
		case f.Value == nil:
			out = append(out, Warning{name, string(f.Reason)})
		case f.SE == nil:
			out = append(out, Warning{name + ".se", string(f.SEReason)})
		}
		if f.Value != nil && f.SECluster == nil && f.SEClusterReason == OneCluster {
			out = append(out, Warning{name + ".se_cluster", string(f.SEClusterReason)})
		}
	}
	return out
}

// warnings are what the reader of a result should know beside the light.
func (r *Result) warnings(methods []Method) []Warning {
	out := nulls("estimators.", r.Estimators)
	if r.Weights.MeanZReason != "" {
		out = append(out, Warning{"weights.mean_weight_z", string(r.Weights.MeanZReason)})
	}
	if m := r.Weights.UnsupportedByRow; m != nil && *m > 0 {
		out = append(out, Warning{"weights.unsupported_mass_row", fmt.Sprintf("%.4g of what the target does is on actions that no logger could take in those rows: no estimate knows what comes of it", *m)})
	}
	if r.base.rows.Shared != nil && r.base.rows.Cluster == nil {
		out = append(out, Warning{"shared", "not used: without a cluster column nothing says which rows are one customer's"})
	}
	if a := r.Adaptive; a != nil {
		out = append(out, nulls("adaptive.", Estimates{a.DR})...)
		out = append(out, Warning{"adaptive", fmt.Sprintf("the logger learned from this log, %d times: the interval that stays valid then is that of adaptive.dr", a.Batches-1)})
	}
	if p := r.Pooled; p != nil {
		for _, x := range []struct {
			name string
			pool Pool
		}{{"naive", p.Naive}, {"balanced", p.Balanced}, {"weighted", p.Weighted}} {
			out = append(out, nulls("pooled."+x.name+".", Estimates{x.pool.IPW.Figure, x.pool.DR.Figure})...)
		}
	}
	low, high := slices.Min(r.base.rows.Reward), slices.Max(r.base.rows.Reward)
	for i, m := range methods {
		f := r.Estimators[i]
		if f.Value != nil && (*f.Value < low || *f.Value > high) {
			out = append(out, Warning{"estimators." + f.Name, fmt.Sprintf("outside the rewards seen, %v to %v: right only where rewards beyond them exist", low, high)})
		}
		if f.Value != nil && m.Shape == Clip && r.Weights.Max <= m.Lambda {
			out = append(out, Warning{"estimators." + f.Name, fmt.Sprintf("no weight is above %v: clipping changes nothing", m.Lambda)})
		}
	}
	return out
}
