package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"recoup/data"
)

// Verification says what to hold a chain against.
type Verification struct {
	Keys   Keys   // none = hashes that need a secret are not checked
	Public Public // none = signatures are not checked
	Heads  []Head // checkpoints kept elsewhere; those of other books are passed over
}

// Verdict is what was found of a book.
type Verdict struct {
	Tenant   string `json:"tenant"`
	Intact   bool   `json:"intact"`
	Strength string `json:"strength"` // keyed, or tamper-evident
	Entries  int64  `json:"entries"`  // that were found good
	Erased   int64  `json:"erased"`
	// KeyedFrom is the first entry hashed with a secret that was at hand, 0 = none. Unchecked
	// counts the entries whose hash was not checked, for want of their secret.
	KeyedFrom int64    `json:"keyed_from"`
	Unchecked int64    `json:"unchecked"`
	Secrets   []string `json:"secrets"` // ids, in the order of their use
	// Checkpoints counts those that fit; Signed is how many entries the largest of them
	// covers whose signature was checked.
	Checkpoints int      `json:"checkpoints"`
	Signed      int64    `json:"signed"`
	Root        string   `json:"root"` // of the Merkle tree over the entries, in base64
	Hash        string   `json:"hash"` // of the last entry, in hex
	BrokenAt    int64    `json:"broken_at,omitempty"`
	Broken      string   `json:"broken,omitempty"`
	Warnings    []string `json:"warnings"`
}

// The strengths of a chain.
const (
	Keyed         = "keyed"          // nobody without the secret can have made it
	TamperEvident = "tamper-evident" // whoever can write to the database can have made it all anew
)

// ID names the ledger; it was drawn when it was made.
func (l *Ledger) ID() string { return l.id }

