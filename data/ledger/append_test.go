package ledger

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"recoup/data"
)

func open(t testing.TB) *Ledger {
	t.Helper()
	now := data.Micros(1_000_000)
	l, err := Open(context.Background(), Config{URL: filepath.Join(t.TempDir(), "ledger.db"), Random: rand.Reader, Now: func() data.Micros { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func TestAppend(t *testing.T) {
	ctx := context.Background()
	l := open(t)
	b, err := l.Book(ctx, "main", 500)
	if err != nil {
		t.Fatal(err)
	}
	var got []Entry
	if err := b.Follow(ctx, 0, func(e []Entry) { got = append(got, e...) }); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for i := range 100 {
		wait.Go(func() {
			if _, err := b.Append(ctx, Job{Drafts: []Draft{{Kind: Event, Key: fmt.Sprint("e", i), CaseID: "c", Body: []byte(`{}`)}}}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	n := 0
	for e, err := range b.Scan(ctx, 0) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		if e.Seq != int64(n) || e.Key != got[n-1].Key || got[n-1].Seq != e.Seq {
			t.Fatal(e, got[n-1])
		}
	}
	if n != 100 || len(got) != 100 {
		t.Fatal(n, len(got))
	}
}
