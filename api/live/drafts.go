package live

import (
	"context"
	"fmt"

	"recoup/data"
	"recoup/data/ledger"
)

// drafts are the entries that posted rows become. numbered says that the numbers of
// attempts are the poster's own, so that one of a case has one attempt.
func (d *Desk) drafts(ctx context.Context, rows []data.AnyRow, numbered bool) ([]ledger.Draft, error) {
	out := make([]ledger.Draft, 0, len(rows))
	cases := map[string]string{} // by attempt
	for _, row := range rows {
		if a, ok := row.Row.(*data.Attempt); ok {
			cases[a.AttemptID] = a.CaseID
		}
	}
	for _, row := range rows {
		x := ledger.Draft{Kind: ledger.Event, Key: row.EventID, CaseID: caseOf(row.Row), CustomerID: customerOf(row.Row), Body: rowBody(row)}
		if d.cfg.Replay {
			x.KnownAt = row.KnownAt
		}
		switch r := row.Row.(type) {
		case *data.Attempt:
			// One status of one attempt is one event, whatever the event_id of it.
			x.Claims = []ledger.Claim{{Name: "attempt " + r.AttemptID + " " + r.Status.String(), Same: true}}
			x.Move = &ledger.Move{AttemptID: r.AttemptID, To: stateOf(r.Status)}
			if numbered {
				x.Move.CaseID, x.Move.No = r.CaseID, r.AttemptNo
				x.Claims[0].Alike = alike(r)
			}
		case *data.Poll:
			caseID, ok := cases[r.AttemptID]
			if !ok {
				a, known, err := d.book.Attempt(ctx, r.AttemptID)
				if err != nil {
					return nil, err
				}
				if known {
					caseID = a.CaseID
				}
			}
			x.CaseID = caseID
			if to := polledState(r.Status); to != 0 {
				x.Move = &ledger.Move{AttemptID: r.AttemptID, To: to, ByPoll: true}
			}
		case *data.Decision, *data.Outcome:
			return nil, data.Faultf(data.ErrUsage, "live: a row of %s is no event", row.Table)
		}
		if x.CustomerID == "" && x.CaseID != "" {
			x.CustomerID = d.customerOf(x.CaseID)
		}
		out = append(out, x)
	}
	return out, nil
}

// customerOf is whose case it is; "" = not known.
func (d *Desk) customerOf(caseID string) string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	f, err := d.state.Facts(caseID, d.state.AsOf().KnownAt)
	if err != nil {
		return ""
	}
	return f.CustomerID
}

// stateOf is what a status says of an attempt.
func stateOf(s data.AttemptStatus) ledger.AttemptState {
	switch s {
	case data.Captured, data.AuthorizedLate:
		return ledger.Captured
	case data.Failed:
		return ledger.Failed
	case data.Refunded:
		return ledger.Refunded
	}
	return ledger.Intended
}

// polledState is what a status check says of an attempt; 0 = nothing new.
func polledState(s data.PollStatus) ledger.AttemptState {
	switch s {
	case data.PollCaptured:
		return ledger.Captured
	case data.PollFailed:
		return ledger.Failed
	case data.PollUnknown:
		return ledger.Unknown
	}
	return 0
}

// AttemptKey names the n-th attempt of a case.
func AttemptKey(caseID string, n int32) string { return fmt.Sprintf("%s:%d", caseID, n) }
