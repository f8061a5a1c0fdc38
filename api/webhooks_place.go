package api

import (
	"recoup/api/live"
	"recoup/data"
)

// attemptSeen is what the ledger has of an attempt.
type attemptSeen struct {
	no                     int32
	failed, paid, refunded bool
}

// placed decides what an event by itself does not say, as ingest --webhooks does for
// an archive: which attempt of its case it is, whether money came late, and which of
// its rows say something new. line is what is known of the case; its zero value =
// nothing.
func placed(rows []data.AnyRow, line *live.Timeline) []data.AnyRow {
	seen, next := attemptsOf(line)
	var kept []data.AnyRow
	for i, row := range rows {
		a, ok := row.Row.(*data.Attempt)
		if !ok {
			kept = append(kept, row)
			continue
		}
		before := seen[a.AttemptID]
		if before == nil {
			a.AttemptNo = next
			kept = append(kept, row)
			continue
		}
		a.AttemptNo = before.no
		alone := len(rows) == 1 // a pending row beside another says when that was presented
		switch a.Status {
		case data.Pending:
			if !alone || !before.failed || before.paid {
				continue
			}
			a.Status = data.AuthorizedLate // an authorisation after a failure: money may come after all
		case data.Captured:
			if before.paid {
				continue
			}
			if before.failed {
				a.Status = data.AuthorizedLate
			}
		case data.Failed:
			if before.failed {
				continue
			}
		case data.Refunded:
			if before.refunded {
				continue
			}
		}
		kept = append(kept, rows[i])
	}
	return kept
}

// attemptsOf gives the attempts of a case by id, and the number of a new one.
func attemptsOf(line *live.Timeline) (seen map[string]*attemptSeen, next int32) {
	seen = map[string]*attemptSeen{}
	if line.Facts != nil {
		next = int32(line.Facts.LastNo) + 1
	}
	for _, m := range line.Entries {
		if m.Row == nil {
			continue
		}
		a, ok := m.Row.Row.(*data.Attempt)
		if !ok {
			continue
		}
		s := seen[a.AttemptID]
		if s == nil {
			s = &attemptSeen{no: a.AttemptNo}
			seen[a.AttemptID] = s
		}
		next = max(next, a.AttemptNo+1)
		switch a.Status {
		case data.Failed:
			s.failed = true
		case data.Captured, data.AuthorizedLate:
			s.paid = true
		case data.Refunded:
			s.refunded = true
		}
	}
	return seen, next
}

// caseOf is the case of the rows' attempt; "" = they have none.
func caseOf(rows []data.AnyRow) string {
	for _, row := range rows {
		if a, ok := row.Row.(*data.Attempt); ok {
			return a.CaseID
		}
	}
	return ""
}
