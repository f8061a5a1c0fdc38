package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"time"
)

// How long a database that broke off in a commit is asked what came of it.
const (
	landedTries = 20
	landedPause = 100 * time.Millisecond
)

// landed finds out, after a commit that failed, whether it took place: the
// connection may have broken after the database had said yes. A file is our own:
// what failed there is not there.
func (g *group) landed(ctx context.Context) bool {
	if !g.ledger.postgres {
		return false
	}
	for _, h := range g.heads {
		if len(h.fresh) == 0 {
			continue
		}
		for range landedTries {
			if there, err := g.find(ctx, h); err == nil {
				return there
			}
			select {
			case <-g.ledger.stop:
				return false
			case <-time.After(landedPause):
			}
		}
		return false
	}
	return false
}

// find looks for what the group wrote of a book. It takes the book's lock first,
// which a commit still under way has until it is through.
func (g *group) find(ctx context.Context, h *head) (bool, error) {
	tx, err := g.ledger.write.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `SELECT 1 FROM books WHERE book = $1 FOR UPDATE`, h.book.id); err != nil {
		return false, err
	}
	var hash []byte
	err = tx.QueryRowContext(ctx, `SELECT hash FROM entries WHERE book = $1 AND seq = $2`, h.book.id, h.seq).Scan(&hash)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return bytes.Equal(hash, h.hash[:]), err
}
