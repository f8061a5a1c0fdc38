package ledger

import (
	"cmp"
	"context"
	"slices"

	"recoup/data"
)

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

// books names the group's books. Their order is one for all servers, so that two
// cannot wait for each other's locks.
func (g *group) books() {
	for _, w := range g.jobs {
		if !slices.ContainsFunc(g.heads, func(h *head) bool { return h.book.id == w.book.id }) {
			g.heads = append(g.heads, &head{book: w.book})
		}
	}
	slices.SortFunc(g.heads, func(a, b *head) int { return cmp.Compare(a.book.id, b.book.id) })
}

// lock reads the ends of the group's books, with a lock that lasts to the commit.
func (g *group) lock(ctx context.Context) error {
	g.books()
	for _, h := range g.heads {
		if err := h.scan(g.st.head.QueryRowContext(ctx, h.book.id)); err != nil {
			return err
		}
	}
	return nil
}

// scan reads a row of sqlHead.
func (h *head) scan(row interface{ Scan(...any) error }) error {
	var hash []byte
	if err := row.Scan(&h.seq, (*int64)(&h.knownAt), &hash, &h.keyID); err != nil {
		return err
	}
	if len(hash) != len(h.hash) {
		return data.Faultf(ErrBroken, "the book of %s: its last hash has %d bytes", h.book.tenant, len(hash))
	}
	h.hash, h.saved = [32]byte(hash), h.seq
	return nil
}

func (g *group) head(b *Book) *head {
	i := slices.IndexFunc(g.heads, func(h *head) bool { return h.book.id == b.id })
	return g.heads[i]
}

// entry is what a draft becomes behind h.
func (g *group) entry(h *head, d *Draft, s *seal) (e Entry, hash [32]byte) {
	e = Entry{Seq: h.seq + 1, KnownAt: max(d.KnownAt, h.knownAt+1, h.book.after+1), Kind: d.Kind, Key: d.Key, CaseID: d.CaseID, CustomerID: d.CustomerID, Body: d.Body}
	if d.KnownAt == 0 {
		e.KnownAt = max(e.KnownAt, g.ledger.config.Now())
	}
	return e, g.hash.next(h.hash, e.Seq, int64(e.KnownAt), e.Kind, e.Key, s.digest)
}

// add makes an entry the last.
func (h *head) add(e Entry, hash [32]byte) {
	h.seq, h.knownAt, h.hash = e.Seq, e.KnownAt, hash
	if e.Kind == KeyChange {
		h.keyID = e.Key
	}
	h.fresh = append(h.fresh, e)
}

// refused says why a job is not even tried: its caller has gone, or the chain goes
// on with another secret than ours.
func (g *group) refused(w *work, h *head) error {
	if err := w.ctx.Err(); err != nil {
		return unavailable("append", err)
	}
	if h.keyID == g.hash.keyID {
		return nil
	}
	name := func(id string) string {
		if id == "" {
			return "no secret"
		}
		return "secret " + id
	}
	return data.Faultf(ErrBroken, "ledger: append: the book of %s goes on with %s, and this process has %s: start it with the right one, or change the book's with recoup ledger rotate-key",
		h.book.tenant, name(h.keyID), name(g.hash.keyID))
}
