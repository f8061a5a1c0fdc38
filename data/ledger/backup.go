package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"recoup/data"
)

// Copied is what a backup or a restore did.
type Copied struct {
	Path    string    `json:"path"`
	Ledger  string    `json:"ledger"` // its id
	Rows    int64     `json:"rows"`   // of all tables
	Tenants []Verdict `json:"tenants"`
}

// Backup writes the whole ledger, as it is at one moment, to a file: an SQLite ledger
// whatever the ledger itself is, verified before it appears under its name. Appending goes on
// meanwhile. Nothing is replaced: the error Is data.ErrUsage where something is at path, be it
// the ledger itself.
func (l *Ledger) Backup(ctx context.Context, path string, v Verification, progress func(done, total int64)) (out Copied, err error) {
	out = Copied{Path: path, Ledger: l.id}
	if _, err := os.Lstat(path); err == nil {
		return out, data.Faultf(data.ErrUsage, "ledger: backup: %s is there already, and nothing is replaced: name another file", path)
	}
	dir, err := os.MkdirTemp(filepath.Dir(path), ".tmp-")
	if err != nil {
		return out, fmt.Errorf("ledger: backup: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file := filepath.Join(dir, "ledger.db")
	if out.Rows, err = fill(ctx, l, Config{URL: file}, progress); err != nil {
		return out, fmt.Errorf("ledger: backup: %w", err)
	}
	if out.Tenants, err = verifyAll(ctx, Config{URL: file}, v); err != nil {
		return out, fmt.Errorf("ledger: backup: not made, for the ledger is not whole: %w", err)
	}
	if err := publish(file, path); err != nil {
		return out, fmt.Errorf("ledger: backup: %w", err)
	}
	return out, nil
}

// publish gives a finished file its name, unless something has it.
func publish(file, path string) error {
	for _, name := range []string{file, filepath.Dir(path)} {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		if name == file {
			err = f.Sync()
		} else if err = os.Link(file, path); err == nil { // fails where path is
			err = f.Sync()
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// fill makes a ledger and copies another into it. An SQLite file is left without a log
// beside it.
func fill(ctx context.Context, from *Ledger, c Config, progress func(done, total int64)) (rows int64, err error) {
	c.Random, c.Now = bytes.NewReader(make([]byte, 16)), func() data.Micros { return 0 } // for an id that is replaced
	to, err := Open(ctx, c)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if rows, err = to.take(ctx, from, progress); err != nil {
		return rows, err
	}
	if !to.postgres {
		var mode string
		if err := to.read.Close(); err != nil {
			return rows, err
		}
		err = to.write.QueryRowContext(ctx, `PRAGMA journal_mode = DELETE`).Scan(&mode)
	}
	return rows, err
}

// verifyAll verifies every book of a ledger.
func verifyAll(ctx context.Context, c Config, v Verification) (out []Verdict, err error) {
	c.ReadOnly = true
	l, err := Open(ctx, c)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return l.Verify(ctx, v)
}

// Verify verifies every book, in the order of the tenants' names; the error joins
// those of the books that are broken. A checkpoint of no book of this ledger Is ErrBroken.
func (l *Ledger) Verify(ctx context.Context, v Verification) (out []Verdict, err error) {
	tenants, err := l.Tenants(ctx)
	if err != nil {
		return nil, err
	}
	err = v.named(l.id, tenants)
	e := l.eachBook(ctx, func(b *Book) error {
		found, e := b.Verify(ctx, v)
		out = append(out, found)
		if errors.Is(e, ErrBroken) {
			err = errors.Join(err, e)
			return nil
		}
		return e
	})
	return out, errors.Join(err, e)
}

// Restore puts a backup into a ledger that has no book yet: an SQLite file that need not
// be there, or a PostgreSQL database. The backup is verified before and what was restored
// after; after a death in between, there is no book yet. Another ledger there Is data.ErrUsage.
func Restore(ctx context.Context, path string, c Config, v Verification, progress func(done, total int64)) (out Copied, err error) {
	out.Path = path
	if _, err := os.Stat(path); err != nil {
		return out, fmt.Errorf("ledger: restore: %w", err)
	}
	from, err := Open(ctx, Config{URL: path, ReadOnly: true})
	if err != nil {
		return out, data.Faultf(data.ErrContract, "ledger: restore: %s: no backup of a ledger: %w", path, err)
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	out.Ledger = from.id
	if _, err := from.Verify(ctx, v); err != nil {
		return out, fmt.Errorf("ledger: restore: %s: %w", path, err)
	}
	c.Secret, c.ReadOnly = Secret{}, false
	if out.Rows, err = fill(ctx, from, c, progress); err != nil {
		return out, fmt.Errorf("ledger: restore: %w", err)
	}
	out.Tenants, err = verifyAll(ctx, c, v)
	return out, err
}

// take copies all of another ledger, as it is at one moment, in one transaction.
func (l *Ledger) take(ctx context.Context, from *Ledger, progress func(done, total int64)) (rows int64, err error) {
	var options sql.TxOptions
	if options.ReadOnly = true; from.postgres {
		options.Isolation = sql.LevelRepeatableRead
	}
	src, err := from.read.BeginTx(ctx, &options)
	if err != nil {
		return 0, err
	}
	defer src.Rollback()
	dst, err := l.write.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer dst.Rollback()
	var books int64
	if err := dst.QueryRowContext(ctx, `SELECT count(*) FROM books`).Scan(&books); err != nil {
		return 0, err
	}
	if books > 0 {
		return 0, data.Faultf(data.ErrUsage, "%s: holds a ledger already, and no book of it is ever replaced: move it away, or name an empty place with --ledger", l.where())
	}
	if _, err := dst.ExecContext(ctx, `DELETE FROM ledger`); err != nil {
		return 0, err
	}
	var total int64
	for _, t := range copied {
		var n int64
		if err := src.QueryRowContext(ctx, `SELECT count(*) FROM `+t.name).Scan(&n); err != nil {
			return 0, err
		}
		total += n
	}
	for _, t := range copied {
		if err := t.copy(ctx, src, dst, func() {
			if rows++; progress != nil && (rows%1000 == 0 || rows == total) {
				progress(rows, total)
			}
		}); err != nil {
			return rows, fmt.Errorf("table %s: %w", t.name, err)
		}
	}
	if l.postgres { // ids of books go on after those that were copied
		const next = `SELECT setval(pg_get_serial_sequence('books', 'book'), max(book)) FROM books HAVING max(book) IS NOT NULL`
		if _, err := dst.ExecContext(ctx, next); err != nil {
			return rows, err
		}
	}
	return rows, dst.Commit()
}
