package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recoup/data"
	"recoup/data/table"
	"recoup/models"
)

// stump is a LightGBM file of one tree on the made world: x <= 0 gives lo, else 0.75.
func stump(lo float64) []byte {
	tree := fmt.Sprintf("Tree=0\nnum_leaves=2\nnum_cat=0\nsplit_feature=0\nsplit_gain=5\nthreshold=0\ndecision_type=2\nleft_child=-1\nright_child=-2\nleaf_value=%v 0.75\nleaf_weight=1 1\nleaf_count=9 9\ninternal_value=0\ninternal_weight=2\ninternal_count=18\nis_linear=0\nshrinkage=1\n\n\n", lo)
	return fmt.Appendf(nil, "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=2\nobjective=binary sigmoid:1\nfeature_names=x k noise\nfeature_infos=[-5:5] -1:0:1:2 [-5:5]\ntree_sizes=%d\n\n%send of trees\n\nfeature_importances:\nx=1\n\nparameters:\n[boosting: gbdt]\n[objective: binary]\n\nend of parameters\n\npandas_categorical:null\n", len(tree), tree)
}

// fake is an interpreter that answers with files of a folder: model.txt and fit.json, for
// the second fit those under again.
func fake(t *testing.T, first, second []byte, fit, again forestFit) (python string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, b []byte) {
		must(t, os.WriteFile(filepath.Join(dir, name), b, 0o755))
	}
	for name, f := range map[string]forestFit{"fit.json": fit, "again.json": again} {
		js, err := json.Marshal(f)
		must(t, err)
		write(name, js)
	}
	write("first.txt", first)
	write("again.txt", second)
	write("python", []byte("#!/bin/sh\n[ \"$1\" = -I ] && [ -s \"$2\" ] && [ -s \"$3/rows.arrows\" ] && [ -s \"$3/columns.json\" ] && [ -s \"$3/settings.json\" ] || exit 9\n"+
		"echo trial 1\ncase $3 in */again) cp "+dir+"/again.txt $3/model.txt; cp "+dir+"/again.json $3/fit.json;; *) cp "+dir+"/first.txt $3/model.txt; cp "+dir+"/fit.json $3/fit.json;; esac\n"))
	return filepath.Join(dir, "python")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// handedBack is an honest answer of the Python side about the made world.
func handedBack(rows int64) (fit, again forestFit) {
	fit = forestFit{Version: "4.7.0", Gains: []float64{5, 0, 0}, Golden: []models.ForestAnswer{{Row: []float64{-1, 1, 0}, Raw: -0.5}, {Row: []float64{1, 2, 0}, Raw: 0.75}}}
	for i, p := range forestTrials(rows) {
		fit.Trials = append(fit.Trials, ForestTrial{Parameters: p, Rounds: 1, LogLoss: 0.6, Chosen: i == 1})
	}
	again = fit
	again.Trials = []ForestTrial{fit.Trials[1]}
	return fit, again
}

// madeFit is what RunLightGBM takes over of a model of Run.
func madeFit(t *testing.T, task Task) *Fitted {
	t.Helper()
	f := &Fitted{}
	var err error
	f.Slices, err = task.count()
	must(t, err)
	rows, err := task.parts(f.Slices, everybody)
	must(t, err)
	f.Train, err = task.describe(rows.train)
	must(t, err)
	f.Seen, err = seen(task.Schema, rows.train)
	must(t, err)
	return f
}

