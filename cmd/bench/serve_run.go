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

// running is a server in a process of its own.
type running struct {
	cmd *exec.Cmd
	url string
}

// startServing runs the binary until it listens.
func startServing(ctx context.Context, b *bench, dir, ledger string) (*running, error) {
	cmd := exec.CommandContext(ctx, b.recoup, "serve", "--dir", dir, "--listen", "127.0.0.1:0", "--insecure", "--ledger", ledger, "--drain-delay", "0s")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	r := bufio.NewReader(out)
	line, err := r.ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "Listening on ")
	if err == nil && !ok {
		err = fmt.Errorf("recoup serve: said %q", line)
	}
	if err != nil {
		return nil, errors.Join(err, cmd.Process.Kill(), cmd.Wait())
	}
	go io.Copy(io.Discard, r) //nolint:errcheck // until it ends
	return &running{cmd, url}, nil
}

// end asks it to end, and waits.
func (s *running) end() error {
	return errors.Join(s.cmd.Process.Signal(syscall.SIGTERM), s.cmd.Wait())
}

// ramp loads the server and says what processor time it took, and with it others: its
// database.
func (s *running) ramp(ctx context.Context, p ramping, others ...int) (ramped, error) {
	before := cpuOf(append(others, s.cmd.Process.Pid))
	r, err := ramp(ctx, p)
	if err == nil {
		who := "the server"
		if len(others) > 0 {
			who += " and its database"
		}
		fmt.Printf("    %s took %s of processor a request\n", who, round((cpuOf(append(others, s.cmd.Process.Pid))-before)/time.Duration(max(1, r.asked))))
	}
	return r, err
}

// cpuOf is the processor time of processes and their children, as /proc has it; 0 where
// there is none.
func cpuOf(pids []int) (sum time.Duration) {
	all, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range all {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		var pid, parent, user, system int
		fmt.Sscan(string(text), &pid)
		f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if len(f) < 13 {
			continue
		}
		fmt.Sscan(f[1]+" "+f[11]+" "+f[12], &parent, &user, &system)
		for _, p := range pids {
			if pid == p || parent == p {
				sum += time.Duration(user+system) * 10 * time.Millisecond // clock ticks, 100 a second
			}
		}
	}
	return sum
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
