package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recoup/data"
)

// stump sends numbers up to 0.5 to 1, all else to 2.
var stump = stumpOf("[0:1]", "num_cat=0\nsplit_feature=0\nthreshold=0.5\ndecision_type=8\nleft_child=-1\nright_child=-2\nleaf_value=1 2\nis_linear=0\n")

func putIn(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The way out that a refused cell is told is the one that helps, and no other.
func TestPredictCellsWayOut(t *testing.T) {
	dir := t.TempDir()
	numbers, codes := putIn(t, dir, "numbers.txt", stump), putIn(t, dir, "codes.txt", stumpOfCategories)
	const levels, empty, truth = "Text columns need their levels", "leave the field empty", "true or false in every row"
	for _, c := range []struct{ model, name, rows, want string }{
		{numbers, "x.csv", "f_0,g\n1\n", ""},
		{numbers, "x.csv", "f_0\n1e400\n", ""},
		{numbers, "x.csv", "f_0\ncard\n", ""},
		{numbers, "x.csv", "f_0\nNaN\n", empty},
		{numbers, "x.csv", "f_0\n1\nNA\n", empty},
		{numbers, "x.jsonl", `{"f_0":"null"}` + "\n", empty},
		{numbers, "x.csv", "f_0\n1\nTRUE\n", truth},
		{codes, "x.csv", "f_0,g\n1\n", ""},
		{codes, "x.csv", "f_0\n1e400\n", ""},
		{codes, "x.csv", "f_0\nnull\n", empty},
		{codes, "x.csv", "f_0\ncard\n", levels},
		{codes, "x.jsonl", `{"f_0":"card"}` + "\n", levels},
	} {
		code, _, errs := recoup(t, "predict", "--model", c.model, "--rows", putIn(t, dir, c.name, c.rows))
		if code != 6 {
			t.Errorf("%q: exit %d: %s", c.rows, code, errs)
		}
		for _, way := range []string{levels, empty, truth} {
			if strings.Contains(errs, way) != (way == c.want) {
				t.Errorf("%s, %q: %s", filepath.Base(c.model), c.rows, errs)
			}
		}
	}
}

// True and false are 1 and 0 in every kind of file, and nothing else is among them.
func TestPredictTruths(t *testing.T) {
	dir := t.TempDir()
	model := putIn(t, dir, "m.txt", stump)
	parquet := filepath.Join(dir, "x.parquet")
	columns := []data.Column{{Name: "f_0", Kind: data.Bool, I: []int64{1, 0, 0}, Nulls: []bool{false, false, true}}}
	w, err := data.CreateFrames(parquet, columns, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(&data.Frame{N: 3, Columns: columns}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := scored(t, "--model", model, "--rows", putIn(t, dir, "n.csv", "f_0,x\n1,\n0,\n,\n")).Raw
	for _, rows := range []string{
		parquet, putIn(t, dir, "x.csv", "f_0,x\ntrue,\nfalse,\n,\n"), putIn(t, dir, "y.csv", "f_0,x\nTRUE,\nFalse,\n,\n"),
		putIn(t, dir, "x.jsonl", "{\"f_0\":true}\n{\"f_0\":false}\n{\"f_0\":null}\n"),
	} {
		if got := scored(t, "--model", model, "--rows", rows).Raw; !slices.Equal(got, want) || want[0] == want[1] {
			t.Errorf("%s: %v, want %v", rows, got, want)
		}
	}
	long := putIn(t, dir, "z.csv", "f_0\n"+strings.Repeat("true\n", 200_000)+"1\n")
	if code, _, errs := recoup(t, "predict", "--model", model, "--rows", long); code != 6 || !strings.Contains(errs, `line 200002: "1" among true and false`) {
		t.Errorf("a number among truths: exit %d: %s", code, errs)
	}
}

// Levels that are true and false are found in every kind of file, too; a level "" is told
// of where no field can hold it.
func TestPredictOddLevels(t *testing.T) {
	dir := t.TempDir()
	model := putIn(t, dir, "m.txt", stumpOfCategories)
	truths := putIn(t, dir, "t.json", `[{"name":"f_0","kind":"category","levels":[false,true,"x"],"ordered":false}]`)
	parquet := filepath.Join(dir, "x.parquet")
	columns := []data.Column{{Name: "f_0", Kind: data.Bool, I: []int64{1, 0}}}
	w, err := data.CreateFrames(parquet, columns, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(&data.Frame{N: 2, Columns: columns}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, rows := range []string{
		parquet, putIn(t, dir, "x.csv", "f_0\ntrue\nfalse\n"), putIn(t, dir, "y.csv", "f_0\nTrue\nFALSE\n"), putIn(t, dir, "x.jsonl", "{\"f_0\":true}\n{\"f_0\":false}\n"),
	} {
		if got := scored(t, "--model", model, "--columns", truths, "--rows", rows).Raw; !slices.Equal(got, []float64{2, 1}) {
			t.Errorf("%s: %v", rows, got)
		}
	}
	empty := putIn(t, dir, "e.json", `[{"name":"f_0","kind":"category","levels":["","b","c"],"ordered":false}]`)
	for rows, told := range map[string]bool{putIn(t, dir, "e.csv", "f_0,x\nb,\n"): true, putIn(t, dir, "e.jsonl", "{\"f_0\":\"\"}\n{\"f_0\":\"b\"}\n"): false} {
		r := scored(t, "--model", model, "--columns", empty, "--rows", rows)
		if strings.Contains(strings.Join(r.Warnings, "\n"), `the model has the level ""`) != told {
			t.Errorf("%s: %q", rows, r.Warnings)
		}
	}
}

// What goes with registered models only is refused beside a file.
func TestPredictTextTakesNoPart(t *testing.T) {
	dir := t.TempDir()
	model, rows := putIn(t, dir, "m.txt", stump), putIn(t, dir, "n.csv", "f_0\n1\n")
	for _, flags := range [][]string{{"--part", "cure"}, {"--part", "attempt"}, {"--dir", dir}} {
		code, out, errs := recoup(t, append([]string{"predict", "--model", model, "--rows", rows}, flags...)...)
		if code != 2 || out != "" || !strings.Contains(errs, "--part and --dir go with registered models") {
			t.Errorf("%v: exit %d: %s%s", flags, code, out, errs)
		}
	}
	if code, _, errs := recoup(t, "predict", "--model", model, "--rows", rows); code != 0 {
		t.Error(errs)
	}
}
