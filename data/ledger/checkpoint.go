package ledger

import (
	"context"
	"encoding/json"
	"errors"
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
	body, err := json.Marshal(sealed{h.Note, b.ledger.config.Now().String()})
	if err != nil {
		return Head{}, fmt.Errorf("ledger: checkpoint: %w", err)
	}
	_, err = b.Append(ctx, Job{Drafts: []Draft{{Kind: Checkpoint, KnownAt: atOnce, Key: fmt.Sprint(h.Size), Body: body}}})
	if errors.Is(err, ErrConflict) { // another process signed as many entries meanwhile: the same ones
		err = nil
	}
	return h, err
}

// sealed is the checkpoint on all entries but itself, the last one, if there is one.
func (c *checker) sealed() (Head, bool) {
	if c.last != Checkpoint {
		return Head{}, false
	}
	heads := c.heads[c.seq-1]
	if len(heads) == 0 { // it is on fewer
		return Head{}, false
	}
	return heads[len(heads)-1], true
}
