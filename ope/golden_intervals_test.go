package ope

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestGoldenBounds(t *testing.T) {
	var want struct{ Cases []map[string]any }
	readJSON(t, "intervals/bounds.json", &want)
	for _, c := range want.Cases {
		x := numbers(c["x"])
		width := 0.0
		if v, ok := c["x_max"].(float64); ok {
			width = v
		} else if v := numbers(c["range"]); v != nil {
			width = v[1] - v[0]
		}
		b, err := BoundMean(x, c["delta"].(float64), width)
		if err != nil {
			t.Fatal(c["name"], err)
		}
		same(t, c["name"].(string), asJSON(t, b), c, "name", "x", "delta", "x_max", "range", "width_used", "n", "t_quantile", "normal95")
		base := &base{rows: &Rows{Reward: x}}
		f := base.estimateOf("x", x, .95)
		same(t, c["name"].(string)+".normal95", asJSON(t, f.CI), c["normal95"])
	}
}

func numbers(v any) []float64 {
	list, ok := v.([]any)
	if !ok {
		return nil
	}
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = x.(float64)
	}
	return out
}

func TestGoldenWilson(t *testing.T) {
	var want struct {
		Cases []struct{ Successes, Trials, Confidence, Lower, Upper float64 }
	}
	readJSON(t, "intervals/wilson.json", &want)
	for _, c := range want.Cases {
		got := Wilson(c.Successes, c.Trials, c.Confidence)
		for k, w := range []float64{c.Lower, c.Upper} {
			if math.Abs(got[k]-w) > 1e-12 || math.Abs(got[k]-w) > 1e-9*math.Abs(w) {
				t.Errorf("%v of %v: %v, want %v, %v", c.Successes, c.Trials, got, c.Lower, c.Upper)
			}
		}
	}
	if got := Wilson(0, 0, .95); got != (Interval{0, 1}) {
		t.Errorf("no rows: %v", got)
	}
}

func TestGoldenConfidenceSequence(t *testing.T) {
	var want struct {
		Cases []struct {
			Name     string
			Range    [2]float64
			Alpha, C float64
			X        []float64
			At       []map[string]any
		}
	}
	readJSON(t, "intervals/confseq.json", &want)
	for _, c := range want.Cases {
		got, err := ConfidenceSequence(c.X, c.Range[0], c.Range[1], c.Alpha, c.C)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range c.At {
			same(t, c.Name, asJSON(t, got[int(w["t"].(float64))-1]), w)
		}
	}
	for _, bad := range [][]float64{{0.5, 1.5}, {math.NaN()}, {-.1}} {
		if _, err := ConfidenceSequence(bad, 0, 1, .05, 0); err == nil {
			t.Errorf("%v: terms outside the stated range went through", bad)
		}
	}
}

// TestGoldenPaired: a paired difference is known far better than two values apart.
func TestGoldenPaired(t *testing.T) {
	var want map[string]any
	readJSON(t, "intervals/paired.json", &want)
	text, err := os.ReadFile("testdata/intervals/paired.csv")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var a, b []float64
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		f := strings.Split(strings.TrimSpace(line), ",")
		names = append(names, f[0])
		x, _ := strconv.ParseFloat(f[1], 64)
		y, _ := strconv.ParseFloat(f[2], 64)
		a, b = append(a, x), append(b, y)
	}
	base := &base{rows: &Rows{Reward: a}, by: grouping{cluster: Groups(names)}}
	fa, fb := base.estimateOf("a", a, .95), base.estimateOf("b", b, .95)
	d, err := Compare(&fa, &fb, .95)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]any{"mean_a": *fa.Value, "mean_b": *fb.Value, "difference": *d.Value, "se_row": *d.SE, "se_cluster": *d.SECluster,
		"ci95_normal": []any{d.CI[0], d.CI[1]}, "se_cluster_unpaired": math.Hypot(*fa.SECluster, *fb.SECluster)}
	same(t, "paired", got, want, "rows", "n", "clusters", "tolerance")
}
