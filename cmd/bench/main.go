// Bench measures recoup beside its peers in the same run, on the same data and
// the same machine: scikit-learn for the fit, DuckDB and Polars for windowed
// features, the codec for reading, FastAPI with LightGBM and SQLite for the
// service. It prints figures; it asserts nothing about speed, since absolute times on
// a shared machine mean little. It does assert that both sides computed the same
// numbers.
//
//	go run ./cmd/bench            everything, about ten minutes
//	go run ./cmd/bench fit        one part: fit, bigfit, features, windows, serve, decide, lightgbm, ope, bandit, webhooks
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// part is one comparison; it prints its own lines.
type part struct {
	name, what string
	peers      bool // needs the peers' Python
	run        func(context.Context, *bench) error
}

var parts = []part{
	{"fit", "exact logistic optimum, 1,000,000 x 45 numbers in memory", true, fit},
	{"bigfit", "exact logistic optimum, 10,000,000 x 45 numbers from Parquet", false, bigFit},
	{"features", "both training tables of a log of 5,000,000 attempts", false, featureTables},
	{"windows", "eight window aggregates of 6 hours to 30 days over 2,000,000 events", true, windows},
	{"serve", "POST /v1/score and a durable POST /v1/decide over loopback, a grid of 57 slots a request, open-loop load", true, serving},
	{"decide", "one decision on a grid of 57 slots: gate and rules, and the whole way with the logistic model", false, deciding},
	{"lightgbm", "raw scores of LightGBM models: the compiled forest, leaves, LightGBM's C API", true, forests},
	{"ope", "off-policy estimates of 100,000 rows of 10 actions, and 10,000 draws of 30,000 customers", true, offPolicy},
	{"bandit", "exact selection probabilities of Thompson sampling", false, banditProbs},
	{"webhooks", "1,000,000 lines of a webhook archive into the event log", false, webhooks},
}

// bench is what the parts share: where to work and what to run.
type bench struct {
	dir    string // scratch, removed at the end
	recoup string // the binary
	python string // of a venv with the peers
	readme string // gets the tables that it has marks for; "" = none
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	readme := flags.String("readme", "", "write the tables that this file has marks for")
	if err := flags.Parse(args); err != nil {
		return err
	}
	names := flags.Args()
	for _, n := range names {
		if !slices.ContainsFunc(parts, func(p part) bool { return p.name == n }) {
			return fmt.Errorf("no part %q: expected fit, bigfit, features, windows, serve, decide, lightgbm, ope, bandit or webhooks", n)
		}
	}
	dir, err := os.MkdirTemp("", "recoup-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{dir: dir, readme: *readme}
	if b.recoup, err = filepath.Abs("recoup"); err != nil {
		return err
	}
	if _, err := os.Stat(b.recoup); err != nil {
		return fmt.Errorf("%w: run make build first", err)
	}
	for _, p := range parts {
		if len(names) > 0 && !slices.Contains(names, p.name) {
			continue
		}
		if p.peers && b.python == "" {
			if b.python, err = venv(ctx); err != nil {
				return err
			}
		}
		fmt.Printf("\n%s: %s\n", p.name, p.what)
		if err := p.run(ctx, b); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// venv makes the peers' Python environment once, in .venv of the checkout.
func venv(ctx context.Context) (string, error) {
	python, err := filepath.Abs(".venv/bin/python")
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(python); err != nil {
		fmt.Println("making .venv with the peers (once)")
		if out, err := exec.CommandContext(ctx, "python3", "-m", "venv", ".venv").CombinedOutput(); err != nil {
			return "", fmt.Errorf("python3 -m venv: %w: %s", err, out)
		}
	}
	pip := exec.CommandContext(ctx, python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", "cmd/bench/peers/requirements.txt")
	if out, err := pip.CombinedOutput(); err != nil {
		return "", fmt.Errorf("pip install: %w: %s", err, out)
	}
	return python, nil
}

// usage is what a process took.
type usage struct {
	wall, cpu time.Duration
	peak      int64 // bytes of memory at most
}

// measure runs a command to its end. Its output is parsed into out as JSON.
func measure(ctx context.Context, out any, name string, args ...string) (usage, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stderr = os.Stderr
	// A forced OpenBLAS kernel would slow the peers: they choose their own.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "OPENBLAS_") })
	start := time.Now()
	text, err := cmd.Output()
	wall := time.Since(start)
	if err != nil {
		return usage{}, fmt.Errorf("%s %v: %w", filepath.Base(name), args, err)
	}
	if err := json.Unmarshal(text, out); err != nil {
		return usage{}, fmt.Errorf("%s %v: not JSON: %w", filepath.Base(name), args, err)
	}
	u := usage{wall: wall, cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.peak = r.Maxrss << 10
	}
	return u, nil
}

// line prints one figure; ratio = that of recoup to it, 0 for none.
func line(who string, seconds float64, ratio float64, note string) {
	times := ""
	if ratio > 0 {
		times = fmt.Sprintf("%.2fx recoup's time", ratio)
	}
	fmt.Printf("  %-34s %8.2f s   %-22s %s\n", who, seconds, times, note)
}
