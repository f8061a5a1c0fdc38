package ledger

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// plan is what a group writes to PostgreSQL if nothing is in the way.
type plan struct {
	group   *group
	entries []planEntry
	claims  []planClaim
	onces   []*work
	moves   []planMove
}

type planEntry struct {
	of    *work
	is    Entry
	keyID string
	seal  *seal
	hash  [32]byte
}

type planClaim struct {
	of   *work
	name string
	seq  int64
}

type planMove struct {
	of   *work
	move *Move
	r    Receipt
}

// newPlan makes every draft an entry, and answers every job as if that went through.
func newPlan(g *group) *plan {
	p := &plan{group: g}
	for _, w := range g.jobs {
		h := g.head(w.book)
		w.done = Done{}
		if w.err = g.refused(w, h); w.err != nil {
			continue
		}
		w.done.Receipts = make([]Receipt, len(w.job.Drafts))
		for i := range w.job.Drafts {
			w.done.Receipts[i] = p.draft(w, h, &w.job.Drafts[i], &w.sealed[i])
		}
		if o := w.job.Once; o != nil {
			if o.Answer != nil {
				w.done.Status, w.done.Body = o.Answer(w.done.Receipts)
			}
			h.keys++
			p.onces = append(p.onces, w)
		}
	}
	return p
}

func (p *plan) draft(w *work, h *head, d *Draft, s *seal) Receipt {
	keyID := h.keyID
	e, hash := p.group.entry(h, d, s)
	h.add(e, hash)
	p.entries = append(p.entries, planEntry{w, e, keyID, s, hash})
	for _, c := range d.Claims {
		p.claims = append(p.claims, planClaim{w, c.Name, e.Seq})
	}
	r := Receipt{Seq: e.Seq, KnownAt: e.KnownAt}
	if d.Move != nil {
		p.moves = append(p.moves, planMove{w, d.Move, r})
	}
	return r
}

func (p *plan) empty() bool { return len(p.entries) == 0 && len(p.onces) == 0 }

// write sends the plan at once. bad are the jobs with a row that was there already.
func (p *plan) write(ctx context.Context, c *pgx.Conn) (bad []*work, err error) {
	b := &pgx.Batch{}
	p.queue(b)
	r := c.SendBatch(ctx, b)
	defer func() {
		if e := r.Close(); err == nil {
			err = e
		}
	}()
	if bad, err = p.lost(r); err != nil {
		return nil, err
	}
	for _, m := range p.moves {
		switch ok, err := m.went(r); {
		case err != nil:
			return nil, err
		case !ok:
			bad = append(bad, m.of)
		}
	}
	return bad, nil
}

// queue makes the plan statements: one a table, some a move, two a book.
func (p *plan) queue(b *pgx.Batch) {
	if len(p.entries) > 0 {
		p.queueEntries(b)
	}
	if len(p.claims) > 0 {
		b.Queue(sqlClaims,
			column(p.claims, func(c planClaim) int64 { return c.of.book.id }),
			column(p.claims, func(c planClaim) string { return c.name }),
			column(p.claims, func(c planClaim) int64 { return c.seq }))
	}
	now := p.group.ledger.config.Now()
	if len(p.onces) > 0 {
		b.Queue(sqlOnces,
			column(p.onces, func(w *work) int64 { return w.book.id }),
			column(p.onces, func(w *work) string { return w.job.Once.Key }),
			column(p.onces, func(w *work) []byte { return w.job.Once.Fingerprint[:] }),
			column(p.onces, func(*work) int64 { return int64(now) }),
			column(p.onces, func(w *work) int32 { return int32(w.done.Status) }),
			column(p.onces, func(w *work) []byte { return w.done.Body }))
	}
	for _, m := range p.moves {
		m.queue(b)
	}
	for _, h := range p.group.heads {
		if h.keys > 0 {
			b.Queue(sqlOnceSweep, h.book.id, int64(now-KeepAnswers), int64(2*h.keys+8))
		}
		if h.seq != h.saved {
			b.Queue(sqlSaveHead, h.book.id, h.seq, int64(h.knownAt), h.hash[:], h.keyID)
		}
	}
}

func (p *plan) queueEntries(b *pgx.Batch) {
	b.Queue(sqlEntries,
		column(p.entries, func(e planEntry) int64 { return e.of.book.id }),
		column(p.entries, func(e planEntry) int64 { return e.is.Seq }),
		column(p.entries, func(e planEntry) int64 { return int64(e.is.KnownAt) }),
		column(p.entries, func(e planEntry) int16 { return int16(e.is.Kind) }),
		column(p.entries, func(e planEntry) string { return e.is.Key }),
		column(p.entries, func(e planEntry) string { return e.is.CaseID }),
		column(p.entries, func(e planEntry) string { return e.is.CustomerID }),
		column(p.entries, func(e planEntry) string { return e.keyID }),
		column(p.entries, func(e planEntry) []byte { return e.seal.digest[:] }),
		column(p.entries, func(e planEntry) []byte { return e.hash[:] }),
		column(p.entries, func(e planEntry) []byte { return e.seal.salt[:] }),
		column(p.entries, func(e planEntry) []byte { return e.is.Body }))
}

// column is one value a row, as a PostgreSQL array.
func column[R, V any](rows []R, of func(R) V) []V {
	out := make([]V, len(rows))
	for i := range rows {
		out[i] = of(rows[i])
	}
	return out
}
