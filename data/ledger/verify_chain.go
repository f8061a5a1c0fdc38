package ledger

import (
	"bytes"
	"crypto/hmac"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"recoup/data"
)

// link is an entry as the database has it.
type link struct {
	Entry
	keyID              string
	digest, hash, salt []byte
}

// checker walks a chain from its first entry and stops at the first that is not what was
// written.
type checker struct {
	ledgerID, tenant string
	keys             Keys
	hashers          map[string]*hasher
	heads            map[int64][]Head // by size
	bad              map[int64]error  // what is wrong with checkpoints that are entries, by seq

	previous  [32]byte
	seq       int64
	knownAt   data.Micros
	keyID     string // of the next entry
	last      Kind   // of the latest entry
	started   bool
	tree      tree
	wanted    spans // erased entries that an Erasure has still to name
	erased    spans // named by Erasures
	rec       []byte
	unchecked int64 // hashes whose secret is not at hand
	keyed     int64 // hashes that were checked with a secret
	keyedFrom int64
	blank     int64
	secrets   []string
	agreed    int64 // size of the largest checkpoint that fits
	signed    int64 // and of the largest signed by a known key
	fit       int
}

func newChecker(ledgerID, tenant string, keys Keys) *checker {
	c := &checker{ledgerID: ledgerID, tenant: tenant, keys: keys, heads: map[int64][]Head{}, bad: map[int64]error{}, previous: genesis(ledgerID, tenant), hashers: map[string]*hasher{"": newHasher(Secret{})}}
	for _, k := range keys {
		c.hashers[k.ID] = newHasher(k)
	}
	return c
}

// next checks the next entry. The error Is ErrBroken and names it.
func (c *checker) next(l *link) error {
	if l.Seq != c.seq+1 {
		if l.Seq == c.seq+2 {
			return brokenAt(c.seq+1, "it is missing")
		}
		return brokenAt(c.seq+1, "it and the entries up to %d are missing", l.Seq-1)
	}
	if l.Kind.String() == "" {
		return l.broken("kind %d is none", uint8(l.Kind))
	}
	if l.KnownAt <= c.knownAt && c.started {
		return l.broken("its known_at %s is not after %s, that of the entry before", l.KnownAt, c.knownAt)
	}
	if err := c.content(l); err != nil {
		return err
	}
	if err := c.link(l); err != nil {
		return err
	}
	c.seq, c.knownAt, c.last, c.previous, c.started = l.Seq, l.KnownAt, l.Kind, [32]byte(l.hash), true
	c.tree.add(tlog.RecordHash(append(c.rec, l.hash...)))
	if err := c.meaning(l); err != nil {
		return err
	}
	return c.compare()
}

// content checks what the entry says against its digest.
func (c *checker) content(l *link) error {
	if len(l.digest) != 32 || len(l.hash) != 32 {
		return l.broken("its digest or hash is not of 32 bytes")
	}
	if l.Body == nil && l.salt == nil {
		if l.CaseID != "" || l.CustomerID != "" {
			return l.broken("it is erased, and names a case or a customer")
		}
		c.blank++
		c.wanted.add(l.Seq)
		return nil
	}
	if l.Body == nil || l.salt == nil {
		return l.broken("it has lost its body or its salt alone")
	}
	if d := digest(l.salt, l.CaseID, l.CustomerID, l.Body); !bytes.Equal(d[:], l.digest) {
		return l.broken("its body, case or customer is not what was written")
	}
	return nil
}

// link checks the entry's hash, which ties it to all before it.
func (c *checker) link(l *link) error {
	if !c.started {
		c.keyID = l.keyID
	}
	if l.keyID != c.keyID {
		return l.broken("it is hashed %s, where the chain goes on %s and no key change says otherwise", with(l.keyID), with(c.keyID))
	}
	c.rec = record(c.rec[:0], c.previous, l.Seq, int64(l.KnownAt), l.Kind, l.Key, l.keyID, [32]byte(l.digest))
	h, known := c.hashers[l.keyID]
	if !known {
		if len(c.keys) > 0 {
			return l.broken("it is hashed %s, which is not among the secrets given (%s): another ledger's secret, or another's chain", with(l.keyID), c.keys.ids())
		}
		c.unchecked++
		return nil
	}
	if sum := h.next(c.previous, l.Seq, int64(l.KnownAt), l.Kind, l.Key, [32]byte(l.digest)); !hmac.Equal(sum[:], l.hash) {
		if l.keyID == "" {
			return l.broken("its hash does not fit it and the entry before")
		}
		return l.broken("its hash does not fit it and the entry before: it was changed, or hashed with another secret than %s", l.keyID)
	}
	if l.keyID != "" {
		if c.keyed == 0 {
			c.keyedFrom = l.Seq
		}
		c.keyed++
	}
	return nil
}

