package ope

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Each test here fails in at least one public tool; the comment says what that tool does.

// square makes rows of k actions from a table of e, q, taken, reward, propensity.
func square(k int, e, q []float64, taken []int32, reward, propensity []float64) *Rows {
	r := &Rows{Start: Square(len(reward), k), Target: e, Q: q, Taken: taken, Reward: reward, Propensity: propensity}
	for j := range k {
		r.Actions = append(r.Actions, string(rune('a'+j)))
	}
	return r
}

func estimate(t *testing.T, r *Rows, methods ...Method) *Result {
	t.Helper()
	res, err := Estimate(r, Options{Methods: methods})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// SCOPE-RL: Hoeffding's half-width is multiplied by n; the two-sided t interval at 95 % is one at 90 %.
func TestBoundsShrink(t *testing.T) {
	half := func(n int) float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i % 2)
		}
		b, err := BoundMean(x, .05, 1)
		if err != nil {
			t.Fatal(err)
		}
		return b.Mean - b.Hoeffding[0]
	}
	if q := half(100) / half(400); math.Abs(q-2) > 1e-12 {
		t.Errorf("four times the rows: the bound is %v times as near, not 2", q)
	}
	r := estimate(t, randomRows(1000, 3, 0, 1))
	f := r.Estimators.Find("ipw")
	if z := (f.CI[1] - *f.Value) / *f.SE; math.Abs(z-1.959963984540054) > 1e-9 {
		t.Errorf("the 95 %% interval reaches %v standard errors", z)
	}
}

// ReAgent: weighted importance sampling is n times too small, and its standard error
// is that of a quarter of the rows.
func TestNormalisedScale(t *testing.T) {
	rows := randomRows(2000, 3, 0, 2)
	constant := *rows
	constant.Reward = slices.Repeat([]float64{7}, 2000)
	if v := *estimate(t, &constant).Estimators.Find("snipw").Value; math.Abs(v-7) > 1e-12 {
		t.Errorf("a reward that is always 7 is worth %v", v)
	}
	se := *estimate(t, rows).Estimators.Find("snipw").SE
	var values []float64
	for seed := range uint64(300) {
		values = append(values, *estimate(t, randomRows(2000, 3, 0, 100+seed), standard[3]).Estimators[0].Value)
	}
	if sd := math.Sqrt(variance(values, 1)); math.Abs(se/sd-1) > .25 {
		t.Errorf("standard error %v, and the estimate spreads %v over new logs", se, sd)
	}
}

// obp: DRos at its default lambda 0 is NaN with one weight 0, and NaN propensities pass.
func TestNeverNaN(t *testing.T) {
	zeroWeight := square(2, []float64{1, 0, .5, .5}, []float64{.3, .4, .3, .4}, []int32{1, 0}, []float64{1, 0}, []float64{.5, .5})
	for _, m := range []Method{{"dros_0", DoublyRobust, Shrink, 0}, {"sg_1", DoublyRobust, SubGaussian, 1}, {"sg_ipw_1", Weighted, SubGaussian, 1}} {
		if f := estimate(t, zeroWeight, m).Estimators[0]; f.Value == nil || math.IsNaN(*f.Value) {
			t.Errorf("%s: %v", m.Name, f.Value)
		}
	}
	nan := *zeroWeight
	nan.Propensity = []float64{math.NaN(), .5}
	refusedAs(t, &nan, PropensityMissing)
	none := square(2, []float64{1, 0, 1, 0}, nil, []int32{1, 1}, []float64{1, 0}, []float64{.5, .5})
	for _, f := range estimate(t, none).Estimators {
		if f.Value != nil || f.Reason == "" {
			t.Errorf("%s has value %v where no weight is above 0", f.Name, f.Value)
		}
	}
}

