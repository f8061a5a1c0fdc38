package ledger

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// reading reads, and once more for each connection of the pool that turns out to be
// dead: a server that was restarted leaves them all so.
func (l *Ledger) reading(ctx context.Context, read func() error) error {
	for range readers {
		if err := read(); err == nil || !l.broken(err) || ctx.Err() != nil {
			return err
		}
	}
	return read()
}

// broken says that it was the connection that failed, not what was asked over it.
func (l *Ledger) broken(err error) bool {
	if !l.postgres || errors.Is(err, sql.ErrNoRows) {
		return false
	}
	var said *pgconn.PgError
	return !errors.As(err, &said) || strings.HasPrefix(said.Code, "57") // the server is going down
}
