package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"recoup/data"
)

const (
	durableCases = 18000 // open at once: each is decided once
	durableAim   = 1500. // requests a second
	durableOwn   = 5 * time.Millisecond
	syncSize     = 16 << 10
	syncFor      = 1500 * time.Millisecond
)

// durable measures POST /v1/decide about now, another case a request: decided on the
// server's own state, in the ledger and on the disk before it is answered. Beside it
// stand the disk itself and the Python peer, in the same run on the same disk.
func durable(ctx context.Context, b *bench, from string, bare ramped) error {
	dir := filepath.Join(b.dir, "open")
	defer os.RemoveAll(dir)
	cases, err := openFolder(ctx, from, dir, durableCases, data.MicrosOf(time.Now()))
	if err != nil {
		return err
	}
	disk, err := diskSync(b.dir)
	if err != nil {
		return err
	}
	fmt.Printf("  %d customers with an open case each; the disk: write and fdatasync of 16 KiB p50 %s, p99 %s\n", len(cases), round(disk.quantile(.5)), round(disk.quantile(.99)))
	mine, err := decided(ctx, b, dir, filepath.Join(dir, "ledger.db"), "SQLite", cases)
	if err != nil {
		return err
	}
	aims("SQLite", mine, disk)
	pg, why := startPostgres(ctx, b.dir)
	if pg == nil {
		fmt.Printf("  PostgreSQL: not measured: %s\n", why)
	} else {
		defer pg.stop()
		theirs, err := decided(ctx, b, dir, pg.url(), "PostgreSQL", cases, pg.pid())
		if err != nil {
			return err
		}
		aims("PostgreSQL", theirs, disk)
		pg.stop()
	}
	peer, err := peers(ctx, b, cases)
	if err != nil {
		return err
	}
	fmt.Printf("  recoup's knee: %.2f times the Python peer's, %.2f of a handler that decides nothing\n", mine.knee/max(1, peer.knee), mine.knee/max(1, bare.knee))
	return nil
}

// decided loads a server with a ledger.
func decided(ctx context.Context, b *bench, dir, ledger, name string, cases []string, others ...int) (r ramped, err error) {
	s, err := startServing(ctx, b, dir, ledger)
	if err != nil {
		return r, err
	}
	defer s.end()
	bodies := nowBodies(cases)
	if err := countSlots(s.url, bodies); err != nil {
		return r, err
	}
	return s.ramp(ctx, ramping{who: "recoup serve, POST /v1/decide, durable in " + name, url: s.url + "/v1/decide", bodies: bodies, once: true}, others...)
}

func nowBodies(cases []string) (bodies [][]byte) {
	for _, id := range cases {
		bodies = append(bodies, fmt.Appendf(nil, `{"as_of":"now","case_id":%q}`, id))
	}
	return bodies
}

// aims prints what was aimed at, as ratios.
func aims(name string, r ramped, disk *sample) {
	fmt.Printf("    aim, %s: the knee is %.2f of %.0f/s\n", name, r.knee/durableAim, durableAim)
	for _, s := range r.steps {
		if !s.kept() {
			continue
		}
		p99 := float64(s.quantile(.99))
		fmt.Printf("    aim, %s: p99 at %.0f/s is %.2f of 5 ms + 2 x the disk's p50, %.2f of 5 ms + 2 x its p99\n", name, s.offered,
			p99/float64(durableOwn+2*disk.quantile(.5)), p99/float64(durableOwn+2*disk.quantile(.99)))
	}
}

// diskSync is what the disk itself takes to keep 16 KiB, one after the other.
func diskSync(dir string) (*sample, error) {
	f, err := os.CreateTemp(dir, "sync-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	s := &sample{}
	block := make([]byte, syncSize)
	for end := time.Now().Add(syncFor); time.Now().Before(end); {
		start := time.Now()
		if _, err := f.Write(block); err != nil {
			return nil, err
		}
		if err := syscall.Fdatasync(int(f.Fd())); err != nil {
			return nil, err
		}
		s.latencies = append(s.latencies, time.Since(start))
	}
	slices.Sort(s.latencies)
	return s, nil
}
