package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestEvaluateModel: judging a model on rows is judging the scores that predict
// gives those rows, and says which model it was.
func TestEvaluateModel(t *testing.T) {
	dir := t.TempDir()
	id := registered(t, dir, -.01)
	rows, scores, predicted := filepath.Join(dir, "rows.csv"), filepath.Join(dir, "scores.csv"), filepath.Join(dir, "p.csv")
	text := "attempt_id,rail,delay_h,paid,w,who\n"
	for i := range 40 {
		text += fmt.Sprintf("a%d,%s,%d,%d,%d,c%d\n", i, []string{"card", "upi_autopay", "unknown"}[i%3], i*7%50, i*i%5%2, i%4, i/3)
	}
	put := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(rows, strings.Replace(text, "attempt_id,", "case_id,", 1))
	plain := filepath.Join(dir, "plain.csv") // predict knows nothing of the other columns
	var cut strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		cut.WriteString(strings.Join(strings.Split(line, ",")[:3], ",") + "\n")
	}
	put(plain, cut.String())
	if code, _, errs := recoup(t, "predict", "--model", string(id), "--dir", dir, "--rows", plain, "--out", predicted); code != 0 {
		t.Fatal(errs)
	}
	p, err := os.ReadFile(predicted)
	if err != nil {
		t.Fatal(err)
	}
	lines, given := strings.Split(strings.TrimSpace(string(p)), "\n"), strings.Split(strings.TrimSpace(text), "\n")
	joined := "p,y,weight,cluster\n"
	for i := 1; i < len(lines); i++ {
		f, g := strings.Split(lines[i], ","), strings.Split(given[i], ",")
		joined += f[2] + "," + g[3] + "," + g[4] + "," + g[5] + "\n"
	}
	put(scores, joined)

	judge := func(args ...string) map[string]any {
		code, out, errs := recoup(t, append([]string{"evaluate", "--json"}, args...)...)
		var got map[string]any
		if err := json.Unmarshal([]byte(out), &got); code != 0 || err != nil {
			t.Fatalf("%v: %d %s", args, code, errs)
		}
		return got
	}
	want := judge("--scores", scores)
	got := judge("--model", string(id)[:8], "--dir", dir, "--rows", rows, "--target", "paid", "--weight", "w", "--cluster", "who")
	if got["model"] != string(id) || got["part"] != "attempt" || got["n"] != 30. {
		t.Errorf("model %v, part %v, n %v", got["model"], got["part"], got["n"])
	}
	delete(got, "model")
	delete(got, "part")
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
	if code, out, _ := recoup(t, "evaluate", "--model", filepath.Join(dir, "models", string(id)), "--rows", rows, "--target", "paid", "--weight", "w", "--cluster", "who"); code != 0 || !strings.HasPrefix(out, "model "+string(id)+" (attempt)\n") {
		t.Errorf("%d %s", code, out)
	}

	model := []string{"--model", string(id), "--dir", dir, "--rows", rows}
	for _, c := range []struct {
		args []string
		code int
		in   string
	}{
		{nil, 2, "nothing to judge"},
		{[]string{"--scores", scores, "--model", string(id)}, 2, "exclude each other"},
		{[]string{"--scores", scores, "--target", "y"}, 2, "--target goes with --model"},
		{[]string{"--scores", scores, "--part", "cure"}, 2, "--part goes with --model"},
		{[]string{"--model", string(id), "--dir", dir}, 2, "needs --rows F and --target y"},
		{model, 2, "needs --rows F and --target y"},
		{append([]string{"--target", "delay_h"}, model...), 2, "the model reads that column"},
		{append([]string{"--target", "nothing"}, model...), 6, "no column nothing"},
		{append([]string{"--target", "w"}, model...), 6, "column w, line 4: 2 is neither 0 nor 1"},
		{append([]string{"--target", "paid"}, model...), 6, "unknown to the model: w"},
		{append([]string{"--target", "paid", "--weight", "w", "--cluster", "who", "--part", "cure"}, model...), 2, "has no cure model: no person-time"},
		{[]string{"--model", "champion", "--dir", dir, "--rows", rows, "--target", "paid"}, 2, "no champion"},
		{[]string{"--model", string(id), "--rows", rows, "--target", "paid"}, 2, "give --dir D too"},
	} {
		code, out, errs := recoup(t, append([]string{"evaluate"}, c.args...)...)
		if code != c.code || !strings.Contains(errs, c.in) || out != "" {
			t.Errorf("%q: exit %d, %s", c.args, code, errs)
		}
		if strings.Count(errs, rows) > 1 {
			t.Errorf("%q names the file twice: %s", c.args, errs)
		}
	}
}
