package ope

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// learning is the log of a logger that gives the arm which has looked better so far all
// but a twentieth: two arms of equal worth, batches of a size. The target takes arm 0.
func learning(seed uint64, batches, size int) *Rows {
	dice := rand.New(rand.NewPCG(seed, 11))
	r := &Rows{Actions: []string{"a", "b"}, Start: Square(batches*size, 2), Behaviour: make([][]float64, 1)}
	var sum, n [2]float64
	for g := range batches {
		p := .5
		if g > 0 {
			p = .025
			if sum[0]/max(1, n[0]) > sum[1]/max(1, n[1]) {
				p = .975
			}
		}
		for range size {
			taken, prob := int32(1), 1-p
			if dice.Float64() < p {
				taken, prob = 0, p
			}
			reward := dice.NormFloat64()
			sum[taken] += reward
			n[taken]++
			r.Taken, r.Propensity, r.Reward = append(r.Taken, taken), append(r.Propensity, prob), append(r.Reward, reward)
			r.Target, r.Q = append(r.Target, 1, 0), append(r.Q, 0, 0)
			r.Behaviour[0] = append(r.Behaviour[0], p, 1-p)
			r.Batch, r.Cluster = append(r.Batch, int32(g)), append(r.Cluster, int32(len(r.Cluster)))
		}
	}
	return r
}

// TestAdaptiveCovers: the plain estimate of a log that was learned from leans to one
// side, measured in its own errors; the adaptively weighted one does not.
func TestAdaptiveCovers(t *testing.T) {
	const logs = 3000
	var weighted int
	var sumPlain, sumWeighted float64
	for seed := range uint64(logs) {
		res, err := Estimate(learning(seed, 2, 500), Options{Methods: []Method{{Name: "dr", Family: DoublyRobust}}})
		if err != nil {
			t.Fatal(err)
		}
		f, a := res.Estimators.Find("dr"), res.Adaptive
		if a == nil || a.Batches != 2 || a.DR.CI == nil {
			t.Fatalf("seed %d: %+v", seed, a)
		}
		if a.DR.CI[0] <= 0 && 0 <= a.DR.CI[1] {
			weighted++
		}
		x, y := *f.Value / *f.SECluster, *a.DR.Value / *a.DR.SECluster
		sumPlain, sumWeighted = sumPlain+x, sumWeighted+y
	}
	if p := float64(weighted) / logs; p < .94 || p > .96 {
		t.Errorf("adaptively weighted intervals hold the truth in %v", p)
	}
	if z := sumWeighted / math.Sqrt(logs); math.Abs(z) > 5 {
		t.Errorf("adaptively weighted estimates lean: z %v", z)
	}
	if z := sumPlain / math.Sqrt(logs); math.Abs(z) < 5 {
		t.Errorf("plain estimates do not lean: z %v: this log cannot tell the two apart", z)
	}
}

// TestAdaptiveIsPlain: where the logger stood still in all batches, rows count alike and
// the estimate is the plain one; and what is missing is said.
func TestAdaptiveIsPlain(t *testing.T) {
	r := learning(5, 6, 20)
	for i := range r.Propensity {
		r.Propensity[i], r.Behaviour[0][2*i], r.Behaviour[0][2*i+1] = .5, .5, .5
	}
	dr := Options{Methods: []Method{{Name: "dr", Family: DoublyRobust}}}
	res, err := Estimate(r, dr)
	if err != nil {
		t.Fatal(err)
	}
	if f, a := res.Estimators.Find("dr"), res.Adaptive.DR; math.Abs(*f.Value-*a.Value) > 1e-12 || math.Abs(*f.SECluster / *a.SECluster - 1) > .01 {
		t.Errorf("%v (%v) and %v (%v): expected the same", *f.Value, *f.SECluster, *a.Value, *a.SECluster)
	}
	if !strings.Contains(res.Warnings[len(res.Warnings)-1].Reason, "5 times") {
		t.Errorf("%+v: expected a word on the logger", res.Warnings)
	}
	one := *r
	one.Batch = make([]int32, r.Len())
	if res, err := Estimate(&one, dr); err != nil || res.Adaptive != nil {
		t.Errorf("one batch: %+v %v", res, err)
	}
	one = *r
	one.Behaviour = nil
	if res, err := Estimate(&one, dr); err != nil || res.Adaptive == nil || res.Adaptive.DR.Reason != LoggerPolicyMissing {
		t.Errorf("no policy: %+v %v", res, err)
	}
	one = *r
	one.Q = nil
	if res, err := Estimate(&one, Options{}); err != nil || res.Adaptive.DR.Reason != QMissing {
		t.Errorf("no model: %+v %v", res, err)
	}
	one = *r
	one.Batch = append([]int32{7}, r.Batch[1:]...)
	if _, err := Estimate(&one, dr); err == nil || !strings.Contains(err.Error(), "column batch") {
		t.Errorf("%v: expected a refusal", err)
	}
}

// TestSteadiness against a loop over all pairs.
func TestSteadiness(t *testing.T) {
	r := learning(9, 7, 3)
	r.Batch = append(r.Batch[:18:18], 6, 7, 8) // batches of one row at the end
	b, err := newBase(r)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := b.steadiness(9)
	if !ok {
		t.Fatal("nothing is supported")
	}
	meanOf := func(keep func(j int) bool) (mean, n float64) {
		for j := range got {
			if keep(j) {
				mean, n = mean+1/r.Behaviour[0][2*j], n+1
			}
		}
		return mean / n, n
	}
	for i := range got {
		mean, n := meanOf(func(j int) bool { return j != i && r.Batch[j] == r.Batch[i] })
		if n == 0 {
			mean, _ = meanOf(func(j int) bool { return r.Batch[j] < r.Batch[i] })
		}
		if want := 1 / math.Sqrt(mean); math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("row %d: %v, expected %v", i, got[i], want)
		}
	}
}
