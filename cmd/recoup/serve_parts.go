package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"recoup/api"
	"recoup/cmd/recoup/thompson"
	"recoup/data"
	"recoup/data/ledger"
	"recoup/models"
	"recoup/score"
)

// parts finds in the folder what the server works with. shut closes it.
func (c *serveCmd) parts(ctx context.Context, e *env) (p api.Parts, shut func() error, err error) {
	shut = func() error { return nil }
	if c.Dir == "" {
		return p, shut, data.Faultf(data.ErrUsage, "serve: --dir D is missing: the folder that the night job works in; a new empty one will do to try")
	}
	if _, err := os.Stat(c.Dir); err != nil {
		return p, shut, fmt.Errorf("serve: %w", err)
	}
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGHUP)
	p = api.Parts{Replay: c.Replay, ReadOnly: c.ReadOnly, Model: c.Model, Reload: reload, Now: e.now, NewID: rand.Text,
		Log: slog.New(slog.NewJSONHandler(e.stderr, nil))}
	if p.Keys, err = c.keys(); err != nil {
		return p, shut, err
	}
	names, err := tenantNames(c.Dir)
	if err != nil {
		return p, shut, err
	}
	for _, name := range names {
		t, err := c.tenant(name)
		if err != nil {
			return p, shut, err
		}
		p.Tenants = append(p.Tenants, t)
	}
	keys, err := c.ledgerKeys()
	if err != nil {
		return p, shut, err
	}
	if p.Ledger, err = c.openLedger(ctx, e, keys); err != nil || p.Ledger == nil {
		return p, shut, err
	}
	p.Keeping = c.keeping(p.Ledger, keys)
	return p, p.Ledger.Close, nil
}

// keys finds the callers' keys; nil with --insecure.
func (c *serveCmd) keys() (*api.Keys, error) {
	path := filepath.Join(c.Dir, api.KeyFile)
	keys, err := api.OpenKeys(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(keys.List()) == 0:
		if c.Insecure {
			return nil, nil
		}
		return nil, data.Faultf(data.ErrUsage, "serve: there are no keys, so nobody could call it: recoup keys add --dir %s --name billing --scope score,outcomes, "+
			"or, to try it on this machine, --insecure", c.Dir)
	case err == nil && c.Insecure:
		return nil, data.Faultf(data.ErrUsage, "serve: --insecure would ask nobody for a key, and %s has keys: leave it out", path)
	}
	return keys, err
}

// tenantNames are the main tenant and those with a folder in D/tenants, by name.
func tenantNames(dir string) ([]string, error) {
	names := []string{api.MainTenant}
	entries, err := os.ReadDir(filepath.Join(dir, "tenants"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("serve: %w", err)
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		if err := api.CheckName("tenant", entry.Name()); err != nil || entry.Name() == api.MainTenant {
			return nil, data.Faultf(data.ErrUsage, "serve: %s: no tenant's name", filepath.Join(dir, "tenants", entry.Name()))
		}
		names = append(names, entry.Name())
	}
	return names, nil
}

// tenant finds what a tenant's folder has.
func (c *serveCmd) tenant(name string) (t api.Tenant, err error) {
	dir, policy := api.TenantDir(c.Dir, name), ""
	if name == api.MainTenant {
		policy = c.Policy
	}
	t = api.Tenant{Name: name, Dir: dir, Identity: func() ([]byte, error) { return identityOf(dir) }}
	if t.Policy, err = score.FindPolicy(policy, dir); err != nil {
		return t, err
	}
	if t.Policy.Divides() {
		if t.Salt, err = score.FindSalt(dir); err == nil && t.Salt == nil {
			err = data.Faultf(data.ErrUsage, "serve: the policy of %s divides the cases over arms: %s there keeps the salt for that; make one with head -c 32 /dev/urandom | base64", dir, score.KeyFile)
		}
		if err != nil {
			return t, err
		}
	}
	switch {
	case c.Bandit == "":
	case name == api.MainTenant:
		t.Draw = (&followed{path: c.Bandit, policy: t.Policy}).draw
	case t.Policy.Divides():
		t.Draw = (&followed{path: filepath.Join(dir, thompson.StateFile), policy: t.Policy, optional: true}).draw
	}
	t.Registry, err = models.OpenRegistry(filepath.Join(dir, "models"))
	return t, err
}

// identityOf is the key that ingest --webhooks uses in that folder.
func identityOf(dir string) ([]byte, error) { return (&ingestCmd{Dir: dir}).identityKey() }

// ledgerKeys finds the secrets of the chain, and makes one at the first start.
func (c *serveCmd) ledgerKeys() (ledger.Keys, error) {
	if c.LedgerKey == "none" || c.Ledger == "none" {
		return nil, nil
	}
	random := io.Reader(rand.Reader)
	if c.ReadOnly {
		random = nil
	}
	return ledger.FindKeys(c.Dir, os.Getenv("RECOUP_LEDGER_KEY"), random)
}

// openLedger opens the ledger; nil where none is wanted, or nothing is to be recorded
// and there is none.
func (c *serveCmd) openLedger(ctx context.Context, e *env, keys ledger.Keys) (*ledger.Ledger, error) {
	if c.Ledger == "none" {
		return nil, nil
	}
	cfg := ledger.Config{URL: c.Ledger, Random: rand.Reader, Now: func() data.Micros { return data.MicrosOf(e.now()) }, ReadOnly: c.ReadOnly, Secret: keys.Current()}
	if cfg.URL == "" {
		cfg.URL = filepath.Join(c.Dir, "ledger.db")
		if _, err := os.Stat(cfg.URL); errors.Is(err, fs.ErrNotExist) {
			if c.ReadOnly {
				return nil, nil
			}
			if err := c.neverBegun(); err != nil {
				return nil, err
			}
		}
	}
	l, err := ledger.Open(ctx, cfg)
	if err != nil || c.ReadOnly {
		return l, err
	}
	if err := l.CheckSecret(ctx); err != nil { // now, not at the first append
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// neverBegun: a ledger that was there and is gone is not begun anew, for who has
// forgotten its debits allows them again.
func (c *serveCmd) neverBegun() error {
	signed, err := filepath.Glob(filepath.Join(c.Dir, ledger.CheckpointDir, "*.txt"))
	if err != nil || len(signed) == 0 {
		return err
	}
	return data.Faultf(data.ErrContract, "serve: %s is not there, but %s says that it was: bring it back (recoup ledger restore F --dir %s); "+
		"to begin a new one all the same, move %s away", filepath.Join(c.Dir, "ledger.db"), signed[0], c.Dir, filepath.Dir(signed[0]))
}

// ledgerName names the ledger without a password.
func (c *serveCmd) ledgerName() string {
	if c.Ledger == "" {
		return filepath.Join(c.Dir, "ledger.db")
	}
	if u, err := url.Parse(c.Ledger); err == nil && strings.HasPrefix(u.Scheme, "postgres") {
		return u.Redacted()
	}
	return c.Ledger
}
