package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"recoup/data"
)

// Config says where a ledger is and what it works with.
type Config struct {
	URL    string             // a file's path or sqlite:PATH, or postgres://...
	Secret Secret             // of the chain; the zero Secret = none: tamper-evident only
	Random io.Reader          // of salts
	Now    func() data.Micros // gives known_at
	// ReadOnly opens what is there and refuses to append.
	ReadOnly bool
}

// Secret is a key of the chain.
type Secret struct {
	ID  string // names it in the entries; never the key itself
	Key []byte // at least 32 bytes
}

func (c Config) check() error {
	switch {
	case c.URL == "":
		return data.Faultf(data.ErrUsage, "ledger: no URL: give a file's path or postgres://...")
	case !c.ReadOnly && (c.Now == nil || c.Random == nil):
		return data.Faultf(data.ErrUsage, "ledger: a clock and a source of salts are needed to append")
	case (c.Secret.ID == "") != (len(c.Secret.Key) == 0):
		return data.Faultf(data.ErrUsage, "ledger: a secret needs an id and a key")
	case c.Secret.ID != "" && len(c.Secret.Key) < 32:
		return data.Faultf(data.ErrUsage, "ledger: secret %s: the key has %d bytes, at least 32 are needed", c.Secret.ID, len(c.Secret.Key))
	}
	return nil
}

// Ledger is an open database.
type Ledger struct {
	config   Config
	id       string // of this ledger, made once
	postgres bool
	write    *sql.DB // one connection
	read     *sql.DB
	stmts    *statements
	seq      *sql.Stmt // of a book, prepared for the readers; nil = not SQLite
	wal      *wal      // nil = not SQLite's, or read only

	failed  atomic.Pointer[failure] // the last one; nil = none
	salts   sync.Mutex
	queue   chan *work
	closing sync.RWMutex // held to send to queue, and to close it
	closed  bool
	stop    chan struct{} // closed when Close begins
	written chan struct{} // closed when the writer has ended
}

// Close waits for what is being written.
func (l *Ledger) Close() error {
	l.closing.Lock()
	first := !l.closed
	l.closed = true
	if first && l.queue != nil {
		close(l.stop)
		close(l.queue)
	}
	l.closing.Unlock()
	if !first {
		return nil
	}
	if l.queue != nil {
		<-l.written
	}
	return l.shut()
}

// failureCounts is how long after a commit that failed a ledger counts as failing.
const failureCounts = 5 * data.Second

// failure is a commit that failed.
type failure struct {
	at  data.Micros
	err error
}

// Failing is why nothing, or not everything, can be written: the last commit's
// failure, for some seconds. nil = there was none.
func (l *Ledger) Failing() error {
	f := l.failed.Load()
	if f == nil || l.config.Now()-f.at > failureCounts {
		return nil
	}
	return unavailable("append", f.err)
}

// shut closes the connections.
func (l *Ledger) shut() error {
	var err error
	if l.read != nil {
		err = l.read.Close()
	}
	if l.wal != nil {
		if e := l.wal.close(); e != nil {
			err = e
		}
	}
	if l.write != nil {
		if e := l.write.Close(); e != nil {
			err = e
		}
	}
	if err != nil {
		return fmt.Errorf("ledger: close: %w", err)
	}
	return nil
}

// Book opens a tenant's book, making it where it is new. after is the latest moment
// that the tenant's event log knows: the entries come after it.
func (l *Ledger) Book(ctx context.Context, tenant string, after data.Micros) (*Book, error) {
	if err := checkText("tenant", tenant); err != nil {
		return nil, err
	}
	if !l.config.ReadOnly {
		start := genesis(l.id, tenant)
		const add = `INSERT INTO books (tenant, seq, known_at, hash, key_id) VALUES ($1, 0, 0, $2, $3) ON CONFLICT (tenant) DO NOTHING`
		if _, err := l.write.ExecContext(ctx, add, tenant, start[:], l.config.Secret.ID); err != nil {
			return nil, unavailable("open the book of "+tenant, err)
		}
	}
	b := &Book{ledger: l, tenant: tenant, after: after}
	err := l.read.QueryRowContext(ctx, `SELECT book FROM books WHERE tenant = $1`, tenant).Scan(&b.id)
	if err == sql.ErrNoRows {
		return nil, data.Faultf(data.ErrUsage, "ledger: tenant %q: has no book here, and the ledger is open for reading only", tenant)
	}
	if err != nil {
		return nil, unavailable("open the book of "+tenant, err)
	}
	return b, nil
}

// unavailable wraps what a database said.
func unavailable(doing string, err error) error {
	if err == context.Canceled || err == context.DeadlineExceeded {
		return fmt.Errorf("ledger: %s: %w", doing, err)
	}
	if damaged(err) {
		return data.Faultf(ErrBroken, "ledger: %s: the file is damaged: keep it, and restore a backup (recoup ledger restore): %w", doing, err)
	}
	return data.Faultf(ErrUnavailable, "ledger: %s: %w", doing, err)
}
