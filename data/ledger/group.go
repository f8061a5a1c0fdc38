package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"recoup/data"
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

// head is the end of a book as the transaction sees it.
type head struct {
	book    *Book
	seq     int64
	knownAt data.Micros
	hash    [32]byte
	keyID   string // of the secret that hashes the next entry
	saved   int64  // seq in the database
	keys    int    // idempotency keys that were kept
	fresh   []Entry
}

// write makes the group durable, delivers it and answers.
func (g *group) write() {
	err := g.commit()
	for _, w := range g.jobs {
		if err != nil {
			w.done, w.err = Done{}, unavailable("append", err)
		}
	}
	for _, h := range g.heads {
		if err == nil {
			h.book.deliver(h.fresh)
		}
	}
	for _, w := range g.jobs {
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

// lock reads the ends of the group's books, with a lock that lasts to the commit.
// Their order is one for all servers, so that two cannot wait for each other.
func (g *group) lock(ctx context.Context) error {
	for _, w := range g.jobs {
		if !slices.ContainsFunc(g.heads, func(h *head) bool { return h.book.id == w.book.id }) {
			g.heads = append(g.heads, &head{book: w.book})
		}
	}
	slices.SortFunc(g.heads, func(a, b *head) int { return cmp.Compare(a.book.id, b.book.id) })
	for _, h := range g.heads {
		var hash []byte
		if err := g.st.head.QueryRowContext(ctx, h.book.id).Scan(&h.seq, (*int64)(&h.knownAt), &hash, &h.keyID); err != nil {
			return err
		}
		if len(hash) != len(h.hash) {
			return fmt.Errorf("the book of %s: %w: its last hash has %d bytes", h.book.tenant, ErrBroken, len(hash))
		}
		h.hash, h.saved = [32]byte(hash), h.seq
	}
	return nil
}

func (g *group) head(b *Book) *head {
	i := slices.IndexFunc(g.heads, func(h *head) bool { return h.book.id == b.id })
	return g.heads[i]
}
