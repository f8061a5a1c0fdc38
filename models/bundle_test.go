package models

import (
	"errors"
	"math"
	"strings"
	"testing"

	"recoup/data"
)

// scorer is a small model: a number, a category, and their product.
func scorer(t testing.TB, slope float64) *Scorer {
	t.Helper()
	d := Design{
		Inputs: []Input{{Name: "delay_h"}, {Name: "rail", Levels: []string{"unknown", "card", "upi_autopay"}}},
		Terms:  []Term{{Name: "candidate", A: 0, B: -1}, {Name: "case", A: 1, B: -1}, {Name: "rail x delay", A: 1, B: 0}},
	}
	n := 1 + 2 + 2
	fill := func(f func(i int) float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = f(i)
		}
		return out
	}
	m, err := NewLogistic(d, -1.25, fill(func(i int) float64 { return slope / float64(i+3) }), fill(func(i int) float64 { return 0 }),
		fill(func(i int) float64 { return .1 }), fill(func(i int) float64 { return 1 }), []Dropped{{"hours_since_notice", "constant"}})
	if err != nil {
		t.Fatal(err)
	}
	return &Scorer{Logistic: m, Platt: Platt{-.93, .04}}
}

func judged() Judged {
	v := .081
	metrics := Metrics{N: 3042, BaseRate: .2, Brier: .153, SkillTrain: &v, SkillTest: &v, LogLoss: &v, AUC: &v, AUCInterval: &Interval{.63, .67}, Bins: 10, Warnings: []Warning{}}
	return Judged{Rows: 3042, Positives: 603, Customers: 2900, Train: 11000, TrainRate: .198, L2: 1, Raw: metrics, Calibrated: metrics,
		Intervals: map[string]Interval{"brier": {.149, .157}}, OverBase: .0074, OverBaseInterval: &Interval{.0051, .0099},
		Slices: []SliceGap{{"bank", "a|b", 200, .3, .2, .1, &Interval{.05, .15}}, {"bank", "c", 90, .2, .2, 0, nil}}}
}

var goldenRows = [][]float64{{0, 0}, {1.5, 1}, {72.25, 2}, {-3, 2}}

// bundle is a whole model; slope makes one differ from another.
func bundle(t testing.TB, slope float64) *Bundle {
	t.Helper()
	h := strings.Repeat("0f", 32)
	cure := judged()
	b := &Bundle{
		Attempt: scorer(t, slope), Cure: scorer(t, slope/2),
		Manifest: Manifest{AsOf: "2026-11-01T00:00:00Z", Currency: "INR", HorizonDays: 21, AttemptWindow: "2 d", DataManifest: h, AttemptSchema: h, CureSchema: h,
			Slices: []TimeSlice{{"train", "2026-01-01T00:00:00Z", "2026-06-01T00:00:00Z", 11000}}, Config: []byte(`{"l2":[0.1,1]}`),
			Attempt: judged(), Cure: &cure, Limits: []string{"Simulated <world>."}},
	}
	regolden(t, b)
	return b
}

