package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recoup/cmd/recoup/worlds"
	"recoup/data"
)

// small is a job without a model: the hands that need none play.
func small(t *testing.T, workers int) *job {
	t.Helper()
	c := Quick()
	c.Dir, c.Workers, c.Seeds, c.Shifts, c.Cases, c.Months = t.TempDir(), workers, 2, []float64{0, 1}, 60, 3
	c.TuneCases, c.TuneMonths = 1000, 4
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	j := newJob(c)
	j.know = &knowledge{Grid: map[string]int{"RETRY_SCHEDULED/1/1": 20, "RETRY_SCHEDULED/2/1": 8}}
	return j
}

// The same settings come to the same bytes with any number of workers; what was played
// is not played again; a damaged file is.
func TestCompareIsReproducible(t *testing.T) {
	ctx := context.Background()
	one, two := small(t, 1), small(t, 3)
	a, err := one.compare(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b, err := two.compare(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Files {
		x, _ := os.ReadFile(a.Files[i])
		y, _ := os.ReadFile(b.Files[i])
		if len(x) == 0 || !bytes.Equal(x, y) {
			t.Errorf("%s differs from %s", a.Files[i], b.Files[i])
		}
	}
	if a.Nothing {
		t.Error("nothing to do at first")
	}
	if err := os.WriteFile(one.path(0), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if a, err = one.compare(ctx); err != nil || a.Nothing {
		t.Errorf("a damaged file: %+v %v", a, err)
	}
	if a, err = one.compare(ctx); err != nil || !a.Nothing {
		t.Errorf("a second time: %+v %v", a, err)
	}

	w, err := worlds.Stored[World](one.path(0), one.worldInput(0))
	if err != nil || w == nil {
		t.Fatalf("%v %v", w, err)
	}
	for _, p := range w.Hands {
		if p.Cases != w.Hands[0].Cases || p.Cases == 0 || p.Decisions == 0 {
			t.Errorf("%s: %d cases, %d decisions: not the same world", p.Hand, p.Cases, p.Decisions)
		}
		if p.Hand == Oracle && p.Regret != 0 || p.Hand != Oracle && !(p.Regret > 0) {
			t.Errorf("%s: regret %v", p.Hand, p.Regret)
		}
		sum, lost := 0, 0.0
		for _, m := range p.Months {
			sum += m.Cases
			lost += m.Regret
			if m.Recovered > m.Cases {
				t.Errorf("%s: %+v", p.Hand, m)
			}
		}
		if len(p.Months) != 3 || sum != p.Cases || lost > p.Regret+1e-9 {
			t.Errorf("%s: months of %d cases, regret %v of %v", p.Hand, sum, lost, p.Regret)
		}
		if p.Retries > p.Cases {
			t.Errorf("%s: %d retries on %d cases: one each was allowed", p.Hand, p.Retries, p.Cases)
		}
	}
}

// A canceled run says so, and writes no report.
func TestCompareStops(t *testing.T) {
	j := small(t, 2)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := j.compare(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(j.Dir, "report.json")); err == nil {
		t.Error("a report was written")
	}
}

func TestConfigRefuses(t *testing.T) {
	bad := Quick()
	bad.Seeds, bad.Cases, bad.TuneCases, bad.Attempts, bad.Shifts, bad.First, bad.Months = 1, 5, 10, 4, []float64{.2, .1}, 0, 0
	err := bad.Check()
	for _, want := range []string{"1 seeds", "5 cases a world", "10 cases to tune on", "4 retries", "shift 0.1", "the first to be 0", "no folder", "0 workers", "first seed 0", "0 months"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: does not say %q", err, want)
		}
	}
	if !errors.Is(err, data.ErrUsage) {
		t.Error("not a fault of usage")
	}
}

// Student's 97.5 % points, from the tables of the distribution.
func TestQuantile(t *testing.T) {
	for df, want := range map[float64]float64{1: 12.7062, 2: 4.3027, 5: 2.5706, 9: 2.2622, 19: 2.0930, 39: 2.0227} {
		if got := quantile975(df); math.Abs(got-want) > .003 {
			t.Errorf("%v degrees: %v, want %v", df, got, want)
		}
	}
	if e := student([]float64{1, 2, 3}, 30); *e.Value != 2 || math.Abs(*e.Hi-2-4.302652729911275/math.Sqrt(3)) > 1e-12 {
		t.Errorf("%+v", e)
	}
	if e := student([]float64{1}, 3); e.Lo != nil || e.Why == "" {
		t.Errorf("one world: %+v", e)
	}
}

// The pages are made from the JSON alone, and from nothing that they do not know.
func TestPages(t *testing.T) {
	j := small(t, 2)
	s, err := j.compare(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	js, err := os.ReadFile(filepath.Join(j.Dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	html, err := HTML(js)
	if err != nil || bytes.Count(html, []byte("<svg")) != 3 || !bytes.Contains(html, []byte("cold bandit")) || bytes.Contains(html, []byte("NaN")) {
		t.Errorf("page: %v, %d pictures", err, bytes.Count(html, []byte("<svg")))
	}
	md, err := Markdown(js)
	if err != nil || !bytes.Contains(md, []byte("| flat bandit |")) {
		t.Errorf("%v\n%s", err, md)
	}
	if text := s.String(); !strings.Contains(text, "The flat bandit recovers") || !strings.Contains(text, "report.html") {
		t.Error(text)
	}
	var any map[string]any
	if err := json.Unmarshal(js, &any); err != nil {
		t.Fatal(err)
	}
	any["unknown"] = 1
	more, _ := json.Marshal(any)
	for _, bad := range [][]byte{more, []byte("{}"), []byte("[")} {
		if _, err := HTML(bad); !errors.Is(err, data.ErrContract) {
			t.Errorf("%.20s: %v", bad, err)
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
