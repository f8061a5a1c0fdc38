package live

import (
	"context"
	"errors"

	"recoup/data"
	"recoup/data/ledger"
)

// Record writes posted rows of any table but decisions, and folds them. An attempt
// with a status that it had before is a duplicate; a second intent (a pending attempt)
// with the same number of a case Is ledger.ErrConflict, and then nothing is
// written. Receipts are in the order of the rows.
func (d *Desk) Record(ctx context.Context, rows []data.AnyRow, once *ledger.Once) (ledger.Done, error) {
	return ledger.Done{}, errors.ErrUnsupported
}

// Hook is a webhook that came: what names it, and the rows that it means.
type Hook struct {
	ID     string // the provider's event id, or a hash of the body
	Type   string // e.g. payment.failed
	SHA256 string // of the body, in hex
	Rows   []data.AnyRow
	Kept   bool // nothing of it is mapped
}

// Webhook records a webhook and its rows in one job; the same ID again is a
// duplicate, and writes nothing.
func (d *Desk) Webhook(ctx context.Context, h Hook) (duplicate bool, err error) {
	return false, errors.ErrUnsupported
}

// Outcome records what came of a decision. unknown says that nobody knows: the
// attempt's state becomes Unknown, which a poll alone leaves. The error Is
// ErrUnknown where there is no such decision.
func (d *Desk) Outcome(ctx context.Context, o data.Outcome, unknown bool, once *ledger.Once) (ledger.Done, error) {
	return ledger.Done{}, errors.ErrUnsupported
}
