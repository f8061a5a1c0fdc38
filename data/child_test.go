package data

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"testing"
)

// childRows are what a child process adds in one commit.
func childRows() []Attempt {
	rows := make([]Attempt, 3000)
	for i := range rows {
		rows[i] = benchAttempt(i * 977 % 3000 * 3)
	}
	return rows
}

// childJob runs what a test asked of a child process, and reports whether it
// did: ingest into a folder, with files limited to a size as by a full disk.
func childJob() bool {
	dir := os.Getenv("RECOUP_TEST_INGEST")
	if dir == "" {
		return false
	}
	o := WriteOptions{Currency: "INR", RunRows: 1000}
	if n, err := strconv.ParseUint(os.Getenv("RECOUP_TEST_FILE_BYTES"), 10, 64); err == nil {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
			panic(err)
		}
		o.RunRows = 0 // no spilled run, which would not fit either
	}
	err := func() error {
		w, err := NewWriter(dir, o)
		if err != nil {
			return err
		}
		w.parts.minRows, w.parts.maxRows = 500, 1024
		if err := Add(w, childRows()...); err != nil {
			w.Abort()
			return err
		}
		_, err = w.Commit(context.Background())
		return err
	}()
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	return true
}

// ingestInChild is a process of its own that adds childRows to dir.
func ingestInChild(t *testing.T, dir string, env ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(append(os.Environ(), "RECOUP_TEST_INGEST="+dir), env...)
	return c
}
