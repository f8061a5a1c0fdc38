package live

import (
	"context"
	"errors"
	"slices"

	"recoup/data"
	"recoup/data/ledger"
	"recoup/score"
)

// Pass is what came of deciding many cases with the day's people and limits shared.
type Pass struct {
	At          data.Micros
	Answers     []Answer // by case id
	Undecided   []Refused
	Decided     int            // open, and not answered again: they have a decision of the day, a person, or an outcome that says recovered
	Left        int            // more than one pass takes: for the next one
	PastHorizon int            // open, but their first failure is older than the horizon
	Stopped     *score.Stopped // the circuit breaker ended the pass here
	Escalated   int
	Unattended  int // had the next best, the day's people being spent
	Warnings    []string
}

// Refused is a case that no decision was made about.
type Refused struct{ CaseID, Why string }

// MaxCases is how many cases one pass decides; those over are for the next one.
const MaxCases = 2000

// passChunk is how many decisions are made under one read lock and recorded together.
const passChunk = 32

// Batch decides the cases, nil = all open ones within the horizon, at most MaxCases of
// them that have no decision of the day: the day's pass. A decision of the same day
// that stands stays; an open escalation stays too. Cases are decided in the order of
// their ids; what a day's passes did before counts against the day's people and limits.
func (d *Desk) Batch(ctx context.Context, cases []string) (Pass, error) {
	var out Pass
	if err := d.writable(); err != nil {
		return out, err
	}
	d.passing.Lock()
	defer d.passing.Unlock()
	if err := d.ready(ctx); err != nil {
		return out, err
	}
	engine := d.engine()
	ask, t := d.toDecide(engine, cases, &out)
	out.At = t
	d.mu.RLock()
	day := d.days.of(t)
	d.mu.RUnlock()
	pass, err := engine.NewPass(day.done, day.spent)
	if err != nil {
		return out, err
	}
	if err := d.each(ctx, ask, func(id string, t data.Micros) error { return pass.Ask(d.state, id, t) }); err != nil {
		return out, err
	}
	err = d.pass(ctx, engine, pass, ask, &out)
	out.Escalated, out.Unattended, out.Warnings = pass.Escalated(), pass.Unattended(), pass.Warnings()
	slices.SortFunc(out.Answers, func(a, b Answer) int { return compare(a.Decision.CaseID, b.Decision.CaseID) })
	return out, err
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// toDecide finds the cases that need a decision.
func (d *Desk) toDecide(e *score.Engine, cases []string, out *Pass) (ask []string, t data.Micros) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	t = d.now()
	given := cases != nil
	if cases = slices.Clone(cases); given {
		slices.Sort(cases)
		cases = slices.Compact(cases)
	} else {
		cases = d.state.OpenCases()
	}
	for _, id := range cases {
		f, err := d.state.Facts(id, t)
		switch {
		case err != nil:
			out.Undecided = append(out.Undecided, Refused{id, "no failure of it is known"})
		case !f.Owed:
			out.Undecided = append(out.Undecided, Refused{id, "it is paid or has ended"})
		case given && d.reported(id) != "":
			out.Undecided = append(out.Undecided, Refused{id, d.reported(id)})
		case t-f.FirstFailure >= e.Policy().Horizon():
			out.PastHorizon++
			if given {
				out.Undecided = append(out.Undecided, Refused{id, "its first failure is older than the horizon"})
			}
		case !given && (d.reported(id) != "" || d.decidedOn(id, e, t)):
			out.Decided++
		case len(ask) == MaxCases:
			out.Left++
		default:
			ask = append(ask, id)
		}
	}
	return ask, t
}

// decidedOn says whether a case has a decision that the day's pass leaves.
func (d *Desk) decidedOn(caseID string, e *score.Engine, t data.Micros) bool {
	note := d.cases[caseID]
	if note == nil || note.made == nil {
		return false
	}
	why, _, err := d.stands(note.made, e, t, true)
	return err == nil && why == ""
}

// each visits cases under the read lock, a few at a time: who records must not wait for all.
func (d *Desk) each(ctx context.Context, cases []string, visit func(id string, t data.Micros) error) error {
	for chunk := range slices.Chunk(cases, passChunk) {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := func() error {
			d.mu.RLock()
			defer d.mu.RUnlock()
			t := d.now()
			for _, id := range chunk {
				if err := visit(id, t); err != nil {
					return err
				}
			}
			return nil
		}()
		if err != nil {
			return err
		}
	}
	return nil
}

// pass decides and records the cases.
func (d *Desk) pass(ctx context.Context, e *score.Engine, p *score.Pass, ask []string, out *Pass) error {
	done := 0
	for chunk := range slices.Chunk(ask, passChunk) {
		var fresh []draft
		err := d.each(ctx, chunk, func(id string, t data.Micros) error {
			note, after := d.cases[id], ""
			if note != nil {
				if after = note.last; d.decidedOn(id, e, t) {
					fresh = append(fresh, draft{stands: note.made})
					return nil
				}
			}
			f, err := d.state.Facts(id, t)
			if err != nil || !f.Owed || d.reported(id) != "" { // paid meanwhile
				return nil
			}
			x, err := p.Decide(d.state, id, t)
			if tripped := (*score.Tripped)(nil); errors.As(err, &tripped) {
				out.Stopped = &score.Stopped{Case: id, Done: done + len(fresh), Of: len(ask), Why: tripped.Error()}
				return err
			}
			if err == nil {
				fresh = append(fresh, draft{decision: &x, after: after})
			}
			return err
		})
		if err != nil && out.Stopped == nil {
			return err
		}
		if err := d.record(ctx, fresh, out); err != nil {
			return err
		}
		if done += len(chunk); out.Stopped != nil {
			return nil
		}
	}
	return nil
}

// draft is a decision of the pass on its way: one that stands, or one to record.
type draft struct {
	stands   *made
	decision *score.Decision
	after    string
}

// record writes decisions in one job; where somebody decided about one of the cases
// meanwhile, each in its own.
func (d *Desk) record(ctx context.Context, all []draft, out *Pass) error {
	var fresh []draft
	var job ledger.Job
	for _, x := range all {
		if x.stands != nil {
			var a Answer
			if err := d.giveAgain(ctx, x.stands, nil, &a); err != nil {
				return err
			}
			out.Answers = append(out.Answers, a)
			continue
		}
		var err error
		if x.after == "" {
			if x.after, err = d.latestDecision(ctx, x.decision.CaseID); err != nil {
				return err
			}
		}
		entry, err := d.decisionDraft(x.decision, x.after, true)
		if err != nil {
			return err
		}
		job.Drafts, fresh = append(job.Drafts, entry), append(fresh, x)
	}
	if len(fresh) == 0 {
		return nil
	}
	done, err := d.book.Append(ctx, job)
	if errors.Is(err, ledger.ErrConflict) && len(fresh) > 1 {
		for i := range fresh {
			if err := d.record(ctx, fresh[i:i+1], out); err != nil {
				return err
			}
		}
		return nil
	}
	for i := range job.Drafts {
		d.own.take(job.Drafts[i].Key)
	}
	if errors.Is(err, ledger.ErrConflict) {
		out.Undecided = append(out.Undecided, Refused{fresh[0].decision.CaseID, "another decision about it was made at the same time"})
		return nil
	}
	if err != nil {
		return err
	}
	for i, x := range fresh {
		out.Answers = append(out.Answers, Answer{Decision: *x.decision, Seq: done.Receipts[i].Seq, KnownAt: done.Receipts[i].KnownAt})
	}
	return nil
}
