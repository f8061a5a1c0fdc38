package models

import (
	"encoding/json"
	"math"
	"testing"
)

// Scores at the ends of float64 and weights twelve orders apart, of several
// hundred generated sets the ones that went wrong. Wanted values by Newton's method with 60
// digits (mpmath).
func TestCoxOfExtremeWeights(t *testing.T) {
	for name, c := range map[string]struct {
		p, y, w                []float64
		intercept, slope, citl float64
	}{
		"center moves": {
			[]float64{0.685005277753833, 0.6016466520513102, 0.6152211720146625, 0.7754640250197394, 0.6945913625367967, 0.8234870802093255, 0.35948924950946726, 0.040572430618644476, 0.7864536325337582, 0.7642256011624204, 0.13905719506418848},
			[]float64{0, 1, 0, 1, 1, 1, 0, 0, 1, 1, 0},
			[]float64{27.12413163860785, 0.913513403203142, 2.2365148752170183e-06, 0.001292351889588235, 7.738949269745839, 2.079103034527404e-05, 0.0011959522396087095, 4511.5722834739045, 214065.9070022652, 0.012487882123662652, 40985.058197330574},
			-23.46066576868054, 28.385601393910239, 1.2529811887534688},
		"first step too far": {
			[]float64{0.2737906204954037, 0.18627528962163487, 0.5929613484313465, 0.5367487260775899, 0.7167002415818999, 0.5713175877642792, 0.4595321052981074, 0.6742984712562707, 0.3824756408748074},
			[]float64{0, 0, 1, 0, 0, 1, 0, 1, 1},
			[]float64{7143.951906947777, 5.7379079434662916e-05, 73856.3549293836, 0.05583537502604813, 6.5225517864472015e-06, 0.001356798385325545, 2.559775314266333, 30161.61210547677, 0.006626373171390182},
			-10.160735107300048, 67.459768416133672, 2.3745334598504049},
	} {
		m, err := Evaluate(c.p, c.y, c.w)
		must(t, err)
		if m.CoxIntercept == nil || m.CoxSlope == nil || m.CITL == nil {
			t.Errorf("%s: undefined: %v", name, m.Warnings)
			continue
		}
		for _, v := range [][2]float64{{*m.CoxIntercept, c.intercept}, {*m.CoxSlope, c.slope}, {*m.CITL, c.citl}} {
			if !(math.Abs(v[0]-v[1]) <= 1e-8) {
				t.Errorf("%s: %v, want %v", name, v[0], v[1])
			}
		}
	}
}

// An infinity among the measures would make the whole answer unprintable.
func TestNoMeasureIsInfinite(t *testing.T) {
	for name, c := range map[string]struct{ p, y, w []float64 }{
		"denormal p":    {[]float64{0.5, 5e-324}, []float64{0, 1}, nil},
		"huge weights":  {[]float64{0.2, 0.4, 0.7}, []float64{0, 1, 1}, []float64{1e300, 1e300, 3e300}},
		"tiny weights":  {[]float64{0.2, 0.4, 0.7}, []float64{0, 1, 1}, []float64{1e-310, 1e-310, 3e-310}},
		"rate rounds 1": {[]float64{0.2, 0.4, 0.7}, []float64{0, 1, 1}, []float64{1e-12, 1e12, 1e12}},
	} {
		m, err := Evaluate(c.p, c.y, c.w)
		must(t, err)
		if _, err := json.Marshal(m); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	a, err := Evaluate([]float64{0.2, 0.4, 0.7}, []float64{0, 1, 1}, []float64{1, 1, 3})
	must(t, err)
	b, err := Evaluate([]float64{0.2, 0.4, 0.7}, []float64{0, 1, 1}, []float64{0x1p1000, 0x1p1000, 0x3p1000})
	must(t, err)
	if a.WeightSum, b.WeightSum = 0, 0; a.Brier != b.Brier || a.CalL2 != b.CalL2 || *a.SpiegelZ != *b.SpiegelZ {
		t.Errorf("weights in another unit change the measures: %+v, %+v", a, b)
	}
	if _, err := Evaluate([]float64{0.2, 0.4}, []float64{0, 1}, []float64{1e308, 1.7e308}); err == nil {
		t.Error("a sum of weights beyond float64 was accepted")
	}
}

// The last bit of a probability may differ between processors, that of a logit
// may not.
func TestGoldenLastBit(t *testing.T) {
	b := bundle(t, 1)
	b.Golden.Attempt[0].P = math.Nextafter(b.Golden.Attempt[0].P, 1)
	r, err := OpenRegistry(t.TempDir())
	must(t, err)
	if _, err := r.Save(b); err != nil {
		t.Error(err)
	}
}
