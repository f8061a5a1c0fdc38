package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func once(key string, print byte) *Once {
	return &Once{Key: key, Fingerprint: [32]byte{print}, Answer: func(r []Receipt) (int, []byte) {
		return 200 + len(r), fmt.Appendf(nil, "%d duplicate=%t", r[0].Seq, r[0].Duplicate)
	}}
}

func TestOnce(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		b, _ := newBook(t, url)
		ctx := context.Background()
		first, err := b.Append(ctx, Job{Drafts: []Draft{event("e1", `1`)}, Once: once("k", 1)})
		want := Done{Receipts: []Receipt{{Seq: 1, KnownAt: 1_000_000}}, Status: 201, Body: []byte("1 duplicate=false")}
		if d := cmp.Diff(want, first); err != nil || d != "" {
			t.Error(err, d)
		}
		// the same key: the first one's answer, whatever its entries would be
		again, err := b.Append(ctx, Job{Drafts: []Draft{event("e2", `2`), event("e1", `conflict`)}, Once: once("k", 1)})
		if d := cmp.Diff(Done{Replayed: true, Status: 201, Body: first.Body}, again); err != nil || d != "" {
			t.Error(err, d)
		}
		if _, err := b.Append(ctx, Job{Drafts: []Draft{event("e3", `3`)}, Once: once("k", 2)}); !errors.Is(err, ErrReused) {
			t.Error(err)
		}
		if d, ok, err := b.Answered(ctx, once("k", 1)); err != nil || !ok || cmp.Diff(again, d) != "" {
			t.Error("without a job:", d, ok, err)
		}
		if _, _, err := b.Answered(ctx, once("k", 2)); !errors.Is(err, ErrReused) {
			t.Error(err)
		}
		if d, ok, err := b.Answered(ctx, once("another", 1)); err != nil || ok {
			t.Error(d, ok, err)
		}
		if e := all(t, b); len(e) != 1 {
			t.Error("a replay wrote entries:", e)
		}
		// a job that was refused has not used its key
		if _, err := b.Append(ctx, Job{Drafts: []Draft{event("e1", `conflict`)}, Once: once("l", 1)}); !errors.Is(err, ErrConflict) {
			t.Error(err)
		}
		if d, err := b.Append(ctx, Job{Drafts: []Draft{event("e1", `1`)}, Once: once("l", 2)}); err != nil || d.Replayed || string(d.Body) != "1 duplicate=true" {
			t.Error(d, err)
		}
		other := mustBook(t, b.ledger, "other")
		if d, err := other.Append(ctx, Job{Drafts: []Draft{event("e1", `1`)}, Once: once("k", 9)}); err != nil || d.Replayed {
			t.Error("keys are shared between tenants:", d, err)
		}
	})
}

// Twenty at once with one key and one event: one entry, and one answer for all.
func TestOnceAtOnce(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		b, _ := newBook(t, url)
		var lock sync.Mutex
		replayed := 0
		var wait sync.WaitGroup
		for i := range 20 {
			wait.Go(func() {
				d, err := b.Append(context.Background(), Job{Drafts: []Draft{event(fmt.Sprint("e", i), `1`)}, Once: once("k", 1)})
				if err != nil || string(d.Body) != "1 duplicate=false" {
					t.Error(d, err)
				}
				lock.Lock()
				defer lock.Unlock()
				if d.Replayed {
					replayed++
				}
			})
		}
		wait.Wait()
		if e := all(t, b); len(e) != 1 || replayed != 19 {
			t.Error(len(e), replayed)
		}
	})
}

// An answer is kept its time and goes then.
func TestOnceExpires(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		b, clock := newBook(t, url)
		ctx := context.Background()
		add := func(key string) Done {
			t.Helper()
			d, err := b.Append(ctx, Job{Drafts: []Draft{event("e"+key, `1`)}, Once: once(key, 1)})
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		for i := range 20 {
			add(fmt.Sprint(i))
		}
		clock.Add(int64(KeepAnswers))
		add("x") // sweeps, and everything is exactly as old as it may be
		if d := add("0"); !d.Replayed {
			t.Error("gone too early")
		}
		clock.Add(1)
		add("y")
		if d := add("0"); d.Replayed {
			t.Error("kept for ever")
		}
		add("z")
		var left int
		if err := b.ledger.read.QueryRow(`SELECT count(*) FROM once`).Scan(&left); err != nil || left != 4 {
			t.Error(left, err)
		}
	})
}
