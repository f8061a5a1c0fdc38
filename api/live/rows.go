package live

import (
	"recoup/data"
	"recoup/data/ledger"
)

// rowBody is a row as the body of an entry. What the entry itself says, known_at and
// seq, is left at a fixed value: the same row posted twice is the same body.
func rowBody(row data.AnyRow) []byte { return appendRow(nil, row) }

func appendRow(b []byte, row data.AnyRow) []byte {
	e := *row.Event
	row.KnownAt, row.Seq = row.OccurredAt, 0
	defer func() { *row.Event = e }()
	switch r := row.Row.(type) {
	case *data.Attempt:
		return data.AppendJSON(b, r)
	case *data.CaseEvent:
		return data.AppendJSON(b, r)
	case *data.Subscription:
		return data.AppendJSON(b, r)
	case *data.Mandate:
		return data.AppendJSON(b, r)
	case *data.Notice:
		return data.AppendJSON(b, r)
	case *data.Poll:
		return data.AppendJSON(b, r)
	case *data.Promise:
		return data.AppendJSON(b, r)
	case *data.Downtime:
		return data.AppendJSON(b, r)
	case *data.Decision:
		return data.AppendJSON(b, r)
	case *data.Outcome:
		return data.AppendJSON(b, r)
	}
	panic("live: no row of the log")
}

// caseOf is the case that a row names; "" = none.
func caseOf(row any) string {
	switch r := row.(type) {
	case *data.Attempt:
		return r.CaseID
	case *data.CaseEvent:
		return r.CaseID
	case *data.Notice:
		return r.CaseID
	case *data.Promise:
		return r.CaseID
	}
	return ""
}

// customerOf is the customer that a row names; "" = none.
func customerOf(row any) string {
	switch r := row.(type) {
	case *data.Attempt:
		return r.CustomerID
	case *data.Subscription:
		return r.CustomerID
	case *data.Mandate:
		return r.CustomerID
	}
	return ""
}

// foldOf is what an entry says about the customers; ok is false where it says nothing,
// or was erased.
func foldOf(e *ledger.Entry) (fold, bool, error) {
	if e.Kind != ledger.Event {
		return fold{}, false, nil
	}
	row, ok, err := e.Row()
	return fold{e.Seq, row}, ok, err
}
