package ledger

import "errors"

var (
	// ErrConflict: a key or name belongs to an entry that says something else.
	ErrConflict = errors.New("conflict")
	// ErrReused: an idempotency key came back with another request.
	ErrReused = errors.New("idempotency key reused")
	// ErrUnavailable: nothing was written, because the disk is full, the database is away or the
	// like; the same job may succeed later.
	ErrUnavailable = errors.New("ledger unavailable")
	// ErrBroken: the chain, a checkpoint or a key does not fit the entries (exit 7).
	ErrBroken = errors.New("ledger broken")
)
