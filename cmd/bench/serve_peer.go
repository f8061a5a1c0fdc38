package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// peers loads the same service as a Python team would write it, FastAPI, LightGBM and
// SQLite: 57 rows predicted and one INSERT committed with synchronous=FULL a request. It
// runs with one worker and with two, and the better one counts.
func peers(ctx context.Context, b *bench, cases []string) (best ramped, err error) {
	for workers := 1; workers <= 2; workers++ {
		s, err := startPeer(ctx, b, workers)
		if err != nil {
			return best, err
		}
		r, err := s.ramp(ctx, ramping{who: fmt.Sprintf("FastAPI, LightGBM and SQLite, %d uvicorn worker(s), POST /v1/decide, durable", workers),
			url: s.url + "/v1/decide", bodies: nowBodies(cases)})
		_ = s.end()
		if err != nil {
			return best, err
		}
		if r.knee >= best.knee {
			best = r
		}
	}
	return best, nil
}

// startPeer runs the peer until it answers.
func startPeer(ctx context.Context, b *bench, workers int) (*running, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	dir := filepath.Join(b.dir, fmt.Sprint("peer", workers))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, b.python, "-m", "uvicorn", "decide_peer:app", "--app-dir", "cmd/bench/peers", "--port", port,
		"--workers", fmt.Sprint(workers), "--log-level", "warning", "--no-access-log", "--backlog", "4096")
	cmd.Env = append(os.Environ(), "PEER_DIR="+dir)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // its workers with it
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &running{cmd, "http://127.0.0.1:" + port}
	for range 600 {
		res, err := http.Get(s.url + "/livez")
		if err == nil {
			res.Body.Close()
			return s, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return nil, errors.Join(errors.New("the peer does not answer"), s.end())
}
