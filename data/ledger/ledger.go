package ledger

import (
	"context"
	"errors"
	"io"
	"iter"

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

// Ledger is an open database.
type Ledger struct{}

// Open opens a ledger, making or migrating its schema.
func Open(ctx context.Context, c Config) (*Ledger, error) { return nil, errors.ErrUnsupported }

// Close waits for what is being written.
func (l *Ledger) Close() error { return errors.ErrUnsupported }

// Book opens a tenant's book, making it where it is new. after is the latest moment
// that the tenant's event log knows: the entries come after it.
func (l *Ledger) Book(ctx context.Context, tenant string, after data.Micros) (*Book, error) {
	return nil, errors.ErrUnsupported
}

// Book is a tenant's chain.
type Book struct{}

// Append writes a job and returns when it is durable. Jobs of many goroutines
// share commits. The error Is ErrConflict, ErrReused, ErrUnavailable or ctx's;
// after one nothing of the job is written, but for ctx's, where it may be.
func (b *Book) Append(ctx context.Context, j Job) (Done, error) { return Done{}, errors.ErrUnsupported }

// Follow delivers every entry after seq in order, each once: those that are there
// before it returns, later ones before the Append that made them returns, and
// those of other processes on Sync. apply is never called at the same time as itself.
// A book has one follower.
func (b *Book) Follow(ctx context.Context, seq int64, apply func([]Entry)) error {
	return errors.ErrUnsupported
}

// Sync delivers what other processes appended. It costs nothing where there can be none.
func (b *Book) Sync(ctx context.Context) error { return errors.ErrUnsupported }

// Scan reads the entries after seq in order.
func (b *Book) Scan(ctx context.Context, seq int64) iter.Seq2[Entry, error] { return nil }

// Find reads the entry of a kind with a key; ok is false where there is none.
func (b *Book) Find(ctx context.Context, k Kind, key string) (e Entry, ok bool, err error) {
	return Entry{}, false, errors.ErrUnsupported
}

// Case reads the entries of a case in order.
func (b *Book) Case(ctx context.Context, caseID string) ([]Entry, error) {
	return nil, errors.ErrUnsupported
}

// Attempt is the state of an attempt; ok is false where none is known.
func (b *Book) Attempt(ctx context.Context, attemptID string) (a Attempt, ok bool, err error) {
	return Attempt{}, false, errors.ErrUnsupported
}

// Exported is the seq up to which entries were exported to the tenant's event log.
func (b *Book) Exported(ctx context.Context) (int64, error) { return 0, errors.ErrUnsupported }
