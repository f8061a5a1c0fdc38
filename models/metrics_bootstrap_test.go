package models

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// customers draws rows of customers who share a part of their logit: p is the
// population's probability given x alone.
func customers(seed uint64, n, each int) (p, y []float64, cluster []int) {
	r := rand.New(rand.NewPCG(seed, 77))
	for c := range n {
		own := 0.8 * r.NormFloat64()
		for range each {
			x := r.NormFloat64()
			p = append(p, Sigmoid(0.8*x-1))
			v := 0.0
			if r.Float64() < Sigmoid(0.8*x-1+own) {
				v = 1
			}
			y = append(y, v)
			cluster = append(cluster, c)
		}
	}
	return
}

func TestBootstrapSameForAnyWorkers(t *testing.T) {
	p, y, c := customers(1, 80, 5)
	one, err := Bootstrap{Cluster: c, Draws: 200, Workers: 1}.Intervals(p, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	four, err := Bootstrap{Cluster: c, Draws: 200, Workers: 4}.Intervals(p, y, nil)
	if err != nil || !reflect.DeepEqual(one, four) {
		t.Errorf("%+v\n%+v\n%v", one, four, err)
	}
	other, _ := Bootstrap{Cluster: c, Draws: 200, Seed: 2}.Intervals(p, y, nil)
	if *other.Brier == *one.Brier {
		t.Error("another seed gives the same draws")
	}
}

// A draw is the measures of the table in which each cluster's rows stand as often
// as it was drawn.
func TestDrawIsEvaluateOfTheDrawnRows(t *testing.T) {
	for seed := range uint64(20) {
		p, y, c := customers(seed, 30, 4)
		if seed%2 == 0 {
			for i := range p {
				p[i] = math.Round(p[i]*10) / 10
				p[i] = min(max(p[i], 0.05), 0.95)
			}
		}
		w := make([]float64, len(p))
		for i := range w {
			w[i] = 0.5 + float64(i%3)
		}
		r, err := Bootstrap{Cluster: c}.resample(p, y, w)
		if err != nil {
			t.Fatal(err)
		}
		dice := rand.New(rand.NewPCG(seed, 1))
		times := make([]int32, r.clusters)
		for range times {
			times[dice.IntN(len(times))]++
		}
		var p2, y2, w2 []float64
		for i := range p {
			for range times[c[i]] {
				p2, y2, w2 = append(p2, p[i]), append(y2, y[i]), append(w2, w[i])
			}
		}
		m, err := Evaluate(p2, y2, w2)
		if err != nil {
			t.Fatal(err)
		}
		d := r.draw(times, 10, &scan{})
		for _, x := range []struct {
			name      string
			got, want float64
		}{{"brier", d.brier, m.Brier}, {"log loss", d.logLoss, *m.LogLoss}, {"auc", d.auc, *m.AUC}, {"ece", d.ece, m.ECEMass}, {"rate", d.rate, m.BaseRate}} {
			if math.Abs(x.got-x.want) > 1e-12 {
				t.Errorf("seed %d: %s %v, evaluated %v", seed, x.name, x.got, x.want)
			}
		}
	}
}

// Over 150 worlds the interval by customer covers the true Brier score about 95 %
// of the time; the one by row, which takes a customer's rows for independent, does not know better
// here than to be of another width.
func TestBootstrapCoverage(t *testing.T) {
	p, y, _ := customers(999, 40000, 5)
	m, err := Evaluate(p, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	truth, worlds, inside, aucIn := m, 150, 0, 0
	for k := range worlds {
		p, y, c := customers(uint64(1000+k), 120, 5)
		in, err := Bootstrap{Cluster: c, Draws: 400, Seed: uint64(k + 1)}.Intervals(p, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		if in.Brier[0] <= truth.Brier && truth.Brier <= in.Brier[1] {
			inside++
		}
		if in.AUC[0] <= *truth.AUC && *truth.AUC <= in.AUC[1] {
			aucIn++
		}
	}
	for name, n := range map[string]int{"brier": inside, "auc": aucIn} {
		z := (float64(n) - 0.94*float64(worlds)) / math.Sqrt(0.94*0.06*float64(worlds))
		if math.Abs(z) > 5 {
			t.Errorf("%s: %d of %d intervals cover, z = %.1f", name, n, worlds, z)
		}
	}
}

func TestCompare(t *testing.T) {
	p, y, c := customers(5, 300, 5)
	q := make([]float64, len(p))
	for i := range q {
		q[i] = 0.3
	}
	same, err := Bootstrap{Cluster: c, Draws: 200}.Compare(p, p, y, nil)
	if err != nil || same.Brier != 0 || *same.BrierCI != (Interval{}) {
		t.Errorf("a model against itself: %+v, %v", same, err)
	}
	got, err := Bootstrap{Cluster: c, Draws: 200}.Compare(p, q, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := Evaluate(p, y, nil)
	b, _ := Evaluate(q, y, nil)
	if math.Abs(got.Brier-(a.Brier-b.Brier)) > 1e-12 || math.Abs(*got.AUC-(*a.AUC-0.5)) > 1e-12 {
		t.Errorf("differences %v, %v", got.Brier, *got.AUC)
	}
	if got.BrierCI[1] >= 0 || got.AUCCI[0] <= 0 {
		t.Errorf("the better model is not seen to be better: %+v", got)
	}
	if one, err := (Bootstrap{Cluster: make([]int, len(p))}).Intervals(p, y, nil); err != nil || one.Brier != nil || len(one.Warnings) == 0 {
		t.Errorf("one cluster: %+v, %v", one, err)
	}
}
