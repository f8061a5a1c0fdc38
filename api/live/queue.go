package live

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"recoup/data"
	"recoup/data/ledger"
)

// Escalation is a case that a person is asked about.
type Escalation struct {
	DecisionID string
	CaseID     string
	CustomerID string
	Route      data.Route // human_review or merchant_alert
	Amount     data.Paise
	Reason     data.Reason
	Since      data.Micros
	Owner      string // "" = nobody yet
	Deadline   data.Micros
	Result     Result // 0 = open
	Note       string
	Changes    int // how often a person changed it
}

// Result is what a person found.
type Result uint8

// The results.
const (
	Resolved   Result = iota + 1 // nothing is left to do: events tell what
	Promised                     // the customer promised to pay
	Unreached                    // nobody answered
	GivenUp                      // the charge is written off
	HandedBack                   // recoup may decide again
)

var resultNames = [...]string{Resolved: "resolved", Promised: "promised", Unreached: "unreached", GivenUp: "given_up", HandedBack: "handed_back"}

// String is the result's word; "" for 0.
func (r Result) String() string {
	if int(r) >= len(resultNames) {
		return ""
	}
	return resultNames[r]
}

// ParseResult reads a result's word.
func ParseResult(s string) (Result, error) {
	for r := Resolved; int(r) < len(resultNames); r++ {
		if resultNames[r] == s {
			return r, nil
		}
	}
	return 0, data.Faultf(data.ErrContract, "live: result %q is unknown: expected one of %v", s, resultNames[1:])
}

// Change is what a person says about an escalation; what is zero stays.
type Change struct {
	Owner    string
	Deadline data.Micros
	Result   Result
	Note     string
}

// resultBody is the body of a Result's entry: the escalation's n-th change.
type resultBody struct {
	DecisionID string      `json:"decision_id"`
	N          int         `json:"n"`
	Owner      string      `json:"owner,omitempty"`
	Deadline   data.Micros `json:"deadline_us,omitempty"`
	Result     string      `json:"result,omitempty"`
	Note       string      `json:"note,omitempty"`
}

// apply makes the change.
func (b *resultBody) apply(e *Escalation) {
	if b.Owner != "" {
		e.Owner = b.Owner
	}
	if b.Deadline != 0 {
		e.Deadline = b.Deadline
	}
	if r, err := ParseResult(b.Result); err == nil {
		e.Result = r
	}
	if b.Note != "" {
		e.Note = b.Note
	}
	e.Changes = max(e.Changes, b.N)
}

// escalation is what a decision asks a person for.
func escalation(n *news) *Escalation { return escalationOf(n.decided) }

func escalationOf(x *decided) *Escalation {
	return &Escalation{DecisionID: x.ID, CaseID: x.CaseID, CustomerID: x.CustomerID, Route: x.Allowed[x.Chosen].Kind, Amount: x.Amount, Reason: x.Reason,
		Since: x.DecidedAt, Deadline: x.DecidedAt + AnswerBy}
}

// Queue lists the escalations without a result whose case is still owed, the earliest
// deadline first.
func (d *Desk) Queue(ctx context.Context) ([]Escalation, error) {
	if err := d.ready(ctx); err != nil {
		return nil, err
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	out, t := []Escalation{}, d.now()
	for id, n := range d.cases {
		if n.asked == nil || n.asked.Result != 0 {
			continue
		}
		if f, err := d.state.Facts(id, t); err == nil && f.Owed {
			out = append(out, *n.asked)
		}
	}
	slices.SortFunc(out, func(a, b Escalation) int {
		return cmp.Or(cmp.Compare(a.Deadline, b.Deadline), cmp.Compare(a.CaseID, b.CaseID))
	})
	return out, nil
}

// Resolve records what a person says. The error Is ErrUnknown where no such
// escalation is, and ledger.ErrConflict where somebody else changed it meanwhile. The
// same change as the latest one, sent again, changes nothing.
//
// once makes the once of a request for the state that follows; nil, or a nil Once = no key.
func (d *Desk) Resolve(ctx context.Context, decisionID string, c Change, once func(*Escalation) *ledger.Once) (Escalation, ledger.Done, error) {
	if err := d.writable(); err != nil {
		return Escalation{}, ledger.Done{}, err
	}
	states, err := d.escalation(ctx, decisionID)
	if err != nil {
		return Escalation{}, ledger.Done{}, err
	}
	now := states[len(states)-1]
	body := resultBody{DecisionID: decisionID, N: now.Changes + 1, Owner: c.Owner, Deadline: c.Deadline, Result: c.Result.String(), Note: c.Note}
	next, job := now, ledger.Job{}
	body.apply(&next)
	changed := next
	if changed.Changes = now.Changes; changed == now {
		next = now // nothing new
	} else if job.Drafts, err = d.resultDraft(&now, &body); err != nil {
		return now, ledger.Done{}, err
	}
	if once != nil {
		job.Once = once(&next)
	}
	if len(job.Drafts) == 0 && job.Once == nil {
		return next, ledger.Done{}, nil
	}
	done, err := d.book.Append(ctx, job)
	return next, done, err
}

// resultDraft is the entry of a person's word.
func (d *Desk) resultDraft(e *Escalation, body *resultBody) ([]ledger.Draft, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("live: escalation %s: %w", e.DecisionID, err)
	}
	return []ledger.Draft{{Kind: ledger.Result, Key: fmt.Sprintf("%s:%d", e.DecisionID, body.N), CaseID: e.CaseID, CustomerID: e.CustomerID,
		KnownAt: d.stated(d.Now()), Body: b}}, nil
}

// escalation reads the states of an escalation from the book, oldest first.
func (d *Desk) escalation(ctx context.Context, decisionID string) ([]Escalation, error) {
	e, ok, err := d.book.Find(ctx, ledger.Decision, decisionID)
	if err != nil {
		return nil, err
	}
	if !ok || e.Body == nil {
		return nil, fmt.Errorf("live: escalation %s: %w: no decision of this id is recorded", decisionID, ErrUnknown)
	}
	x, err := readDecision(&e)
	if err != nil {
		return nil, err
	}
	if x.Allowed[x.Chosen].Action != data.Escalate {
		return nil, fmt.Errorf("live: escalation %s: %w: the decision asks no person", decisionID, ErrUnknown)
	}
	entries, err := d.book.Case(ctx, x.CaseID)
	if err != nil {
		return nil, err
	}
	return escalations(&x, entries)
}

// escalations are the states of an escalation by the entries of its case, oldest first.
func escalations(x *decided, entries []ledger.Entry) ([]Escalation, error) {
	out := []Escalation{*escalationOf(x)}
	for i := range entries {
		e := &entries[i]
		if e.Kind != ledger.Result || e.Body == nil {
			continue
		}
		var b resultBody
		if err := json.Unmarshal(e.Body, &b); err != nil {
			return nil, data.Faultf(data.ErrContract, "live: entry %d (%s %s): %w", e.Seq, e.Kind, e.Key, err)
		}
		if b.DecisionID == x.ID {
			next := out[len(out)-1]
			b.apply(&next)
			out = append(out, next)
		}
	}
	return out, nil
}

// heard reads a person's word about one of the escalations so far.
func (m *Moment) heard(e *ledger.Entry, asked map[string]*Escalation) error {
	var b resultBody
	if err := json.Unmarshal(e.Body, &b); err != nil {
		return data.Faultf(data.ErrContract, "live: entry %d (%s %s): %w", e.Seq, e.Kind, e.Key, err)
	}
	if about := asked[b.DecisionID]; about != nil {
		b.apply(about)
		now := *about
		m.Result = &now
	}
	return nil
}
