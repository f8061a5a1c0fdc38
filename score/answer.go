package score

import "recoup/data"

// Answer decides for a request of its own: its events are all that is known.
func (e *Engine) Answer(r *Request) (Decision, error) {
	if r == nil || r.state == nil {
		return Decision{}, data.Faultf(data.ErrUsage, "score: a request comes from ParseRequest")
	}
	d, err := e.decide(r.state, r.CaseID, r.AsOf.KnownAt, r.Candidates)
	if err != nil {
		return Decision{}, err
	}
	d.Warnings = append(d.Warnings, r.Warnings...)
	return d, nil
}
