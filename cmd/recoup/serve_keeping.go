package main

import (
	"context"

	"recoup/api"
	"recoup/data"
	"recoup/data/ledger"
)

// keeping is what the admin routes do with a tenant's book, as the verbs of ledger do.
func (c *serveCmd) keeping(l *ledger.Ledger, keys ledger.Keys) api.Keeping {
	verification := func() (ledger.Verification, error) { return ledgerFlags{Dir: c.Dir}.verification(keys) }
	return api.Keeping{
		Verification: verification,
		Checkpoint: func(ctx context.Context, tenant string) (ledger.Head, error) {
			v, err := verification()
			if err != nil {
				return ledger.Head{}, err
			}
			h, _, err := checkpoint(ctx, l, c.Dir, tenant, v)
			return h, err
		},
		Export: func(ctx context.Context, tenant string, upTo data.Micros) (ledger.Exported, error) {
			v, err := verification()
			if err != nil {
				return ledger.Exported{}, err
			}
			b, err := l.Book(ctx, tenant, 0)
			if err != nil {
				return ledger.Exported{}, err
			}
			if _, err := b.Verify(ctx, v); err != nil {
				return ledger.Exported{}, err
			}
			return b.Export(ctx, ledger.Export{Dir: api.TenantDir(c.Dir, tenant), UpTo: upTo, Currency: "INR"})
		},
	}
}
