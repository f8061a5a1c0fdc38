package features

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutants are single mistakes about time in the production code: at a place,
// an expression is replaced by a wrong one. Every one must make a leak test fail.
var mutants = []struct{ name, file, before, old, after, wrong string }{
	{"occurred_at decides visibility", "event.go", "event{cursor: ", "e.Cursor()", ",", "data.Cursor{KnownAt: e.OccurredAt, Seq: e.Seq}"},
	{"a decision does not see the event it names", "shard.go", "", "s.index.Retry(s.asked[0]).Decision.AsOf.Compare(next) < 0", " {", "s.index.Retry(s.asked[0]).Decision.AsOf.Compare(next) <= 0"},
	{"a retry in the instant of its failure misses it", "shard.go", "", "s.index.Retry(s.plan[0]).Moment().Compare(next) < 0", " {", "s.index.Retry(s.plan[0]).Moment().Compare(next) <= 0"},
	{"the window's start is open", "ring.go", "for i > 0 && ", "ring[i-1].at >= edge", " {", "ring[i-1].at > edge"},
	{"the contacts' window is open", "past.go", "if ", "at >= t-7*data.Day", " {", "at > t-7*data.Day"},
	{"the health window starts a tile late", "tiles.go", "int64(", "(edge+s.grid-1)/s.grid", ")", "edge/s.grid + 1"},
	{"a clock that is ahead is believed", "event.go", "return ", "min(e.occurred, e.cursor.KnownAt)", " }", "e.occurred"},
	{"UTC calendar", "view.go", "today := ", "at.ISTDay()", "\n", "int64(at / data.Day)"},
	{"state at presentation, not at as_of", "shard.go", "p = ", "c.past", "\n", "s.state.past(c, r.At)"},
	{"a contact after as_of", "shard.go", "&& ", "r.asOf.Sees(k.at)", " {", "true"},
	{"a fast success enters early", "shard.go", "case ", "r.At+h > s.until", ":", "r.At+h > s.until && !r.Captured(h)"},
	{"the latest mandate by arrival", "customer.go", "if ", "e.occurred < m.occurred", " {", "false"},
	{"a shard forgets the others' outcomes", "attempt.go", "if ", "status != data.Captured && status != data.Failed", " {", "e.customer.Shard(s.shards) != s.shard"},
}

// The mutants are built into one test binary, in a copy of the package that
// exists as an overlay only; an environment variable picks one.
func TestMutants(t *testing.T) {
	if testing.Short() {
		t.Log("short: the mutants are not built")
		return
	}
	binary := buildMutants(t)
	run := func(mutant int) (string, error) {
		cmd := exec.Command(binary, "-test.run", "^Test(Leak|Oracle)", "-test.failfast")
		cmd.Env = append(os.Environ(), fmt.Sprintf("MUTANT=%d", mutant))
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run(0); err != nil {
		t.Fatalf("the unbroken copy fails:\n%s", out)
	}
	for i, m := range mutants {
		out, err := run(i + 1)
		switch {
		case err == nil:
			t.Errorf("%s: no test noticed", m.name)
		case !strings.Contains(out, "--- FAIL"):
			t.Errorf("%s: did not run:\n%s", m.name, out)
		}
	}
}

const mutatedSource = `package features

import "os"

var mutant = os.Getenv("MUTANT")

func mutated[T any](which string, wrong, right T) T {
	if which == mutant {
		return wrong
	}
	return right
}
`

func buildMutants(t *testing.T) (binary string) {
	t.Helper()
	dir, err := os.Getwd()
	must(t, err)
	tmp := t.TempDir()
	texts := map[string]string{"mutated.go": mutatedSource}
	for i, m := range mutants {
		text, ok := texts[m.file]
		if !ok {
			b, err := os.ReadFile(m.file)
			must(t, err)
			text = string(b)
		}
		if n := strings.Count(text, m.before+m.old+m.after); n != 1 {
			t.Fatalf("%s: %q stands %d times in %s, expected once", m.name, m.before+m.old+m.after, n, m.file)
		}
		texts[m.file] = strings.Replace(text, m.before+m.old+m.after,
			fmt.Sprintf("%smutated(%q, %s, %s)%s", m.before, fmt.Sprint(i+1), m.wrong, m.old, m.after), 1)
	}
	replace := map[string]string{}
	for file, text := range texts {
		path := filepath.Join(tmp, file)
		must(t, os.WriteFile(path, []byte(text), 0o600))
		replace[filepath.Join(dir, file)] = path
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	must(t, err)
	must(t, os.WriteFile(filepath.Join(tmp, "overlay.json"), overlay, 0o600))
	binary = filepath.Join(tmp, "features.test")
	out, err := exec.Command("go", "test", "-c", "-o", binary, "-vet=off", "-overlay", filepath.Join(tmp, "overlay.json"), ".").CombinedOutput()
	if err != nil {
		t.Fatalf("building the mutants: %v\n%s", err, out)
	}
	return binary
}
