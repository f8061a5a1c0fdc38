package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var updateGate = flag.Bool("update-gate", false, "rewrite what gate explain says of the cases in testdata/gate")

// TestGateExplain: what the gate says of ten cases that a newcomer would try.
func TestGateExplain(t *testing.T) {
	cases, err := filepath.Glob("testdata/gate/*.json")
	if err != nil || len(cases) != 10 {
		t.Fatal(len(cases), err)
	}
	for _, path := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
			body, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var c struct {
				AsOf string `json:"as_of"`
			}
			if err := json.Unmarshal(body, &c); err != nil {
				t.Fatal(err)
			}
			var out, complaints bytes.Buffer
			e := &env{stdout: &out, stderr: &complaints, now: time.Now}
			if code := run(t.Context(), e, []string{"gate", "explain", path, "--at", c.AsOf}); code != 0 {
				t.Fatalf("exit %d: %s", code, &complaints)
			}
			golden := strings.TrimSuffix(path, ".json") + ".txt"
			if *updateGate {
				if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out.Bytes(), want) {
				t.Errorf("another answer than %s:\n%s", golden, &out)
			}
		})
	}
}
