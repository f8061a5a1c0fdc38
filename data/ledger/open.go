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

	_ "github.com/jackc/pgx/v5/stdlib" // the PostgreSQL driver
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

// connect makes the two pools: one connection that writes, some that read.
func (l *Ledger) connect() error {
	read, write, driver := l.config.URL, l.config.URL, "pgx"
	if l.postgres = strings.HasPrefix(read, "postgres://") || strings.HasPrefix(read, "postgresql://"); !l.postgres {
		driver = "sqlite"
		if err := l.file(strings.TrimPrefix(read, "sqlite:")); err != nil {
			return err
		}
		read, write = sqliteURL(strings.TrimPrefix(read, "sqlite:"), true), sqliteURL(strings.TrimPrefix(read, "sqlite:"), false)
		// as SQLite does where it is built for Linux: what a commit needs is on the disk, times of the file aside
		sqlite.Fdatasync(true)
	}
	var err error
	if l.read, err = sql.Open(driver, read); err != nil {
		return data.Faultf(data.ErrUsage, "ledger: %s: %w", l.where(), err)
	}
	l.read.SetMaxOpenConns(readers)
	if l.config.ReadOnly {
		return nil
	}
	if l.write, err = sql.Open(driver, write); err != nil {
		l.read.Close()
		return data.Faultf(data.ErrUsage, "ledger: %s: %w", l.where(), err)
	}
	l.write.SetMaxOpenConns(1)
	if l.postgres {
		return nil
	}
	copier, err := sql.Open(driver, write)
	if err != nil {
		l.shut()
		return data.Faultf(data.ErrUsage, "ledger: %s: %w", l.where(), err)
	}
	copier.SetMaxOpenConns(1)
	l.wal = startWAL(copier)
	return nil
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
