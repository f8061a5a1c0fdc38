package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"recoup/data"
)

// step is a command of the tour and how long it took.
type step struct {
	command string
	took    time.Duration
}

// The marks in the README between which the times stand.
const (
	noteBegin = "<!-- tour begin: written by make tour -->\n"
	noteEnd   = "<!-- tour end -->\n"
)

// note writes the commands and their times between the marks of the README.
func (t *tour) note() error {
	text, err := os.ReadFile(t.readme)
	if err != nil {
		return err
	}
	head, rest, begins := bytes.Cut(text, []byte(noteBegin))
	_, tail, ends := bytes.Cut(rest, []byte(noteEnd))
	if !begins || !ends {
		return fmt.Errorf("%s: expected the marks %q and %q", t.readme, strings.TrimSpace(noteBegin), strings.TrimSpace(noteEnd))
	}
	return data.WriteFile(t.readme, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s%s%s%s%s", head, noteBegin, t.table(), noteEnd, tail)
		return err
	})
}

// table lists the commands with their times.
func (t *tour) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| command | on %d attempts, %d cores |\n| --- | --- |\n", t.rows, runtime.NumCPU())
	for _, s := range t.steps {
		fmt.Fprintf(&b, "| `%s` | %.1f s |\n", s.command, s.took.Seconds())
	}
	return b.String()
}
