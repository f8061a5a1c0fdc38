package worlds

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"recoup/data"
)

type world struct {
	Input string `json:"input"`
	N     int    `json:"n"`
}

// work is n worlds in a folder, made of a word; broken fails.
func work(dir, word string, n, broken int, did *atomic.Int64) Work[world] {
	return Work[world]{Stage: "worlds", Worlds: n,
		Path:  func(i int) string { return filepath.Join(dir, "worlds", fmt.Sprintf("%02d.json", i)) },
		Input: func(i int) string { return fmt.Sprint(word, i) },
		Do: func(_ context.Context, i int) (*world, error) {
			did.Add(1)
			if i == broken {
				return nil, errors.New("broken")
			}
			return &world{fmt.Sprint(word, i), i * i}, nil
		}}
}

// TestEach: what is there is not done again, unless it was made of something else or is
// damaged; the order is that of the worlds.
func TestEach(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		word   string
		n      int
		before func()
		did    int
	}{
		{"a", 5, func() {}, 5},
		{"a", 5, func() {}, 0},
		{"a", 8, func() {}, 3},
		{"a", 8, func() { os.WriteFile(filepath.Join(dir, "worlds", "03.json"), []byte(`{"input":"a3","n":`), 0o666) }, 1},
		{"a", 8, func() { os.WriteFile(filepath.Join(dir, "worlds", "03.json"), []byte(`{"input":"a3","n":"x"}`), 0o666) }, 1},
		{"a", 8, func() { os.Remove(filepath.Join(dir, "worlds", "07.json")) }, 1},
		{"b", 3, func() {}, 3},
	} {
		c.before()
		var did atomic.Int64
		var last int64
		r := Run{Workers: 3, Progress: func(_ string, done, _ int64) { last = max(last, done) }}
		out, err := Each(t.Context(), &r, work(dir, c.word, c.n, -1, &did))
		if err != nil || int(did.Load()) != c.did || r.Played() != c.did || last != int64(c.n) {
			t.Fatalf("%s %d: did %d, played %d, told %d, expected %d of %d: %v", c.word, c.n, did.Load(), r.Played(), last, c.did, c.n, err)
		}
		for i, w := range out {
			if w == nil || w.N != i*i || w.Input != fmt.Sprint(c.word, i) {
				t.Errorf("%s %d: world %d is %v", c.word, c.n, i, w)
			}
		}
	}
}

// TestBroken: a world's error ends the run, and what was done stays done.
func TestBroken(t *testing.T) {
	dir := t.TempDir()
	var did atomic.Int64
	if _, err := Each(t.Context(), &Run{Workers: 1}, work(dir, "a", 9, 4, &did)); err == nil || err.Error() != "broken" {
		t.Fatalf("%v: expected the world's own error", err)
	}
	did.Store(0)
	if _, err := Each(t.Context(), &Run{Workers: 1}, work(dir, "a", 9, -1, &did)); err != nil || did.Load() != 5 {
		t.Errorf("%v: %d worlds were left, expected 5", err, did.Load())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Each(ctx, &Run{Workers: 2}, work(t.TempDir(), "a", 9, -1, &did)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v: expected to be cancelled", err)
	}
}

// TestOpen: two at once in one folder.
func TestOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	release, err := Open(dir, "compare")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, "compare"); !errors.Is(err, data.ErrLocked) {
		t.Errorf("%v: expected to be locked out", err)
	}
	release()
	if release, err = Open(dir, "compare"); err != nil {
		t.Fatal(err)
	}
	release()
	file := filepath.Join(dir, "file")
	if err := WriteFile(file, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(file, "x"), "compare"); !errors.Is(err, data.ErrUsage) || !strings.Contains(err.Error(), "compare: ") {
		t.Errorf("%v: expected a usage error", err)
	}
}
