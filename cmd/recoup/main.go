// Recoup decides what to do about a failed recurring payment and proves what
// that decision is worth. Run recoup --help.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "time/tzdata" // a bare machine has no zone files

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"recoup/data"
	"recoup/data/ledger"
)

// cli lists the verbs; each lives in the file of its name.
type cli struct {
	Simulate      simulateCmd      `cmd:"" help:"Write a simulated world's event log under a behaviour policy, and its oracle apart from it."`
	Table         tableCmd         `cmd:"" help:"Show how recoup reads a file: columns, types, nulls, rows; or the mapped rows."`
	Ingest        ingestCmd        `cmd:"" help:"Turn other people's files into an event log."`
	Doctor        doctorCmd        `cmd:"" help:"Say what an event log can and cannot support."`
	Features      featuresCmd      `cmd:"" help:"Build the feature tables of an event log as of a time."`
	Fit           fitCmd           `cmd:"" help:"Fit a logistic regression to any table."`
	Evaluate      evaluateCmd      `cmd:"" help:"Measure calibration and ranking of a file of scores."`
	Predict       predictCmd       `cmd:"" help:"Score the rows of a file with a registered model."`
	Score         scoreCmd         `cmd:"" help:"Decide what to do about the open cases of an event log, or about one case of a file."`
	Nightly       nightlyCmd       `cmd:"" help:"Run the night job: features, training, calibration, evaluation, promotion, report."`
	TrainLightGBM trainLightGBMCmd `cmd:"" name:"train-lightgbm" help:"Fit a LightGBM challenger through its official Python package."`
	Models        modelsCmd        `cmd:"" help:"List, show, inspect, promote or roll back registered models."`
	Serve         serveCmd         `cmd:"" help:"Answer over HTTP: what each action on a failed payment is worth, and which to take."`
	Keys          keysCmd          `cmd:"" help:"Make, list and revoke the keys of those who may call the service."`
	Ledger        ledgerCmd        `cmd:"" help:"Back up, restore, export and keep the ledger: what was decided and told."`
	Verify        verifyCmd        `cmd:"" help:"Say whether the ledger is what was written, and name the first entry that is not."`

	Bandit banditCmd `cmd:"" help:"Thompson sampling with exact probabilities: print them, or compare bandits with rules and model."`

	Gate gateCmd `cmd:"" help:"Print, explain and compare the gate: what may be done about a failed payment."`
	Ope  opeCmd  `cmd:"" help:"Judge a policy from logged decisions before it ships, and say where the log cannot tell."`

	Experiment experimentCmd `cmd:"" help:"Play the arms side by side in simulated worlds, and say what each part of recoup is worth."`
}

// env is what a verb may use of the outside world.
type env struct {
	stdout, stderr io.Writer
	now            func() time.Time
	tty            bool // stderr is a terminal: progress may be shown
}

// printJSON writes one object, indented, on standard output.
func (e *env) printJSON(v any) error {
	enc := json.NewEncoder(e.stdout)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	e := &env{stdout: os.Stdout, stderr: os.Stderr, now: time.Now, tty: term.IsTerminal(int(os.Stderr.Fd()))}
	context.AfterFunc(ctx, stop) // a second signal ends a process that does not listen
	code := run(ctx, e, os.Args[1:])
	stop()
	os.Exit(code)
}

// run parses the arguments, runs the verb and returns the exit code.
func run(ctx context.Context, e *env, args []string) int {
	var c cli
	out := &keptError{w: e.stdout}
	e.stdout = out
	exited := -1
	parser, err := kong.New(&c,
		kong.Name("recoup"),
		kong.Description("recoup learns P(recover | state, action, time) from a payment event log, and says how sure it is.\n\n"+
			"Start with:  recoup simulate --dir demo --cases 20000 --seed 1 --policy uniform --oracle demo-oracle"),
		kong.Writers(e.stdout, e.stderr),
		kong.Exit(func(code int) { exited = code }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		fmt.Fprintln(e.stderr, "recoup:", err)
		return 1
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	verb, err := parser.Parse(args)
	if exited >= 0 || out.err != nil { // --help printed itself
		return e.ended(out.err)
	}
	if err != nil {
		fmt.Fprintf(e.stderr, "recoup: %s\nTry: recoup --help\n", harmless(err.Error()))
		return 2
	}
	verb.BindTo(ctx, (*context.Context)(nil))
	if err = verb.Run(e); err == nil {
		err = out.err
	}
	return e.ended(err)
}

// ended says what went wrong and returns the exit code.
func (e *env) ended(err error) int {
	if err == nil {
		return 0
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(e.stderr, "recoup: interrupted; what was done so far is kept or cleared away, run it again")
		return 1
	}
	fmt.Fprintln(e.stderr, "recoup:", harmless(err.Error()))
	return exitCode(err)
}

// keptError remembers that what was printed did not all arrive: a verb need not
// look at every line it prints.
type keptError struct {
	w   io.Writer
	err error
}

func (k *keptError) Write(b []byte) (int, error) {
	if k.err != nil {
		return 0, k.err
	}
	n, err := k.w.Write(b)
	if err != nil {
		k.err = fmt.Errorf("standard output: %w", err)
	}
	return n, k.err
}

// exitCode is the design's table of exit codes. A path that is not there, or is a folder
// where a file is meant or the reverse, was given wrongly unless the error has a kind.
func exitCode(err error) int {
	for _, c := range []struct {
		kind error
		code int
	}{
		{data.ErrUsage, 2}, {data.ErrLocked, 3}, {data.ErrTooLittle, 4}, {data.ErrUnsafe, 5}, {data.ErrContract, 6}, {ledger.ErrBroken, 7},
		{fs.ErrNotExist, 2}, {syscall.ENOTDIR, 2}, {syscall.EISDIR, 2}, {syscall.ENAMETOOLONG, 2},
	} {
		if errors.Is(err, c.kind) {
			return c.code
		}
	}
	return 1
}
