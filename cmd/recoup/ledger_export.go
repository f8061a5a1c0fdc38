package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"recoup/api"
	"recoup/data"
	"recoup/data/ledger"
	"recoup/score"
)

type ledgerExportCmd struct {
	AsOf     string `name:"as-of" required:"" placeholder:"T" help:"Entries known after T wait, and T says which decisions can be judged: a date (its start, UTC) or an RFC 3339 time. There is no default."`
	Tenant   string `placeholder:"T" help:"One tenant alone; by default all that have a book."`
	Again    bool   `help:"Look at all entries once more, for an event log that is older than the ledger thinks. Rows that it has are passed over."`
	Currency string `default:"INR" placeholder:"C" help:"Of an event log that is not there yet."`
	ledgerFlags
}

// Help says what goes where.
func (*ledgerExportCmd) Help() string {
	return "Events, decisions and outcomes go to D/events (D/tenants/T/events) with the known_at that they have in the ledger; decisions made from a request's own events stay out. " +
		"The night job does this by itself. A death at any point does no harm: run it again.\n\n" +
		"A decision can be judged when its window has closed, whatever came of it: matured; the younger ones are censored.\n\n" + exitCodes
}

// tenantExport is what became of one tenant.
type tenantExport struct {
	ledger.Exported
	*ledger.Maturity `json:"maturity"` // null where there is no event log
}

func (c *ledgerExportCmd) Run(ctx context.Context, e *env) error {
	asOf, err := parseAsOf("ledger export", c.AsOf)
	if err != nil {
		return err
	}
	return c.with(ctx, e, false, func(l *ledger.Ledger, v ledger.Verification) error {
		names, err := oneTenant(ctx, l, c.Tenant)
		if err != nil {
			return err
		}
		var all []tenantExport
		for _, name := range names {
			one, err := c.tenant(ctx, l, v, name, asOf)
			if err != nil {
				return err
			}
			all = append(all, one)
		}
		if c.JSON {
			return e.printJSON(map[string]any{"as_of": asOf.String(), "tenants": all})
		}
		return printExports(e, all)
	})
}

// tenant verifies a book and exports it.
func (c *ledgerExportCmd) tenant(ctx context.Context, l *ledger.Ledger, v ledger.Verification, name string, asOf data.Micros) (out tenantExport, err error) {
	b, err := l.Book(ctx, name, 0)
	if err != nil {
		return out, err
	}
	if _, err := b.Verify(ctx, v); err != nil {
		return out, err
	}
	dir := api.TenantDir(c.Dir, name)
	if out.Exported, err = b.Export(ctx, ledger.Export{Dir: dir, UpTo: asOf, Currency: c.Currency, Again: c.Again}); err != nil {
		return out, err
	}
	out.Maturity, err = mature(dir, asOf)
	return out, err
}

// mature counts the decisions of a folder by its policy's horizon; nil where there is no
// event log.
func mature(dir string, asOf data.Micros) (*ledger.Maturity, error) {
	if _, err := os.Stat(filepath.Join(dir, "events", "manifest.json")); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	policy, err := score.FindPolicy("", dir)
	if err != nil {
		return nil, err
	}
	m, err := ledger.Mature(dir, asOf, policy.Horizon())
	return &m, err
}

func printExports(e *env, all []tenantExport) error {
	for _, x := range all {
		fmt.Fprintf(e.stdout, "%s: %d rows added", x.Tenant, x.Rows)
		if n := x.Duplicates.EventID + x.Duplicates.Attempt; n > 0 {
			fmt.Fprintf(e.stdout, ", %d were there", n)
		}
		if x.To < x.From {
			fmt.Fprintf(e.stdout, ": nothing new since entry %d\n", x.To)
		} else {
			fmt.Fprintf(e.stdout, ", of entries %d to %d\n", x.From, x.To)
		}
		if m := x.Maturity; m != nil {
			fmt.Fprintf(e.stdout, "  decisions: %d, matured %d (%d with an outcome, %d recovered), censored %d; labels mature through %s\n",
				m.Decisions, m.Matured, m.Reported, m.Recovered, m.Censored, m.Through)
		}
	}
	if len(all) == 0 {
		fmt.Fprintln(e.stdout, "The ledger has no book yet.")
	}
	return nil
}
