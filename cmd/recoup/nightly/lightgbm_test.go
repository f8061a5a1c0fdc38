package nightly

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"recoup/api/report"
	"recoup/models"
	"recoup/train"
)

// shipped is the folder of the LightGBM model of the repository.
func shipped() string {
	found, err := filepath.Glob("../../../models/simulated/????????????????")
	if err != nil || len(found) != 1 {
		panic(fmt.Sprint("models/simulated: ", found, err))
	}
	abs, err := filepath.Abs(found[0])
	if err != nil {
		panic(err)
	}
	return abs
}

// fakePython stands in for the interpreter: whatever it is shown, it has learned the
// shipped attempt model. The small world has no cure model.
func fakePython(args []string) {
	if args[1] == "-c" {
		fmt.Println("4.7.0")
		return
	}
	check := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	read := func(path string, v any) {
		b, err := os.ReadFile(path)
		check(err)
		check(json.Unmarshal(b, v))
	}
	dir := args[2]
	var settings struct {
		Trials []json.RawMessage
	}
	read(filepath.Join(dir, "settings.json"), &settings)
	var model struct {
		Forest struct {
			Gains   []float64
			Answers []models.ForestAnswer
		}
	}
	from := os.Getenv("RECOUP_FAKE_PYTHON")
	read(filepath.Join(from, "attempt.json"), &model)
	text, err := os.ReadFile(filepath.Join(from, "attempt.txt"))
	check(err)
	var trials []map[string]any
	for i, p := range settings.Trials {
		trials = append(trials, map[string]any{"parameters": p, "rounds": 1, "log_loss": 9, "chosen": i == 0})
	}
	js, err := json.Marshal(map[string]any{"lightgbm": "4.7.0", "trials": trials, "gains": model.Forest.Gains, "golden": model.Forest.Answers})
	check(err)
	check(os.WriteFile(filepath.Join(dir, "fit.json"), js, 0o644))
	check(os.WriteFile(filepath.Join(dir, "model.txt"), text, 0o644))
}

// A night with LightGBM and with a model that was brought in: all three are judged on the
// same rows, the best is promoted, and a second run has nothing to do.
func TestNightOfThree(t *testing.T) {
	dir := home(t)
	python := filepath.Join(t.TempDir(), "python")
	self, err := os.Executable()
	if err == nil {
		err = os.WriteFile(python, fmt.Appendf(nil, "#!/bin/sh\nRECOUP_FAKE_PYTHON=%s exec %s \"$@\"\n", shipped(), self), 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	registry, err := models.OpenRegistry(filepath.Join(dir, "models"))
	if err != nil {
		t.Fatal(err)
	}
	brought, err := registry.Add(shipped(), "a test", "2026-03-01T00:00:00Z")
	if err != nil {
		t.Fatal(err)
	}
	c := night(dir)
	c.LightGBM = &LightGBM{Python: python}
	h, err := TrainLightGBM(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := registry.Aliases(); err != nil || string(a.Challenger) != h.Model || h.LightGBM.Kind != "LightGBM" || h.Cure != "none" || a.Champion != "" {
		t.Errorf("%+v, %v; %+v", a, err, h)
	}
	// The model that was brought in is judged all the same: the night knew it already.
	s, err := Run(context.Background(), c)
	if err != nil || s.Nothing || s.Outcome != report.Promoted || s.Kind != "LightGBM" {
		t.Fatalf("%+v, %v", s, err)
	}
	r := readReport(t, dir, "20260301T000000Z")
	if len(r.Contenders) != 3 || r.Contenders[0].Kind != "logistic regression" || r.Contenders[1].From != report.ThisNight || r.Contenders[2].Model != string(brought) || r.Contenders[2].From != report.Added {
		t.Fatalf("%+v", r.Contenders)
	}
	best := slices.MaxFunc(r.Contenders, func(a, b report.Contender) int { return int(1e12 * (*a.Difference.Value - *b.Difference.Value)) })
	if s.Model != best.Model || r.Decision.Challenger != best.Model || r.Decision.Kind != "LightGBM" {
		t.Errorf("%s was promoted, %+v is the best", s.Model, best)
	}
	for _, x := range r.Contenders[1:] {
		if x.OverFirst.Lo == nil || x.Gains == nil || (x.Trials != nil) != (x.From == report.ThisNight) {
			t.Errorf("%+v", x)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "venv")); err == nil {
		t.Error("an environment was made, though an interpreter was named")
	}
	want := tree(t, dir)
	if s, err = Run(context.Background(), c); err != nil || !s.Nothing {
		t.Errorf("second run: %+v, %v", s, err)
	}
	same(t, "second run", tree(t, dir), want)
}

// A model that may have been taught by the test rows is not judged, and says so.
func TestBroughtFromLater(t *testing.T) {
	c := contenders{Against: "base rate", All: []report.Contender{
		{Model: "a", From: report.ThisNight, Kind: "logistic regression", Difference: report.Ranged(0.01, 0.005, 0.02, 9)},
		{Model: "b", From: report.Added, Kind: "LightGBM", NotJudged: "made later", Difference: report.Ranged(0.5, 0.4, 0.6, 9)},
		{Model: "c", From: report.ThisNight, Kind: "LightGBM", Difference: report.Ranged(0.02, -0.001, 0.05, 9)},
	}}
	pass := func(x *report.Contender) bool { return x.Passed() }
	if best := c.best(pass); best.Model != "a" {
		t.Errorf("%+v", best)
	}
	c.All[2].Difference = report.Ranged(0.02, 0.001, 0.05, 9)
	if best := c.best(pass); best.Model != "c" {
		t.Errorf("%+v", best)
	}
	c.All[0].Difference, c.All[2].Difference = report.Ranged(0.01, -0.005, 0.02, 9), report.Ranged(0.02, -0.001, 0.05, 9)
	if best := c.best(pass); best.Model != "c" {
		t.Errorf("none passes: %+v", best)
	}
}

// A LightGBM cure model is used where it is better than the logistic one on the select
// slice, and its text is kept there alone.
func TestCureForest(t *testing.T) {
	b, err := models.LoadFolder(shipped())
	if err != nil {
		t.Fatal(err)
	}
	its := 0.5
	like := &train.Fitted{Trials: []train.Trial{{LogLoss: &its, Chosen: true}}}
	for _, c := range []struct {
		loss float64
		used bool
	}{{math.Nextafter(0.5, 0), true}, {0.5, false}, {0.6, false}} {
		j := &job{Config: Config{Dir: t.TempDir()}, run: "runs/x"}
		if err := os.MkdirAll(j.path(j.run, "train", "lightgbm"), 0o755); err != nil {
			t.Fatal(err)
		}
		f := &train.FittedForest{Forest: b.Attempt.Forest, Trials: []train.ForestTrial{{LogLoss: 0.4}, {LogLoss: c.loss, Chosen: true}}}
		for i := range f.Slices.Slices {
			f.Slices.Slices[i].Part = train.ForTrain + train.Part(i)
		}
		if err := j.keepForest("cure", f, like); err != nil {
			t.Fatal(err)
		}
		got, err := j.readForest("cure")
		if err != nil || (got.Fitted != nil) != c.used || (got.NotUsed == "") != c.used || exists(j.path(j.forestPath("cure", ".txt"))) != c.used {
			t.Fatalf("log loss %v: %+v, %v", c.loss, got, err)
		}
		if c.used && string(got.Fitted.Forest.Text) != string(b.Attempt.Forest.Text) {
			t.Error("another text came back")
		}
	}
}
