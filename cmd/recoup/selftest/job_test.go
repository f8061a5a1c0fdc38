package selftest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recoup/data"
)

func small(dir string, workers int) Config {
	return Config{Dir: dir, Seeds: 5, Cases: 150, Truth: 5, Sequences: 2, Learned: 2, Workers: workers}
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(path, ".lock") {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestJob: the same bytes for any number of workers, and after any interruption.
func TestJob(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	calls := 0
	c := small(dir, 3)
	c.Progress = func(string, int64, int64) { calls++ }
	s, err := Run(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	whole := files(t, dir)
	if s.Nothing || len(whole) != 5+5+2+2+2+2+3 || calls != len(whole)-3+6 {
		t.Errorf("%d files, %d calls of Progress, nothing to do: %v", len(whole), calls, s.Nothing)
	}
	if len(s.Report.Coverage) != 2*len(targets()) || len(s.Report.Criteria) != 9 || len(s.Report.Says) != 9 {
		t.Errorf("%d lines of coverage, %d criteria", len(s.Report.Coverage), len(s.Report.Criteria))
	}

	// A killed run: a file is missing, one is cut off, one is of other settings.
	if err := os.Remove(filepath.Join(dir, "judged-150/0002.json")); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]string{"judged-150/0004.json": whole["judged-150/0004.json"][:300], "rollouts-150/0001.json": `{"input":"other"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(b), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if s, err = Run(ctx, small(dir, 1)); err != nil || s.Nothing {
		t.Fatal(s, err)
	}
	for name, b := range files(t, dir) {
		if whole[name] != b {
			t.Errorf("%s has other bytes", name)
		}
	}
	if s, err = Run(ctx, small(dir, 2)); err != nil || !s.Nothing || !strings.HasPrefix(s.String(), "Nothing to play") {
		t.Errorf("nothing to do: %v, %v", s.Nothing, err)
	}

	// More logs: only these are played.
	calls = 0
	c = small(dir, 2)
	c.Seeds, c.Progress = 6, func(stage string, done, total int64) { calls++ }
	if _, err = Run(ctx, c); err != nil || calls != 6+1 {
		t.Errorf("one log more: %d calls of Progress, %v", calls, err)
	}
	t.Run("pages", func(t *testing.T) {
		pages(t, whole["selftest-150.json"], whole["selftest-150.html"], whole["selftest-150.md"])
	})
}

// pages: all that is shown comes from the JSON, and nothing is left out.
func pages(t *testing.T, js, page, md string) {
	r, err := decode([]byte(js))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.sections() {
		if !strings.Contains(md, "## "+s.Title) || !strings.Contains(page, `<section id="`+s.ID+`">`) {
			t.Errorf("section %s is missing", s.Title)
		}
		for _, tab := range s.Tables {
			for _, row := range tab.Rows {
				if len(row) != len(tab.Head) {
					t.Errorf("%s: %d cells under %d heads: %v", s.Title, len(row), len(tab.Head), row)
				}
			}
		}
	}
	for _, bad := range []string{"NaN", "Inf", "%!", "<nil>"} {
		if strings.Contains(md, bad) || strings.Contains(page, bad) {
			t.Errorf("a page holds %q", bad)
		}
	}
	if n := strings.Count(page, "<circle"); n != len(r.Coverage) {
		t.Errorf("%d dots for %d lines", n, len(r.Coverage))
	}
	if _, err := decode([]byte(strings.Replace(js, `"version": 2`, `"version": 99`, 1))); !errors.Is(err, data.ErrContract) {
		t.Errorf("another version: %v", err)
	}
	if _, err := Markdown([]byte(`{"unknown": 1}`)); !errors.Is(err, data.ErrContract) {
		t.Errorf("an unknown field: %v", err)
	}
	again, err := HTML([]byte(js))
	if err != nil || !bytes.Equal(again, []byte(page)) {
		t.Errorf("the page is not that of its JSON: %v", err)
	}
}

// TestLocked: two at once in one folder.
func TestLocked(t *testing.T) {
	dir := t.TempDir()
	release, err := data.Lock(filepath.Join(dir, "selftest.lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if _, err := Run(context.Background(), small(dir, 1)); !errors.Is(err, data.ErrLocked) {
		t.Errorf("%v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Run(ctx, small(t.TempDir(), 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run: %v", err)
	}
}

func TestConfig(t *testing.T) {
	err := Config{Seeds: 1, Cases: 99, Truth: 1, Sequences: 1, Learned: 1}.Check()
	for _, want := range []string{"no folder", "1 seeds: expected 2", "99 cases a seed: expected 100", "1 worlds of roll-outs", "1 sequences", "0 workers"} {
		if !errors.Is(err, data.ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q", err, want)
		}
	}
	for _, seeds := range []int{2, 40, 1000} {
		c := Of(seeds, 5000)
		if c.Dir, c.Workers = "x", 1; c.Check() != nil {
			t.Errorf("%d seeds: %v", seeds, c.Check())
		}
	}
	a, b := kind{"logs", 150, 0}, kind{"logs", 151, 0}
	if a.input("p", 1) == b.input("p", 1) || a.input("p", 1) == a.input("p", 2) || a.input("p", 1) == a.input("q", 1) {
		t.Error("files of other settings pass for these")
	}
	if _, err := json.Marshal(finding()); err != nil {
		t.Error(err)
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
