package live

import (
	"context"
	"errors"

	"recoup/data"
	"recoup/data/ledger"
	"recoup/features"
)

// Desk is a tenant's present. It is safe for concurrent use.
type Desk struct {
	cfg  Config
	book *ledger.Book
}

// Open rebuilds the present from the tenant's log and book, and follows the book.
func Open(ctx context.Context, c Config) (*Desk, error) { return nil, errors.ErrUnsupported }

// Book is the tenant's chain.
func (d *Desk) Book() *ledger.Book { return d.book }

// Now is the clock: that of the config, or in a replay the latest known_at seen. It is
// never before what the state knows.
func (d *Desk) Now() data.Micros { return 0 }

// Refresh delivers what other processes appended, and takes in what came into the
// tenant's log from elsewhere since it was read.
func (d *Desk) Refresh(ctx context.Context) error { return errors.ErrUnsupported }

// Facts are what is known of a case at a time. The error Is ErrUnknown where no
// failure of it is known.
func (d *Desk) Facts(caseID string, t data.Micros) (features.Facts, error) {
	return features.Facts{}, errors.ErrUnsupported
}

// ErrUnknown: no such case, decision or escalation.
var ErrUnknown = errors.New("unknown")

// ErrUndecidable: nothing can be decided about the case; the text says why.
var ErrUndecidable = errors.New("undecidable")
