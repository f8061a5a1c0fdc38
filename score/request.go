package score

import "recoup/data"

// Request is the body of a decision: {"as_of": T, "events": [rows], "case_id": "..."}.
type Request struct {
	AsOf   data.Cursor
	CaseID string // the case to decide; found where the events hold one open case
}

// ParseRequest reads a body. Every fault is reported at once; a request with
// faults is nil.
func ParseRequest(body []byte) (*Request, []data.Fault) {
	return nil, []data.Fault{{Message: "score: not built"}}
}
