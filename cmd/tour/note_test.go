package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestNote: what stood between the marks is replaced, the rest stays.
func TestNote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "README.md")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	walk := tour{rows: 7, readme: path, steps: []step{{"recoup doctor --dir mylog", 1240 * time.Millisecond}}}
	write("before\n" + noteBegin + "old\n" + noteEnd + "after\n")
	if err := walk.note(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if s := string(got); !strings.HasPrefix(s, "before\n"+noteBegin) || !strings.HasSuffix(s, "`recoup doctor --dir mylog` | 1.2 s |\n"+noteEnd+"after\n") ||
		strings.Contains(s, "old") || !strings.Contains(s, "7 attempts") {
		t.Errorf("%s", s)
	}
	write("no marks\n")
	if err := walk.note(); err == nil {
		t.Error("a file without marks went through")
	}
}
