package nightly

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recoup/data"
	"recoup/data/sim"
)

// What every test starts from: the real binary, and a small world.
var (
	binary string // recoup
	world  string // its log
	truth0 string // its oracle

	wholeTree map[string]string // see whole
)

// worldCases is enough for 500 retries in each slice, with some to spare.
const worldCases = 3000

var (
	worldStart = data.IST(2025, 1, 1, 0, 0)
	worldAsOf  = data.IST(2026, 3, 1, 5, 30) // midnight of 1 March, UTC
)

func TestMain(m *testing.M) {
	if os.Getenv("RECOUP_FAKE_PYTHON") != "" {
		fakePython(os.Args[1:])
		return
	}
	code, err := setUp(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func setUp(m *testing.M) (int, error) {
	tmp, err := os.MkdirTemp("", "nightly-test")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(tmp)
	binary = filepath.Join(tmp, "recoup")
	if out, err := exec.Command("go", "build", "-o", binary, "recoup/cmd/recoup").CombinedOutput(); err != nil {
		return 1, fmt.Errorf("go build: %w\n%s", err, out)
	}
	world, truth0 = filepath.Join(tmp, "world"), filepath.Join(tmp, "oracle")
	if err := simulate(worldCases, world, truth0); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

// simulate writes a world under the uniform policy.
func simulate(cases int, dir, oracle string) error {
	all := sim.Behaviours()
	b := all[slices.IndexFunc(all, func(b sim.Behaviour) bool { return b.ID == "uniform" })]
	_, err := sim.Write(context.Background(), sim.Config{Seed: 3, Cases: cases, Start: worldStart, Months: 14}, b, dir, oracle)
	return err
}

// home is a fresh D with the small world's log.
func home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "events"), os.DirFS(filepath.Join(world, "events"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

func night(dir string) Config {
	return Config{Dir: dir, AsOf: worldAsOf, Seed: 1, Draws: 100, Workers: 2}
}

// tree is the content of everything that the job wrote below a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		out[rel], err = data.HashFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// same demands equal trees.
func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for _, p := range slices.Sorted(maps.Keys(want)) {
		switch h, ok := got[p]; {
		case !ok:
			t.Errorf("%s: %s is missing", what, p)
		case h != want[p]:
			t.Errorf("%s: %s has other bytes", what, p)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[p]; !ok {
			t.Errorf("%s: %s should not be there", what, p)
		}
	}
}

// whole is the tree of an uninterrupted run of the small world's night.
func whole(t *testing.T) map[string]string {
	t.Helper()
	if wholeTree != nil {
		return wholeTree
	}
	dir := home(t)
	s, err := Run(context.Background(), night(dir))
	if err != nil {
		t.Fatal(err)
	}
	if s.Outcome != "promoted" || s.Nothing || s.Champion != s.Model {
		t.Errorf("first night: %+v", s)
	}
	wholeTree = tree(t, dir)
	return wholeTree
}

var errStopped = errors.New("stopped")

func TestResumeAtEveryStage(t *testing.T) {
	want := whole(t)
	dir := home(t)
	for i, stage := range []string{"log", "features", "train", "evaluate", "contenders", "ope", "gate_replay", "compare", "promote", "report"} {
		s, err := start(context.Background(), night(dir), func(done string) error {
			if done == stage {
				return errStopped
			}
			return nil
		})
		if !errors.Is(err, errStopped) {
			t.Fatal(stage, err)
		}
		for k, step := range s.Stages {
			if step.Ran != (k == i) {
				t.Errorf("stopped after %s: stage %s ran: %v", stage, step.Stage, step.Ran)
			}
		}
	}
	same(t, "stopped after every stage", tree(t, dir), want)

	s, err := Run(context.Background(), night(dir))
	if err != nil || !s.Nothing {
		t.Errorf("second run: %+v, %v", s, err)
	}
	same(t, "second run", tree(t, dir), want)

	// A damaged output is made again, a damaged done-file is not believed.
	for _, path := range []string{"features/20260301T000000Z/attempts.parquet", "runs/20260301T000000Z/stages/evaluate.json"} {
		if err := os.WriteFile(filepath.Join(dir, path), []byte("{}"), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Run(context.Background(), night(dir))
		if err != nil || s.Nothing {
			t.Errorf("%s damaged: %+v, %v", path, s, err)
		}
		same(t, path+" damaged", tree(t, dir), want)
	}
}

func TestWorkersChangeNoByte(t *testing.T) {
	want := whole(t)
	counts := []int{1, 3} // whole has 2
	if testing.Short() {
		counts = counts[1:]
	}
	for _, workers := range counts {
		dir := home(t)
		c := night(dir)
		c.Workers = workers
		if _, err := Run(context.Background(), c); err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprintf("%d workers", workers), tree(t, dir), want)
	}
}

func TestTwoAtOnce(t *testing.T) {
	dir := home(t)
	release, err := data.Lock(filepath.Join(dir, "nightly.lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	before := tree(t, dir)
	if _, err := Run(context.Background(), night(dir)); !errors.Is(err, data.ErrLocked) {
		t.Error(err)
	}
	if code, out := recoup(t, "nightly", "--dir", dir, "--as-of", "2026-03-01"); code != 3 {
		t.Errorf("exit %d, want 3: %s", code, out)
	}
	same(t, "locked", tree(t, dir), before)
}

// recoup runs the real binary.
func recoup(t *testing.T, args ...string) (code int, out string) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	b, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(b)
}

func TestRefusals(t *testing.T) {
	small := t.TempDir()
	if err := simulate(300, small, ""); err != nil {
		t.Fatal(err)
	}
	broken := home(t)
	var part string
	for p := range tree(t, filepath.Join(broken, "events")) {
		if strings.HasPrefix(p, "attempts") {
			part = p
		}
	}
	info, err := os.Stat(filepath.Join(broken, "events", part))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(broken, "events", part), info.Size()/2); err != nil {
		t.Fatal(err)
	}
	fine := home(t)
	for _, c := range []struct {
		name string
		code int
		says []string
		args []string
	}{
		{"no as-of", 2, []string{"--as-of"}, []string{"--dir", fine}},
		{"as-of without offset", 2, []string{"--as-of", "offset", "+05:30"}[:1], []string{"--dir", fine, "--as-of", "2026-03-01T00:00:00"}},
		{"no log", 2, []string{"no event log", "recoup ingest"}, []string{"--dir", t.TempDir(), "--as-of", "2026-03-01"}},
		{"no oracle", 2, []string{"no oracle"}, []string{"--dir", fine, "--as-of", "2026-03-01", "--oracle", t.TempDir()}},
		{"few draws", 2, []string{"5 bootstrap draws"}, []string{"--dir", fine, "--as-of", "2026-03-01", "--draws", "5"}},
		{"too little", 4, []string{"slice ", "rows", "at least 500"}, []string{"--dir", small, "--as-of", "2026-03-01"}},
		{"before the log", 4, []string{"no attempt known by"}, []string{"--dir", fine, "--as-of", "2020-01-01"}},
		{"before any retry", 4, []string{"nothing to learn from"}, []string{"--dir", fine, "--as-of", "2025-01-02"}},
		{"broken Parquet", 6, []string{part, "bytes, the manifest says"}, []string{"--dir", broken, "--as-of", "2026-03-01"}},
	} {
		code, out := recoup(t, append([]string{"nightly"}, c.args...)...)
		if code != c.code {
			t.Errorf("%s: exit %d, want %d: %s", c.name, code, c.code, out)
		}
		for _, s := range c.says {
			if !strings.Contains(out, filepath.FromSlash(s)) {
				t.Errorf("%s: %q does not say %q", c.name, out, s)
			}
		}
		if strings.Contains(out, "goroutine") {
			t.Errorf("%s: a stack trace: %s", c.name, out)
		}
	}
}
