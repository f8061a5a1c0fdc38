package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"

	"recoup/api"
	"recoup/data"
	"recoup/data/ledger"
)

type ledgerEraseCmd struct {
	Customer string `required:"" placeholder:"C" help:"The customer's id."`
	Tenant   string `default:"main" placeholder:"T" help:"Whose customer it is."`
	Why      string `placeholder:"W" help:"Reason, for the entry that says so. It stays: do not name the customer in it."`
	ledgerFlags
}

// Help says what goes and what stays.
func (*ledgerEraseCmd) Help() string {
	return "Blanked are the bodies and the case and customer ids of all entries that name the customer, and of his cases' entries that name nobody. " +
		"Their hashes, times and keys (event, decision and attempt ids) stay, so that the chain still verifies, and an entry says which were blanked.\n\n" +
		"Not touched: what D/events has already (its files never change: make it anew from a source without him), backups, and what a running server remembers until its restart.\n\n" + exitCodes
}

func (c *ledgerEraseCmd) Run(ctx context.Context, e *env) error {
	return c.with(ctx, e, false, func(l *ledger.Ledger, _ ledger.Verification) error {
		if _, err := oneTenant(ctx, l, c.Tenant); err != nil {
			return err
		}
		b, err := l.Book(ctx, c.Tenant, 0)
		if err != nil {
			return err
		}
		x, err := b.Erase(ctx, c.Customer, c.Why)
		if err != nil {
			return err
		}
		if c.JSON {
			return e.printJSON(x)
		}
		if x.Seq == 0 {
			fmt.Fprintf(e.stdout, "%s: no entry names %s\n", c.Tenant, c.Customer)
			return nil
		}
		fmt.Fprintf(e.stdout, "%s: %d entries are blank now, and %d answers kept for Idempotency-Keys are gone; entry %d says so\n", c.Tenant, x.Entries, x.Answers, x.Seq)
		if x.Exported > 0 {
			fmt.Fprintf(e.stdout, "  %d of them were exported before: %s still has them\n", x.Exported, api.TenantDir(c.Dir, c.Tenant)+"/events")
		}
		return nil
	})
}

type ledgerCheckpointCmd struct {
	Tenant string `placeholder:"T" help:"One tenant alone; by default all that have a book."`
	ledgerFlags
}

// Help says what a checkpoint is good for.
func (*ledgerCheckpointCmd) Help() string {
	return "A checkpoint is a signed note (Ed25519) over the number of entries and the root of the Merkle tree over them. It becomes an entry, and a file in D/checkpoints. " +
		"Keep a copy where whoever can write to the ledger cannot: it shows that entries are missing at the end, and that a chain was made anew, and whoever has " + ledger.PublicFile +
		" can check it. The key is made at the first checkpoint.\n\n" + exitCodes
}

// keptHead is a checkpoint and where it was put.
type keptHead struct {
	Tenant string `json:"tenant"`
	Size   int64  `json:"size"`
	Root   string `json:"root"`
	File   string `json:"file"`
	Note   string `json:"note"`
}

func (c *ledgerCheckpointCmd) Run(ctx context.Context, e *env) error {
	return c.with(ctx, e, false, func(l *ledger.Ledger, v ledger.Verification) error {
		names, err := oneTenant(ctx, l, c.Tenant)
		if err != nil {
			return err
		}
		kept := []keptHead{}
		for _, name := range names {
			h, path, err := checkpoint(ctx, l, c.Dir, name, v)
			if err != nil {
				return err
			}
			kept = append(kept, keptHead{name, h.Size, h.Root.String(), path, h.Note})
		}
		if c.JSON {
			return e.printJSON(map[string]any{"checkpoints": kept})
		}
		for _, k := range kept {
			fmt.Fprintf(e.stdout, "%s: %d entries, in %s\n\n%s\n", k.Tenant, k.Size, k.File, k.Note)
		}
		_, err = fmt.Fprintf(e.stdout, "Keep a copy elsewhere; recoup verify --dir %s --checkpoint COPY holds the ledger against it.\n", c.Dir)
		return err
	})
}

// checkpoint signs a tenant's chain with the key of the folder and keeps the note there.
func checkpoint(ctx context.Context, l *ledger.Ledger, dir, tenant string, v ledger.Verification) (ledger.Head, string, error) {
	key, err := ledger.FindSigner(dir, rand.Reader)
	if err != nil {
		return ledger.Head{}, "", err
	}
	if v.Public, err = ledger.FindPublic(dir); err != nil {
		return ledger.Head{}, "", err
	}
	b, err := l.Book(ctx, tenant, 0)
	if err != nil {
		return ledger.Head{}, "", err
	}
	h, err := b.Checkpoint(ctx, v, key)
	if err != nil {
		return h, "", err
	}
	path, err := h.Keep(dir)
	return h, path, err
}

type ledgerRotateKeyCmd struct{ ledgerFlags }

// Help says how secrets change.
func (*ledgerRotateKeyCmd) Help() string {
	return "A new secret is put at the head of D/ledger.key, and each book gets an entry that the old one hashes and that proves the new one. The old ones stay in the file: they verify what they hashed. " +
		"A server that runs is refused by its ledger from then on: restart it.\n\n" +
		"Where the secrets are in RECOUP_LEDGER_KEY: put the new one before the old ones, separated by a space, and run this with it. A rotation that was broken off is finished the same way. " +
		"A ledger begun without a secret gets its first one.\n\n" + exitCodes
}

func (c *ledgerRotateKeyCmd) Run(ctx context.Context, e *env) error {
	cfg, keys, err := c.config(e)
	if err != nil {
		return err
	}
	begun := false // a rotation, by who put a new secret first
	if err := c.with(ctx, e, true, func(l *ledger.Ledger, _ ledger.Verification) error {
		err := l.CheckSecret(ctx)
		if begun = len(keys) > 0 && errors.Is(err, ledger.ErrBroken); begun || len(keys) == 0 {
			return nil
		}
		return err
	}); err != nil {
		return err
	}
	if !begun {
		if os.Getenv("RECOUP_LEDGER_KEY") != "" {
			return data.Faultf(data.ErrUsage, "ledger: rotate-key: the secrets are in RECOUP_LEDGER_KEY, and its first one is in use: put the new one before it (head -c 32 /dev/urandom | base64), and run this again")
		}
		s, err := ledger.NewSecret(rand.Reader)
		if err != nil {
			return err
		}
		keys = append(ledger.Keys{s}, keys...)
		if err := keys.Keep(c.Dir); err != nil {
			return err
		}
	}
	changed, err := ledger.Rotate(ctx, cfg, keys)
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(map[string]any{"secret": keys.Current().ID, "changed": changed})
	}
	for _, x := range changed {
		from := "secret " + x.From
		if x.From == "" {
			from = "no secret"
		}
		fmt.Fprintf(e.stdout, "%s: from %s to secret %s, by entry %d\n", x.Tenant, from, keys.Current().ID, x.Seq)
	}
	_, err = fmt.Fprintln(e.stdout, "Restart the servers. Keep the old secrets: they verify what they hashed.")
	return err
}
