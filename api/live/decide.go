package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"recoup/data"
	"recoup/data/ledger"
	"recoup/score"
)

// Question asks for a decision on the present.
type Question struct {
	CaseID string        // "" = the one open case of the events
	Events []data.AnyRow // recorded first
	// Once makes the job that records the answer happen once. It is called before
	// Answer is filled in, and its own answer after. nil, or a nil Once = no key.
	Once func(*Answer) *ledger.Once
	// Again decides although a decision stands, unless it is of the same day in India:
	// the day's pass.
	Again bool
}

// Answer is a decision that is durable.
type Answer struct {
	Decision score.Decision
	Standing bool // it was made before, and stands
	Seq      int64
	KnownAt  data.Micros      // of its entry
	Recorded []ledger.Receipt // of the question's events
	Done     ledger.Done      // Replayed = the answer of an earlier request with the key, and nothing else of Answer is filled in
}

// tries is how often a decision is made again that another came before.
const tries = 5

// Decide records the question's events, decides on the state that they lead to, and
// records the decision. The error Is ErrUnknown, ErrUndecidable or one of the ledger's.
func (d *Desk) Decide(ctx context.Context, q Question) (Answer, error) {
	var a Answer
	if err := d.writable(); err != nil {
		return a, err
	}
	var once *ledger.Once
	if q.Once != nil {
		once = q.Once(&a)
	}
	err := d.decide(ctx, q, once, &a)
	if once == nil || !errors.Is(err, ErrUnknown) && !errors.Is(err, ErrUndecidable) {
		return a, err
	}
	// What cannot be decided any more may have been, and its answer be kept.
	done, ok, e := d.book.Answered(ctx, once)
	if e != nil || !ok {
		return a, cmp.Or(e, err)
	}
	return Answer{Done: done}, nil
}

func (d *Desk) decide(ctx context.Context, q Question, once *ledger.Once, a *Answer) error {
	if len(q.Events) > 0 {
		done, err := d.Record(ctx, q.Events, before(once))
		if err != nil {
			return err
		}
		a.Recorded = done.Receipts
	}
	caseID, err := d.whichCase(q)
	if err != nil {
		return err
	}
	for range tries {
		if err = d.ready(ctx); err != nil {
			return err
		}
		err = d.decideOnce(ctx, caseID, q.Again, once, a)
		if !errors.Is(err, ledger.ErrConflict) {
			return err
		}
	}
	return err
}

// before is the once of the events that come before a decision.
func before(once *ledger.Once) *ledger.Once {
	if once == nil {
		return nil
	}
	return &ledger.Once{Key: once.Key + " events", Fingerprint: once.Fingerprint, Answer: func([]ledger.Receipt) (int, []byte) { return 200, []byte("{}") }}
}

// ready brings the state up to what is known.
func (d *Desk) ready(ctx context.Context) error {
	if err := d.book.Sync(ctx); err != nil {
		return err
	}
	d.mu.RLock()
	stale, broken := d.stale, d.broken
	d.mu.RUnlock()
	if broken != nil || !stale {
		return broken
	}
	return d.Refresh(ctx)
}