// Tenants lists those that have a book, in the order of their names.
func (l *Ledger) Tenants(ctx context.Context) (names []string, err error) {
	rows, err := l.read.QueryContext(ctx, `SELECT tenant FROM books ORDER BY tenant`)
	if err != nil {
		return nil, unavailable("read", err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, unavailable("read", err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		return nil, unavailable("read", err)
	}
	return names, nil
}

// Verify walks the chain from its first entry. What is broken is in the Verdict and in
// the error, which Is ErrBroken and wraps a *Break; entries that are appended
// meanwhile are checked too.
func (b *Book) Verify(ctx context.Context, v Verification) (Verdict, error) {
	c, err := b.check(ctx, v)
	out := c.verdict(len(v.Public) > 0)
	var broken *Break
	if errors.As(err, &broken) {
		out.BrokenAt, out.Broken = broken.Seq, broken.Error()
	}
	out.Intact = err == nil
	return out, err
}

// check walks the chain.
func (b *Book) check(ctx context.Context, v Verification) (*checker, error) {
	c := newChecker(b.ledger.id, b.tenant, v.Keys)
	for _, h := range v.Heads {
		if h.Origin == origin(b.ledger.id, b.tenant) {
			c.hold(h)
		}
	}
	err := b.ownHeads(ctx, v.Public, c)
	if err == nil {
		err = b.walk(ctx, c)
	}
	if errors.Is(err, ErrBroken) {
		err = fmt.Errorf("ledger: %s: %w", b.tenant, err)
	}
	return c, err
}

// walk checks all entries and then the end.
func (b *Book) walk(ctx context.Context, c *checker) error {
	for {
		before := c.seq
		for n := pageRows; n == pageRows; {
			page, err := b.links(ctx, c.seq)
			if err != nil {
				return err
			}
			for i := range page {
				if err := c.next(&page[i]); err != nil {
					return err
				}
			}
			n = len(page)
		}
		var seq int64
		var hash []byte
		var keyID string
		if err := b.ledger.read.QueryRowContext(ctx, `SELECT seq, hash, key_id FROM books WHERE book = $1`, b.id).Scan(&seq, &hash, &keyID); err != nil {
			return unavailable("verify", err)
		}
		if seq <= c.seq || c.seq == before { // else more came meanwhile
			return c.end(seq, hash, keyID)
		}
	}
}

const sqlLinks = `SELECT seq, known_at, kind, key, case_id, customer_id, key_id, digest, hash, salt, body FROM entries WHERE book = $1 AND seq > $2 ORDER BY seq LIMIT $3`

func (b *Book) links(ctx context.Context, after int64) ([]link, error) {
	rows, err := b.ledger.read.QueryContext(ctx, sqlLinks, b.id, after, int64(pageRows))
	if err != nil {
		return nil, unavailable("verify", err)
	}
	defer rows.Close()
	page := make([]link, 0, pageRows)
	for rows.Next() {
		var l link
		var kind int64
		if err := rows.Scan(&l.Seq, (*int64)(&l.KnownAt), &kind, &l.Key, &l.CaseID, &l.CustomerID, &l.keyID, &l.digest, &l.hash, &l.salt, &l.Body); err != nil {
			return nil, unavailable("verify", err)
		}
		if kind != int64(Kind(kind)) {
			return nil, brokenAt(l.Seq, "kind %d is none", kind)
		}
		l.Kind = Kind(kind)
		page = append(page, l)
	}
	if err := rows.Err(); err != nil {
		return nil, unavailable("verify", err)
	}
	return page, nil
}

// sealed is the body of a Checkpoint entry.
type sealed struct {
	Note string `json:"note"`
	At   string `json:"at"` // RFC 3339, the clock of whoever signed
}

// ownHeads adds the checkpoints that are entries of the book.
func (b *Book) ownHeads(ctx context.Context, keys Public, c *checker) error {
	found, err := b.entries(ctx, `SELECT `+entryColumns+` FROM entries WHERE book = $1 AND kind = $2 ORDER BY seq`, b.id, int64(Checkpoint))
	if err != nil {
		return err
	}
	for i := range found {
		l := link{Entry: found[i]}
		var s sealed
		if err := json.Unmarshal(l.Body, &s); err != nil {
			c.bad[l.Seq] = l.broken("its body is no checkpoint: %v", err)
			continue
		}
		h, err := ParseHead(s.Note, keys)
		switch {
		case err != nil:
			c.bad[l.Seq] = l.broken("%v", err)
		case h.Origin != origin(b.ledger.id, b.tenant) || h.Size >= l.Seq:
			c.bad[l.Seq] = l.broken("its checkpoint is of %s, size %d", h.Origin, h.Size)
		default:
			c.hold(h)
		}
	}
	return nil
}

// hold takes a checkpoint to hold the chain against; copies of one count once.
func (c *checker) hold(h Head) {
	if !slices.Contains(c.heads[h.Size], h) {
		c.heads[h.Size] = append(c.heads[h.Size], h)
	}
}

// verdict says what was found so far.
func (c *checker) verdict(public bool) Verdict {
	v := Verdict{Tenant: c.tenant, Strength: TamperEvident, Entries: c.seq, Erased: c.blank, KeyedFrom: c.keyedFrom, Unchecked: c.unchecked, Secrets: c.secrets,
		Checkpoints: c.fit, Signed: c.signed, Root: c.tree.root().String(), Hash: fmt.Sprintf("%x", c.previous), Warnings: []string{}}
	if c.keyed > 0 && c.unchecked == 0 && c.keyID != "" {
		v.Strength = Keyed
	}
	if v.Secrets == nil {
		v.Secrets = []string{}
	}
	warn := func(format string, args ...any) { v.Warnings = append(v.Warnings, fmt.Sprintf(format, args...)) }
	switch {
	case c.unchecked > 0 && c.signed > 0:
		warn("the hashes of %d entries were not checked, for their secret is not at hand; a signed checkpoint vouches for the first %d entries", c.unchecked, c.signed)
	case c.unchecked > 0:
		warn("the hashes of %d entries were not checked, for their secret is not at hand: of them only the bodies, the order and the end were", c.unchecked)
	case v.Strength == TamperEvident && c.seq > 0:
		warn("no secret hashes this chain: whoever can write to the database can make all of it anew, and only a checkpoint kept elsewhere would tell")
	case c.keyedFrom > 1:
		warn("entries 1 to %d were hashed without a secret, before there was one", c.keyedFrom-1)
	}
	switch {
	case c.fit == 0:
		warn("there is no checkpoint: that entries are missing at the end could not be told")
	case !public:
		warn("the signatures of the checkpoints were not checked: %s is not there", PublicFile)
	}
	return v
}

// named is the error of a checkpoint that is of none of the books.
func (v Verification) named(ledgerID string, tenants []string) error {
	for i := range v.Heads {
		h := &v.Heads[i]
		found := false
		for _, t := range tenants {
			found = found || h.Origin == origin(ledgerID, t)
		}
		if !found {
			return data.Faultf(ErrBroken, "ledger: a checkpoint of size %d is of %s, and this ledger (%s) has no such book", h.Size, h.Origin, ledgerID)
		}
	}
	return nil
}
