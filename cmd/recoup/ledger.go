package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"recoup/data"
	"recoup/data/ledger"
)

type ledgerCmd struct {
	Backup     ledgerBackupCmd     `cmd:"" help:"Copy the whole ledger to a file, as it is at one moment, and verify the copy."`
	Restore    ledgerRestoreCmd    `cmd:"" help:"Put a backup into a ledger that is empty, and verify it there."`
	Export     ledgerExportCmd     `cmd:"" help:"Add what was recorded to the event log, and say how many decisions can be judged."`
	Erase      ledgerEraseCmd      `cmd:"" help:"Blank what the ledger holds of a customer; the chain still verifies."`
	Checkpoint ledgerCheckpointCmd `cmd:"" help:"Verify the ledger, and sign a statement on all that it holds, to keep elsewhere."`
	RotateKey  ledgerRotateKeyCmd  `cmd:"" name:"rotate-key" help:"Go on with a new secret, which the old one vouches for."`
}

// Help ends the help text with commands to try.
func (*ledgerCmd) Help() string {
	return "Examples:\n\nrecoup ledger backup ledger-monday.db --dir shop\n\nrecoup ledger restore ledger-monday.db --dir newshop\n\n" +
		"recoup ledger export --dir shop --as-of 2026-03-01\n\nrecoup ledger checkpoint --dir shop\n\n" +
		"recoup ledger erase --customer cust_42 --why 'asked for on 2026-03-01' --dir shop\n\nrecoup ledger rotate-key --dir shop\n\n" +
		"All work beside a running server. recoup verify says whether the ledger is what was written. " + exitCodes
}

// exitCodes is the table that the help of several verbs ends with.
const exitCodes = "Exit codes: 0 done, 2 usage, 3 another job works in the folder, 6 data that break their contract, 7 the ledger is not what was written, 1 anything else."

// ledgerFlags name the ledger.
type ledgerFlags struct {
	Dir    string `required:"" placeholder:"D" help:"Folder that is served: D/ledger.db, D/ledger.key and D/checkpoints are used."`
	Ledger string `placeholder:"URL" help:"The ledger: a file or postgres://...; by default D/ledger.db."`
	JSON   bool   `name:"json" help:"Print one JSON object."`
}

// config is the ledger's, with the secret that it goes on with.
func (f ledgerFlags) config(e *env) (ledger.Config, ledger.Keys, error) {
	c := ledger.Config{URL: f.Ledger, Random: rand.Reader, Now: func() data.Micros { return data.MicrosOf(e.now()) }}
	if _, err := os.Stat(f.Dir); err != nil {
		return c, nil, fmt.Errorf("ledger: %w", err)
	}
	if c.URL == "" {
		c.URL = filepath.Join(f.Dir, "ledger.db")
	}
	keys, err := ledger.FindKeys(f.Dir, os.Getenv("RECOUP_LEDGER_KEY"), nil)
	c.Secret = keys.Current()
	return c, keys, err
}

// isPostgres reports whether a URL names a server; else it is a file.
func isPostgres(url string) bool {
	return strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://")
}

// with opens the ledger, which must be there, and lends it to do together with all that
// its chain is held against.
func (f ledgerFlags) with(ctx context.Context, e *env, readOnly bool, do func(*ledger.Ledger, ledger.Verification) error) (err error) {
	c, keys, err := f.config(e)
	if err != nil {
		return err
	}
	if file := strings.TrimPrefix(c.URL, "sqlite:"); !isPostgres(c.URL) {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return data.Faultf(data.ErrUsage, "ledger: %s: there is no ledger; recoup serve makes one, --ledger names another", file)
		} else if err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
	}
	v, err := f.verification(keys)
	if err != nil {
		return err
	}
	c.ReadOnly = readOnly
	l, err := ledger.Open(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return do(l, v)
}

// verification is what a folder has to hold its ledger against.
func (f ledgerFlags) verification(keys ledger.Keys, files ...string) (ledger.Verification, error) {
	v := ledger.Verification{Keys: keys}
	var err error
	if v.Public, err = ledger.FindPublic(f.Dir); err != nil {
		return v, err
	}
	kept, err := filepath.Glob(filepath.Join(f.Dir, ledger.CheckpointDir, "*.txt"))
	if err != nil {
		return v, fmt.Errorf("ledger: %w", err)
	}
	for _, path := range append(kept, files...) {
		text, err := os.ReadFile(path)
		if err != nil {
			return v, fmt.Errorf("ledger: %w", err)
		}
		h, err := ledger.ParseHead(string(text), v.Public)
		if err != nil {
			return v, fmt.Errorf("ledger: %s: %w", path, err)
		}
		v.Heads = append(v.Heads, h)
	}
	return v, nil
}