func regolden(t testing.TB, b *Bundle) {
	t.Helper()
	var err error
	if b.Golden.Attempt, err = NewGolden(b.Attempt, goldenRows); err != nil {
		t.Fatal(err)
	}
	if b.Cure != nil {
		b.Golden.Cure, err = NewGolden(b.Cure, goldenRows)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func noCure(t testing.TB) *Bundle {
	b := bundle(t, 1)
	b.Cure, b.Golden.Cure, b.Manifest.Cure, b.Manifest.CureNotAssessed = nil, nil, nil, "no person-time"
	return b
}

func TestF0(t *testing.T) {
	b := bundle(t, 1)
	days := [][]float64{{0, 1}, {24, 1}, {48, 1}}
	curve, err := b.F0(days)
	if err != nil {
		t.Fatal(err)
	}
	unpaid := 1.0
	for i, row := range days {
		h, err := b.Cure.Prob(row)
		if err != nil {
			t.Fatal(err)
		}
		if unpaid *= 1 - h; curve[i] != 1-unpaid {
			t.Errorf("day %d: %v, want %v", i, curve[i], 1-unpaid)
		}
	}
	if !(0 < curve[0] && curve[0] < curve[1] && curve[1] < curve[2] && curve[2] < 1) {
		t.Errorf("curve %v", curve)
	}
	if _, err := b.F0([][]float64{{0, 7}}); !errors.Is(err, data.ErrContract) {
		t.Errorf("unknown level: %v", err)
	}
	if c, err := noCure(t).F0(days); err != nil || c[2] != 0 {
		t.Errorf("without a cure model: %v, %v", c, err)
	}
}

func TestRecover(t *testing.T) {
	for _, c := range []struct{ f0, q, want float64 }{{0, .3, .3}, {.25, 0, .25}, {1, .5, 1}, {.5, .5, .75}, {0, 0, 0}, {.2, 1, 1}} {
		if got, err := Recover(c.f0, c.q); err != nil || got != c.want {
			t.Errorf("Recover(%v, %v) = %v, %v; want %v", c.f0, c.q, got, err, c.want)
		}
	}
	for _, v := range []float64{-1e-9, 1 + 1e-9, math.NaN(), math.Inf(1)} {
		if _, err := Recover(v, .5); err == nil {
			t.Errorf("f0 = %v accepted", v)
		}
		if _, err := Recover(.5, v); err == nil {
			t.Errorf("q = %v accepted", v)
		}
	}
}

func TestBundleRefused(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*Bundle)
		kind  error
		says  string
	}{
		"no attempt model":     {func(b *Bundle) { b.Attempt = nil }, data.ErrContract, "no attempt model"},
		"logistic not built":   {func(b *Bundle) { b.Attempt = &Scorer{Logistic: &Logistic{}, Platt: Platt{-1, 0}} }, data.ErrContract, "NewLogistic"},
		"platt not finite":     {func(b *Bundle) { b.Attempt.Platt.A = math.NaN() }, data.ErrContract, "platt"},
		"ranks backwards":      {func(b *Bundle) { b.Attempt.Platt.A = 1 }, data.ErrContract, "backwards"},
		"cure without reason":  {func(b *Bundle) { b.Cure, b.Golden.Cure = nil, nil }, data.ErrContract, "reason"},
		"reason despite cure":  {func(b *Bundle) { b.Manifest.CureNotAssessed = "x" }, data.ErrContract, "reason"},
		"no golden rows":       {func(b *Bundle) { b.Golden.Attempt = nil }, data.ErrUnsafe, "no golden rows"},
		"golden raw off":       {func(b *Bundle) { b.Golden.Attempt[1].Raw = math.Nextafter(b.Golden.Attempt[1].Raw, 9) }, data.ErrUnsafe, "golden row 1"},
		"golden p off":         {func(b *Bundle) { b.Golden.Cure[2].P += 2e-14 }, data.ErrUnsafe, "golden row 2"},
		"golden row too short": {func(b *Bundle) { b.Golden.Attempt[0].Row = []float64{1} }, data.ErrUnsafe, "golden row 0"},
		"as_of":                {func(b *Bundle) { b.Manifest.AsOf = "yesterday" }, data.ErrContract, "as_of"},
		"currency":             {func(b *Bundle) { b.Manifest.Currency = "rupees" }, data.ErrContract, "currency"},
		"horizon":              {func(b *Bundle) { b.Manifest.HorizonDays = math.NaN() }, data.ErrContract, "horizon"},
		"schema":               {func(b *Bundle) { b.Manifest.CureSchema = "" }, data.ErrContract, "cure_schema"},
		"config":               {func(b *Bundle) { b.Manifest.Config = []byte("{") }, data.ErrContract, "config"},
		"no slices":            {func(b *Bundle) { b.Manifest.Slices = nil }, data.ErrContract, "slices"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			r, err := OpenRegistry(dir)
			if err != nil {
				t.Fatal(err)
			}
			b := bundle(t, 1)
			c.spoil(b)
			if _, err := r.Save(b); !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v", err)
			}
			if e, _ := r.List(); len(e) > 0 {
				t.Error("something was registered")
			}
		})
	}
	b := bundle(t, 1)
	b.Manifest.Currency, b.Manifest.AsOf = "", ""
	r, _ := OpenRegistry(t.TempDir())
	if _, err := r.Save(b); !strings.Contains(err.Error(), "currency") || !strings.Contains(err.Error(), "as_of") {
		t.Errorf("not all faults at once: %v", err)
	}
}