func refusedAs(t *testing.T, r *Rows, want Reason) {
	t.Helper()
	_, err := Estimate(r, Options{})
	var refusal *Refusal
	if !errors.As(err, &refusal) || refusal.Reason != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// banditml: the bootstrap pairs a row with another row's context, and rounds to two
// decimals. Here a row's numbers stay together: rewards that are the reward model's
// have no correction in any draw.
func TestDrawsKeepRowsWhole(t *testing.T) {
	rows := randomRows(300, 3, 40, 5)
	for i := range rows.Reward {
		rows.Reward[i] = rows.Q[rows.At(i)]
	}
	r := estimate(t, rows)
	d, err := r.Bootstrap(Bootstrap{Draws: 50, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	for b, v := range d.Of("dr") {
		if dm := d.Of("dm")[b]; math.Abs(v-dm) > 1e-12 {
			t.Fatalf("draw %d: dr %v, dm %v", b, v, dm)
		}
	}
	if v := d.Of("dr")[0]; v == math.Round(v*100)/100 {
		t.Errorf("%v is rounded", v)
	}
}

// contextualbandits: predictions of exactly 0 or 1 are replaced by random numbers.
func TestCertainPredictions(t *testing.T) {
	rows := square(2, []float64{.5, .5, .2, .8}, []float64{0, 1, 1, 0}, []int32{0, 1}, []float64{1, 0}, []float64{.5, .4})
	want := (.5 + 1*1 + .2 + 0) / 2 // qbar .5 and .2, corrections 1 and 0
	for range 3 {
		if got := *estimate(t, rows, standard[4]).Estimators[0].Value; math.Abs(got-want) > 1e-15 {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

// EconML: propensities are clipped at 0.01 or 1e-6 without a word; ReAgent gives those
// below 1e-6 the weight 0. Here nothing is clipped that is not called so, and the
// sweep counts what a clip changes.
func TestNoSilentClip(t *testing.T) {
	rows := square(2, []float64{1, 0, .5, .5}, nil, []int32{0, 1}, []float64{1, 1}, []float64{1e-9, .5})
	r := estimate(t, rows)
	near(t, "largest weight", r.Weights.Max, 1e9)
	near(t, "ipw", *r.Estimators.Find("ipw").Value, (1e9+1)/2)
	swept, err := r.Sweep(Weighted, Clip, []float64{10, 1e10})
	if err != nil {
		t.Fatal(err)
	}
	if swept[0].Clipped != 1 || swept[0].NoOp || swept[1].Clipped != 0 || !swept[1].NoOp {
		t.Errorf("%+v", swept)
	}
}

// The replay method of obp is silently 0 for a target that is never certain.
func TestReplayNeedsCertainty(t *testing.T) {
	rows := square(2, []float64{.7, .3, .7, .3}, nil, []int32{0, 1}, []float64{1, 1}, []float64{.5, .5})
	if f := estimate(t, rows, RM()).Estimators[0]; f.Value != nil || f.Reason != NoMatch {
		t.Errorf("%v, %s", f.Value, f.Reason)
	}
}

// obp fails obscurely without a reward model; elsewhere there is a silent fallback.
func TestNoModelIsSaid(t *testing.T) {
	r := estimate(t, square(2, []float64{.7, .3, .7, .3}, nil, []int32{0, 1}, []float64{1, 1}, []float64{.5, .5}))
	for _, f := range r.Estimators {
		if needs := strings.Contains(f.Name, "d"); (f.Reason == QMissing) != needs && f.Name != "snipw" {
			t.Errorf("%s: %s", f.Name, f.Reason)
		}
	}
	named := func(w Warning) bool { return w.Measure == "estimators.dr" && w.Reason == "q_missing" }
	if !slices.ContainsFunc(r.Warnings, named) {
		t.Errorf("warnings do not name dr: %v", r.Warnings)
	}
}

// VowpalWabbit prints a negative loss of costs that are 0 or more: an estimate that
// nobody can earn is pointed out.
func TestOutOfRange(t *testing.T) {
	rows := square(2, []float64{1, 0, 1, 0, 1, 0}, nil, []int32{1, 0, 1}, []float64{2, 5, 3}, []float64{.5, .1, .5})
	r := estimate(t, rows)
	if !slices.ContainsFunc(r.Warnings, func(w Warning) bool { return w.Measure == "estimators.ipw" && strings.Contains(w.Reason, "outside") }) {
		t.Errorf("ipw is %v of rewards from 2 to 5: %v", *r.Estimators.Find("ipw").Value, r.Warnings)
	}
}

// ReAgent and ray lost the propensities on the way (every one 1, logarithms, what the
// new policy did in place of what was done): refused, or seen in the mean weight.
func TestLostPropensities(t *testing.T) {
	rows := randomRows(400, 3, 0, 6)
	all := *rows
	all.Propensity = slices.Repeat([]float64{1}, 400)
	refusedAs(t, &all, PropensityAllOne)
	logs := *rows
	logs.Propensity = slices.Clone(rows.Propensity)
	logs.Propensity[7] = math.Log(logs.Propensity[7])
	refusedAs(t, &logs, PropensityZero)
	half := *rows
	half.Propensity = slices.Repeat([]float64{.2}, 400)
	if r := estimate(t, &half); r.Light.Level != Red || !slices.Contains(r.Light.Red, MeanWeight) {
		t.Errorf("wrong propensities got light %+v, mean weight %v", r.Light, r.Weights.Mean)
	}
}

// A fit on the wrong rows hid behind equal sizes in obp's own quickstart.
func TestPredictionsOfOtherRows(t *testing.T) {
	rows := randomRows(60, 3, 0, 7)
	f := &Folds{K: 2, Of: make([]int8, 59)}
	if _, err := CrossFit(rows, f, BaseRate(rows, 1)); err == nil {
		t.Error("folds of 59 rows served 60")
	}
	short := *rows
	short.Q = rows.Q[:len(rows.Q)-3]
	refusedAs(t, &short, LengthsDiffer)
}

// Overlap is a question of rows, too: an action may be supported somewhere and
// impossible here.
func TestUnsupportedByRow(t *testing.T) {
	rows := square(2, []float64{.5, .5, .5, .5}, nil, []int32{0, 1}, []float64{1, 1}, []float64{1, 1})
	rows.Propensity, rows.Behaviour = []float64{1, .5}, [][]float64{{1, 0, .5, .5}}
	r := estimate(t, rows)
	if r.Weights.UnsupportedMass != 0 || *r.Weights.UnsupportedByRow != .25 {
		t.Errorf("%v, %v", r.Weights.UnsupportedMass, *r.Weights.UnsupportedByRow)
	}
}

// Huge weights: squares of weights beyond float64 leave numbers, not NaN.
func TestHugeWeights(t *testing.T) {
	d := rand.New(rand.NewPCG(1, 1))
	rows := randomRows(200, 3, 0, 9)
	for i := range rows.Propensity {
		rows.Propensity[i] = math.Exp(-300 * d.Float64())
	}
	r := estimate(t, rows, append(Standard(), more...)...)
	for _, f := range r.Estimators {
		if f.Value != nil && math.IsNaN(*f.Value) || f.Value == nil && f.Reason == "" || f.SE == nil && f.SEReason == "" && f.Value != nil {
			t.Errorf("%+v", f)
		}
	}
	if notNumber(r.Weights.ESS) || r.Weights.ESS < 1-1e-9 || r.Light.Level != Red {
		t.Errorf("ess %v, light %s", r.Weights.ESS, r.Light.Level)
	}
	rows.Propensity[0] = 5e-324
	refusedAs(t, rows, Overflow)
}
