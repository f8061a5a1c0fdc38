package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	serveCases  = 6000 // of the log that the model learns from and the bodies come from
	serveBodies = 2000 // distinct ones
	serveStep   = 3 * time.Second
	serveMost   = 12 // steps at most
	serveFirst  = 200.0
	serveGrow   = 1.5
)

// serving measures POST /v1/score of the real binary on loopback: open-loop
// load at rising rates until the knee, and the same load on a handler of the same
// server stack that does nothing, which is as fast as this machine could answer.
func serving(ctx context.Context, b *bench) error {
	dir := filepath.Join(b.dir, "served")
	defer os.RemoveAll(dir)
	for _, args := range [][]string{
		{"simulate", "--dir", dir, "--cases", fmt.Sprint(serveCases), "--seed", "1", "--policy", "uniform", "--json"},
		{"nightly", "--dir", dir, "--as-of", "2026-02-01", "--draws", "100", "--json"},
	} {
		var out map[string]any
		if _, err := measure(ctx, &out, b.recoup, args...); err != nil {
			return err
		}
	}
	bodies, err := caseBodies(dir, serveBodies)
	if err != nil {
		return err
	}
	var total int
	for _, body := range bodies {
		total += len(body)
	}
	fmt.Printf("  %d distinct bodies, %.1f KiB each on average, of as many open cases\n", len(bodies), float64(total)/float64(len(bodies))/1024)
	nothing, err := ownServer(doNothing{})
	if err != nil {
		return err
	}
	defer nothing.Close()
	mine, err := served(ctx, b, dir, bodies)
	if err != nil {
		return err
	}
	bare, err := ramp(ctx, "the same stack and bodies, a handler that decides nothing", "http://"+nothing.addr+"/v1/score", bodies)
	if err != nil {
		return err
	}
	fmt.Printf("  recoup beside a handler that decides nothing: %.2f of its knee, %.1f times its median at %.0f/s\n",
		mine.knee/max(1, bare.knee), float64(mine.median)/float64(max(1, bare.median)), serveFirst)
	return nil
}

// served runs the binary and loads it.
func served(ctx context.Context, b *bench, dir string, bodies [][]byte) (r ramped, err error) {
	cmd := exec.CommandContext(ctx, b.recoup, "serve", "--dir", dir, "--listen", "127.0.0.1:0", "--insecure", "--ledger", "none", "--drain-delay", "0s")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return r, err
	}
	if err := cmd.Start(); err != nil {
		return r, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "Listening on ")
	if err == nil && !ok {
		err = fmt.Errorf("recoup serve: said %q", line)
	}
	if err == nil {
		err = countSlots(url, bodies)
	}
	if err == nil {
		r, err = ramp(ctx, "recoup serve, POST /v1/score", url+"/v1/score", bodies)
	}
	if err = errors.Join(err, cmd.Process.Signal(syscall.SIGTERM), cmd.Wait()); err != nil {
		return r, err
	}
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	fmt.Printf("    the server took %s of processor a request\n", round(cpu/time.Duration(max(1, r.asked))))
	return r, nil
}

// countSlots says how much work an answer is.
func countSlots(url string, bodies [][]byte) error {
	const some = 100
	slots, size := 0, 0
	for _, body := range bodies[:min(some, len(bodies))] {
		res, err := http.Post(url+"/v1/score", "application/json", bytes.NewReader(body))
		if err != nil {
			return err
		}
		answer, err := io.ReadAll(res.Body)
		res.Body.Close()
		var scored struct {
			Arm        string
			Candidates []json.RawMessage
		}
		if err = cmp.Or(err, json.Unmarshal(answer, &scored)); err != nil || scored.Arm != "model" {
			return fmt.Errorf("%s: %d by arm %q: %.300s: %w", url, res.StatusCode, scored.Arm, answer, err)
		}
		slots, size = slots+len(scored.Candidates), size+len(answer)
	}
	n := min(some, len(bodies))
	fmt.Printf("  the model scores %d candidates a request on average; an answer has %.1f KiB\n", slots/n, float64(size)/float64(n)/1024)
	return nil
}

// ramped is what a ramp came to.
type ramped struct {
	asked  int           // requests in all
	knee   float64       // requests a second
	median time.Duration // at the first rate
}

// ramp raises the rate until the knee and prints a line a rate.
func ramp(ctx context.Context, who, url string, bodies [][]byte) (r ramped, err error) {
	fmt.Printf("  %s\n", who)
	client := newClient()
	defer client.CloseIdleConnections()
	rate := serveFirst
	for step := range serveMost + 1 {
		d := serveStep
		if step == 0 {
			d /= 3 // to warm connections, caches and heap; not shown
		}
		s, err := load(ctx, client, url, bodies, rate, d)
		if err != nil {
			return r, err
		}
		if r.asked += len(s.latencies); step == 0 {
			continue
		}
		if step == 1 {
			r.median = s.quantile(.5)
		}
		fmt.Printf("    %6.0f/s offered  %6.0f/s answered   p50 %8s   p99 %8s   p99.9 %8s   %d failed\n",
			s.offered, s.achieved, round(s.quantile(.5)), round(s.quantile(.99)), round(s.quantile(.999)), s.failed)
		if s.quantile(.99) > 50*time.Millisecond || s.achieved < .95*s.offered {
			break
		}
		r.knee, rate = s.offered, rate*serveGrow
	}
	fmt.Printf("    knee: %.0f/s was the last rate answered at 95 %% or better with p99 of 50 ms or less; client and server share the machine\n", r.knee)
	return r, nil
}

func round(d time.Duration) time.Duration {
	if d < 10*time.Millisecond {
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(100 * time.Microsecond)
}
