package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"recoup/data/table"
)

// A million rows put aside are in the file, in order, and not in memory.
func TestAMillionRejects(t *testing.T) {
	const n, room = 1_000_000, 8 << 20
	r := (&ingestCmd{Dir: t.TempDir()}).newRejects()
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	for i := range n {
		r.add("one.csv", table.Reject{Line: i + 2, Column: "amount_paise", Value: fmt.Sprintf("value %d", i), Reason: fmt.Sprintf("reason %d", i)})
	}
	if after := heap(); after > before+room {
		t.Errorf("%d MiB are held for %d rejects, expected under %d MiB", (after-before)>>20, n, room>>20)
	}
	path, err := r.close(nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for i := -1; i < n; i++ {
		want := "line,column,value,reason"
		if i >= 0 {
			want = fmt.Sprintf("%d,amount_paise,value %d,reason %d", i+2, i, i)
		}
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("line %d: %q, expected %q", i+2, lines.Text(), want)
		}
	}
	if lines.Scan() {
		t.Errorf("more: %q", lines.Text())
	}
}

// When the file appears: with the first reject or when it was asked for by name,
// after a run that failed only with rejects, and whole.
func TestRejectsAppear(t *testing.T) {
	failed := errors.New("the run failed")
	for _, tt := range []struct {
		name   string
		asked  bool
		bad    int
		failed error
		there  bool
	}{
		{"nothing put aside", false, 0, nil, false},
		{"nothing put aside, asked for", true, 0, nil, true},
		{"one put aside", false, 1, nil, true},
		{"one put aside by a run that failed", false, 1, failed, true},
		{"a run that failed, asked for", true, 0, failed, false},
	} {
		dir := t.TempDir()
		c := &ingestCmd{Dir: filepath.Join(dir, "log")}
		if tt.asked {
			c.Rejects = filepath.Join(dir, "log", "r.csv")
		}
		r := c.newRejects()
		for range tt.bad {
			r.add("f", table.Reject{Line: 2, Column: "c", Value: "v", Reason: "w"})
		}
		if names, _ := filepath.Glob(filepath.Join(dir, "log", "*.csv")); len(names) > 0 {
			t.Errorf("%s: %v before the end", tt.name, names)
		}
		path, err := r.close(tt.failed)
		if !errors.Is(err, tt.failed) || (path != "") != tt.there {
			t.Errorf("%s: %q, %v", tt.name, path, err)
		}
		left, _ := os.ReadDir(filepath.Join(dir, "log"))
		if got := len(left); got > 1 || (got == 1) != tt.there {
			t.Errorf("%s: %v is left", tt.name, left)
		}
	}
}