// meaning takes in what an entry says about the chain itself.
func (c *checker) meaning(l *link) error {
	if n := len(c.secrets); l.keyID != "" && (n == 0 || c.secrets[n-1] != l.keyID) {
		c.secrets = append(c.secrets, l.keyID)
	}
	switch l.Kind {
	case Checkpoint:
		return c.bad[l.Seq]
	case Erasure:
		e, err := readErasure(l.Body)
		if err != nil {
			return l.broken("%v", err)
		}
		for _, s := range e.Erased {
			if s[0] < 1 || s[1] < s[0] || s[1] >= l.Seq {
				return l.broken("it says that entries %d to %d were erased", s[0], s[1])
			}
			c.erased = append(c.erased, s)
		}
	case KeyChange:
		k, err := readKeyChange(l.Body)
		if err != nil {
			return l.broken("%v", err)
		}
		if k.From != l.keyID || k.To != l.Key || k.To == "" || k.To == k.From {
			return l.broken("it changes the key from %q to %q", k.From, k.To)
		}
		if s, ok := c.keys.find(k.To); ok && !k.fits(s, c.ledgerID, c.tenant) {
			return l.broken("its proof of having secret %s does not fit", k.To)
		}
		c.keyID = k.To
	}
	return nil
}

// compare holds the checkpoints of this size against the tree.
func (c *checker) compare() error {
	for _, h := range c.heads[c.seq] {
		if h.Root != c.tree.root() {
			return brokenAt(c.agreed+1, "it or one of the entries up to %d was rewritten after the checkpoint of size %d: their root is %s, the checkpoint says %s", c.seq, h.Size, c.tree.root(), h.Root)
		}
		c.agreed = h.Size
		if h.Signed {
			c.signed = h.Size
		}
		c.fit++
	}
	return nil
}

// end checks that the chain ends where the book and the checkpoints say.
func (c *checker) end(seq int64, hash []byte, keyID string) error {
	if c.seq < seq {
		return c.missing(fmt.Sprintf("the book has %d", seq), seq)
	}
	for size := range c.heads {
		if size > c.seq {
			return c.missing(fmt.Sprintf("a checkpoint says that there were %d", c.largest()), c.largest())
		}
	}
	if seq != c.seq || !bytes.Equal(hash, c.previous[:]) {
		return brokenAt(c.seq, "the book says that entry %d is its last, and gives it another hash", seq)
	}
	if c.started && keyID != c.keyID {
		return brokenAt(c.seq, "the book says that what follows it is hashed %s, the entries say %s", with(keyID), with(c.keyID))
	}
	if seq, ok := c.erased.join().lacks(c.wanted); ok {
		return brokenAt(seq, "it has lost its body, and no erasure says so")
	}
	if len(c.keys) > 0 && c.started && c.keyID == "" {
		return brokenAt(c.seq, "the last one, it is hashed without a secret, and there is one: the chain was rewritten, or it was begun without (recoup ledger rotate-key puts it under one)")
	}
	return nil
}

func (c *checker) largest() (size int64) {
	for s := range c.heads {
		size = max(size, s)
	}
	return size
}

func (c *checker) missing(why string, to int64) error {
	if to == c.seq+1 {
		return brokenAt(to, "the last one, it is missing: %s", why)
	}
	return brokenAt(c.seq+1, "it and the entries up to %d, the last ones, are missing: %s", to, why)
}

func with(keyID string) string {
	if keyID == "" {
		return "without a secret"
	}
	return "with secret " + keyID
}
