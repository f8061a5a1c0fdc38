package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recoup/models"
)

// recoup runs the program in-process.
func recoup(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	e := &env{stdout: &out, stderr: &errs, now: func() time.Time { return time.Date(2026, 11, 5, 6, 0, 0, 0, time.UTC) }}
	code = run(context.Background(), e, args)
	return code, out.String(), errs.String()
}

// registered puts a small model into D/models and returns its id.
func registered(t *testing.T, dir string, slope float64) models.ID {
	t.Helper()
	m, err := models.NewLogistic(models.Design{
		Inputs: []models.Input{{Name: "delay_h"}, {Name: "rail", Levels: []string{"unknown", "card", "upi_autopay"}}},
		Terms:  []models.Term{{Name: "candidate", A: 0, B: -1}, {Name: "case", A: 1, B: -1}},
	}, -1.5, []float64{slope, .25, -.5}, make([]float64, 3), make([]float64, 3), []float64{10, .5, .5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &models.Scorer{Logistic: m, Platt: models.Platt{A: -.9, B: .1}}
	golden, err := models.NewGolden(s, [][]float64{{1, 1}, {2.5, 2}})
	if err != nil {
		t.Fatal(err)
	}
	h := strings.Repeat("ab", 32)
	r, err := models.OpenRegistry(filepath.Join(dir, "models"))
	if err != nil {
		t.Fatal(err)
	}
	id, err := r.Save(&models.Bundle{Attempt: s, Golden: models.Golden{Attempt: golden}, Manifest: models.Manifest{
		AsOf: "2026-11-01T00:00:00Z", Currency: "INR", HorizonDays: 21, AttemptWindow: "2 d", DataManifest: h, AttemptSchema: h, CureSchema: h, CureNotAssessed: "no person-time",
		Slices: []models.TimeSlice{{Name: "train"}}, Config: []byte("{}"), Attempt: models.Judged{Rows: 9, OverBase: .01, OverBaseInterval: &models.Interval{.005, .015}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestModelsVerbs(t *testing.T) {
	dir := t.TempDir()
	if code, out, _ := recoup(t, "models", "list", "--dir", dir); code != 0 || !strings.Contains(out, "no models") {
		t.Errorf("empty: %d %s", code, out)
	}
	a, b := registered(t, dir, -.01), registered(t, dir, -.02)
	if code, _, errs := recoup(t, "models", "show", "champion", "--dir", dir); code != 2 || !strings.Contains(errs, "no champion") {
		t.Errorf("no champion yet: %d %s", code, errs)
	}
	if code, _, errs := recoup(t, "models", "promote", string(a), "--dir", dir); code != 2 || !strings.Contains(errs, "why") {
		t.Errorf("promote without a reason: %d %s", code, errs)
	}
	for _, id := range []models.ID{a, b} {
		if code, _, errs := recoup(t, "models", "promote", string(id[:8]), "--why", "by hand", "--dir", dir); code != 0 {
			t.Fatal(errs)
		}
	}
	code, out, errs := recoup(t, "models", "rollback", "--why", "it was worse", "--dir", dir, "--json")
	var aliases models.Aliases
	if err := json.Unmarshal([]byte(out), &aliases); code != 0 || err != nil || aliases != (models.Aliases{Champion: a, Previous: b}) {
		t.Errorf("%d %+v %s", code, aliases, errs)
	}
	if log, _ := os.ReadFile(filepath.Join(dir, "models", "promotions.jsonl")); strings.Count(string(log), "2026-11-05T06:00:00Z") != 3 {
		t.Errorf("log: %s", log)
	}
	if _, out, _ := recoup(t, "models", "list", "--dir", dir); !strings.Contains(out, "champion") || !strings.Contains(out, "0.0100 [0.0050, 0.0150]") {
		t.Errorf("list: %s", out)
	}
	if _, out, _ := recoup(t, "models", "show", "champion", "--dir", dir); !strings.Contains(out, "# Model card") {
		t.Errorf("show: %s", out)
	}
	if _, out, _ := recoup(t, "models", "inspect", "champion", "--dir", dir); !strings.Contains(out, "rail=card") || !strings.Contains(out, "no person-time") || !strings.Contains(out, "train again") {
		t.Errorf("inspect: %s", out)
	}
	for _, verb := range []string{"show", "inspect"} {
		code, out, errs := recoup(t, "models", verb, "champion", "--dir", dir, "--json")
		if code != 0 || !json.Valid([]byte(out)) || !strings.Contains(out, string(a)) {
			t.Errorf("%s --json: %d %s %s", verb, code, out, errs)
		}
	}
	attempt := filepath.Join(dir, "models", string(a), "attempt.json")
	js, err := os.ReadFile(attempt)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(attempt, bytes.Replace(js, []byte("0.25"), []byte("0.26"), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := recoup(t, "models", "inspect", "champion", "--dir", dir); code != 6 || !strings.Contains(errs, string(a)) {
		t.Errorf("edited model: exit %d: %s", code, errs)
	}
	if code, out, _ := recoup(t, "models", "list", "--dir", dir); code != 0 || !strings.Contains(out, "REFUSED") {
		t.Errorf("list with an edited model: %d %s", code, out)
	}
}

func TestPredict(t *testing.T) {
	dir := t.TempDir()
	id := registered(t, dir, -.01)
	rows := filepath.Join(dir, "rows.csv")
	put := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(rows, "attempt_id,rail,delay_h,y\na1,card,24,0\na2,upi_autopay,1,1\na3,unknown,0,0\n")
	wantRaw := []float64{-1.5 + -.01*24 + .25, -1.5 + -.01 + -.5, -1.5}
	for _, model := range [][]string{{"--model", string(id), "--dir", dir}, {"--model", string(id)[:6], "--dir", dir}, {"--model", filepath.Join(dir, "models", string(id))}} {
		out := filepath.Join(dir, "scores.csv")
		code, stdout, stderr := recoup(t, append([]string{"predict", "--rows", rows, "--json", "--out", out}, model...)...)
		if code != 0 {
			t.Fatalf("%v: %s", model, stderr)
		}
		var got predictResult
		if err := json.Unmarshal([]byte(stdout), &got); err != nil {
			t.Fatal(err)
		}
		csv := "row,raw,p\n"
		for i, want := range wantRaw {
			if math.Abs(got.Raw[i]-want) > 1e-15 || math.Abs(got.P[i]-1/(1+math.Exp(-.9*got.Raw[i]+.1))) > 1e-15 {
				t.Errorf("row %d: raw %v, p %v; want raw %v", i, got.Raw[i], got.P[i], want)
			}
			csv += fmt.Sprintf("%d,%v,%v\n", i+1, got.Raw[i], got.P[i])
		}
		if got.Model != id || got.N != 3 || len(got.P) != 3 {
			t.Errorf("%+v", got)
		}
		if b, _ := os.ReadFile(out); string(b) != csv {
			t.Errorf("%s, want %s", b, csv)
		}
	}
	if _, out, _ := recoup(t, "predict", "--model", string(id), "--dir", dir, "--rows", rows, "--json", "--raw"); strings.Contains(out, `"p"`) || !strings.Contains(out, `"raw"`) {
		t.Errorf("--raw: %s", out)
	}
	if _, out, _ := recoup(t, "predict", "--model", string(id), "--dir", dir, "--rows", rows); strings.Count(out, "\n") != 5 {
		t.Errorf("for people: %s", out)
	}
	tree, bad := filepath.Join(dir, "model.txt"), filepath.Join(dir, "bad.csv")
	put(tree, "tree\nversion=v4\n")
	put(bad, "rail,delay_h\ncard,24\ncheque,1\n")
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"LightGBM file":        {[]string{"--model", tree, "--rows", rows}, 6, "the file ends in its header"},
		"columns":              {[]string{"--model", string(id), "--dir", dir, "--rows", rows, "--columns", tree}, 2, "--columns"},
		"no such folder":       {[]string{"--model", filepath.Join(dir, "none"), "--rows", rows}, 2, "--dir"},
		"alias without dir":    {[]string{"--model", "champion", "--rows", rows}, 2, "--dir"},
		"no champion":          {[]string{"--model", "champion", "--dir", dir, "--rows", rows}, 2, "no champion"},
		"no cure model":        {[]string{"--model", string(id), "--dir", dir, "--rows", rows, "--part", "cure"}, 2, "no person-time"},
		"part unknown":         {[]string{"--model", string(id), "--dir", dir, "--rows", rows, "--part", "both"}, 2, "part"},
		"level unknown":        {[]string{"--model", string(id), "--dir", dir, "--rows", bad}, 6, "line 3"},
		"rows missing":         {[]string{"--model", string(id), "--dir", dir, "--rows", filepath.Join(dir, "none.csv")}, 2, "none.csv"},
		"out in a wrong place": {[]string{"--model", string(id), "--dir", dir, "--rows", rows, "--out", filepath.Join(dir, "no", "x.csv")}, 2, "x.csv"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := recoup(t, append([]string{"predict", "--json"}, c.args...)...)
			if code != c.code || out != "" || !strings.Contains(errs, c.says) {
				t.Errorf("exit %d, want %d: %s%s", code, c.code, out, errs)
			}
		})
	}
}
