package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// steadfast appends events from many goroutines, each again until it is told that it is
// durable, as long as disturb takes. It returns how often one was refused.
func steadfast(t *testing.T, b *Book, disturb func()) (refused int64) {
	t.Helper()
	const workers, each = 16, 25 // at least
	ctx := context.Background()
	var got []Entry
	var lock sync.Mutex
	err := b.Follow(ctx, 0, func(e []Entry) {
		lock.Lock()
		got = append(got, e...)
		lock.Unlock()
	})
	if err != nil {
		t.Fatal(err)
	}
	var no, yes atomic.Int64
	var over atomic.Bool
	var wait sync.WaitGroup
	for worker := range workers {
		wait.Go(func() {
			for i := 0; i < each || !over.Load(); {
				d, err := b.Append(ctx, Job{Drafts: []Draft{event(fmt.Sprint(worker, "-", i), `1`)}})
				switch {
				case err == nil && len(d.Receipts) == 1:
					i++
					yes.Add(1)
				case errors.Is(err, ErrUnavailable):
					no.Add(1)
					time.Sleep(10 * time.Millisecond)
				default:
					t.Error(d, err)
					return
				}
			}
		})
	}
	disturb()
	over.Store(true)
	wait.Wait()
	if err := b.Sync(ctx); err != nil {
		t.Error(err)
	}
	there := all(t, b)
	if int64(len(there)) != yes.Load() || len(got) != len(there) {
		t.Errorf("%d entries, %d delivered, %d expected", len(there), len(got), yes.Load())
	}
	for i := range min(len(got), len(there)) {
		if got[i].Seq != there[i].Seq || got[i].Key != there[i].Key {
			t.Fatal("delivered otherwise than it is there:", got[i], there[i])
		}
	}
	checkChain(t, b, Secret{})
	return no.Load()
}

// Connections that break in the middle of anything: what came of the commit is found out.
func TestConnectionsBreak(t *testing.T) {
	b, _ := newBook(t, postgresURL(t))
	steadfast(t, b, func() {
		for range 20 {
			time.Sleep(5 * time.Millisecond)
			b.ledger.read.Exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%books%'`)
		}
	})
}

// A server that crashes and comes back.
func TestServerCrashes(t *testing.T) {
	if _, err := serverURL(); err != nil {
		t.Skip(err)
	}
	c, err := startCluster()
	if err != nil {
		t.Skip(err)
	}
	defer c.stop()
	b, _ := newBook(t, c.url())
	refused := steadfast(t, b, func() {
		time.Sleep(20 * time.Millisecond)
		if err := c.crash(); err != nil {
			t.Error(err)
		}
		time.Sleep(100 * time.Millisecond)
		if err := c.start(); err != nil {
			t.Error(err)
		}
	})
	if refused == 0 {
		t.Error("nothing was refused while the server was down")
	}
	if err := b.ledger.Close(); err != nil {
		t.Error(err)
	}
}
