package ledger

import (
	"context"
	"database/sql"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib" // the PostgreSQL driver
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"modernc.org/sqlite"
)

//go:embed migrations
var migrations embed.FS

// queueLength is how many jobs may wait for the writer before Append waits itself.
const queueLength = 1024

// Open opens a ledger, making or migrating its schema.
func Open(ctx context.Context, c Config) (*Ledger, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	l := &Ledger{config: c}
	if err := l.connect(); err != nil {
		return nil, err
	}
	if err := l.prepare(ctx); err != nil {
		l.shut()
		return nil, err
	}
	if !c.ReadOnly {
		l.queue = make(chan *work, queueLength)
		l.stop, l.written = make(chan struct{}), make(chan struct{})
		go l.writer()
	}
	return l, nil
}

func (c Config) check() error {
	switch {
	case c.URL == "":
		return fmt.Errorf("ledger: no URL: give a file's path or postgres://...")
	case !c.ReadOnly && (c.Now == nil || c.Random == nil):
		return fmt.Errorf("ledger: a clock and a source of salts are needed to append")
	case (c.Secret.ID == "") != (len(c.Secret.Key) == 0):
		return fmt.Errorf("ledger: a secret needs an id and a key")
	case c.Secret.ID != "" && len(c.Secret.Key) < 32:
		return fmt.Errorf("ledger: secret %s: the key has %d bytes, at least 32 are needed", c.Secret.ID, len(c.Secret.Key))
	}
	return nil
}

// connect makes the two pools: one connection that writes, some that read.
func (l *Ledger) connect() error {
	read, write, driver := l.config.URL, l.config.URL, "pgx"
	if l.postgres = strings.HasPrefix(read, "postgres://") || strings.HasPrefix(read, "postgresql://"); !l.postgres {
		driver = "sqlite"
		read, write = sqliteURL(strings.TrimPrefix(read, "sqlite:"), true), sqliteURL(strings.TrimPrefix(read, "sqlite:"), false)
		// as SQLite does where it is built for Linux: what a commit needs is on the disk, times of the file aside
		sqlite.Fdatasync(true)
	}
	var err error
	if l.read, err = sql.Open(driver, read); err != nil {
		return fmt.Errorf("ledger: %s: %w", l.where(), err)
	}
	l.read.SetMaxOpenConns(4)
	if l.config.ReadOnly {
		return nil
	}
	if l.write, err = sql.Open(driver, write); err != nil {
		l.read.Close()
		return fmt.Errorf("ledger: %s: %w", l.where(), err)
	}
	l.write.SetMaxOpenConns(1)
	return nil
}

// sqliteURL opens a file with the writer's or a reader's pragmas.
func sqliteURL(path string, read bool) string {
	q := url.Values{"_pragma": {"busy_timeout(10000)", "synchronous(FULL)", "recursive_triggers(1)"}}
	if read {
		q.Set("mode", "ro")
	} else {
		q.Add("_pragma", "journal_mode(WAL)")
		q.Set("_txlock", "immediate")
	}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}).String()
}

// where names the database without its password.
func (l *Ledger) where() string {
	if !l.postgres {
		return strings.TrimPrefix(l.config.URL, "sqlite:")
	}
	if u, err := url.Parse(l.config.URL); err == nil {
		return u.Redacted()
	}
	return "postgres"
}

// prepare brings the schema up to date and reads what the writer needs.
func (l *Ledger) prepare(ctx context.Context) error {
	if !l.config.ReadOnly {
		if err := l.migrate(ctx); err != nil {
			return fmt.Errorf("ledger: %s: %w: %w", l.where(), ErrUnavailable, err)
		}
		random := make([]byte, 16)
		if _, err := io.ReadFull(l.config.Random, random); err != nil {
			return fmt.Errorf("ledger: random bytes: %w", err)
		}
		const add = `INSERT INTO ledger (one, id) VALUES (1, $1) ON CONFLICT (one) DO NOTHING`
		if _, err := l.write.ExecContext(ctx, add, hex.EncodeToString(random)); err != nil {
			return unavailable(l.where(), err)
		}
		var err error
		if l.stmts, err = prepare(ctx, l.write, l.postgres); err != nil {
			return unavailable(l.where(), err)
		}
	}
	if err := l.read.QueryRowContext(ctx, `SELECT id FROM ledger`).Scan(&l.id); err != nil {
		return unavailable(l.where(), err)
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
	_, err = p.Up(ctx)
	return err
}
