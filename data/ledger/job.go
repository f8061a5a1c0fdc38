package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"errors"

	"recoup/data"
)

// job writes all of a job or nothing. The error is the database's: the whole
// group fails of it. What is wrong with the job itself goes to w.err.
func (g *group) job(ctx context.Context, w *work) error {
	h := g.head(w.book)
	w.done = Done{}
	if w.err = g.refused(w, h); w.err != nil {
		return nil
	}
	before := *h
	if _, err := g.st.savepoint.ExecContext(ctx); err != nil {
		return err
	}
	undo, err := g.steps(ctx, h, w)
	if err != nil {
		return err
	}
	if undo {
		*h = before
		if _, err := g.st.rollback.ExecContext(ctx); err != nil {
			return err
		}
	}
	_, err = g.st.release.ExecContext(ctx)
	return err
}

// steps does the parts of a job; undo says that they are to be taken back.
func (g *group) steps(ctx context.Context, h *head, w *work) (undo bool, err error) {
	if once := w.job.Once; once != nil {
		is := g.ledger.config.Now()
		first, err := inserted(g.st.once.ExecContext(ctx, h.book.id, once.Key, once.Fingerprint[:], int64(is)))
		if err != nil {
			return true, err
		}
		if !first {
			return true, g.again(ctx, h, w)
		}
		h.keys++
	}
	receipts := make([]Receipt, len(w.job.Drafts))
	for i := range w.job.Drafts {
		r, err := g.draft(ctx, h, &w.job.Drafts[i], &w.sealed[i])
		if errors.Is(err, ErrConflict) {
			w.err = err
			return true, nil
		}
		if err != nil {
			return true, err
		}
		receipts[i] = r
	}
	w.done.Receipts = receipts
	if once := w.job.Once; once != nil && once.Answer != nil {
		w.done.Status, w.done.Body = once.Answer(receipts)
		if _, err := g.st.onceAnswer.ExecContext(ctx, h.book.id, once.Key, w.done.Status, w.done.Body); err != nil {
			return true, err
		}
	}
	return false, nil
}

// again gives the answer of the job that had the key first.
func (g *group) again(ctx context.Context, h *head, w *work) error {
	var print []byte
	var done Done
	once := w.job.Once
	if err := g.st.onceIs.QueryRowContext(ctx, h.book.id, once.Key).Scan(&print, &done.Status, &done.Body); err != nil {
		return err
	}
	if !bytes.Equal(print, once.Fingerprint[:]) {
		w.err = reused(once)
		return nil
	}
	done.Replayed = true
	w.done = done
	return nil
}

func reused(o *Once) error {
	return data.Faultf(ErrReused, "ledger: append: idempotency key %q came first with another request; take a new key for a new request", o.Key)
}

// draft writes one entry with its claims and its move.
func (g *group) draft(ctx context.Context, h *head, d *Draft, s *seal) (Receipt, error) {
	before := *h
	if len(d.Claims) > 0 {
		if _, err := g.st.inner.ExecContext(ctx); err != nil {
			return Receipt{}, err
		}
	}
	e, hash := g.entry(h, d, s)
	first, err := inserted(g.st.entry.ExecContext(ctx, h.book.id, e.Seq, int64(e.KnownAt), int64(e.Kind), e.Key, e.CaseID, e.CustomerID, g.hash.keyID, s.digest[:], hash[:], s.salt[:], e.Body))
	if err != nil {
		return Receipt{}, err
	}
	r := Receipt{Seq: e.Seq, KnownAt: e.KnownAt}
	if !first {
		r, err = g.same(ctx, h, d)
	} else if r, err = g.claims(ctx, h, d, r); err == nil && !r.Duplicate && d.Move != nil {
		err = g.move(ctx, h, d.Move, r)
	}
	if err != nil {
		return Receipt{}, err
	}
	if r.Duplicate {
		*h = before
		if len(d.Claims) > 0 {
			if _, err := g.st.innerRollback.ExecContext(ctx); err != nil {
				return Receipt{}, err
			}
		}
	} else {
		h.add(e, hash)
	}
	if len(d.Claims) > 0 {
		_, err = g.st.innerRelease.ExecContext(ctx)
	}
	return r, err
}

// same answers a draft whose key is taken: a duplicate where it says the same.
// An erased entry cannot tell any more, and nothing is to be written of it again.
func (g *group) same(ctx context.Context, h *head, d *Draft) (Receipt, error) {
	r := Receipt{Duplicate: true}
	var body []byte
	if err := g.st.same.QueryRowContext(ctx, h.book.id, int64(d.Kind), d.Key).Scan(&r.Seq, (*int64)(&r.KnownAt), &body); err != nil {
		return r, err
	}
	if body != nil && !bytes.Equal(body, d.Body) {
		return r, data.Faultf(ErrConflict, "ledger: append: %s %q is entry %d, which says something else", d.Kind, d.Key, r.Seq)
	}
	return r, nil
}

// claims takes the names of a draft that became entry r.Seq.
func (g *group) claims(ctx context.Context, h *head, d *Draft, r Receipt) (Receipt, error) {
	for _, c := range d.Claims {
		first, err := inserted(g.st.claim.ExecContext(ctx, h.book.id, c.Name, r.Seq))
		if err != nil {
			return r, err
		}
		if first {
			continue
		}
		had := Receipt{Duplicate: true}
		var k Kind
		var key string
		var body []byte
		if err := g.st.claimed.QueryRowContext(ctx, h.book.id, c.Name).Scan(&had.Seq, (*int64)(&had.KnownAt), &k, &key, &body); err != nil {
			return r, err
		}
		if !c.Same {
			return r, data.Faultf(ErrConflict, "ledger: append: %s belongs to %s %q, entry %d", c.Name, k, key, had.Seq)
		}
		if c.Alike != nil && body != nil {
			if err := c.Alike(body); err != nil {
				return r, data.Faultf(ErrConflict, "ledger: append: %s belongs to %s %q, entry %d: %w", c.Name, k, key, had.Seq, err)
			}
		}
		return had, g.repeats(ctx, h, d.Move)
	}
	return r, nil
}

// inserted says whether a row went in.
func inserted(r sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n > 0, err
}
