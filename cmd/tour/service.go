package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"recoup/data"
)

// script is the tour of the service, as a person would type it.
//
//go:embed service.sh
var script []byte

// loop is the tour of the service: a shop with a year behind it and no model yet asks a
// server what to do about a failed charge, the rules arm answers, and the next night's
// model takes over. It had no night before, because a second model is promoted only where
// the log can tell its policy from the first one's, which takes a far larger shop.
type loop struct {
	recoup, dir string
	cases       int    // failed charges of the shop's 14 months
	seed        uint64 // of the world
	draws       int    // of the nights; 0 = recoup's own number
}

// The shop's past ends where the tour begins; the days that go by on it come from the
// same world.
var (
	tourBegins = data.MicrosOf(time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC))
	tourEnds   = tourBegins + 20*data.Day
)

func (l *loop) run(ctx context.Context, out io.Writer) error {
	program, err := filepath.Abs(l.recoup)
	if err != nil {
		return err
	}
	if name := filepath.Base(program); name != "recoup" {
		return fmt.Errorf("--recoup %s: expected a program of the name recoup, as service.sh calls it", l.recoup)
	}
	for _, tool := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("the tour of the service needs %s: %w", tool, err)
		}
	}
	for _, name := range []string{"world", "shop", "later"} {
		if err := os.RemoveAll(filepath.Join(l.dir, name)); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(l.dir, 0o755); err != nil {
		return err
	}
	do := func(args ...string) error {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Dir = l.dir
		if said, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("recoup %s: %w\n%s", args[0], err, said)
		}
		return nil
	}
	if err := do("simulate", "--dir", "world", "--cases", strconv.Itoa(l.cases), "--seed", strconv.FormatUint(l.seed, 10), "--policy", "uniform"); err != nil {
		return err
	}
	world := filepath.Join(l.dir, "world")
	if err := split(ctx, world, filepath.Join(l.dir, "shop"), filepath.Join(l.dir, "later"), tourBegins, tourEnds); err != nil {
		return err
	}
	if err := os.RemoveAll(world); err != nil {
		return err
	}
	var night []string
	if l.draws > 0 {
		night = []string{"--draws", strconv.Itoa(l.draws)}
	}
	text := filepath.Join(l.dir, "service.sh")
	if err := data.WriteFile(text, func(w io.Writer) error { _, err := w.Write(script); return err }); err != nil {
		return err
	}
	began := time.Now()
	cmd := exec.CommandContext(ctx, "bash", append([]string{"service.sh"}, night...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = l.dir, out, out
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it ends its server
	cmd.WaitDelay = 20 * time.Second
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	_, err = fmt.Fprintf(out, "\nthe loop of the service, %.1f s: %s can be read and run again\n", time.Since(began).Seconds(), text)
	return err
}
