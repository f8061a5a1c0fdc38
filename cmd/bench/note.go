package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"recoup/data"
)

// noted writes lines between the marks of a part in the README; "" = no README is
// asked for.
func (b *bench) noted(part, lines string) error {
	if b.readme == "" {
		return nil
	}
	begin, end := fmt.Sprintf("<!-- bench %s begin: written by make bench -->\n", part), fmt.Sprintf("<!-- bench %s end -->\n", part)
	text, err := os.ReadFile(b.readme)
	if err != nil {
		return err
	}
	head, rest, begins := bytes.Cut(text, []byte(begin))
	_, tail, ends := bytes.Cut(rest, []byte(end))
	if !begins || !ends {
		return fmt.Errorf("%s: expected the marks %q and %q", b.readme, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return data.WriteFile(b.readme, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s%s%s%s%s", head, begin, lines, end, tail)
		return err
	})
}

// forestTable is the head of the table of forests.
func forestTable() string {
	return fmt.Sprintf("| microseconds a row, %d cores | recoup | leaves | LightGBM's C API | times leaves | times the C API |\n| --- | --- | --- | --- | --- | --- |\n", runtime.NumCPU())
}
