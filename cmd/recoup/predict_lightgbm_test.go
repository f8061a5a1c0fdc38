package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"recoup/data"
)

const lightgbmFixtures = "../../models/lightgbm/testdata"

// scored runs predict --json, which must go well.
func scored(t *testing.T, args ...string) predictResult {
	t.Helper()
	code, out, errs := recoup(t, append([]string{"predict", "--json"}, args...)...)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	var r predictResult
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func table2(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cells, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

func expectedScores(t *testing.T, dir string) (raw, p []float64) {
	t.Helper()
	for _, c := range table2(t, filepath.Join(dir, "expected.csv"))[1:] {
		a, err1 := strconv.ParseFloat(c[0], 64)
		b, err2 := strconv.ParseFloat(c[1], 64)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		raw, p = append(raw, a), append(p, b)
	}
	return raw, p
}

// Every fixture's rows give LightGBM's raw scores bit for bit, found by column name: with
// the columns turned round and others between them too.
func TestPredictLightGBM(t *testing.T) {
	models, err := filepath.Glob(lightgbmFixtures + "/*/model.txt")
	if err != nil || len(models) != 22 {
		t.Fatalf("%d fixtures, %v", len(models), err)
	}
	turned := filepath.Join(t.TempDir(), "turned.csv")
	for _, model := range models {
		dir := filepath.Dir(model)
		raw, p := expectedScores(t, dir)
		cells := table2(t, filepath.Join(dir, "rows.csv"))
		for i := range cells {
			slices.Reverse(cells[i])
			cells[i] = slices.Insert(cells[i], 1, []string{"y", "x"}[min(i, 1)])
		}
		f, err := os.Create(turned)
		if err != nil {
			t.Fatal(err)
		}
		if err := csv.NewWriter(f).WriteAll(cells); err != nil {
			t.Fatal(err)
		}
		f.Close()
		for _, rows := range []string{filepath.Join(dir, "rows.csv"), turned} {
			r := scored(t, "--model", model, "--rows", rows)
			if r.N != len(raw) || len(r.Raw) != len(raw) || len(r.P) != len(raw) || r.Part != "" || len(r.Model) != 64 {
				t.Fatalf("%s: n %d of %d, model %s part %q", model, r.N, len(raw), r.Model, r.Part)
			}
			for i := range raw {
				if math.Float64bits(r.Raw[i]) != math.Float64bits(raw[i]) || math.Abs(r.P[i]-p[i]) > 1e-12 {
					t.Errorf("%s row %d: %v %v, LightGBM %v %v", model, i+1, r.Raw[i], r.P[i], raw[i], p[i])
				}
			}
		}
	}
}

// Parquet rows: floats with NaN, whole numbers, nulls, texts.
func TestPredictLightGBMParquet(t *testing.T) {
	dir := filepath.Join(lightgbmFixtures, "texts")
	raw, _ := expectedScores(t, dir)
	cells := table2(t, filepath.Join(dir, "rows.csv"))
	var columns []data.Column
	for j, name := range cells[0] {
		c := data.Column{Name: name, Kind: data.Float64}
		if name == "rail" || name == "bank" || name == "tier" {
			c = data.Column{Name: name, Kind: data.String, Nulls: []bool{}}
		}
		for _, row := range cells[1:] {
			s := row[j]
			if c.Kind == data.String {
				c.Nulls = append(c.Nulls, s == "")
				c.Codes, c.Dict = append(c.Codes, uint32(len(c.Dict))), append(c.Dict, s)
				continue
			}
			x := math.NaN()
			if s != "" {
				x, _ = strconv.ParseFloat(s, 64)
			}
			c.F = append(c.F, x)
		}
		columns = append(columns, c)
	}
	path := filepath.Join(t.TempDir(), "rows.parquet")
	w, err := data.CreateFrames(path, columns, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(&data.Frame{N: len(raw), Columns: columns}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if r := scored(t, "--model", filepath.Join(dir, "model.txt"), "--rows", path); !slices.Equal(r.Raw, raw) {
		t.Errorf("%v, LightGBM %v", r.Raw, raw)
	}
}

// What is bound is what the model means, or it is refused.
func TestPredictLightGBMRefuses(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	read := func(path string) string {
		b, err := os.ReadFile(filepath.Join(lightgbmFixtures, path))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	tiny, texts := put("tiny.txt", read("tiny/model.txt")), put("texts.txt", read("texts/model.txt"))
	columns, textRows := read("texts/columns.json"), put("texts.csv", read("texts/rows.csv"))
	huge := put("huge.txt", "")
	if err := os.Truncate(huge, 257<<20); err != nil {
		t.Fatal(err)
	}
	rows := put("rows.csv", "amount,days_late,retries\n10,1,0\n")
	for name, c := range map[string]struct {
		args []string
		code int
		says []string
	}{
		"a column lost":       {[]string{"--model", tiny, "--rows", put("lost.csv", "amount,retries\n1,2\n")}, 6, []string{"lost.csv", "days_late"}},
		"a text for a number": {[]string{"--model", tiny, "--rows", put("text.csv", "amount,days_late,retries\n10,1,0\n10,NA,0\n")}, 6, []string{"days_late", "line 3"}},
		"infinite":            {[]string{"--model", tiny, "--rows", put("inf.csv", "amount,days_late,retries\n10,inf,0\n")}, 6, []string{"days_late", "line 2"}},
		"no rows":             {[]string{"--model", tiny, "--rows", put("none.csv", "amount,days_late,retries\n")}, 6, []string{"no rows"}},
		"a damaged model":     {[]string{"--model", put("cut.txt", read("tiny/model.txt")[:1500]), "--rows", rows}, 6, []string{"cut.txt", "cut"}},
		"a huge file":         {[]string{"--model", huge, "--rows", rows}, 2, []string{"huge.txt", "at most"}},
		"levels of whom":      {[]string{"--model", texts, "--rows", textRows}, 2, []string{"3 text columns", "--columns"}},
		"columns of another":  {[]string{"--model", texts, "--rows", textRows, "--columns", put("other.json", read("tiny/columns.json"))}, 6, []string{"other.json", "3 columns"}},
		"columns turned":      {[]string{"--model", tiny, "--rows", rows, "--columns", put("turned.json", `[{"name":"days_late","kind":"number"},{"name":"amount","kind":"number"},{"name":"retries","kind":"number"}]`)}, 6, []string{"order"}},
		"levels in another order": {[]string{"--model", texts, "--rows", textRows, "--columns", put("levels.json", strings.Replace(columns, `"upi", "card"`, `"card", "upi"`, 1))}, 6,
			[]string{"pandas_categorical"}},
		"a level twice":       {[]string{"--model", texts, "--rows", textRows, "--columns", put("twice.json", strings.Replace(columns, `"upi", "card"`, `"upi", "upi"`, 1))}, 6, []string{`"upi"`, "twice"}},
		"an unknown key":      {[]string{"--model", texts, "--rows", textRows, "--columns", put("key.json", strings.Replace(columns, `"kind"`, `"sort"`, 1))}, 6, []string{"sort"}},
		"an unknown kind":     {[]string{"--model", texts, "--rows", textRows, "--columns", put("kind.json", strings.Replace(columns, `"number"`, `"numeral"`, 1))}, 6, []string{"numeral"}},
		"a category a number": {[]string{"--model", tiny, "--rows", rows, "--columns", put("cat.json", `[{"name":"amount","kind":"category","levels":["a"],"ordered":false},{"name":"days_late","kind":"number"},{"name":"retries","kind":"number"}]`)}, 6, []string{"amount", "numeric"}},
		"no such columns":     {[]string{"--model", tiny, "--rows", rows, "--columns", filepath.Join(dir, "no.json")}, 2, []string{"no.json"}},
		"no JSON":             {[]string{"--model", tiny, "--rows", rows, "--columns", rows}, 6, []string{"rows.csv"}},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := recoup(t, append([]string{"predict", "--json"}, c.args...)...)
			if code != c.code || out != "" {
				t.Errorf("exit %d, want %d: %s%s", code, c.code, out, errs)
			}
			for _, s := range c.says {
				if !strings.Contains(errs, s) {
					t.Errorf("%s\ndoes not name %s", errs, s)
				}
			}
		})
	}
	// columns.json beside the model is found, and judged, by itself.
	put("columns.json", columns)
	if r := scored(t, "--model", texts, "--rows", textRows); len(r.Raw) == 0 {
		t.Error("no scores")
	}
	if code, _, errs := recoup(t, "predict", "--model", tiny, "--rows", rows); code != 6 || !strings.Contains(errs, "lies beside the model") {
		t.Errorf("the columns.json of another model: exit %d: %s", code, errs)
	}
}

// Levels without a columns.json are bound where the counts leave no doubt; what was scored
// otherwise than the file may have meant is told.
func TestPredictLightGBMPairsAndWarns(t *testing.T) {
	dir := t.TempDir()
	model := strings.Replace(stumpOfCategories, "pandas_categorical:null", `pandas_categorical:[["b", "a", "c"]]`, 1)
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	m := put("m.txt", model)
	r := scored(t, "--model", m, "--rows", put("r.csv", "f 0\na\nb\nc\n\"\"\nz\n"))
	if want := []float64{2, 1, 1, 2, 2}; !slices.Equal(r.Raw, want) { // 0 = b and 2 = c go left
		t.Errorf("%v, want %v", r.Raw, want)
	}
	if len(r.Warnings) != 2 || !strings.Contains(r.Warnings[0]+r.Warnings[1], `line 6: "z"`) || !strings.Contains(r.Warnings[0]+r.Warnings[1], "not among those that the model kept (first line 2") {
		t.Errorf("%q", r.Warnings)
	}
	if code, _, errs := recoup(t, "predict", "--model", m, "--rows", put("s.csv", "f_0\n0\n1\n")); code != 2 || !strings.Contains(errs, "none of its texts") {
		t.Errorf("codes for texts: exit %d %s", code, errs)
	}
	codes := put("codes.txt", stumpOfCategories)
	r = scored(t, "--model", codes, "--rows", put("c.csv", "f_0\n0\n2.5\n1\n-1\n99\n"))
	if want := []float64{1, 1, 2, 2, 2}; !slices.Equal(r.Raw, want) {
		t.Errorf("%v, want %v", r.Raw, want)
	}
	if all := strings.Join(r.Warnings, "\n"); !strings.Contains(all, "no whole numbers") || !strings.Contains(all, "3 rows with categories that are not among those that the model kept") {
		t.Errorf("%s", all)
	}
}

// stumpOfCategories sends the categories 0 and 2 to 1, all else to 2.
var stumpOfCategories = stumpOf("-1:0:2", "num_cat=1\nsplit_feature=0\nthreshold=0\ndecision_type=9\nleft_child=-1\nright_child=-2\nleaf_value=1 2\ncat_boundaries=0 1\ncat_threshold=5\nis_linear=0\n")

// stumpOf is a model of one feature and one split.
func stumpOf(info, lines string) string {
	tree := "Tree=0\nnum_leaves=2\n" + lines + "shrinkage=1\n\n\n"
	return "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=0\nobjective=binary sigmoid:1\nfeature_names=f_0\nfeature_infos=" + info +
		"\ntree_sizes=" + strconv.Itoa(len(tree)) + "\n\n" + tree + "end of trees\n\npandas_categorical:null\n"
}

// A score that is not finite is null, and named.
func TestPredictLightGBMBeyondFloat(t *testing.T) {
	model, rows := filepath.Join(t.TempDir(), "m.txt"), filepath.Join(t.TempDir(), "rows.csv")
	linear := stumpOf("[0:1]", "num_cat=0\nsplit_feature=0\nthreshold=0.5\ndecision_type=8\nleft_child=-1\nright_child=-2\nleaf_value=1 2\nis_linear=1\nleaf_const=0 0\nnum_features=1 1\nleaf_features=0  0  \nleaf_coeff=1e300  1e300  \n")
	for path, text := range map[string]string{model: linear, rows: "f_0\n0\n1e300\n-1e300\n"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, out, errs := recoup(t, "predict", "--model", model, "--rows", rows, "--json")
	var r struct {
		Raw, P   []*float64
		Warnings []string
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v: %s%s", err, out, errs)
	}
	if len(r.Raw) != 3 || r.Raw[0] == nil || *r.Raw[0] != 0 || r.Raw[1] != nil || r.Raw[2] != nil || len(r.P) != 3 || *r.P[1] != 1 || *r.P[2] != 0 {
		t.Errorf("%s", out)
	}
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "2 rows whose score is not finite") || !strings.Contains(r.Warnings[0], "line 3: +Inf") {
		t.Errorf("%q", r.Warnings)
	}
}

func TestInspectLightGBM(t *testing.T) {
	model := filepath.Join(lightgbmFixtures, "texts", "model.txt")
	code, out, errs := recoup(t, "models", "inspect", model)
	if code != 0 {
		t.Fatal(errs)
	}
	for _, want := range []string{"read alike by three readers on 1000 rows", "binary, p = 1/(1+exp(-1 raw))", "bank", "categorical"} {
		if !strings.Contains(out, want) {
			t.Errorf("%s\ndoes not say %s", out, want)
		}
	}
	code, out, errs = recoup(t, "models", "inspect", model, "--json")
	var r inspectedText
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 {
		t.Fatal(err, errs)
	}
	if r.Trees != 3 || len(r.Features) != 8 || len(r.Levels) != 3 || r.HostileRows != 1000 {
		t.Errorf("%+v", r)
	}
	if code, _, errs = recoup(t, "models", "inspect", filepath.Join(lightgbmFixtures, "texts", "rows.csv")); code != 6 || !strings.Contains(errs, "tree (first line)") {
		t.Errorf("no model: exit %d %s", code, errs)
	}
	if code, _, errs = recoup(t, "models", "inspect", "champion"); code != 2 || !strings.Contains(errs, "--dir") {
		t.Errorf("no directory: exit %d %s", code, errs)
	}
}
