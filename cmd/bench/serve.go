package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

const (
	serveCases  = 6000 // of the log that the model learns from and the bodies come from
	serveBodies = 2000 // distinct ones
	serveStep   = 2 * time.Second
	serveMost   = 12 // steps at most
	serveFirst  = 200.0
	serveGrow   = 1.5
)

// serving measures the real binary on loopback: open-loop load at rising rates until
// the knee. First POST /v1/score, which records nothing, and the same load on a handler
// of the same server stack that does nothing, which is as fast as this machine could
// answer; then POST /v1/decide, durable before it is answered, and its peer.
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
	mine, err := scored(ctx, b, dir, bodies)
	if err != nil {
		return err
	}
	bare, err := ramp(ctx, ramping{who: "the same stack and bodies, a handler that decides nothing", url: "http://" + nothing.addr + "/v1/score", bodies: bodies})
	if err != nil {
		return err
	}
	fmt.Printf("  recoup beside a handler that decides nothing: %.2f of its knee, %.1f times its median at %.0f/s\n",
		mine.knee/max(1, bare.knee), float64(mine.median)/float64(max(1, bare.median)), serveFirst)
	return durable(ctx, b, dir, bare)
}

// scored loads /v1/score of a server that keeps no ledger.
func scored(ctx context.Context, b *bench, dir string, bodies [][]byte) (r ramped, err error) {
	s, err := startServing(ctx, b, dir, "none")
	if err != nil {
		return r, err
	}
	defer s.end()
	if err := countSlots(s.url, bodies); err != nil {
		return r, err
	}
	return s.ramp(ctx, ramping{who: "recoup serve, POST /v1/score", url: s.url + "/v1/score", bodies: bodies})
}
