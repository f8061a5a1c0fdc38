package ope

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"recoup/data"
)

// The golden numbers were computed by two programs written apart (plain loops with
// exact sums, and numpy), from the definitions of Open Bandit Pipeline where it has
// one. They hold to 1e-9.

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", path))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatal(path, err)
	}
}

// same compares every key that is wanted; what is not there is null.
func same(t *testing.T, path string, got, want any, skip ...string) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		g, _ := got.(map[string]any)
		for k, v := range w {
			if !slices.Contains(skip, k) {
				same(t, path+"."+k, g[k], v, skip...)
			}
		}
	case []any:
		g, _ := got.([]any)
		if len(g) != len(w) {
			t.Errorf("%s: %v, want %v", path, got, want)
			return
		}
		for i, v := range w {
			same(t, fmt.Sprintf("%s[%d]", path, i), g[i], v, skip...)
		}
	case float64:
		if g, ok := got.(float64); !ok || !(math.Abs(g-w) <= 1e-9*max(1, math.Abs(w))) {
			t.Errorf("%s: %v, want %v", path, got, w)
		}
	default:
		if got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

// asJSON is v as its reader sees it.
func asJSON(t *testing.T, v any) any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// more are the golden estimators that are not standard.
var more = []Method{
	{"ipw_clip2", Weighted, Clip, 2}, {"dr_clip2", DoublyRobust, Clip, 2}, {"switch_dr_2", DoublyRobust, Switch, 2},
	{"switch_dr_4", DoublyRobust, Switch, 4}, {"dros_2", DoublyRobust, Shrink, 2}, {"sg_ipw_50", Weighted, SubGaussian, .5},
	{"sg_dr_50", DoublyRobust, SubGaussian, .5}, RM(),
}

var notPrinted = []string{"rows", "note", "bootstrap_rows", "bootstrap_clusters", "true_value_in_sample", "tolerance"}

func TestGoldenRows(t *testing.T) {
	check := func(path string, want map[string]any) {
		rows := openRows(t, filepath.Join("testdata", path))
		r, err := Estimate(rows, Options{Methods: append(Standard(), more...)})
		if err != nil {
			t.Fatal(path, err)
		}
		same(t, path, asJSON(t, r), want, notPrinted...)
	}
	var toy map[string]any
	readJSON(t, "toy/expected.json", &toy)
	check("toy/rows.csv", toy)
	var edge struct {
		Cases map[string]map[string]any
	}
	readJSON(t, "edge/expected.json", &edge)
	if len(edge.Cases) < 15 {
		t.Fatalf("%d cases", len(edge.Cases))
	}
	for _, want := range edge.Cases {
		check("edge/"+want["rows"].(string), want)
	}
}

func openRows(t *testing.T, path string) *Rows {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := f.Rows()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

type refusedCase struct {
	File, Reason string
	Row          *int
	Column       *string
}

func TestGoldenRefused(t *testing.T) {
	for folder, file := range map[string]string{"bad": "expected.json", "episodes": "refused.json"} {
		var want struct{ Cases map[string]refusedCase }
		readJSON(t, folder+"/"+file, &want)
		if len(want.Cases) < 8 {
			t.Fatalf("%s: %d cases", folder, len(want.Cases))
		}
		for name, c := range want.Cases {
			f, err := Open(filepath.Join("testdata", folder, c.File))
			if err == nil && f.Kind() == EpisodeFile {
				_, err = f.Episodes()
			} else if err == nil {
				_, err = f.Rows()
			}
			var r *Refusal
			if !errors.As(err, &r) || !errors.Is(err, data.ErrContract) || string(r.Reason) != c.Reason {
				t.Errorf("%s: %v, want %s", name, err, c.Reason)
				continue
			}
			if c.Row != nil && r.Row != *c.Row || c.Row == nil && r.Row != 0 {
				t.Errorf("%s: row %d: %v", name, r.Row, err)
			}
			if c.Column != nil && c.Reason != "duplicate_column" && r.Column != *c.Column {
				t.Errorf("%s: column %q, want %q", name, r.Column, *c.Column)
			}
		}
	}
}

func TestGoldenEpisodes(t *testing.T) {
	var want struct {
		Cases map[string]struct {
			File    string           `json:"episodes_file"`
			ByGamma []map[string]any `json:"by_gamma"`
		}
	}
	readJSON(t, "episodes/expected.json", &want)
	for name, c := range want.Cases {
		f, err := Open(filepath.Join("testdata", "episodes", c.File))
		if err != nil {
			t.Fatal(err)
		}
		e, err := f.Episodes()
		if err != nil {
			t.Fatal(name, err)
		}
		for _, w := range c.ByGamma {
			s, err := EstimateEpisodes(e, w["gamma"].(float64), .95)
			if err != nil {
				t.Fatal(name, err)
			}
			got := asJSON(t, s).(map[string]any)
			got["episodes"] = got["n"]
			same(t, name, got, w)
		}
	}
}

func TestGoldenTimes(t *testing.T) {
	var want struct {
		Cases []struct {
			Rows        string
			ByBandwidth []map[string]any `json:"by_bandwidth"`
		}
	}
	readJSON(t, "times/expected.json", &want)
	for _, c := range want.Cases {
		f, err := Open(filepath.Join("testdata", "times", c.Rows))
		if err != nil {
			t.Fatal(err)
		}
		in, err := f.Times()
		if err != nil {
			t.Fatal(err)
		}
		for _, by := range c.ByBandwidth {
			for _, k := range []Kernel{Gaussian, Epanechnikov, Triangular, Cosine} {
				r, err := EstimateTimes(in, k, by["h"].(float64), .95)
				if err != nil {
					t.Fatal(err)
				}
				w := by[string(k)].(map[string]any)
				facts := w["weights"]
				delete(w, "weights")
				got := asJSON(t, r).(map[string]any)
				same(t, c.Rows+" "+string(k), got["estimators"], w)
				same(t, c.Rows+" "+string(k), got["weights"], facts)
			}
		}
	}
}
