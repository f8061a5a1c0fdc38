package ope

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestBrokenRows: whatever does not fit together is refused, never indexed.
func TestBrokenRows(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*Rows)
		want  Reason
	}{
		"no rows":             {func(r *Rows) { *r = Rows{} }, NoRows},
		"few starts":          {func(r *Rows) { r.Start = r.Start[:9] }, LengthsDiffer},
		"starts elsewhere":    {func(r *Rows) { r.Start[0] = 1 }, LengthsDiffer},
		"starts run back":     {func(r *Rows) { r.Start[4], r.Start[5] = r.Start[5], r.Start[4] }, LengthsDiffer},
		"start below 0":       {func(r *Rows) { r.Start[4] = -3 }, LengthsDiffer},
		"start beyond":        {func(r *Rows) { r.Start[4] = 1 << 30 }, LengthsDiffer},
		"taken below 0":       {func(r *Rows) { r.Taken[3] = -1 }, LengthsDiffer},
		"taken beyond":        {func(r *Rows) { r.Taken[3] = 3 }, LengthsDiffer},
		"few rewards":         {func(r *Rows) { r.Reward = r.Reward[1:] }, LengthsDiffer},
		"few predictions":     {func(r *Rows) { r.Q = r.Q[1:] }, LengthsDiffer},
		"few labels":          {func(r *Rows) { r.Label = make([]int32, 3) }, LengthsDiffer},
		"a label beyond":      {func(r *Rows) { r.Label = slices.Repeat([]int32{0, 1, 3}, 20) }, ActionUnknown},
		"unnamed candidates":  {func(r *Rows) { r.Actions = r.Actions[:2] }, LengthsDiffer},
		"few behaviours":      {func(r *Rows) { r.Behaviour = [][]float64{{1}} }, LengthsDiffer},
		"a cluster below 0":   {func(r *Rows) { r.Cluster[2] = -1 }, ClusterMissing},
		"a cluster beyond":    {func(r *Rows) { r.Cluster[2] = 1 << 30 }, ClusterMissing},
		"a cluster left out":  {func(r *Rows) { r.Cluster = slices.Repeat([]int32{0, 2}, 10) }, ClusterMissing},
		"a logger below 0":    {func(r *Rows) { r.Logger = slices.Repeat([]int32{-1}, 20) }, LoggerUnknown},
		"a logger far away":   {func(r *Rows) { r.Logger = slices.Repeat([]int32{1 << 30}, 20) }, LoggerUnknown},
		"a logger unheard of": {func(r *Rows) { r.Logger, r.Behaviour = slices.Repeat([]int32{1}, 20), [][]float64{r.Target} }, LoggerUnknown},
		"infinite target":     {func(r *Rows) { r.Target[5] = math.Inf(1) }, TargetMissing},
		"NaN target":          {func(r *Rows) { r.Target[5] = math.NaN() }, TargetMissing},
		"negative target":     {func(r *Rows) { r.Target[3], r.Target[4], r.Target[5] = -.5, 1, .5 }, TargetNegative},
		"NaN, wanted nowhere": {func(r *Rows) { r.Target[3], r.Target[4], r.Target[5], r.Q[5] = .5, .5, 0, math.NaN() }, QMissing},
		"huge prediction":     {func(r *Rows) { r.Q[r.At(3)] = 1e200 }, Overflow},
		"huge reward":         {func(r *Rows) { r.Reward[3] = -1e200 }, Overflow},
		"infinite reward":     {func(r *Rows) { r.Reward[3] = math.Inf(-1) }, RewardNotFinite},
		"infinite prediction": {func(r *Rows) { r.Q[5] = math.Inf(1) }, QMissing},
		"NaN, and a huge one": {func(r *Rows) { r.Q[3], r.Q[4] = 1e200, math.NaN() }, QMissing},
		"predictions at the limit": {func(r *Rows) {
			for j := 3; j < 6; j++ {
				r.Q[j] = most
				r.Target[j] *= 1 + 9e-6
			}
		}, Overflow},
	} {
		r := randomRows(20, 3, 4, 1)
		c.spoil(r)
		err := r.Check()
		var refusal *Refusal
		if !errors.As(err, &refusal) || refusal.Reason != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if err := randomRows(20, 3, 4, 1).Check(); err != nil {
		t.Errorf("sound rows: %v", err)
	}
	r := randomRows(20, 3, 4, 1)
	r.Target[3], r.Target[4], r.Target[5] = math.Copysign(0, -1), .5, .5
	if err := r.Check(); err != nil {
		t.Errorf("minus zero is zero: %v", err)
	}
}

// TestUnsupportedRows: an action that was possible in other rows only is told of, whatever
// the light says; without the loggers' policies, and where all was possible, nothing is.
func TestUnsupportedRows(t *testing.T) {
	told := func(behaviour []float64) string {
		r := square(2, []float64{.5, .5, .5, .5}, nil, []int32{0, 1}, []float64{1, 0}, []float64{1, .5})
		if behaviour != nil {
			r.Behaviour = [][]float64{behaviour}
		}
		for _, w := range estimate(t, r).Warnings {
			if w.Measure == "weights.unsupported_mass_row" {
				return w.Reason
			}
		}
		return ""
	}
	if got := told([]float64{1, 0, .5, .5}); !strings.HasPrefix(got, "0.25 of what the target does") {
		t.Errorf("action b was impossible in row 1: %q", got)
	}
	if a, b := told(nil), told([]float64{1 - 1e-7, 1e-7, .5, .5}); a != "" || b != "" {
		t.Errorf("%q and %q where nothing is known to be impossible", a, b)
	}
}

// TestOptions: what makes no sense is said before any row is read.
func TestOptions(t *testing.T) {
	rows := randomRows(20, 3, 4, 1)
	for name, o := range map[string]Options{
		"level 1":        {Level: 1},
		"level NaN":      {Level: math.NaN()},
		"no name":        {Methods: []Method{{Family: Direct}}},
		"twice":          {Methods: []Method{standard[0], standard[0]}},
		"no family":      {Methods: []Method{{Name: "x"}}},
		"negative":       {Methods: []Method{{"x", Weighted, Clip, -1}}},
		"NaN":            {Methods: []Method{{"x", Weighted, Clip, math.NaN()}}},
		"share above 1":  {Methods: []Method{{"x", Weighted, SubGaussian, 1.1}}},
		"shaped and not": {Methods: []Method{{"x", Normalised, Clip, 10}}},
	} {
		if _, err := Estimate(rows, o); err == nil {
			t.Errorf("%s went through", name)
		}
	}
}
