package models

import (
	"math"
	"testing"
)

// The curve against statsmodels 0.14 (nonparametric.smoothers_lowess.lowess with
// frac=2/3, it=0, delta=0.01*range), on 50 rows with many ties.
func TestICIAgainstStatsmodels(t *testing.T) {
	p := []float64{0.0, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.5, 0.5, 0.5, 0.6, 0.6, 0.6, 0.6, 0.6, 0.7}
	y := []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1}
	m, err := Evaluate(p, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"ici", *m.ICI, 0.10851910163544887}, {"e50", *m.E50, 0.09130633142393675},
		{"e90", *m.E90, 0.22363503399125473}, {"emax", *m.EMax, 0.2718002554340884},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestICIUndefined(t *testing.T) {
	for name, c := range map[string]struct{ p, y, w []float64 }{
		"weights":  {[]float64{.1, .2, .9}, []float64{0, 0, 1}, []float64{1, 2, 1}},
		"one p":    {[]float64{.5, .5, .5}, []float64{0, 1, 1}, nil},
		"two rows": {[]float64{.2, .5}, []float64{0, 1}, nil},
	} {
		m, err := Evaluate(c.p, c.y, c.w)
		if err != nil {
			t.Fatal(name, err)
		}
		if m.ICI != nil || m.EMax != nil {
			t.Errorf("%s: ici %v, want none", name, *m.ICI)
		}
	}
}
