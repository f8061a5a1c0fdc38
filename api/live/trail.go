package live

import (
	"context"
	"fmt"

	"recoup/data"
	"recoup/data/ledger"
	"recoup/features"
	"recoup/score"
)

// Status is what became of a decision.
type Status uint8

// The statuses.
const (
	Standing   Status = iota + 1
	Done              // its step was taken
	Superseded        // by an event of the case, a model, a policy, the gate or a later decision
	Lapsed            // its time went by
	Closed            // the case is paid, is reported as recovered, or has ended
)

var statusNames = [...]string{Standing: "standing", Done: "done", Superseded: "superseded", Lapsed: "lapsed", Closed: "closed"}

// String is the status's word; "" for 0.
func (s Status) String() string {
	if int(s) >= len(statusNames) {
		return ""
	}
	return statusNames[s]
}

// ParseStatus reads a status's word.
func ParseStatus(s string) (Status, error) {
	for k := Standing; int(k) < len(statusNames); k++ {
		if statusNames[k] == s {
			return k, nil
		}
	}
	return 0, data.Faultf(data.ErrContract, "live: status %q is unknown: expected one of %v", s, statusNames[1:])
}

// Trail is everything about one decision: why it was made, and what came of it.
type Trail struct {
	Decision score.Decision
	Entry    ledger.Entry // as it is in the chain
	Row      []float64    // the feature row of what was decided; nil = no model was asked
	Columns  []string     // of Row
	Status   Status       // 0 = made from a request's own events: nothing becomes of it
	Why      string       // of the status
	Outcomes []data.Outcome
	Results  []Escalation // states of the escalation, oldest first; nil = it asks no person
	Attempts []ledger.Attempt
}

// Trail reads a decision; the error Is ErrUnknown where there is none.
func (d *Desk) Trail(ctx context.Context, decisionID string) (Trail, error) {
	if err := d.ready(ctx); err != nil {
		return Trail{}, err
	}
	e, ok, err := d.book.Find(ctx, ledger.Decision, decisionID)
	if err == nil && !ok {
		e, ok, err = d.book.Find(ctx, ledger.Answer, decisionID)
	}
	if err != nil {
		return Trail{}, err
	}
	if !ok || e.Body == nil {
		return Trail{}, fmt.Errorf("live: decision %s: %w: no decision of this id is recorded, or it was erased", decisionID, ErrUnknown)
	}
	x, err := readDecision(&e)
	if err != nil {
		return Trail{}, err
	}
	out := Trail{Decision: x.Decision, Entry: e, Row: numbers(x.row)}
	out.Columns = columns(&x, len(out.Row))
	if e.Kind == ledger.Answer {
		return out, nil
	}
	entries, err := d.book.Case(ctx, x.CaseID)
	if err != nil {
		return Trail{}, err
	}
	return out, d.became(ctx, &out, &x, entries)
}

// columns names the numbers of a row; nil where this recoup builds others.
func columns(x *decided, n int) []string {
	schema := features.CureSchema()
	if x.Allowed[x.Decided].Action == data.Retry {
		schema = features.AttemptSchema()
	}
	if n != len(schema.Columns) || x.Schema != features.AttemptSchema().Fingerprint() {
		return nil
	}
	out := make([]string, n)
	for i, c := range schema.Columns {
		out[i] = c.Name
	}
	return out
}

// became fills in what came after the decision.
func (d *Desk) became(ctx context.Context, out *Trail, x *decided, entries []ledger.Entry) (err error) {
	if x.Allowed[x.Chosen].Action == data.Escalate {
		if out.Results, err = escalations(x, entries); err != nil {
			return err
		}
	}
	seen := map[string]bool{}
	for i := range entries {
		e := &entries[i]
		row, ok, err := e.Row()
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		switch r := row.Row.(type) {
		case *data.Outcome:
			if r.DecisionID == x.ID {
				out.Outcomes = append(out.Outcomes, *r)
			}
		case *data.Attempt:
			if r.DecisionID != x.ID || seen[r.AttemptID] {
				continue
			}
			seen[r.AttemptID] = true
			a, known, err := d.book.Attempt(ctx, r.AttemptID)
			if err != nil {
				return err
			}
			if known {
				out.Attempts = append(out.Attempts, a)
			}
		}
	}
	return d.status(out, x, entries)
}

