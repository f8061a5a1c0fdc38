package main

import (
	"context"
	"io"
	"os"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the scripts run this test binary as `recoup`: the real program
// in a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"recoup": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/scripts",
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"cut":   cut,
		},
	})
}

// exits CODE ARGS... runs recoup and demands that very exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE recoup ARGS...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = err.Error()
	}
	want := "exit status " + args[0]
	if args[0] == "0" {
		want = "0"
	}
	if got != want {
		ts.Fatalf("exit %q, want %q", got, want)
	}
}

// cut FILE N keeps the first N bytes of a file, or drops the last -N.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	var n int64
	for _, c := range args[1] {
		if c == '-' {
			continue
		}
		n = n*10 + int64(c-'0')
	}
	path := ts.MkAbs(args[0])
	if args[1][0] == '-' {
		st, err := os.Stat(path)
		ts.Check(err)
		n = st.Size() - n
	}
	ts.Check(os.Truncate(path, n))
}

func TestRunInProcess(t *testing.T) {
	e := &env{stdout: io.Discard, stderr: io.Discard, now: func() time.Time { return time.Unix(0, 0) }}
	for _, c := range []struct {
		args []string
		want int
	}{
		{nil, 0},
		{[]string{"--help"}, 0},
		{[]string{"nightly", "--help"}, 0},
		{[]string{"no-such-verb"}, 2},
		{[]string{"simulate", "--no-such-flag"}, 2},
	} {
		if got := run(context.Background(), e, c.args); got != c.want {
			t.Errorf("recoup %v: exit %d, want %d", c.args, got, c.want)
		}
	}
}
