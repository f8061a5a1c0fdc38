package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Changed is a book that was put under another secret.
type Changed struct {
	Tenant string `json:"tenant"`
	From   string `json:"from"` // "" = it had none
	Seq    int64  `json:"seq"`  // of the KeyChange entry
}

// NextKey is the id of the secret that the book's next entry has to be hashed with; "" =
// none.
func (b *Book) NextKey(ctx context.Context) (id string, err error) {
	if err := b.ledger.read.QueryRowContext(ctx, `SELECT key_id FROM books WHERE book = $1`, b.id).Scan(&id); err != nil {
		return "", unavailable("read", err)
	}
	return id, nil
}

// CheckSecret says whether the ledger's secret is the one that its books go on with.
// The error Is ErrBroken; without it, Append would be refused.
func (l *Ledger) CheckSecret(ctx context.Context) error {
	return l.eachBook(ctx, func(b *Book) error {
		id, err := b.NextKey(ctx)
		if err != nil || id == l.config.Secret.ID {
			return err
		}
		what := "and the one at hand is " + l.config.Secret.ID
		if l.config.Secret.ID == "" {
			what = "and there is none at hand"
		}
		return fmt.Errorf("ledger: %s: %w", b.tenant, &Break{What: fmt.Sprintf("the chain goes on %s, %s: put the right one into %s or RECOUP_LEDGER_KEY; "+
			"recoup ledger rotate-key takes a chain from one to the next", with(id), what, KeyFile)})
	})
}

func (l *Ledger) eachBook(ctx context.Context, do func(*Book) error) error {
	tenants, err := l.Tenants(ctx)
	if err != nil {
		return err
	}
	for _, t := range tenants {
		b, err := l.Book(ctx, t, 0)
		if err != nil {
			return err
		}
		if err := do(b); err != nil {
			return err
		}
	}
	return nil
}

// Rotate puts every book under the first of the keys, by an entry that is hashed with
// the secret before and proves that of the new. A book that is under it is left alone;
// so a rotation that was broken off is finished by another. Whoever goes on with the old
// secret is refused by Append.
func Rotate(ctx context.Context, c Config, keys Keys) (changed []Changed, err error) {
	c.Secret = keys.Current()
	under := map[string][]string{} // tenants by the secret that they are under
	err = during(ctx, c, func(l *Ledger) error {
		return l.eachBook(ctx, func(b *Book) error {
			id, err := b.NextKey(ctx)
			if err == nil && id != c.Secret.ID {
				under[id] = append(under[id], b.tenant)
			}
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(under)) {
		tenants := under[id]
		from, known := keys.find(id)
		if id != "" && !known {
			return changed, fmt.Errorf("ledger: %s: %w", tenants[0], &Break{What: "the chain goes on " + with(id) + ", which is not among the secrets at hand (" + keys.ids() + ")"})
		}
		c.Secret = from
		err = during(ctx, c, func(l *Ledger) error {
			for _, t := range tenants {
				seq, err := l.change(ctx, t, keys.Current())
				if err != nil {
					return err
				}
				changed = append(changed, Changed{t, id, seq})
			}
			return nil
		})
		if err != nil {
			return changed, err
		}
	}
	return changed, nil
}

// during opens a ledger for a while.
func during(ctx context.Context, c Config, do func(*Ledger) error) error {
	l, err := Open(ctx, c)
	if err != nil {
		return err
	}
	return errors.Join(do(l), l.Close())
}

// change appends a tenant's KeyChange.
func (l *Ledger) change(ctx context.Context, tenant string, to Secret) (seq int64, err error) {
	b, err := l.Book(ctx, tenant, 0)
	if err != nil {
		return 0, err
	}
	k := keyChange{From: l.config.Secret.ID, To: to.ID, At: l.config.Now().String()}
	k.Proof = k.proof(to, l.id, tenant)
	body, err := json.Marshal(k)
	if err != nil {
		return 0, fmt.Errorf("ledger: key change: %w", err)
	}
	done, err := b.Append(ctx, Job{Drafts: []Draft{{Kind: KeyChange, KnownAt: atOnce, Key: to.ID, Body: body}}})
	if err != nil {
		return 0, err
	}
	return done.Receipts[0].Seq, nil
}
