package ledger

import (
	"context"
	"sync"
	"sync/atomic"

	"recoup/data"
)

// Book is a tenant's chain.
type Book struct {
	ledger *Ledger
	id     int64
	tenant string
	after  data.Micros // entries are known after it

	following sync.Mutex
	apply     func([]Entry) // nil = nobody follows
	delivered int64         // seq of the last entry that apply got
	syncs     atomic.Int64  // that began
	synced    int64         // the last of them that went well
}

// Append writes a job and returns when it is durable. Jobs of many goroutines
// share commits. The error Is ErrConflict, ErrReused, ErrUnavailable or ctx's;
// after one nothing of the job is written, but for ctx's, and where a server broke
// off in the middle of a commit and stays away: there it may be, and the same job
// again tells. The bodies belong to the ledger from here on.
func (b *Book) Append(ctx context.Context, j Job) (Done, error) {
	w, err := b.work(ctx, j)
	if err != nil {
		return Done{}, err
	}
	if err := b.ledger.send(ctx, w); err != nil {
		return Done{}, err
	}
	select {
	case <-w.ready:
		return w.done, w.err
	case <-ctx.Done():
		return Done{}, unavailable("append", ctx.Err())
	}
}

// send hands work to the writer.
func (l *Ledger) send(ctx context.Context, w *work) error {
	l.closing.RLock()
	defer l.closing.RUnlock()
	if l.closed || l.queue == nil {
		return errClosed
	}
	select {
	case l.queue <- w:
		return nil
	case <-ctx.Done():
		return unavailable("append", ctx.Err())
	}
}
