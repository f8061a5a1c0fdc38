package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"recoup/data"
)

// TestService drives the loop of the service with the real program and curl, in a
// smaller shop than the tour's.
func TestService(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program and runs a night")
	}
	for _, tool := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("needs %s", tool)
		}
	}
	program := filepath.Join(t.TempDir(), "recoup")
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "recoup/cmd/recoup").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	var out bytes.Buffer
	l := loop{recoup: program, dir: filepath.Join(t.TempDir(), "tour"), cases: 4000, seed: 1, draws: 100}
	if err := l.run(t.Context(), &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{`"code":"conflict"`, `"arm":"rules", "model_id":null, "standing":true`, "promoted: model ", `"arm":"model", "model_id":"`, `"status":"done", "recovered":true`,
		"main: intact: ", " 0 differ"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("nowhere %q in\n%s", want, out.String())
		}
	}
	if !regexp.MustCompile(` [1-9][0-9,]* rows; 0 differ`).MatchString(out.String()) {
		t.Errorf("no feature row was checked:\n%s", out.String())
	}
	if regexp.MustCompile(`recoup_[0-9a-f]{6}`).MatchString(out.String()) {
		t.Error("the key is shown")
	}

	// A shop without enough for a night: the script says so and leaves no server.
	out.Reset()
	l = loop{recoup: program, dir: filepath.Join(t.TempDir(), "small"), cases: 100, seed: 1}
	if err := l.run(t.Context(), &out); err == nil || !strings.Contains(out.String(), "tour: the night failed") {
		t.Errorf("%v\n%s", err, out.String())
	}
	if said, err := os.ReadFile(filepath.Join(l.dir, "serve.log")); err != nil || !bytes.Contains(said, []byte(`"msg":"drained"`)) {
		t.Errorf("%v\n%s", err, said)
	}
}

// TestSplit: each event of the world is in the shop's log or in a later day's body, and
// none in both.
func TestSplit(t *testing.T) {
	dir := t.TempDir()
	at := func(day int) data.Micros { return data.IST(2026, 1, day, 12, 0) }
	world := filepath.Join(dir, "world")
	w, err := data.NewWriter(world, data.WriteOptions{Currency: "INR"})
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= 5; i++ {
		id := string(rune('a' + i))
		e := data.Event{EventID: id, OccurredAt: at(i), KnownAt: at(i)}
		if err := data.Add(w, data.CaseEvent{Event: e, CaseID: "case-" + id, Kind: data.Disputed}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	later := filepath.Join(dir, "later")
	if err := split(t.Context(), world, filepath.Join(dir, "shop"), later, at(3), at(4)); err != nil {
		t.Fatal(err)
	}
	l, err := data.OpenLog(filepath.Join(dir, "shop"))
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for rows, err := range data.Scan[data.CaseEvent](l, data.AsOf(at(9))) {
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			kept = append(kept, r.EventID)
		}
	}
	days, err := filepath.Glob(filepath.Join(later, "*.json"))
	if err != nil || len(days) != 2 || strings.Join(kept, "") != "bc" {
		t.Fatalf("%v %v %v", kept, days, err)
	}
	for i, want := range []string{"2026-01-03", "2026-01-04"} {
		text, err := os.ReadFile(days[i])
		if err != nil || filepath.Base(days[i]) != want+".json" {
			t.Fatalf("%s %v", days[i], err)
		}
		if s := string(text); strings.Count(s, `"event_id"`) != 1 || !strings.Contains(s, `"event_id":"`+string(rune('d'+i))+`"`) || !strings.HasPrefix(s, `{"events":[`) {
			t.Errorf("%s: %s", want, s)
		}
	}
}
