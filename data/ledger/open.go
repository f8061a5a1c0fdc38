package ledger

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"

	"recoup/data"
)

const (
	queueLength = 1024 // jobs that may wait for the writer before Append waits itself
	readers     = 4    // connections
)

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

// connect makes the pools: one connection that writes, some that read.
func (l *Ledger) connect() (err error) {
	defer func() {
		if err != nil {
			l.shut()
		}
	}()
	if strings.HasPrefix(l.config.URL, "postgres://") || strings.HasPrefix(l.config.URL, "postgresql://") {
		l.postgres = true
		return l.connectPostgres()
	}
	// as SQLite does where it is built for Linux: what a commit needs is on the disk, times of the file aside
	sqlite.Fdatasync(true)
	path := l.where()
	if err := l.file(path); err != nil {
		return err
	}
	if l.read, err = l.pool(sqliteURL(path, true), readers); err != nil || l.config.ReadOnly {
		return err
	}
	if l.write, err = l.pool(sqliteURL(path, false), 1); err != nil {
		return err
	}
	copier, err := l.pool(sqliteURL(path, false), 1)
	if err == nil {
		l.wal = startWAL(copier)
	}
	return err
}

func (l *Ledger) pool(dsn string, size int) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, data.Faultf(data.ErrUsage, "ledger: %s: %w", l.where(), err)
	}
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	return db, nil
}

func (l *Ledger) connectPostgres() error {
	c, err := pgx.ParseConfig(l.config.URL)
	if err != nil {
		return data.Faultf(data.ErrUsage, "ledger: %w", err) // it leaves the password out
	}
	readOnly := c.Copy()
	readOnly.RuntimeParams["default_transaction_read_only"] = "on"
	l.read = stdlib.OpenDB(*readOnly)
	l.read.SetMaxOpenConns(readers)
	l.read.SetMaxIdleConns(readers)
	if !l.config.ReadOnly {
		l.write = stdlib.OpenDB(*c, stdlib.OptionAfterConnect(durable))
		l.write.SetMaxOpenConns(1)
	}
	return nil
}

// durable makes commits of a connection wait for the disk where the server's default is not to.
func durable(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx, `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`)
	return err
}

// file makes a database's file, for its owner's eyes alone, where there is none.
func (l *Ledger) file(path string) error {
	if l.config.ReadOnly {
		if _, err := os.Stat(path); err != nil {
			return data.Faultf(data.ErrUsage, "ledger: %w", err)
		}
		return nil
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return data.Faultf(data.ErrUsage, "ledger: %w", err)
	}
	return f.Close()
}

// sqliteURL opens a file as readers do, or the writer.
func sqliteURL(path string, read bool) string {
	q := url.Values{"_pragma": {"busy_timeout(10000)", "synchronous(FULL)", "recursive_triggers(1)"}}
	switch {
	case !read:
		q["_pragma"] = append(q["_pragma"], "journal_mode(WAL)", "wal_autocheckpoint(0)", "cache_size(-32000)") // see wal; in kB
		q.Set("_txlock", "immediate")
	case unwritable(path):
		q.Set("immutable", "1")
		fallthrough
	default:
		q.Set("mode", "ro")
	}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}).String()
}

// unwritable says that a file is on a disk where nobody can write: SQLite has to be told,
// or it would want to share memory with a writer in a file there.
func unwritable(path string) bool {
	const write = 2 // W_OK of access(2)
	_, err := os.Stat(path + "-wal")
	return errors.Is(err, fs.ErrNotExist) && syscall.Access(filepath.Dir(path), write) != nil
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

// damaged says whether SQLite found its file not to be what it wrote.
func damaged(err error) bool {
	const corrupt, notADatabase = 11, 26 // SQLITE_CORRUPT, SQLITE_NOTADB
	var fault *sqlite.Error
	return errors.As(err, &fault) && (fault.Code()&0xff == corrupt || fault.Code() == notADatabase)
}