// status says what became of a decision by what came after it.
func (d *Desk) status(out *Trail, x *decided, entries []ledger.Entry) error {
	m := madeOf(&news{Entry: &out.Entry, decided: x})
	for i := range entries {
		e := &entries[i]
		if e.KnownAt <= m.asOf || e.Key == x.ID {
			continue
		}
		switch {
		case e.Kind == ledger.Decision && e.Seq > out.Entry.Seq:
			out.Status, out.Why = Superseded, "by decision "+e.Key
			return nil
		case e.Kind == ledger.Event:
			row, ok, err := e.Row()
			if err != nil {
				return err
			}
			if ok && !m.isStep(row.Row) {
				out.Status, out.Why = m.ended(row.Row), fmt.Sprintf("by the event %s of %s, known at %s", e.Key, row.Table, e.KnownAt)
				return nil
			}
		}
	}
	if n := len(out.Results); n > 0 && out.Results[n-1].Result != 0 {
		out.Status, out.Why = Done, "a person answered: "+out.Results[n-1].Result.String()
		return nil
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	t := d.now()
	why, _, err := d.stands(m, d.engine(), t, false)
	f, factsErr := d.state.Facts(x.CaseID, t)
	switch {
	case factsErr != nil || err != nil: // the case is forgotten: long over
		out.Status, out.Why = Lapsed, "nothing is known of the case any more"
	case why == "":
		out.Status, out.Why = Standing, "nothing superseded it, and the gate lets it"
	case !f.Owed || d.reported(x.CaseID) != "":
		out.Status, out.Why = Closed, why
	case t >= m.lapses():
		out.Status, out.Why = Lapsed, why
	default:
		out.Status, out.Why = Superseded, why
	}
	return nil
}

// ended is what a decision is after an event of its case that is no step of it.
func (m *made) ended(row any) Status {
	switch r := row.(type) {
	case *data.Attempt:
		switch {
		case r.DecisionID == m.id:
			return Done
		case r.Status == data.Captured || r.Status == data.AuthorizedLate:
			return Closed
		}
	case *data.Notice:
		if r.Kind.Action() == m.choice.Action {
			return Done
		}
	case *data.CaseEvent:
		return Closed
	}
	return Superseded
}

// Timeline is what the ledger has about a case, oldest first.
type Timeline struct {
	CaseID   string
	Facts    *features.Facts // now; nil = no failure is known
	Reported string          // why nothing is done although it is owed: an outcome says that it recovered; "" = none does
	Entries  []Moment
}

// Moment is an entry of the timeline.
type Moment struct {
	Entry    ledger.Entry
	Row      *data.AnyRow    // of an event or outcome; nil = erased, or none
	Decision *score.Decision // of a decision or answer
	Result   *Escalation     // the escalation after a person's word
}

// Case reads a case's timeline. The error Is ErrUnknown where neither the ledger nor
// the state knows it.
func (d *Desk) Case(ctx context.Context, caseID string) (Timeline, error) {
	if err := d.ready(ctx); err != nil {
		return Timeline{}, err
	}
	entries, err := d.book.Case(ctx, caseID)
	if err != nil {
		return Timeline{}, err
	}
	out := Timeline{CaseID: caseID, Entries: make([]Moment, len(entries))}
	d.mu.RLock()
	if f, err := d.state.Facts(caseID, d.now()); err == nil {
		out.Facts = &f
	}
	out.Reported = d.reported(caseID)
	d.mu.RUnlock()
	if out.Facts == nil && len(entries) == 0 {
		return Timeline{}, fmt.Errorf("live: case %s: %w: neither the ledger nor the log tells of it", caseID, ErrUnknown)
	}
	asked := map[string]*Escalation{}
	for i := range entries {
		if out.Entries[i], err = moment(&entries[i], asked); err != nil {
			return Timeline{}, err
		}
	}
	return out, nil
}

// moment reads an entry; asked are the escalations so far.
func moment(e *ledger.Entry, asked map[string]*Escalation) (Moment, error) {
	m := Moment{Entry: *e}
	if e.Body == nil {
		return m, nil
	}
	switch e.Kind {
	case ledger.Event, ledger.Outcome:
		row, ok, err := e.Row()
		if ok {
			m.Row = &row
		}
		return m, err
	case ledger.Decision, ledger.Answer:
		x, err := readDecision(e)
		if err != nil {
			return m, err
		}
		if m.Decision = &x.Decision; x.Allowed[x.Chosen].Action == data.Escalate {
			asked[x.ID] = escalationOf(&x)
		}
	case ledger.Result:
		return m, m.heard(e, asked)
	}
	return m, nil
}
