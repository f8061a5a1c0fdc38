package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"recoup/data"
	"recoup/data/ledger"
	"recoup/features"
	"recoup/score"
)

// isIntent says whether a row announces a debit that recoup asked for.
func isIntent(a *data.Attempt) bool {
	return a.Status == data.Pending && (a.Initiator == data.ByRecoup || a.DecisionID != "")
}

// intents looks whether the debits that posted rows announce may be made now. Where one
// may not, the error Is ledger.ErrConflict and says why. An intent that is recorded already
// is not looked at again: the ledger passes it over or finds a contradiction. Neither is
// one whose end is among the rows: it is told of, not asked for. In a replay, histories
// are told: those intents count that rest on a decision of this book.
func (d *Desk) intents(ctx context.Context, rows []data.AnyRow) error {
	var asked []data.AnyRow
	ended := map[string]bool{}
	for _, row := range rows {
		if a, ok := row.Row.(*data.Attempt); ok && a.Status != data.Pending {
			ended[a.AttemptID] = true
		}
	}
	for _, row := range rows {
		if a, ok := row.Row.(*data.Attempt); ok && isIntent(a) && !ended[a.AttemptID] {
			asked = append(asked, row)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	if err := d.ready(ctx); err != nil {
		return err
	}
	for _, row := range asked {
		if err := d.intent(ctx, row); err != nil {
			return err
		}
	}
	return nil
}

// intent looks at one. Between the look and the record another attempt of the case cannot
// come: it would take the same number.
func (d *Desk) intent(ctx context.Context, row data.AnyRow) error {
	a := row.Row.(*data.Attempt)
	var decision *ledger.Entry
	if a.DecisionID != "" {
		e, ok, err := d.book.Find(ctx, ledger.Decision, a.DecisionID)
		if err != nil {
			return err
		}
		if ok {
			decision = &e
		}
	}
	if d.cfg.Replay && decision == nil {
		return nil
	}
	if _, known, err := d.book.Find(ctx, ledger.Event, row.EventID); err != nil || known {
		return err
	}
	is, known, err := d.book.Attempt(ctx, a.AttemptID)
	switch {
	case err != nil:
		return err
	case known && is.State == ledger.Unknown:
		return refuse(a, "nobody knows what came of it: a status check must say so")
	case known && is.State != ledger.Intended:
		return refuse(a, "its end is known, entry %d: give each debit an attempt_id of its own", is.Seq)
	case known:
		return nil
	case a.DecisionID != "" && decision == nil:
		return refuse(a, "no decision %s is recorded", a.DecisionID)
	case decision != nil && decision.CaseID != a.CaseID:
		return refuse(a, "decision %s is about another case", a.DecisionID)
	}
	engine := d.engine()
	d.mu.RLock()
	defer d.mu.RUnlock()
	t := d.now()
	if d.cfg.Replay {
		t = max(t, row.KnownAt)
	}
	return d.mayDebit(engine, a, t)
}

// mayDebit asks the state. It is asked under the read lock.
func (d *Desk) mayDebit(e *score.Engine, a *data.Attempt, t data.Micros) error {
	f, err := d.state.Facts(a.CaseID, t)
	if errors.Is(err, data.ErrContract) { // or it is long over, and forgotten
		return refuse(a, "no failure of the case is known, so nothing is owed")
	}
	if err != nil {
		return err
	}
	why := d.inTheWay(&f, a)
	if why == "" {
		why = d.reported(a.CaseID)
	}
	if why != "" {
		return refuse(a, "%s", why)
	}
	if a.DecisionID != "" {
		if err := d.restsOn(e, a, t); err != nil {
			return err
		}
	}
	needs, refusal, err := e.Recheck(d.state, a.CaseID, data.Candidate{Action: data.Retry, At: t}, t)
	switch {
	case err != nil:
		return err
	case refusal != nil:
		return refuse(a, "the gate refuses it now (%s): %s", refusal.Rule, refusal.Why)
	case needs.NoticeBy != 0:
		return refuse(a, "the notice before the debit is not out")
	case needs.PollFrom != 0:
		return refuse(a, "a status check of the attempt before must say failed first")
	}
	return nil
}

// inTheWay says what of the case itself forbids a debit; "" = nothing.
func (d *Desk) inTheWay(f *features.Facts, a *data.Attempt) string {
	switch {
	case f.Paid:
		return "the case is paid"
	case f.Ended:
		return "the case has ended"
	case !f.Owed:
		return "no failure of the case is known, so nothing is owed"
	case f.Pending > 0:
		return "another attempt of the case is pending"
	case d.unknownOf(a.CaseID):
		return "nobody knows what came of another attempt of the case: a status check must say so"
	case int(a.AttemptNo) != f.LastNo+1:
		return fmt.Sprintf("the next attempt of the case is number %d", f.LastNo+1)
	}
	return ""
}

// restsOn says whether the decision that an intent names is the one that stands, and a
// retry; nil = it is.
func (d *Desk) restsOn(e *score.Engine, a *data.Attempt, t data.Micros) error {
	note := d.cases[a.CaseID]
	if note == nil || note.made == nil || note.made.id != a.DecisionID {
		return refuse(a, "decision %s does not stand any more: something happened since, or there is a later one", a.DecisionID)
	}
	if m := note.made; m.choice.Action != data.Retry {
		return refuse(a, "decision %s is %s, no retry", a.DecisionID, m.choice.Action)
	}
	why, _, err := d.stands(note.made, e, t, false)
	if err == nil && why != "" {
		return refuse(a, "decision %s does not stand any more: %s", a.DecisionID, why)
	}
	return err
}

func refuse(a *data.Attempt, format string, args ...any) error {
	return data.Faultf(ledger.ErrConflict, "live: attempt %s (%s) must not be made: %s", AttemptKey(a.CaseID, a.AttemptNo), a.AttemptID, fmt.Sprintf(format, args...))
}

// alike looks whether what is told again of an attempt is what was told first. A final
// status may come without the decision; refunds of one attempt differ in their amounts.
func alike(a *data.Attempt) func(body []byte) error {
	return func(body []byte) error {
		if bytes.Equal(body, rowBody(data.AnyRow{Table: "attempts", Row: a, Event: &a.Event})) {
			return nil
		}
		r, faults := data.OpenJSON(body)
		if len(faults) > 0 {
			return errors.New(faults[0].Message)
		}
		row, _, _ := r.Row()
		was, ok := row.Row.(*data.Attempt)
		switch {
		case !ok:
			return errors.New("it is no attempt")
		case was.Amount != a.Amount && a.Status != data.Refunded:
			return fmt.Errorf("its amount_paise is %d, not %d", was.Amount, a.Amount)
		case was.DecisionID != a.DecisionID && (a.Status == data.Pending || was.DecisionID != "" && a.DecisionID != ""):
			return fmt.Errorf("its decision_id is %q, not %q", was.DecisionID, a.DecisionID)
		}
		return nil
	}
}
