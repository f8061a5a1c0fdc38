package ledger

import (
	"context"

	"recoup/data"
)

// KeepAnswers is how long an idempotency key's answer is kept at least.
const KeepAnswers = 48 * data.Hour

// sweep drops answers that are old, somewhat more than came in: nobody waits for
// a long deletion.
func (g *group) sweep(ctx context.Context, h *head) error {
	before := g.ledger.config.Now() - KeepAnswers
	_, err := g.st.onceSweep.ExecContext(ctx, h.book.id, int64(before), int64(2*h.keys+8))
	return err
}
