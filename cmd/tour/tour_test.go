package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTour walks the four commands with the real program, on a smaller export
// than the README's. Nobody edits anything between them.
func TestTour(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program and runs a night")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "recoup")
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "recoup/cmd/recoup").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	// The export is the same every time.
	var exports [2][]byte
	for i := range exports {
		small := tour{recoup: program, dir: filepath.Join(dir, "small"), out: filepath.Join(dir, "small.csv"), rows: 300, seed: 7}
		if err := small.run(t.Context(), new(bytes.Buffer)); err != nil {
			t.Fatal(err)
		}
		var err error
		if exports[i], err = os.ReadFile(small.out); err != nil {
			t.Fatal(err)
		}
	}
	if n := bytes.Count(exports[0], []byte("\n")); n != 301 || !bytes.Equal(exports[0], exports[1]) {
		t.Errorf("%d lines, or other ones the second time", n)
	}
	if !regexp.MustCompile(`\n[^,]+,\d\d/\d\d/20\d\d \d\d:\d\d:\d\d,\d+\.\d\d,INR,(SUCCESS|FAILED),`).Match(exports[0]) {
		t.Errorf("%.300s", exports[0])
	}

	var out bytes.Buffer
	walk := tour{recoup: program, dir: filepath.Join(dir, "walk"), rows: 11_500, seed: 1, more: []string{"--draws", "100"}}
	if err := walk.run(t.Context(), &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{"0 would be put aside", "11500 new events in mylog", "training: yes: ", "promoted: model ", "four commands, "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("nowhere %q in\n%s", want, out.String())
		}
	}
	for _, name := range []string{"report.html", "report.json", "report.md", "predictions.csv"} {
		found, _ := filepath.Glob(filepath.Join(walk.dir, "mylog", "runs", "*", name))
		if len(found) != 1 {
			t.Errorf("%d of %s", len(found), name)
		}
	}
	if _, err := os.Stat(filepath.Join(walk.dir, "world")); err == nil {
		t.Error("the simulated world is left behind")
	}
}

// TestTooLittle: an export too small for a night says so.
func TestTooLittle(t *testing.T) {
	if nightly.FindStringSubmatch("training: no, because 3 rows\n") != nil {
		t.Error("a no is taken for a yes")
	}
	if err := (&tour{rows: 0}).run(t.Context(), new(bytes.Buffer)); err == nil {
		t.Error("no rows")
	}
}
