package ledger

import (
	"context"
	"encoding/json"
	"fmt"
)

// Checkpoint verifies the chain, signs a statement on all entries that it has and
// appends the statement; a broken chain is never signed. Where nothing but a
// checkpoint came since the last one, that one is given again.
func (b *Book) Checkpoint(ctx context.Context, v Verification, s *Signer) (Head, error) {
	c, err := b.check(ctx, v)
	if err != nil {
		return Head{}, err
	}
	if h, ok := c.sealed(); ok {
		return h, nil
	}
	h, err := s.sign(origin(b.ledger.id, b.tenant), c.seq, c.tree.root())
	if err != nil {
		return Head{}, err
	}
	body, err := json.Marshal(sealed{h.Note})
	if err != nil {
		return Head{}, fmt.Errorf("ledger: checkpoint: %w", err)
	}
	// Whoever is as fast signs the same note: Ed25519 knows no dice.
	_, err = b.Append(ctx, Job{Drafts: []Draft{{Kind: Checkpoint, Key: fmt.Sprint(h.Size), Body: body}}})
	return h, err
}

// sealed is the checkpoint on all entries but itself, the last one, if there is one.
func (c *checker) sealed() (Head, bool) {
	if c.last != Checkpoint {
		return Head{}, false
	}
	for _, h := range c.heads[c.seq-1] {
		if h.Signed {
			return h, true
		}
	}
	return Head{}, false
}
