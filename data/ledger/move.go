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
		return m.otherID()
	case err != nil:
		return err
	case m.CaseID != "" && (caseID != m.CaseID || no != m.No):
		return m.otherPlace(caseID, no)
	}
	_, err = g.st.move.ExecContext(ctx, h.book.id, m.AttemptID, int64(m.To), r.Seq, int64(r.KnownAt), int64(Unknown), m.ByPoll)
	return err
}

// repeats says whether a move that is told again, and so moves nothing, is of the
// attempt that its id names and that its number names; nil = there is no move.
func (g *group) repeats(ctx context.Context, h *head, m *Move) error {
	if m == nil || m.CaseID == "" {
		return nil
	}
	var caseID, id string
	var no int32
	err := g.st.attemptIs.QueryRowContext(ctx, h.book.id, m.AttemptID).Scan(&caseID, &no)
	if err == nil && (caseID != m.CaseID || no != m.No) {
		return m.otherPlace(caseID, no)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	err = g.st.attemptNo.QueryRowContext(ctx, h.book.id, m.CaseID, int64(m.No)).Scan(&id)
	if err == nil {
		return m.otherID()
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil // only rows without a number told of it
	}
	return err
}

func (m *Move) otherID() error {
	return data.Faultf(ErrConflict, "ledger: append: attempt %d of case %q has another attempt_id than %q", m.No, m.CaseID, m.AttemptID)
}

func (m *Move) otherPlace(caseID string, no int32) error {
	return data.Faultf(ErrConflict, "ledger: append: attempt_id %q is attempt %d of case %q, not %d of %q", m.AttemptID, no, caseID, m.No, m.CaseID)
}
