package report

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"recoup/models"
)

// Every number of models.Metrics comes over, under its own name; nothing is
// forgotten when a measure is added there.
func TestMeasuresOfIsComplete(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p, y := make([]float64, 400), make([]float64, 400)
	for i := range p {
		p[i] = rng.Float64()
		if rng.Float64() < p[i] {
			y[i] = 1
		}
	}
	rate := .4
	m, err := models.MetricOptions{TrainRate: &rate}.Evaluate(p, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := MeasuresOf(m, map[string]models.Interval{"brier": {.1, .2}})
	js, _ := json.Marshal(m)
	var all map[string]any
	if err := json.Unmarshal(js, &all); err != nil {
		t.Fatal(err)
	}
	// Counts of rows and bins say how, not how good.
	for _, k := range []string{"n", "rows_weight_zero", "weight_sum", "bins", "ece_mass_bins", "ece_width_bins", "ece_sweep_bins", "warnings", "roc_auc_ci"} {
		delete(all, k)
	}
	for k, v := range all {
		e, ok := got[Measure(k)]
		if !ok || !e.known() || *e.Value != v {
			t.Errorf("%s: %v became %+v", k, v, e)
		}
	}
	if len(got) != len(all) {
		t.Errorf("%d measures became %d", len(all), len(got))
	}
	for k := range got {
		found := false
		for _, r := range measureRows {
			found = found || r.Key == k
		}
		if !found {
			t.Errorf("%s has no row in the tables", k)
		}
	}
	if b := got["brier"]; *b.Lo != .1 || *b.Hi != .2 || b.N != 400 {
		t.Errorf("brier: %+v", b)
	}
	if a := got["roc_auc"]; !a.ranged() || *a.Lo != m.AUCInterval[0] {
		t.Errorf("roc_auc: %+v", a)
	}
}

func TestMeasuresOfKeepsReasons(t *testing.T) {
	m, err := models.Evaluate([]float64{.2, .3}, []float64{0, 0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []Measure{"roc_auc", "cox_slope", "brier_skill_test", "average_precision"} {
		if e := MeasuresOf(m, nil)[k]; e.known() || e.Why == "" || e.Why == "none" {
			t.Errorf("%s: %+v", k, e)
		}
	}
}

func TestSetCurves(t *testing.T) {
	p, y := []float64{0, .004, .0099, .02, .031}, []float64{0, 0, 1, 0, 1}
	var test Test
	if err := test.SetCurves(p, p, y, nil); err != nil {
		t.Fatal(err)
	}
	if test.HistogramTop != .05 || test.Histogram[0] != 1 || test.Histogram[1] != 1 || test.Histogram[3] != 1 || test.Histogram[8] != 1 || test.Histogram[12] != 1 {
		t.Errorf("top %v, histogram %v", test.HistogramTop, test.Histogram)
	}
	if len(test.Bins) != 5 || *test.Bins[4].Rate.Value != 1 || *test.Bins[4].Rate.Hi != 1 || test.Bins[4].Rate.N != 1 {
		t.Errorf("bins %+v", test.Bins)
	}
	if got := histogram([]float64{1, .999, 0}, 1); got[19] != 2 || got[0] != 1 {
		t.Errorf("p = 1 belongs to the last bar: %v", got)
	}
	if test.SetCurves([]float64{2}, []float64{.2}, []float64{0}, nil) == nil {
		t.Error("p = 2 accepted")
	}
}
