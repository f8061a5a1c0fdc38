// Tour walks two ways with the real program. The newcomer's four commands, each
// timed: a plain export of payments, ingest --suggest, ingest, doctor, nightly. The
// export is that of a simulated world, without anything a provider's dashboard would
// not show. And the loop of the service with curl: see service.sh.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"recoup/data"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var t tour
	var l loop
	only := flag.String("only", "", "files: the four commands alone; service: the loop of the service alone")
	flag.IntVar(&l.cases, "cases", 10_000, "failed charges of the service's world")
	flag.StringVar(&t.recoup, "recoup", "./recoup", "the program")
	flag.StringVar(&t.dir, "dir", "tour", "folder to work in; what an earlier tour left there is replaced")
	flag.IntVar(&t.rows, "rows", 50_000, "attempts in the export")
	flag.Uint64Var(&t.seed, "seed", 1, "seed of the world")
	flag.StringVar(&t.out, "out", "", "only write the export, to this file")
	flag.StringVar(&t.readme, "readme", "", "write the times into this file, between its marks")
	flag.Parse()
	l.recoup, l.dir, l.seed = t.recoup, t.dir, t.seed
	if err := walks(ctx, &t, &l, *only); err != nil {
		fmt.Fprintln(os.Stderr, "tour:", err)
		os.Exit(1)
	}
}

// walks walks what is asked for; only = "" is both.
func walks(ctx context.Context, t *tour, l *loop, only string) error {
	switch only {
	case "", "files", "service":
	default:
		return fmt.Errorf("--only %q: expected files or service", only)
	}
	if only != "service" {
		if err := t.run(ctx, os.Stdout); err != nil || t.out != "" {
			return err
		}
	}
	if only == "files" {
		return nil
	}
	return l.run(ctx, os.Stdout)
}

type tour struct {
	recoup, dir, out, readme string
	rows                     int
	seed                     uint64
	more                     []string // arguments for nightly that doctor does not name
	steps                    []step
}

func (t *tour) run(ctx context.Context, out io.Writer) error {
	if t.rows < 1 {
		return fmt.Errorf("--rows %d: expected 1 or more", t.rows)
	}
	program, err := filepath.Abs(t.recoup)
	if err != nil {
		return err
	}
	t.recoup = program
	if err := t.clear(); err != nil {
		return err
	}
	export := filepath.Join(t.dir, "payments.csv")
	if t.out != "" {
		export = t.out
	}
	n, err := t.export(ctx, export)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d attempts\n", export, n)
	if t.out != "" {
		return nil
	}
	return t.walk(ctx, out)
}

// clear makes the folder, and takes away what a tour makes.
func (t *tour) clear() error {
	if err := os.MkdirAll(t.dir, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"world", "mylog", "payments.csv", "payments.yaml"} {
		if err := os.RemoveAll(filepath.Join(t.dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// export simulates a world, large enough, and writes its first attempts.
func (t *tour) export(ctx context.Context, path string) (n int, err error) {
	world := filepath.Join(t.dir, "world")
	cases := max(100, t.rows/5) // about one attempt in six is the first failure of a charge
	cmd := exec.CommandContext(ctx, t.recoup, "simulate", "--dir", world, "--cases", strconv.Itoa(cases), "--seed", strconv.FormatUint(t.seed, 10), "--policy", "uniform")
	if said, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("recoup simulate: %w\n%s", err, said)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(world)) }()
	payments, err := read(ctx, world)
	if err != nil {
		return 0, err
	}
	payments = payments[:min(t.rows, len(payments))]
	return len(payments), data.WriteFile(path, func(w io.Writer) error { return write(w, payments) })
}

// walk runs the four commands, each as a newcomer types it; the last one is what
// doctor ends with.
func (t *tour) walk(ctx context.Context, out io.Writer) error {
	var whole time.Duration
	do := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, t.recoup, args...)
		cmd.Dir = t.dir
		began := time.Now()
		said, err := cmd.CombinedOutput()
		took := time.Since(began)
		whole += took
		t.steps = append(t.steps, step{"recoup " + strings.Join(args, " "), took})
		fmt.Fprintf(out, "\n$ recoup %s   # %.1f s\n%s", strings.Join(args, " "), took.Seconds(), said)
		if err != nil {
			err = fmt.Errorf("recoup %s: %w", args[0], err)
		}
		return string(said), err
	}
	if _, err := do("ingest", "--suggest", "payments.csv", "--out", "payments.yaml"); err != nil {
		return err
	}
	if _, err := do("ingest", "payments.csv", "--mapping", "payments.yaml", "--dir", "mylog"); err != nil {
		return err
	}
	said, err := do("doctor", "--dir", "mylog")
	if err != nil {
		return err
	}
	next := nightly.FindStringSubmatch(said)
	if next == nil {
		return errors.New("doctor sees too little for a night: give more --rows")
	}
	if _, err := do(append(strings.Fields(next[1]), t.more...)...); err != nil {
		return err
	}
	reports, err := filepath.Glob(filepath.Join(t.dir, "mylog", "runs", "*", "report.html"))
	if err != nil || len(reports) != 1 {
		return fmt.Errorf("%d reports in %s", len(reports), t.dir)
	}
	if _, err := fmt.Fprintf(out, "\nfour commands, %.1f s: %s\n", whole.Seconds(), reports[0]); err != nil || t.readme == "" {
		return err
	}
	return t.note()
}

// nightly is the command that doctor ends with when there is enough.
var nightly = regexp.MustCompile(`(?m)^training: yes: .*: recoup (nightly .*)$`)
