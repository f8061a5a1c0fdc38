package models

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
	"recoup/models/lightgbm"
)

var forestInputs = []Input{{Name: "delay_h"}, {Name: "rail", Levels: []string{"unknown", "card", "upi_autopay"}}, {Name: "hour"}}

var forestRows = [][]float64{{0, 0, 1}, {1.5, 1, 23}, {72.25, 2, 7}, {-3, 2, 0}}

// answersOf asks another reader of the file: the plain walk over its trees.
func answersOf(t testing.TB, text []byte, rows [][]float64) (out []ForestAnswer) {
	t.Helper()
	m, err := lightgbm.Parse(text)
	must(t, err)
	for _, row := range rows {
		raw, err := m.Raw(row)
		must(t, err)
		out = append(out, ForestAnswer{row, raw})
	}
	return out
}

func forest(t testing.TB, inputs []Input, rows [][]float64, seed uint64) *Forest {
	t.Helper()
	text := forestText(inputs, 9, seed)
	gains := make([]float64, len(inputs))
	for i := range gains {
		gains[i] = float64(i)
	}
	f, err := NewForest(inputs, text, gains, answersOf(t, text, rows))
	must(t, err)
	return f
}

// forestBundle is a bundle whose both models are forests.
func forestBundle(t testing.TB, seed uint64) *Bundle {
	t.Helper()
	b := bundle(t, 1)
	for _, p := range []struct {
		s    **Scorer
		rows *[]GoldenRow
		seed uint64
	}{{&b.Attempt, &b.Golden.Attempt, seed}, {&b.Cure, &b.Golden.Cure, seed + 100}} {
		*p.s = &Scorer{Forest: forest(t, forestInputs, forestRows, p.seed), Platt: Platt{-.93, .04}}
		rows, err := NewGolden(*p.s, forestRows)
		must(t, err)
		*p.rows = rows
	}
	return b
}

// A registered LightGBM model comes back with the same text and answers, by its folder
// and brought into another registry.
func TestForestFolder(t *testing.T) {
	r, b := registry(t), forestBundle(t, 1)
	id := save(t, r, b)
	text, err := os.ReadFile(filepath.Join(r.Path(id), "attempt.txt"))
	must(t, err)
	if !bytes.Equal(text, b.Attempt.Forest.Text) {
		t.Error("attempt.txt is not the model's text")
	}
	columns, err := os.ReadFile(filepath.Join(r.Path(id), "columns.json"))
	must(t, err)
	want := `[
  {"name":"delay_h","kind":"number"},
  {"name":"rail","kind":"category","levels":["unknown","card","upi_autopay"],"ordered":false},
  {"name":"hour","kind":"number"}
]
`
	if string(columns) != want {
		t.Errorf("columns.json is\n%s", columns)
	}
	other := registry(t)
	for range 2 { // the second time changes nothing
		got, err := other.Add(r.Path(id), "a test", "2026-11-30T00:00:00Z")
		if must(t, err); got != id {
			t.Fatalf("added %s as %s", id, got)
		}
	}
	if a, err := other.Aliases(); err != nil || a != (Aliases{Challenger: id}) {
		t.Errorf("%+v, %v", a, err)
	}
	if log, err := other.Promotions(); err != nil || len(log) != 1 || log[0].To != Challenger || log[0].ID != id {
		t.Errorf("%+v, %v", log, err)
	}
	got, err := other.Load(Challenger)
	must(t, err)
	if got.Kind() != KindLightGBM || !strings.Contains(string(got.Card), "LightGBM, 9 trees on 3 columns") {
		t.Errorf("%s\n%s", got.Kind(), got.Card)
	}
	for _, row := range forestRows {
		raw, p, err := b.Attempt.Score(row)
		must(t, err)
		if raw2, p2, err := got.Attempt.Score(row); err != nil || !sameBits(raw, raw2) || !sameBits(p, p2) {
			t.Errorf("%v: %v %v, %v %v, %v", row, raw, p, raw2, p2, err)
		}
	}
}

// A folder that does not hold one model is refused, with the way out.
func TestAddRefuses(t *testing.T) {
	from := t.TempDir()
	if _, err := registry(t).Add(from, "a test", "2026-11-30T00:00:00Z"); !errors.Is(err, data.ErrUsage) || !strings.Contains(err.Error(), "holds 0") {
		t.Error(err)
	}
	r := registry(t)
	save(t, r, forestBundle(t, 1))
	id, err := registry(t).Add(r.dir, "a test", "2026-11-30T00:00:00Z") // the only one of its folder
	must(t, err)
	must(t, os.WriteFile(filepath.Join(r.Path(id), "attempt.txt"), []byte("tree\n"), 0o644))
	if _, err := registry(t).Add(r.Path(id), "a test", "2026-11-30T00:00:00Z"); !errors.Is(err, data.ErrContract) {
		t.Error(err)
	}
	save(t, r, forestBundle(t, 2))
	if _, err := registry(t).Add(r.dir, "a test", "2026-11-30T00:00:00Z"); !errors.Is(err, data.ErrUsage) || !strings.Contains(err.Error(), "holds 2") {
		t.Error(err)
	}
}

