package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"recoup/data"
	"recoup/features"
)

type featuresCmd struct {
	Dir     string `required:"" placeholder:"D" help:"Folder of the event log."`
	AsOf    string `required:"" name:"as-of" placeholder:"T" help:"Nothing known after it counts: RFC 3339, or a date (its first instant in UTC)."`
	Out     string `placeholder:"DIR" help:"Folder for attempts.parquet and periods.parquet; by default D/features/<as-of>."`
	Arrow   bool   `help:"Also write both tables as Arrow IPC streams, attempts.arrows and periods.arrows."`
	Workers int    `placeholder:"N" help:"Goroutines; by default one a processor. The result does not depend on it."`
	JSON    bool   `help:"Print one JSON object."`
}

func (c *featuresCmd) Run(ctx context.Context, e *env) error {
	asOf, err := parseAsOf("features", c.AsOf)
	if err != nil {
		return err
	}
	log, err := data.OpenLog(c.Dir)
	if err != nil {
		return err
	}
	o := features.BuildOptions{AsOf: data.AsOf(asOf), Dir: c.Out, Workers: c.Workers}
	if o.Dir == "" {
		o.Dir = features.Dir(c.Dir, asOf)
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if e.tty {
		var done func()
		o.Progress, done = progressOn(e.stderr, "features")
		defer done()
	}
	debug.SetGCPercent(50) // five million attempts within a gibibyte, for a few per cent of the time
	s, err := features.Build(ctx, log, o)
	if err != nil {
		return err
	}
	if c.Arrow {
		for _, path := range []string{s.Attempts.Path, s.Periods.Path} {
			if err := writeArrow(path); err != nil {
				return err
			}
		}
	}
	if c.JSON {
		return e.printJSON(s)
	}
	_, err = io.WriteString(e.stdout, describeTables(s))
	return err
}

// writeArrow writes a table's Arrow IPC stream beside it.
func writeArrow(path string) error {
	t, err := data.OpenFrames(path)
	if err != nil {
		return err
	}
	defer t.Close()
	return data.WriteFile(strings.TrimSuffix(path, filepath.Ext(path))+".arrows", func(w io.Writer) error { return features.WriteArrow(w, t) })
}

func describeTables(s features.Summary) string {
	var t strings.Builder
	fmt.Fprintf(&t, "as of %s: %d events read; windows closed by %s\n", s.AsOf, s.Events, s.Until)
	if s.KnownAtAssumed {
		t.WriteString("known_at of some rows is an assumption: the mapping names no such column\n")
	}
	for _, x := range []features.TableSummary{s.Attempts, s.Periods} {
		fmt.Fprintf(&t, "%s: %d rows, %d with y = 1, %d feature columns, schema %.12s\n", x.Path, x.Rows, x.Positives, x.Columns, x.Fingerprint)
		for _, d := range x.Dropped {
			if d.N > 0 {
				fmt.Fprintf(&t, "  left out: %d: %s\n", d.N, d.Why)
			}
		}
	}
	return t.String()
}

// progressOn shows a bar on a terminal; done clears it.
func progressOn(w io.Writer, what string) (report func(done, total int64), done func()) {
	bar := progressbar.NewOptions64(1, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))
	return func(done, total int64) {
		bar.ChangeMax64(total)
		_ = bar.Set64(done)
	}, func() { _ = bar.Finish() }
}
