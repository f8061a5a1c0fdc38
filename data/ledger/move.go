package ledger

import (
	"context"
	"database/sql"
	"errors"

	"recoup/data"
)

// move makes an attempt known or moves it. The case and number of an attempt stay.
func (g *group) move(ctx context.Context, h *head, m *Move, r Receipt) error {
	if m.CaseID != "" {
		first, err := inserted(g.st.attempt.ExecContext(ctx, h.book.id, m.AttemptID, m.CaseID, int64(m.No), int64(m.To), r.Seq, int64(r.KnownAt)))
		if err != nil || first {
			return err
		}
	}
	var caseID string
	var no int32
	err := g.st.attemptIs.QueryRowContext(ctx, h.book.id, m.AttemptID).Scan(&caseID, &no)
	switch {
	case errors.Is(err, sql.ErrNoRows) && m.CaseID == "":
		return nil // a poll of an attempt that nobody reported
	case errors.Is(err, sql.ErrNoRows):
		return data.Faultf(ErrConflict, "ledger: append: attempt %d of case %q has another attempt_id than %q", m.No, m.CaseID, m.AttemptID)
	case err != nil:
		return err
	case m.CaseID != "" && (caseID != m.CaseID || no != m.No):
		return data.Faultf(ErrConflict, "ledger: append: attempt_id %q is attempt %d of case %q, not %d of %q", m.AttemptID, no, caseID, m.No, m.CaseID)
	}
	_, err = g.st.move.ExecContext(ctx, h.book.id, m.AttemptID, int64(m.To), r.Seq, int64(r.KnownAt), int64(Unknown), m.ByPoll)
	return err
}
