package ledger

import (
	"context"
	"database/sql"
	"errors"
	"iter"
)

// pageRows is how many entries one query reads: a long scan must not keep the
// database from clearing up.
const pageRows = 500

// Scan reads the entries after seq in order.
func (b *Book) Scan(ctx context.Context, seq int64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for {
			page, err := b.page(ctx, seq)
			if err != nil {
				yield(Entry{}, err)
				return
			}
			for _, e := range page {
				if !yield(e, nil) {
					return
				}
				seq = e.Seq
			}
			if len(page) < pageRows {
				return
			}
		}
	}
}

func (b *Book) page(ctx context.Context, seq int64) ([]Entry, error) {
	return b.entries(ctx, sqlScan, b.id, seq, int64(pageRows))
}

// Find reads the entry of a kind with a key; ok is false where there is none.
func (b *Book) Find(ctx context.Context, k Kind, key string) (e Entry, ok bool, err error) {
	found, err := b.entries(ctx, sqlFind, b.id, int64(k), key)
	if err != nil || len(found) == 0 {
		return Entry{}, false, err
	}
	return found[0], true, nil
}

// Case reads the entries of a case in order.
func (b *Book) Case(ctx context.Context, caseID string) ([]Entry, error) {
	return b.entries(ctx, sqlCase, b.id, caseID)
}

// Attempt is the state of an attempt; ok is false where none is known.
func (b *Book) Attempt(ctx context.Context, attemptID string) (a Attempt, ok bool, err error) {
	err = b.ledger.reading(ctx, func() error {
		return b.ledger.read.QueryRowContext(ctx, sqlAttemptFind, b.id, attemptID).
			Scan(&a.AttemptID, &a.CaseID, &a.No, &a.State, &a.Seq, (*int64)(&a.KnownAt))
	})
	if errors.Is(err, sql.ErrNoRows) {
		return Attempt{}, false, nil
	}
	if err != nil {
		return Attempt{}, false, unavailable("read", err)
	}
	return a, true, nil
}

// Exported is the seq up to which entries were exported to the tenant's event log.
func (b *Book) Exported(ctx context.Context) (seq int64, err error) {
	err = b.ledger.reading(ctx, func() error { return b.ledger.read.QueryRowContext(ctx, sqlExported, b.id).Scan(&seq) })
	if err != nil {
		return 0, unavailable("read", err)
	}
	return seq, nil
}

// entries reads the entries of a query over entryColumns.
func (b *Book) entries(ctx context.Context, query string, args ...any) (out []Entry, err error) {
	err = b.ledger.reading(ctx, func() error {
		out = nil
		rows, err := b.ledger.read.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var e Entry
			if err := rows.Scan(&e.Seq, (*int64)(&e.KnownAt), &e.Kind, &e.Key, &e.CaseID, &e.CustomerID, &e.Body); err != nil {
				return err
			}
			out = append(out, e)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, unavailable("read", err)
	}
	return out, nil
}
