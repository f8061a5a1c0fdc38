package ledger

import (
	"context"
	"database/sql"
	"errors"
)

// Answered gives the answer of the job that had an idempotency key; ok is false where none
// had. It is for a caller who cannot make the job any more that an answer is kept
// of: Append alone decides who was first. The error is as Append's.
func (b *Book) Answered(ctx context.Context, o *Once) (d Done, ok bool, err error) {
	var print []byte
	err = b.ledger.reading(ctx, func() error {
		return b.ledger.read.QueryRowContext(ctx, sqlOnceIs, b.id, o.Key).Scan(&print, &d.Status, &d.Body)
	})
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Done{}, false, nil
	case err != nil:
		return Done{}, false, unavailable("read", err)
	case string(print) != string(o.Fingerprint[:]):
		return Done{}, false, reused(o)
	}
	d.Replayed = true
	return d, true, nil
}
