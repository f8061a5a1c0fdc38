package matrix

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"recoup/score"
)

// The evaluator was written from these words of the table: where one changes, it
// must be read again before -update is said.
func TestRulesAsPrinted(t *testing.T) {
	const path = "testdata/rules.txt"
	var out bytes.Buffer
	for _, r := range printedOf(t, score.Default()).Rules {
		fmt.Fprintf(&out, "%s (%s): %s > %s\n", r.ID, r.About, r.Refuses, r.Route)
	}
	if *update {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Errorf("%s is not what the table prints: read the rules again, then the evaluator, then -update", path)
	}
}
