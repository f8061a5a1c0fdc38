package ledger

import (
	"encoding/json"

	"recoup/data"
)

// Row is the entry as a row of the event log: KnownAt and Seq are the entry's, and
// EventID is its key where it is an event or an outcome. ok is false for an entry that
// is none (an answer, a result, ...) and for an erased one. A body that is no
// row is an error that Is data.ErrContract.
func (e *Entry) Row() (row data.AnyRow, ok bool, err error) {
	body := e.Body
	switch {
	case body == nil:
		return data.AnyRow{}, false, nil
	case e.Kind == Decision:
		var d struct {
			Decision json.RawMessage `json:"decision"`
		}
		if err := json.Unmarshal(body, &d); err != nil {
			return data.AnyRow{}, false, e.faultf("its body is no decision: %w", err)
		}
		body = d.Decision
	case e.Kind != Event && e.Kind != Outcome:
		return data.AnyRow{}, false, nil
	}
	r, faults := data.OpenJSON(body)
	if len(faults) > 0 {
		return data.AnyRow{}, false, e.faultf("its body is no row of the event log: %v", faults[0])
	}
	row, _, ok = r.Row()
	if faults := r.Faults(); len(faults) > 0 || !ok {
		return data.AnyRow{}, false, e.faultf("its body is no row of the event log: %v", faults)
	}
	if want := e.Kind.table(); want != "" && row.Table != want {
		return data.AnyRow{}, false, e.faultf("its body is a row of %s, expected one of %s", row.Table, want)
	}
	if e.Kind != Decision {
		row.EventID = e.Key
	}
	row.KnownAt, row.Seq = e.KnownAt, e.Seq
	return row, true, nil
}

// table is the one whose rows the kind holds; "" = any.
func (k Kind) table() string {
	switch k {
	case Decision:
		return "decisions"
	case Outcome:
		return "outcomes"
	}
	return ""
}

// faultf is something wrong with the entry.
func (e *Entry) faultf(format string, args ...any) error {
	return data.Faultf(data.ErrContract, "ledger: entry %d (%s %s): "+format, append([]any{e.Seq, e.Kind, e.Key}, args...)...)
}
