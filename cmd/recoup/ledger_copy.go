package main

import (
	"context"
	"fmt"

	"recoup/data"
	"recoup/data/ledger"
)

type ledgerBackupCmd struct {
	File string `arg:"" placeholder:"F" help:"Where the copy goes; nothing may be there yet."`
	ledgerFlags
}

// Help says what the copy is.
func (*ledgerBackupCmd) Help() string {
	return "The copy is an SQLite ledger, whatever the ledger itself is: recoup verify --ledger F reads it. It is verified before it appears, for its owner alone to read; nothing is ever replaced; " +
		"a ledger that is not what was written is not copied. Secrets are not in it: keep " + ledger.KeyFile + " and " + ledger.SignerFile + " elsewhere too. " +
		"It has what customers had erased since: a backup older than an erasure must go.\n\n" + exitCodes
}

func (c *ledgerBackupCmd) Run(ctx context.Context, e *env) error {
	return c.with(ctx, e, true, func(l *ledger.Ledger, v ledger.Verification) error {
		made, err := l.Backup(ctx, c.File, v, countProgress(e, "backup"))
		if err != nil {
			return err
		}
		return c.print(e, made, "Backup:   %s\nRestore:  recoup ledger restore %[1]s --dir EMPTY\n", c.File)
	})
}

type ledgerRestoreCmd struct {
	File string `arg:"" placeholder:"F" help:"The backup."`
	ledgerFlags
}

// Help says what is asked of the place.
func (*ledgerRestoreCmd) Help() string {
	return "The ledger must be empty: an SQLite file that is not there yet, or a PostgreSQL database (--ledger postgres://...) without one. " +
		"This is also how a ledger moves from SQLite to PostgreSQL and back. Put " + ledger.KeyFile + " into D first: with it the chain is verified whole. " +
		"The event log is not in a backup: recoup ledger export --again fills it.\n\n" + exitCodes
}

func (c *ledgerRestoreCmd) Run(ctx context.Context, e *env) error {
	cfg, keys, err := c.config(e)
	if err != nil {
		return err
	}
	v, err := c.verification(keys)
	if err != nil {
		return err
	}
	made, err := ledger.Restore(ctx, c.File, cfg, v, countProgress(e, "restore"))
	if err != nil {
		return err
	}
	return c.print(e, made, "Restored: %s\n", c.File)
}

// print says what was copied.
func (f ledgerFlags) print(e *env, made ledger.Copied, format string, args ...any) error {
	if f.JSON {
		return e.printJSON(made)
	}
	fmt.Fprintf(e.stdout, format, args...)
	fmt.Fprintf(e.stdout, "Ledger:   %s, %d rows\n\n", made.Ledger, made.Rows)
	for _, v := range made.Tenants {
		if err := printVerdict(e.stdout, &v); err != nil {
			return err
		}
	}
	return nil
}

// countProgress shows one bar on standard error; nil where that is no terminal.
func countProgress(e *env, stage string) func(done, total int64) {
	if !e.tty {
		return nil
	}
	show := stageProgress(e)
	return func(done, total int64) { show(stage, done, total) }
}

// oneTenant picks the tenants that a verb is about: all, or the one that is named.
func oneTenant(ctx context.Context, l *ledger.Ledger, name string) ([]string, error) {
	all, err := l.Tenants(ctx)
	if err != nil || name == "" {
		return all, err
	}
	for _, t := range all {
		if t == name {
			return []string{t}, nil
		}
	}
	return nil, data.Faultf(data.ErrUsage, "ledger: tenant %q: has no book here; those that have one: %v", name, all)
}
