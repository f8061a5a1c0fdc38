package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

const webhookLines = 1_000_000

// webhooks measures the ingest of an archive beside what the standard library
// takes to check the syntax of the same lines, which understands nothing of them.
func webhooks(ctx context.Context, b *bench) error {
	archive := filepath.Join(b.dir, "archive.jsonl")
	// The archive's generator belongs to the package's tests; its benchmark leaves the file.
	gen := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", "^BenchmarkWebhooks$", "-benchtime", "1x", "./data/ingest/razorpay")
	gen.Env = append(os.Environ(), "WEBHOOKS_LINES="+strconv.Itoa(webhookLines), "WEBHOOKS_OUT="+archive)
	if out, err := gen.CombinedOutput(); err != nil {
		return fmt.Errorf("making the archive: %w: %s", err, out)
	}
	size, syntax, err := checkSyntax(archive)
	if err != nil {
		return err
	}
	dir := filepath.Join(b.dir, "webhooks")
	for _, run := range []string{"recoup ingest --webhooks", "the same again"} {
		var s struct {
			Events int64 `json:"events"`
		}
		u, err := measure(ctx, &s, b.recoup, "ingest", "--webhooks", archive, "--dir", dir, "--json")
		if err != nil {
			return err
		}
		line(run, u.wall.Seconds(), 0, fmt.Sprintf("%.0f lines/s, CPU %.1f s, peak %d MiB; %d new events", webhookLines/u.wall.Seconds(), u.cpu.Seconds(), u.peak>>20, s.Events))
		if run == "recoup ingest --webhooks" {
			line("encoding/json, syntax alone, 1 thread", syntax.Seconds(), syntax.Seconds()/u.wall.Seconds(), fmt.Sprintf("%d MiB", size>>20))
		}
	}
	return nil
}

// checkSyntax reads every line and asks the standard library whether it is JSON.
func checkSyntax(path string) (size int64, took time.Duration, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	start := time.Now()
	r := bufio.NewReaderSize(f, 1<<20)
	for n := 1; ; n++ {
		l, err := r.ReadSlice('\n')
		if errors.Is(err, io.EOF) && len(l) == 0 {
			return size, time.Since(start), nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, 0, err
		}
		if size += int64(len(l)); !json.Valid(l) {
			return 0, 0, fmt.Errorf("%s: line %d is not JSON", path, n)
		}
	}
}