// What does not belong together is refused by name: each case would answer wrongly.
func TestForestRefuses(t *testing.T) {
	text := forestText(forestInputs, 9, 1)
	good := answersOf(t, text, forestRows)
	off := append([]ForestAnswer{}, good...)
	off[2].Raw = math.Nextafter(off[2].Raw, 1)
	for name, c := range map[string]struct {
		inputs  []Input
		text    []byte
		gains   []float64
		answers []ForestAnswer
		says    string
	}{
		"one bit off":         {forestInputs, text, nil, off, "golden row 3"},
		"no answers":          {forestInputs, text, nil, nil, "no rows with LightGBM's own answers"},
		"another order":       {[]Input{forestInputs[2], forestInputs[1], forestInputs[0]}, text, nil, good, "feature 0 is delay_h in the text and hour here"},
		"a column too few":    {forestInputs[:2], text, nil, good, "2 inputs, the text has 3 features"},
		"a category":          {[]Input{forestInputs[0], {Name: "rail"}, forestInputs[2]}, text, nil, good, "feature rail is a category in the text"},
		"a number":            {[]Input{forestInputs[0], forestInputs[1], {Name: "hour", Levels: []string{"a"}}}, text, nil, good, "feature hour is a number in the text"},
		"negative gain":       {forestInputs, text, []float64{1, -1, 0}, good, "feature rail: gain -1"},
		"too few gains":       {forestInputs, text, []float64{1}, good, "1 gains of 3 inputs"},
		"not a model":         {forestInputs, []byte("trees\n"), nil, good, "lightgbm"},
		"a twice named input": {[]Input{forestInputs[0], forestInputs[0], forestInputs[2]}, text, nil, good, "comes twice"},
	} {
		if _, err := NewForest(c.inputs, c.text, c.gains, c.answers); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f, err := NewForest(forestInputs, text, nil, good)
	must(t, err)
	if err := f.Attach(forestText(forestInputs, 9, 2)); err == nil || !strings.Contains(err.Error(), "belongs to another model") {
		t.Error(err)
	}
}

// A row that does not fit is an error, never a number.
func TestForestRows(t *testing.T) {
	f := forest(t, forestInputs, forestRows, 1)
	for _, row := range [][]float64{nil, {1, 0}, {1, 0, 1, 1}, {math.NaN(), 0, 1}, {math.Inf(1), 0, 1}, {1, 3, 1}, {1, -1, 1}, {1, 0.5, 1}} {
		if z, err := f.Margin(row); err == nil {
			t.Errorf("%v: %v", row, z)
		}
	}
}

// A folder with a file too few, too many or of another model is refused.
func TestForestFiles(t *testing.T) {
	_, _, err := (&Bundle{}).files()
	if err == nil {
		t.Error("an empty bundle has files")
	}
	files, _, err := forestBundle(t, 1).files()
	must(t, err)
	plain, _, err := bundle(t, 1).files()
	must(t, err)
	find := func(files []folderFile, name string) folderFile {
		for _, f := range files {
			if f.name == name {
				return f
			}
		}
		t.Fatalf("no %s", name)
		return folderFile{}
	}
	without := func(name string) (out []folderFile) {
		for _, f := range files {
			if f.name != name {
				out = append(out, f)
			}
		}
		return out
	}
	for name, c := range map[string]struct {
		files []folderFile
		says  string
	}{
		"no text":             {without("attempt.txt"), "no attempt.txt"},
		"no columns":          {without("cure.columns.json"), "other columns than the model's"},
		"another text":        {append(without("attempt.txt"), folderFile{"attempt.txt", find(files, "cure.txt").bytes}), "belongs to another model"},
		"a text of a formula": {append(append([]folderFile{}, plain...), find(files, "attempt.txt")), "no LightGBM model"},
	} {
		if _, err := parseFolder(idOf(c.files), c.files); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A folded forest answers as the whole one, bit for bit.
func TestForestGrid(t *testing.T) {
	f := forest(t, forestInputs, forestRows, 1)
	rapid.Check(t, func(rt *rapid.T) {
		row := []float64{rapid.Float64Range(-200, 200).Draw(rt, "delay"), float64(rapid.IntRange(0, 2).Draw(rt, "rail")), rapid.Float64Range(-200, 200).Draw(rt, "hour")}
		g, err := f.Fold(row, []int{0, 1})
		must(t, err)
		row[0], row[1] = rapid.Float64Range(-200, 200).Draw(rt, "delay"), float64(rapid.IntRange(0, 2).Draw(rt, "rail"))
		want, err := f.Margin(row)
		must(t, err)
		if got, err := g.Margin(row); err != nil || !sameBits(got, want) {
			rt.Fatalf("%v: %v, %v; plainly %v", row, got, err, want)
		}
		row[2]++
		if _, err := g.Margin(row); err == nil {
			rt.Fatal("a row that differs where it was not to vary")
		}
	})
}

func TestMedian(t *testing.T) {
	for want, c := range map[float64]Cuts{0: {Rows: []int64{9}}, 2: {At: []float64{1, 2, 3}, Rows: []int64{1, 1, 1, 1}}, 3: {At: []float64{1, 3}, Rows: []int64{0, 1, 9}}} {
		if got := c.Median(); got != want {
			t.Errorf("%+v: %v, want %v", c, got, want)
		}
	}
}
