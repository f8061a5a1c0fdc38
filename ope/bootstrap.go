package ope

import (
	"fmt"
	"math"
	"slices"

	"recoup/data"
)

// Bootstrap draws whole clusters again, with replacement, as many as there are
// (Efron 1979; Field and Welsh 2007 for clusters). Every normaliser and the number of
// rows are computed anew in each draw. Rows without clusters are drawn one by one.
type Bootstrap struct {
	Draws int     // B >= 2, e.g. 10,000
	Seed  uint64  // the same seed draws the same clusters: results on the same rows can be paired
	Level float64 // of the intervals, in (0, 1); 0 = 0.95
}

// Draws are the estimates of each draw.
type Draws struct {
	Names  []string    // the methods that have a value, and mean_reward
	Values [][]float64 // per name, [Draws]; NaN in a draw where its weights are all 0

	options Bootstrap
	groups  int
}

// meanReward is the name under which draws hold the logged mean.
const meanReward = "mean_reward"

// Bootstrap draws and sets CIBootstrap of the result's estimators and of their
// differences to the logged mean: percentiles of the draws.
func (r *Result) Bootstrap(o Bootstrap) (*Draws, error) {
	if o.Level == 0 {
		o.Level = 0.95
	}
	switch {
	case o.Draws < 2:
		return nil, data.Faultf(data.ErrUsage, "ope: bootstrap: %d draws: 2 or more", o.Draws)
	case !(o.Level > 0 && o.Level < 1):
		return nil, data.Faultf(data.ErrUsage, "ope: bootstrap: level %v: between 0 and 1", o.Level)
	}
	var methods []Method
	for i, m := range r.methods {
		if r.Estimators[i].Value != nil {
			methods = append(methods, m)
		}
	}
	s := r.base.clusterSums(methods)
	d := &Draws{options: o, groups: s.groups}
	sums := s.draw(o)
	for _, m := range methods {
		d.add(m.Name, o.Draws, func(b int) float64 { return s.value(m, sums[b]) })
	}
	d.add(meanReward, o.Draws, func(b int) float64 { return sums[b][s.column(rewardSum)] / sums[b][s.column(rowCount)] })
	if s.groups < 2 {
		return d, nil // every draw is the sample itself: no interval
	}
	for i := range r.Estimators {
		e := &r.Estimators[i]
		e.CIBootstrap = d.Interval(e.Name)
	}
	for i := range r.MinusMeanReward {
		e := &r.MinusMeanReward[i]
		ci, err := d.Difference(e.Name, d, meanReward)
		if err != nil {
			return nil, err
		}
		e.CIBootstrap = ci
	}
	return d, nil
}

func (d *Draws) add(name string, draws int, value func(b int) float64) {
	v := make([]float64, draws)
	for b := range v {
		v[b] = value(b)
	}
	d.Names, d.Values = append(d.Names, name), append(d.Values, v)
}

// Of are the draws of a name; nil when it has none.
func (d *Draws) Of(name string) []float64 {
	if i := slices.Index(d.Names, name); i >= 0 {
		return d.Values[i]
	}
	return nil
}

// Interval is the percentile interval of a name; nil when it has no draws, or when
// more than one in twenty draws had no weight.
func (d *Draws) Interval(name string) *Interval {
	return percentiles(d.Of(name), d.options.Level)
}

// Difference is the percentile interval of one name here less another there, draw by
// draw. Both must come from the same options and as many clusters.
func (d *Draws) Difference(name string, other *Draws, otherName string) (*Interval, error) {
	if d.options != other.options || d.groups != other.groups {
		return nil, data.Faultf(data.ErrUsage, "ope: bootstrap: a difference needs the same draws of the same clusters: %s and %s differ", d.describe(), other.describe())
	}
	a, b := d.Of(name), other.Of(otherName)
	if a == nil || b == nil {
		return nil, nil
	}
	x := make([]float64, len(a))
	for i := range x {
		x[i] = a[i] - b[i]
	}
	return percentiles(x, d.options.Level), nil
}

func (d *Draws) describe() string {
	return fmt.Sprintf("%d draws of %d clusters (seed %d)", d.options.Draws, d.groups, d.options.Seed)
}

func percentiles(x []float64, level float64) *Interval {
	sorted := make([]float64, 0, len(x))
	for _, v := range x {
		if !math.IsNaN(v) {
			sorted = append(sorted, v)
		}
	}
	if len(sorted) == 0 || len(sorted)*20 < len(x)*19 {
		return nil
	}
	slices.Sort(sorted)
	tail := (1 - level) / 2
	ci := &Interval{quantile(sorted, tail), quantile(sorted, 1-tail)}
	if notNumber(ci[0]) || notNumber(ci[1]) {
		return nil
	}
	return ci
}
