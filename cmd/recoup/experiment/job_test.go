package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recoup/cmd/recoup/worlds"
	"recoup/data"
)

// TestSameBytes: neither the number of workers nor the run leaves a trace.
func TestSameBytes(t *testing.T) {
	one := whole(t.TempDir())
	one.Workers, one.Seeds = 1, 2
	play(t, one)
	three := whole(t.TempDir())
	three.Workers, three.Seeds = 3, 2
	play(t, three)
	a, b := files(t, one.Dir), files(t, three.Dir)
	if len(a) != 11 { // in two of them the policy's numbers are tried
		t.Errorf("%d files, want eight worlds and three reports", len(a))
	}
	for name := range a {
		if a[name] != b[name] {
			t.Errorf("%s differs between one worker and three", name)
		}
	}
}

// TestResumes: an experiment that was stopped, or lost or damaged a file, comes to
// the same bytes; one that is done plays nothing; other settings play again.
func TestResumes(t *testing.T) {
	whole := small(t.TempDir())
	play(t, whole)
	want := files(t, whole.Dir)

	c := small(t.TempDir())
	ctx, stop := context.WithCancel(context.Background())
	c.Workers = 1
	c.Progress = func(stage string, done, total int64) {
		if stage == "seeds" && done == 1 {
			stop()
		}
	}
	if _, err := start(ctx, c, unschooled); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped after one world: %v", err)
	}
	if got := files(t, c.Dir); len(got) == 0 || len(got) >= len(want) {
		t.Fatalf("%d files after the stop: the test shows nothing", len(got))
	}
	c.Progress = nil
	if s := play(t, c); s.Nothing {
		t.Error("nothing was left to play")
	}
	if got := files(t, c.Dir); !maps.Equal(got, want) {
		t.Error("the stopped experiment came to other bytes")
	}
	if s := play(t, c); !s.Nothing || !strings.Contains(s.String(), "Nothing to play") {
		t.Error("played again what was there")
	}
	if err := os.WriteFile(filepath.Join(c.Dir, "seeds", "0002.json"), []byte(want["seeds/0002.json"][:200]), 0o644); err != nil {
		t.Fatal(err)
	}
	if s := play(t, c); s.Nothing {
		t.Error("a damaged world was taken for whole")
	}
	if got := files(t, c.Dir); !maps.Equal(got, want) {
		t.Error("the mended experiment came to other bytes")
	}
	c.Cases = 31
	if s := play(t, c); s.Nothing || s.Report.Setting.PerSeed != 31 {
		t.Error("worlds of other settings were taken over")
	}
}

// TestAblationPlaysWhatMatters: what an ablation takes over from the world with all
// rules is what playing it comes to, and it is a good part.
func TestAblationPlaysWhatMatters(t *testing.T) {
	c := small(t.TempDir())
	play(t, c)
	b, err := madeUp(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	l := &lesson{Bundle: b}
	j := &job{Config: c, model: l, taught: l, forest: &lesson{}}
	if j.blank, err = j.knowsNothing(); err != nil {
		t.Fatal(err)
	}
	j.normal = &scene{Name: "seeds", Seeds: seedsFrom(1, c.Seeds), Hands: j.hands()}
	base, err := worlds.Stored[World](j.path("seeds", 1), j.normal.input(&j.Config, 1))
	if err != nil || base == nil {
		t.Fatalf("no world: %v", err)
	}
	plain, err := j.ablateBeside(context.Background(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := j.ablate(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(plain)
	if err != nil {
		t.Fatal(err)
	}
	if js, err := json.Marshal(got); err != nil || string(js) != string(want) {
		t.Errorf("taken over, an ablation comes to other bytes: %v", err)
	}
	idle := 0
	for _, r := range j.policy().Rules() {
		if base.arm(Control).Refusals[r.ID] == 0 && !j.policy().Moves(r.ID) {
			idle++
		}
	}
	if idle < 10 || j.policy().Moves("class_table") || !j.policy().Moves("peak_window") || j.policy().Moves("no such rule") {
		t.Errorf("%d rules are taken over", idle)
	}
}

func TestSeedStopsWithItsName(t *testing.T) {
	c := small(t.TempDir())
	if err := os.MkdirAll(filepath.Join(c.Dir, "seeds", "0002.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := start(context.Background(), c, unschooled); err == nil || !strings.Contains(err.Error(), "0002.json") {
		t.Errorf("got %v", err)
	}
}

func TestCheckReportsEveryFault(t *testing.T) {
	_, err := Run(context.Background(), Config{Seeds: 0, Cases: 1, TrainCases: 1})
	for _, word := range []string{"no folder", "0 seeds", "1 cases a seed", "1 cases to learn", "0 workers"} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q is missing from: %v", word, err)
		}
	}
	if !errors.Is(err, data.ErrUsage) {
		t.Error("not a usage error")
	}
	for _, c := range []Config{Full(), Quick()} {
		if c.Dir, c.Workers = "d", 1; c.Check() != nil {
			t.Error(c.Check())
		}
	}
}

func TestTwoAtOnce(t *testing.T) {
	c := small(t.TempDir())
	release, err := data.Lock(filepath.Join(c.Dir, "experiment.lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if _, err := start(context.Background(), c, unschooled); !errors.Is(err, data.ErrLocked) {
		t.Errorf("got %v", err)
	}
}
