package live

import (
	"encoding/json"
	"fmt"

	"recoup/data"
	"recoup/data/ledger"
)

// news is an entry made ready outside the lock.
type news struct {
	*ledger.Entry
	row     *data.AnyRow // of an event or an outcome
	decided *decided
	result  *resultBody
}

// apply takes in what the book has got, in its order: the book's follower.
func (d *Desk) apply(entries []ledger.Entry) {
	all := make([]news, 0, len(entries))
	var fault error
	for i := range entries {
		n, err := d.read(&entries[i])
		if err != nil {
			fault = err
			break
		}
		all = append(all, n)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range all {
		if d.broken != nil {
			return
		}
		if err := d.hear(&all[i]); err != nil {
			d.broken = fmt.Errorf("live: entry %d: %w: start again, and look at the ledger with recoup verify", all[i].Seq, err)
		}
	}
	if fault != nil && d.broken == nil {
		d.broken = fmt.Errorf("live: %w: look at the ledger with recoup verify", fault)
	}
}

// read makes an entry ready. An erased one says nothing any more.
func (d *Desk) read(e *ledger.Entry) (news, error) {
	n := news{Entry: e}
	if e.Body == nil {
		return n, nil
	}
	switch e.Kind {
	case ledger.Event, ledger.Outcome:
		row, ok, err := e.Row()
		if err == nil && ok {
			n.row = &row
		}
		return n, err
	case ledger.Decision:
		if n.decided = d.own.take(e.Key); n.decided == nil {
			read, err := readDecision(e)
			n.decided = &read
			return n, err
		}
	case ledger.Result:
		n.result = &resultBody{}
		return n, json.Unmarshal(e.Body, n.result)
	}
	return n, nil
}

// hear takes in one entry.
func (d *Desk) hear(n *news) error {
	d.head = max(d.head, n.KnownAt)
	switch {
	case n.Kind == ledger.Event && n.row != nil:
		return d.hearEvent(n)
	case n.Kind == ledger.Decision && n.decided != nil:
		d.hearDecision(n)
	case n.Kind == ledger.Outcome && n.row != nil:
		d.hearOutcome(n)
	case n.Kind == ledger.Result && n.result != nil:
		d.hearResult(n)
	}
	return nil
}

func (d *Desk) hearEvent(n *news) error {
	d.counts.events++
	if n.CaseID != "" {
		note := d.note(n.CaseID)
		if note.made == nil || !note.made.isStep(n.row.Row) {
			note.touched, note.made = n.KnownAt, nil
		}
	}
	switch r := n.row.Row.(type) {
	case *data.Attempt:
		d.presented(r, n.KnownAt)
	case *data.Poll:
		d.polled(r, n)
	}
	if n.Seq <= d.folded || d.inLog[n.row.EventID] {
		return nil
	}
	if d.waiting != nil {
		d.waiting = append(d.waiting, fold{n.Seq, *n.row})
	}
	if d.stale || n.KnownAt <= d.state.AsOf().KnownAt {
		d.stale = true // the log has later ones, from elsewhere
		return nil
	}
	d.folded = n.Seq
	return foldNext(d.state, *n.row)
}

func (d *Desk) hearDecision(n *news) {
	x := n.decided
	if n.KnownAt <= d.since {
		return
	}
	note := d.note(x.CaseID)
	note.last = x.ID
	note.made = nil
	if x.AsOf.KnownAt >= note.touched {
		note.made = madeOf(n)
	}
	if c := &x.Allowed[x.Chosen]; c.Action == data.Escalate {
		note.asked = escalation(n)
	}
	d.days.add(x)
	d.counts.decided(n)
}

func (d *Desk) hearOutcome(n *news) {
	o := n.row.Row.(*data.Outcome)
	d.counts.settled(n.KnownAt, o)
	if n.CaseID != "" {
		d.note(n.CaseID).reported(o)
	}
}

func (d *Desk) hearResult(n *news) {
	if note := d.cases[n.CaseID]; note != nil && note.asked != nil && note.asked.DecisionID == n.result.DecisionID {
		n.result.apply(note.asked)
		if note.made != nil && note.made.id == n.result.DecisionID && note.asked.Result != 0 {
			note.touched, note.made = n.KnownAt, nil
		}
	}
}

// note is what is remembered of a case.
func (d *Desk) note(caseID string) *caseNote {
	n := d.cases[caseID]
	if n == nil {
		n = &caseNote{}
		d.cases[caseID] = n
	}
	return n
}
