package ledger

import (
	"context"
	"database/sql"
)

// group is the work of one commit.
type group struct {
	ledger *Ledger
	hash   *hasher
	jobs   []*work
	tx     *sql.Tx
	st     statements // of tx
	heads  []*head    // of the books in it, in the order of their ids
}

// write makes the group durable, delivers it and answers.
func (g *group) write() {
	entries, bytes := 0, 0
	for _, w := range g.jobs {
		entries, bytes = entries+len(w.job.Drafts), bytes+w.size()
	}
	if g.ledger.postgres {
		g.jobs = g.pipelined()
	}
	if len(g.jobs) > 0 {
		g.finish(g.commit())
	}
	if g.ledger.wal != nil {
		g.ledger.wal.wrote(entries, bytes, g.ledger.write)
	}
}

// finish delivers and answers what was committed, or failed.
func (g *group) finish(err error) {
	if err != nil {
		g.ledger.failed.Store(&failure{g.ledger.config.Now(), err})
	}
	for _, h := range g.heads {
		if err == nil {
			h.book.deliver(h.fresh)
		}
	}
	for _, w := range g.jobs {
		if err != nil {
			w.done, w.err = Done{}, unavailable("append", err)
		}
		close(w.ready)
	}
	clear(g.jobs)
	g.heads, g.st, g.tx = nil, statements{}, nil
}

// commit writes the group in one transaction.
func (g *group) commit() (err error) {
	ctx := context.Background()
	if g.tx, err = g.ledger.write.BeginTx(ctx, nil); err != nil {
		return err
	}
	defer g.tx.Rollback()
	g.st = g.ledger.stmts.in(ctx, g.tx)
	if err := g.lock(ctx); err != nil {
		return err
	}
	for _, w := range g.jobs {
		if err := g.job(ctx, w); err != nil {
			return err
		}
	}
	changed := false
	for _, h := range g.heads {
		if h.keys > 0 {
			changed = true
			if err := g.sweep(ctx, h); err != nil {
				return err
			}
		}
		if h.seq == h.saved {
			continue
		}
		changed = true
		if _, err := g.st.saveHead.ExecContext(ctx, h.book.id, h.seq, int64(h.knownAt), h.hash[:], h.keyID); err != nil {
			return err
		}
	}
	if !changed {
		return nil
	}
	if err := g.tx.Commit(); err != nil && !g.landed(ctx) {
		return err
	}
	return nil
}
