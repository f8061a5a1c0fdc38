package ledger

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// The write-ahead log does not grow with what is written, though it is never copied
// while nobody writes.
func TestWALStaysSmall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	b, _ := newBook(t, path)
	b.ledger.wal.wakeAt, b.ledger.wal.finishAt = 100<<10, 64
	body := strings.Repeat("x", 10_000)
	var wait sync.WaitGroup
	for worker := range 16 {
		wait.Go(func() {
			for i := range 100 {
				if _, err := b.Append(context.Background(), Job{Drafts: []Draft{event(fmt.Sprint(worker, "-", i), body)}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	info, err := os.Stat(path + "-wal")
	if err != nil || info.Size() > 8<<20 {
		t.Error(err, "the log has", info.Size(), "bytes after 16 MB of entries")
	}
	if n := len(all(t, b)); n != 1600 {
		t.Error(n)
	}
}