// What Python is given are the train and the select slice, with texts as they are, and
// what comes back is calibrated on rows that it never saw.
func TestHandOff(t *testing.T) {
	task := madeTask(t, 1, 1)
	like := madeFit(t, task)
	fit, again := handedBack(like.Train.Rows)
	var said []string
	g := LightGBM{Python: fake(t, stump(-0.5), stump(-0.5), fit, again), Dir: filepath.Join(t.TempDir(), "work"), Seed: 1, Progress: func(line string) { said = append(said, line) }}
	f, err := RunLightGBM(context.Background(), task, like, g)
	must(t, err)
	if len(said) != 2 || f.Version != "4.7.0" || f.SelectLoss() != 0.6 || f.Train != like.Train || f.Platt.A > -0.5 || f.Seen.Scores == nil {
		t.Errorf("%q, %+v", said, f)
	}
	if _, err := os.Stat(filepath.Join(g.Dir, rowsFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the rows are kept: %v", err)
	}

	rows, err := task.parts(f.Slices, everybody)
	must(t, err)
	must(t, task.handOver(g, rows, forestTrials(like.Train.Rows)))
	file, err := table.Open(filepath.Join(g.Dir, rowsFile), table.Options{})
	must(t, err)
	var names []string
	for _, c := range file.Columns() {
		names = append(names, c.Name)
	}
	if want := []string{"x", "k", "noise", "y", "select"}; !slices.Equal(names, want) {
		t.Errorf("columns %q, want %q", names, want)
	}
	var want, got []float64
	var chosen int64
	for _, part := range []Source{rows.train, rows.pick} {
		for f, err := range part() {
			must(t, err)
			want = append(want, f.Column("x").F...)
		}
	}
	for f, err := range file.Frames() {
		must(t, err)
		got = append(got, f.Column("x").F...)
		for _, v := range f.Column("select").I {
			chosen += v
		}
		if k := f.Column("k").Text(0); k != "a" && k != "b" {
			t.Errorf("k is %q", k)
		}
	}
	if !slices.Equal(got, want) || chosen != f.Slices.Of(ForSelect).Rows {
		t.Errorf("%d rows, %d of them to choose by: want %d and %d", len(got), chosen, len(want), f.Slices.Of(ForSelect).Rows)
	}
}

// An answer of Python that is not to be trusted is refused, whatever is wrong with it.
func TestHandOffRefuses(t *testing.T) {
	task := madeTask(t, 1, 1)
	like := madeFit(t, task)
	change := func(f func(fit, again *forestFit)) [2]forestFit {
		fit, again := handedBack(like.Train.Rows)
		fit.Trials, again.Trials, fit.Golden = slices.Clone(fit.Trials), slices.Clone(again.Trials), slices.Clone(fit.Golden)
		f(&fit, &again)
		return [2]forestFit{fit, again}
	}
	same := change(func(_, _ *forestFit) {})
	for name, c := range map[string]struct {
		first, second []byte
		fits          [2]forestFit
		says          string
	}{
		"a second fit":      {stump(-0.5), stump(-0.25), same, "gave other bytes"},
		"another model":     {stump(-0.25), stump(-0.25), same, "golden row 1"},
		"no model":          {[]byte("tree\n"), nil, same, "lightgbm"},
		"other parameters":  {stump(-0.5), stump(-0.5), change(func(f, _ *forestFit) { f.Trials[2].Parameters.Leaves++ }), "trial 3 is of other parameters"},
		"a trial lost":      {stump(-0.5), stump(-0.5), change(func(f, _ *forestFit) { f.Trials = f.Trials[:2] }), "2 trials, 4 were asked for"},
		"two chosen":        {stump(-0.5), stump(-0.5), change(func(f, _ *forestFit) { f.Trials[0].Chosen = true }), "2 trials were chosen"},
		"no trees":          {stump(-0.5), stump(-0.5), change(func(f, _ *forestFit) { f.Trials[0].Rounds = 0 }), "trial 1: 0 trees"},
		"no golden rows":    {stump(-0.5), stump(-0.5), change(func(f, _ *forestFit) { f.Golden = nil }), "no rows with LightGBM's own answers"},
		"a bit of a golden": {stump(-0.5), stump(-0.5), change(func(f, _ *forestFit) { f.Golden[1].Raw = math.Nextafter(0.75, 1) }), "golden row 2"},
		"backwards":         {stump(5), stump(5), change(func(f, _ *forestFit) { f.Golden[0].Raw = 5 }), "ranks backwards"},
	} {
		g := LightGBM{Python: fake(t, c.first, c.second, c.fits[0], c.fits[1]), Dir: filepath.Join(t.TempDir(), "work"), Seed: 1}
		if _, err := RunLightGBM(context.Background(), task, like, g); err == nil || !strings.Contains(err.Error(), c.says) || !errors.Is(err, data.ErrUnsafe) {
			t.Errorf("%s: %v", name, err)
		}
	}
	broken := filepath.Join(t.TempDir(), "python")
	must(t, os.WriteFile(broken, []byte("#!/bin/sh\necho one >&2\necho MemoryError: no room >&2\nexit 1\n"), 0o755))
	_, err := RunLightGBM(context.Background(), task, like, LightGBM{Python: broken, Dir: filepath.Join(t.TempDir(), "work")})
	if err == nil || !strings.Contains(err.Error(), "MemoryError: no room") {
		t.Error(err)
	}
}

// Without a Python that works the error names the way out, and nothing is made.
func TestPythonMissing(t *testing.T) {
	empty, dir := t.TempDir(), filepath.Join(t.TempDir(), "venv")
	t.Setenv("PATH", empty)
	for name, named := range map[string]string{"none": "", "not there": filepath.Join(empty, "python")} {
		_, err := Python(context.Background(), named, dir, nil)
		if !errors.Is(err, ErrPython) || !errors.Is(err, data.ErrUsage) || !strings.Contains(err.Error(), "recoup models add") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s: %v", dir, err)
	}
	for version, says := range map[string]string{"3.3.5": "has version 3.3.5: 4.7.0 is pinned", "4.7.0": ""} {
		python := filepath.Join(empty, "python"+version)
		must(t, os.WriteFile(python, []byte("#!/bin/sh\necho "+version+"\n"), 0o755))
		if got, err := Python(context.Background(), python, dir, nil); says == "" && (err != nil || got != python) || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %s, %v", version, got, err)
		}
	}
}

// The real thing, where RECOUP_LIGHTGBM_PYTHON names an interpreter with the pinned
// packages: trees find the made world about as well as the formula that made it.
func TestLightGBMFindsTheWorld(t *testing.T) {
	python := os.Getenv("RECOUP_LIGHTGBM_PYTHON")
	if python == "" {
		t.Skip("RECOUP_LIGHTGBM_PYTHON names no interpreter; .ci/train_lightgbm sets it")
	}
	python, err := Python(context.Background(), python, "", nil)
	must(t, err)
	task := madeTask(t, 1, 1)
	formula, err := Run(context.Background(), task)
	must(t, err)
	f, err := RunLightGBM(context.Background(), task, formula, LightGBM{Python: python, Dir: filepath.Join(t.TempDir(), "work"), Seed: 1})
	must(t, err)
	brier := func(m models.Scorer) float64 {
		s, err := Score(task, m, *f.Slices.Of(ForTest))
		must(t, err)
		e, err := models.Evaluate(s.P, s.Y, nil)
		must(t, err)
		return e.Brier
	}
	mine, its := brier(*f.Scorer()), brier(models.Scorer{Logistic: formula.Logistic, Platt: formula.Platt})
	if mine > its+0.003 || f.Forest.Gains[0] < f.Forest.Gains[2]*5 {
		t.Errorf("Brier %v, the formula's %v; gains %v", mine, its, f.Forest.Gains)
	}
}
