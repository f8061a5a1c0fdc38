package ledger

import (
	"context"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"recoup/data"
)

//go:embed migrations
var migrations embed.FS

// schemaVersion is the last migration's.
const schemaVersion = 1

const (
	migrateTries = 10
	migratePause = 50 * time.Millisecond
)

// prepare brings the schema up to date and reads what the writer needs.
func (l *Ledger) prepare(ctx context.Context) error {
	if !l.config.ReadOnly {
		if err := l.migrate(ctx); err != nil {
			return unavailable(l.where(), err)
		}
	}
	if err := l.version(ctx); err != nil {
		return err
	}
	if !l.config.ReadOnly {
		if err := l.name(ctx); err != nil {
			return err
		}
		var err error
		if l.stmts, err = prepare(ctx, l.write, l.postgres); err != nil {
			return unavailable(l.where(), err)
		}
	}
	if !l.postgres {
		var err error
		if l.seq, err = l.read.PrepareContext(ctx, sqlSeq); err != nil {
			return unavailable(l.where(), err)
		}
	}
	if err := l.read.QueryRowContext(ctx, `SELECT id FROM ledger`).Scan(&l.id); err != nil {
		return unavailable(l.where(), err)
	}
	return nil
}

// name gives a new ledger its id.
func (l *Ledger) name(ctx context.Context) error {
	random := make([]byte, 16)
	if _, err := io.ReadFull(l.config.Random, random); err != nil {
		return fmt.Errorf("ledger: random bytes: %w", err)
	}
	const add = `INSERT INTO ledger (one, id) VALUES (1, $1) ON CONFLICT (one) DO NOTHING`
	if _, err := l.write.ExecContext(ctx, add, hex.EncodeToString(random)); err != nil {
		return unavailable(l.where(), err)
	}
	return nil
}

// version refuses a schema that this program does not know.
func (l *Ledger) version(ctx context.Context) error {
	var is int64
	if err := l.read.QueryRowContext(ctx, `SELECT max(version_id) FROM goose_db_version WHERE is_applied`).Scan(&is); err != nil {
		return unavailable(l.where()+": no ledger", err)
	}
	if is != schemaVersion {
		return data.Faultf(data.ErrContract, "ledger: %s: its schema is of version %d, this recoup knows %d: a newer recoup reads it, or serve brings an older one up to date", l.where(), is, schemaVersion)
	}
	return nil
}

func (l *Ledger) migrate(ctx context.Context) error {
	dialect, dir := goose.DialectSQLite3, "migrations/sqlite"
	var options []goose.ProviderOption
	if l.postgres {
		dialect, dir = goose.DialectPostgres, "migrations/postgres"
		locker, err := lock.NewPostgresSessionLocker()
		if err != nil {
			return err
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	files, err := fs.Sub(migrations, dir)
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(dialect, l.write, files, options...)
	if err != nil {
		return err
	}
	// Of two processes that open a new file at once one makes the schema. The other
	// fails and finds it. (PostgreSQL's has waited for the first one's lock.)
	for range migrateTries {
		if _, err = p.Up(ctx); err == nil || l.postgres || ctx.Err() != nil {
			return err
		}
		time.Sleep(migratePause)
	}
	return err
}
