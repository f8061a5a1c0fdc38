package train

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestCureCurveByHand(t *testing.T) {
	// Day 0: 4 at risk, 1 paid. Day 1: one cut at noon (0.5), 2 whole, 1 paid: 1/2.5. Day 2: none at risk.
	d := PersonDays{
		Day:      []int64{0, 0, 0, 0, 1, 1, 1},
		Exposure: []float64{1, 1, 1, 1, 0.5, 1, 1},
		Y:        []float64{1, 0, 0, 0, 0, 0, 1},
		P:        []float64{0.1, 0.2, 0.3, 0.4, 0.8, 0.1, 0.2},
		Customer: []int32{0, 1, 2, 3, 1, 2, 3},
	}
	c := CureCurve(d, nil)
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-15 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	near("observed day 1", c.Observed[0], 0.25)
	near("predicted day 1", c.Predicted[0], 0.25)
	near("observed day 2", c.Observed[1], 1-0.75*(1-1/2.5))
	near("predicted day 2", c.Predicted[1], 1-0.75*(1-0.7/2.5))
	if !math.IsNaN(c.Observed[2]) || !math.IsNaN(c.Predicted[20]) {
		t.Errorf("days without anyone at risk: %v, %v", c.Observed[2], c.Predicted[20])
	}
	// A customer counted twice is the same as its rows written twice.
	twice := CureCurve(d, []float64{1, 2, 1, 0})
	near("weighted", twice.Observed[0], 0.25)
	near("weighted day 2", twice.Observed[1], 0.25)
}

// A constant hazard h gives 1-(1-h)^21 whatever the censoring, and the model
// that knows it predicts it.
func TestCureCurveUnbiasedUnderCensoring(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const h, n = 0.03, 20_000
	var d PersonDays
	for range n {
		cut := rng.IntN(40)
		for day := range int64(Days) {
			if int(day) > cut {
				break
			}
			y := 0.0
			if rng.Float64() < h {
				y = 1
			}
			d.Day, d.Exposure, d.Y, d.P = append(d.Day, day), append(d.Exposure, 1), append(d.Y, y), append(d.P, h)
			if y == 1 {
				break
			}
		}
	}
	c := CureCurve(d, nil)
	want := 1 - math.Pow(1-h, Days)
	if math.Abs(c.Predicted[Days-1]-want) > 1e-12 {
		t.Errorf("predicted %v, want %v", c.Predicted[Days-1], want)
	}
	if se := math.Sqrt(want * (1 - want) / (n / 2)); math.Abs(c.Observed[Days-1]-want) > 5*se {
		t.Errorf("observed %v, want %v within %v", c.Observed[Days-1], want, 5*se)
	}
}

func TestHazardRatio(t *testing.T) {
	// Before: day 0 hazard 1/2, day 1 hazard 1/4. After: day 1 only, 1/2.
	d := PersonDays{
		Day:      []int64{0, 0, 1, 1, 1, 1, 1, 1},
		Exposure: []float64{1, 1, 1, 1, 1, 1, 1, 1},
		Y:        []float64{1, 0, 1, 0, 0, 0, 1, 0},
	}
	retried := []bool{false, false, false, false, false, false, true, true}
	b, a, r := HazardRatio(d, d.Day, retried, nil)
	if b != 0.25 || a != 0.5 || r != 2 {
		t.Errorf("before %v, after %v, ratio %v: want 0.25, 0.5, 2 (day 0 is not shared)", b, a, r)
	}
	if _, _, r := HazardRatio(d, d.Day, make([]bool, 8), nil); !math.IsNaN(r) {
		t.Errorf("ratio %v without retries, want NaN", r)
	}
}
