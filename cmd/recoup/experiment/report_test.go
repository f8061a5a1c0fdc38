package experiment

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
	"recoup/score"
)

var update = flag.Bool("update", false, "rewrite testdata")

// TestReportShape pins which keys a report has: whoever changes them raises version.
func TestReportShape(t *testing.T) {
	c := whole(t.TempDir())
	c.Ablation = true
	play(t, c)
	js := []byte(files(t, c.Dir)["report.json"])
	var v any
	if err := json.Unmarshal(js, &v); err != nil {
		t.Fatal(err)
	}
	paths := map[string]bool{}
	walk("", v, paths)
	got := strings.Join(slices.Sorted(maps.Keys(paths)), "\n") + "\n"
	const file = "testdata/report_shape.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the keys of the report changed:\n%s", got)
	}
	if n := len(score.Default().Rules()); strings.Count(string(js), `"arm": "model",`) < n {
		t.Errorf("fewer than %d ablations of the model", n)
	}
	if _, err := HTML(bytes.Replace(js, []byte(`"says"`), []byte(`"sagt"`), 1)); err == nil {
		t.Error("an unknown key was passed over")
	}
	if _, err := Markdown(bytes.Replace(js, fmt.Appendf(nil, `"version": %d`, version), []byte(`"version": 99`), 1)); err == nil {
		t.Error("another version was read")
	}
	pages(t, c.Dir)
}

// pages holds what people read to the JSON.
func pages(t *testing.T, dir string) {
	t.Helper()
	all := files(t, dir)
	r, err := decode([]byte(all["report.json"]))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.sections() {
		if !strings.Contains(all["report.html"], `id="`+s.ID+`"`) || !strings.Contains(all["report.md"], "## "+s.Title) {
			t.Errorf("section %s is missing from a page", s.ID)
		}
		for _, table := range s.Tables {
			for _, row := range table.Rows {
				if len(row) != len(table.Head) {
					t.Errorf("section %s: a row of %d cells under %d heads", s.ID, len(row), len(table.Head))
				}
			}
		}
	}
	for _, a := range r.Arms {
		if !strings.Contains(all["report.md"], money(a.Net)) || !strings.Contains(all["report.html"], money(a.Net)) {
			t.Errorf("the net of %s, %s, is on neither page", a.Arm, money(a.Net))
		}
	}
	for _, word := range []string{"NaN", "Inf", "<nil>", "%!"} {
		if strings.Contains(all["report.md"], word) || strings.Contains(all["report.html"], word) {
			t.Errorf("a page says %s", word)
		}
	}
}

// walk lists the paths of a JSON value; map keys that are data are a star.
func walk(at string, v any, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if strings.HasSuffix(at, ".arms") || strings.HasSuffix(at, ".breaches") || strings.HasSuffix(at, ".recovered_by") {
				k = "*"
			}
			walk(at+"."+k, e, into)
		}
	case []any:
		for _, e := range v {
			walk(at+"[]", e, into)
		}
	default:
		if !strings.HasSuffix(at, ".why") && !strings.HasSuffix(at, "*") {
			into[at] = true
		}
	}
}

// TestSays: the first sentence follows the interval, whichever way it lies.
func TestSays(t *testing.T) {
	for want, e := range map[string]report.Estimate{
		"The model adds to the rules: 3.0 [1.0, 5.0] rupees a case (p 0.0033": report.Ranged(300, 100, 500, 9),
		"The model takes from the rules":                                      report.Ranged(-300, -500, -100, 9),
		"The model adds nothing to the rules":                                 report.Ranged(100, -100, 300, 9),
	} {
		step := Step{Pair: Pair{Difference: Measures{Net: e}}}
		r := &Report{Pairs: []Pair{{A: Model, B: Rules, Difference: Measures{Net: e, Recovered: e}, Test: paired.Test{P: report.Number(.0033, 9), Sign: report.Number(.5, 9)}}, {A: Oracle, B: Rules, Difference: Measures{Net: report.Ranged(600, 500, 700, 9)}}},
			Attribution: Attribution{Steps: []Step{step, step, step}}}
		if got := says(r)[0]; !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		r.Pairs[1].Difference.Net = report.Ranged(0, -1, 1, 9)
		if got := says(r)[1]; !strings.HasPrefix(got, "There is nothing to add") {
			t.Errorf("%q", got)
		}
	}
}

// TestEachWorld: worlds are told apart, and the class that is missed most is that of
// the largest sum, not of the largest case.
func TestEachWorld(t *testing.T) {
	worlds := []*World{
		{Seed: 1, Customers: []int{0, 1, 2}, Classes: []string{"RETRY_NOW", "RETRY_NOW", "STOP"}},
		{Seed: 2, Customers: []int{0, 1}, Classes: []string{"", ""}},
		{Seed: 3, Customers: []int{0, 1}, Classes: []string{"STOP", "STOP"}},
	}
	arms := map[string]*arm{Rules: {net: []float64{0, 0, 0, 5, 5, 0, 0}}, Model: {net: []float64{1, 1, 1, 2, 4, 3, 1}}, Oracle: {net: []float64{4, 4, 6, 2, 9, 3, 1}}}
	lines := eachWorld(sampleOf(worlds), worlds, arms)
	for i, want := range []struct {
		model, oracle float64
		missed        string
	}{{1, 14.0 / 3, "RETRY_NOW"}, {-2, 0.5, "not reported"}, {2, 2, ""}} {
		l := lines[i]
		if *l.Model.Value != want.model || math.Abs(*l.Oracle.Value-want.oracle) > 1e-12 || l.Missed != want.missed || (l.Needs == "") != (want.missed == "") {
			t.Errorf("world %d: model %v, oracle %v, missed in %q: %s", l.Seed, *l.Model.Value, *l.Oracle.Value, l.Missed, l.Needs)
		}
	}
	said := strings.Join(saysOfWorlds(lines), " ")
	if !strings.Contains(said, "In 1 of 3 worlds") || !strings.Contains(said, "World 2: what the model misses lies mostly in first failures of class not reported") || !strings.Contains(said, needs[""]) {
		t.Error(said)
	}
	if said := strings.Join(saysOfWorlds(lines[2:]), " "); !strings.HasPrefix(said, "In each of the 1 worlds") {
		t.Error(said)
	}
}

func TestMoney(t *testing.T) {
	for p, want := range map[int64]string{0: "0.00", 5: "0.05", -5: "-0.05", 123456789: "1,234,567.89"} {
		if got := money(p); got != want {
			t.Errorf("%d paise: %s, want %s", p, got, want)
		}
	}
	for v, want := range map[float64]float64{0.9: 1, 1.1: 2, 3: 5, 7: 10, 23: 50} {
		if got := nice(v); got != want {
			t.Errorf("nice(%v) = %v, want %v", v, got, want)
		}
	}
}

func HTML(js []byte) ([]byte, error) {
	p, err := paper(js)
	if err != nil {
		return nil, err
	}
	return p.HTML()
}

func Markdown(js []byte) ([]byte, error) {
	p, err := paper(js)
	if err != nil {
		return nil, err
	}
	return p.Markdown(), nil
}
