package ledger

import (
	"context"
	"database/sql"
	"fmt"

	"recoup/data"
)

// Bounds of what one commit takes.
const (
	groupJobs  = 256
	groupBytes = 16 << 20
)

// writer is the one goroutine that appends: it takes all the work there is and
// commits it at once, so that the disk syncs once for all who wait.
func (l *Ledger) writer() {
	defer close(l.written)
	g := &group{ledger: l, hash: newHasher(l.config.Secret)}
	for w := range l.queue {
		g.jobs = append(g.jobs[:0], w)
		size := w.size()
	more:
		for len(g.jobs) < groupJobs && size < groupBytes {
			select {
			case w, ok := <-l.queue:
				if !ok {
					break more
				}
				size += w.size()
				g.jobs = append(g.jobs, w)
			default:
				break more
			}
		}
		g.write()
	}
}

func (w *work) size() (n int) {
	for i := range w.job.Drafts {
		n += len(w.job.Drafts[i].Body)
	}
	return n
}

// group is the work of one commit.
type group struct {
	ledger *Ledger
	hash   *hasher
	jobs   []*work
	tx     *sql.Tx
	st     statements // of tx
	heads  []*head    // of the books in it
}

// head is the end of a book as the transaction sees it.
type head struct {
	book    *Book
	seq     int64
	knownAt data.Micros
	hash    [32]byte
	saved   int64 // seq in the database
	fresh   []Entry
}

// write makes the group durable, delivers it and answers.
func (g *group) write() {
	if err := g.commit(); err != nil {
		for _, w := range g.jobs {
			w.done, w.err = Done{}, unavailable("append", err)
		}
		for _, h := range g.heads {
			h.fresh = nil
		}
	}
	for _, h := range g.heads {
		h.book.deliver(h.fresh)
	}
	for _, w := range g.jobs {
		close(w.ready)
	}
	clear(g.jobs)
	g.heads, g.st, g.tx = g.heads[:0], statements{}, nil
}

func (g *group) commit() (err error) {
	ctx := context.Background()
	if g.tx, err = g.ledger.write.BeginTx(ctx, nil); err != nil {
		return err
	}
	defer g.tx.Rollback()
	g.st = g.ledger.stmts.in(ctx, g.tx)
	for _, w := range g.jobs {
		if err := g.job(ctx, w); err != nil {
			return err
		}
	}
	for _, h := range g.heads {
		if h.seq == h.saved {
			continue
		}
		if _, err := g.st.saveHead.ExecContext(ctx, h.book.id, h.seq, int64(h.knownAt), h.hash[:]); err != nil {
			return err
		}
	}
	return g.tx.Commit()
}

// head reads the end of a book, the first time with a lock that lasts to the commit.
func (g *group) head(ctx context.Context, b *Book) (*head, error) {
	for _, h := range g.heads {
		if h.book.id == b.id {
			return h, nil
		}
	}
	h := &head{book: b}
	var hash []byte
	if err := g.st.head.QueryRowContext(ctx, b.id).Scan(&h.seq, (*int64)(&h.knownAt), &hash); err != nil {
		return nil, err
	}
	if len(hash) != len(h.hash) {
		return nil, fmt.Errorf("the book of %s: %w: its last hash has %d bytes", b.tenant, ErrBroken, len(hash))
	}
	h.hash, h.saved = [32]byte(hash), h.seq
	g.heads = append(g.heads, h)
	return h, nil
}
