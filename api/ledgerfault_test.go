package api

import (
	"errors"
	"fmt"
	"testing"

	"recoup/data"
	"recoup/data/ledger"
)

// TestLedgerFaults: what a ledger refuses is told as what it is, never as an internal error.
func TestLedgerFaults(t *testing.T) {
	for _, c := range []struct {
		err  error
		code Code
	}{
		{ledger.ErrReused, Reused},
		{ledger.ErrConflict, Conflict},
		{ledger.ErrUnavailable, LedgerAway},
		{ledger.ErrBroken, LedgerAway},
		{data.Faultf(data.ErrUsage, "ledger: a key of 2000 bytes"), Invalid},
	} {
		var p *Problem
		if err := ledgerFault(fmt.Errorf("append: %w", c.err)); !errors.As(err, &p) || p.Code != c.code {
			t.Errorf("%v: told as %v, want %s", c.err, err, c.code)
		}
	}
	if err := errors.New("postgres://user:pass@db"); ledgerFault(err) != err {
		t.Error("an unknown error is told to callers")
	}
}