// whichCase finds the case to decide.
func (d *Desk) whichCase(q Question) (string, error) {
	if q.CaseID != "" {
		return q.CaseID, nil
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	var open, seen []string
	for _, row := range q.Events {
		id := caseOf(row.Row)
		if id == "" || contains(seen, id) {
			continue
		}
		seen = append(seen, id)
		if f, err := d.state.Facts(id, d.state.AsOf().KnownAt); err == nil && f.Owed {
			open = append(open, id)
		}
	}
	if len(open) == 1 {
		return open[0], nil
	}
	if len(open) == 0 {
		return "", fmt.Errorf("live: %w: the events are of no case that is owed (failed, neither paid nor ended): give a case_id", ErrUndecidable)
	}
	return "", fmt.Errorf("live: %w: the events are of several open cases: give as case_id one of %s", ErrUndecidable, strings.Join(open, ", "))
}

func contains(all []string, one string) bool {
	for _, s := range all {
		if s == one {
			return true
		}
	}
	return false
}

// decideOnce gives the decision that stands, or makes and records one. A conflict says
// that another was recorded meanwhile.
func (d *Desk) decideOnce(ctx context.Context, caseID string, again bool, once *ledger.Once, a *Answer) error {
	made, x, after, err := d.choose(caseID, again)
	if err != nil {
		return err
	}
	if made != nil {
		return d.giveAgain(ctx, made, once, a)
	}
	if after == "" {
		if after, err = d.latestDecision(ctx, caseID); err != nil {
			return err
		}
	}
	a.Decision, a.Standing = *x, false
	draft, err := d.decisionDraft(&a.Decision, after, false)
	if err != nil {
		return err
	}
	done, err := d.book.Append(ctx, ledger.Job{Drafts: []ledger.Draft{draft}, Once: once})
	d.own.take(draft.Key) // where nothing was written
	if err != nil {
		return err
	}
	a.Done = done
	if !done.Replayed {
		a.Seq, a.KnownAt = done.Receipts[0].Seq, done.Receipts[0].KnownAt
	}
	return nil
}

// choose gives the decision that stands, or else makes one of the present state; after
// is the one before it, as far as is remembered.
func (d *Desk) choose(caseID string, again bool) (stands *made, x *score.Decision, after string, err error) {
	engine := d.engine()
	d.mu.RLock()
	defer d.mu.RUnlock()
	t := d.now()
	f, err := d.state.Facts(caseID, t)
	if err != nil {
		return nil, nil, "", fmt.Errorf("live: case %s: %w: no failure of it is known", caseID, ErrUnknown)
	}
	if !f.Owed {
		return nil, nil, "", fmt.Errorf("live: case %s: %w: it is paid or has ended", caseID, ErrUndecidable)
	}
	if why := d.reported(caseID); why != "" {
		return nil, nil, "", fmt.Errorf("live: case %s: %w: %s", caseID, ErrUndecidable, why)
	}
	if note := d.cases[caseID]; note != nil {
		if after = note.last; note.made != nil {
			why, _, err := d.stands(note.made, engine, t, again)
			if err != nil {
				return nil, nil, "", err
			}
			if why == "" {
				return note.made, nil, "", nil
			}
		}
	}
	made, err := engine.DecideAs(score.Ask{Spent: d.days.of(t).spent, Record: true}, d.state, caseID, t)
	return nil, &made, after, undecidable(err)
}

// undecidable is an error of the engine's about the case itself.
func undecidable(err error) error {
	if errors.Is(err, data.ErrUsage) || errors.Is(err, data.ErrContract) {
		return fmt.Errorf("live: %w: %w", ErrUndecidable, err)
	}
	return err
}

// latestDecision looks in the book for the latest decision about a case that the desk
// does not remember one of.
func (d *Desk) latestDecision(ctx context.Context, caseID string) (string, error) {
	d.mu.RLock()
	all := d.since == 0
	d.mu.RUnlock()
	if all {
		return "", nil
	}
	entries, err := d.book.Case(ctx, caseID)
	if err != nil {
		return "", err
	}
	for i := len(entries) - 1; i >= 0; i-- {
		if entries[i].Kind == ledger.Decision {
			return entries[i].Key, nil
		}
	}
	return "", nil
}

// decisionDraft is the entry of a decision. It names the one before it about the case,
// and one decision alone can come after that: of two made at once, one is recorded.
func (d *Desk) decisionDraft(x *score.Decision, after string, pass bool) (ledger.Draft, error) {
	body, read, err := writeDecision(x, after, pass)
	if err != nil {
		return ledger.Draft{}, err
	}
	d.own.put(x.ID, read)
	return ledger.Draft{Kind: ledger.Decision, Key: x.ID, CaseID: x.CaseID, CustomerID: x.CustomerID, KnownAt: d.stated(x.DecidedAt), Body: body,
		Claims: []ledger.Claim{{Name: "decision of " + x.CaseID + " after " + after}}}, nil
}

// giveAgain answers with a decision that was recorded before.
func (d *Desk) giveAgain(ctx context.Context, m *made, once *ledger.Once, a *Answer) error {
	e, ok, err := d.book.Find(ctx, ledger.Decision, m.id)
	if err != nil {
		return err
	}
	if !ok || e.Body == nil {
		return fmt.Errorf("live: decision %s: %w: it was erased", m.id, ErrUndecidable)
	}
	x, err := readDecision(&e)
	if err != nil {
		return err
	}
	a.Decision, a.Standing, a.Seq, a.KnownAt = x.Decision, true, e.Seq, e.KnownAt
	if once != nil {
		a.Done, err = d.book.Append(ctx, ledger.Job{Once: once})
	}
	return err
}

// Score is the decision that would be made now, not recorded.
func (d *Desk) Score(ctx context.Context, caseID string) (score.Decision, error) {
	if err := d.ready(ctx); err != nil {
		return score.Decision{}, err
	}
	engine := d.engine()
	d.mu.RLock()
	defer d.mu.RUnlock()
	t := d.now()
	if _, err := d.state.Facts(caseID, t); err != nil {
		return score.Decision{}, fmt.Errorf("live: case %s: %w: no failure of it is known", caseID, ErrUnknown)
	}
	if why := d.reported(caseID); why != "" {
		return score.Decision{}, fmt.Errorf("live: case %s: %w: %s", caseID, ErrUndecidable, why)
	}
	x, err := engine.DecideAs(score.Ask{Spent: d.days.of(t).spent}, d.state, caseID, t)
	return x, undecidable(err)
}

// Keep records a decision made from a request's own events; the night job does not
// see it.
func (d *Desk) Keep(ctx context.Context, x *score.Decision, once *ledger.Once) (ledger.Done, error) {
	if err := d.writable(); err != nil {
		return ledger.Done{}, err
	}
	body, _, err := writeDecision(x, "", false)
	if err != nil {
		return ledger.Done{}, err
	}
	done, err := d.book.Append(ctx, ledger.Job{Once: once, Drafts: []ledger.Draft{{Kind: ledger.Answer, Key: x.ID, CaseID: x.CaseID,
		CustomerID: x.CustomerID, KnownAt: d.stated(d.Now()), Body: body}}})
	if !errors.Is(err, ledger.ErrConflict) {
		return done, err
	}
	return d.book.Append(ctx, ledger.Job{Once: once}) // it was recorded before, with other warnings about the request
}
