package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"recoup/api"
	"recoup/cmd/recoup/nightly"
	"recoup/data"
	"recoup/data/ledger"
)

// recorded is the night's first step: verify the tenant's chain, sign a checkpoint on
// it, and export it up to asOf; nil where there is no ledger.
func (c *nightlyCmd) recorded(e *env, asOf data.Micros) func(context.Context) (nightly.Recorded, error) {
	if c.Ledger == "none" {
		return nil
	}
	if _, err := os.Stat(filepath.Join(c.Dir, "ledger.db")); c.Ledger == "" && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return func(ctx context.Context) (out nightly.Recorded, err error) {
		dir := api.TenantDir(c.Dir, c.Tenant)
		f := ledgerFlags{Dir: c.Dir, Ledger: c.Ledger}
		err = f.with(ctx, e, false, func(l *ledger.Ledger, v ledger.Verification) error {
			out.Tenant = c.Tenant
			tenants, err := l.Tenants(ctx)
			if err != nil || !slices.Contains(tenants, c.Tenant) { // it has no book yet
				return err
			}
			if _, out.Checkpoint, err = checkpoint(ctx, l, c.Dir, c.Tenant, v); err != nil {
				return err
			}
			b, err := l.Book(ctx, c.Tenant, 0)
			if err != nil {
				return err
			}
			out.Exported, err = b.Export(ctx, ledger.Export{Dir: dir, UpTo: asOf, Currency: "INR"})
			return err
		})
		if err != nil {
			return out, err
		}
		out.Maturity, err = mature(dir, asOf)
		return out, err
	}
}

// printRecorded says what the night took out of the ledger.
func printRecorded(w io.Writer, r *nightly.Recorded) {
	if r == nil {
		return
	}
	fmt.Fprintf(w, "\nLedger: %d rows added to the event log.", r.Rows)
	if m := r.Maturity; m != nil {
		fmt.Fprintf(w, " Decisions: %d, matured %d (%d with an outcome), censored %d; labels mature through %s.", m.Decisions, m.Matured, m.Reported, m.Censored, m.Through)
	}
	fmt.Fprintln(w)
}
