package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"recoup/data"
	"recoup/data/ledger"
)

// Record writes posted rows of any table but decisions and outcomes, and folds them. An
// attempt with a status that it had before is a duplicate; one whose id, number, amount or
// decision is another attempt's Is ledger.ErrConflict, and then nothing is written. So is
// a pending attempt of recoup's whose debit may not be made now (see intents): one that is
// recorded, and no duplicate, is the right to make it. Receipts are in the order of the rows.
func (d *Desk) Record(ctx context.Context, rows []data.AnyRow, once *ledger.Once) (ledger.Done, error) {
	if err := d.writable(); err != nil {
		return ledger.Done{}, err
	}
	drafts, err := d.drafts(ctx, rows, true)
	if err != nil {
		return ledger.Done{}, err
	}
	if err := d.intents(ctx, rows); err != nil {
		return d.answered(ctx, once, err)
	}
	return d.book.Append(ctx, ledger.Job{Drafts: drafts, Once: once})
}

// answered gives the answer that a request with the key had when what it asks for could
// still be done; else the error.
func (d *Desk) answered(ctx context.Context, once *ledger.Once, refused error) (ledger.Done, error) {
	if once == nil || !errors.Is(refused, ledger.ErrConflict) {
		return ledger.Done{}, refused
	}
	done, ok, err := d.book.Answered(ctx, once)
	if err == nil && !ok {
		err = refused
	}
	return done, err
}

// Hook is a webhook that came: what names it, and the rows that it means.
type Hook struct {
	ID     string // the provider's event id, or a hash of the body
	Type   string // e.g. payment.failed
	SHA256 string // of the body, in hex
	Rows   []data.AnyRow
	Kept   bool // nothing of it is mapped
}

// hookBody is the body of a webhook's entry.
type hookBody struct {
	Type   string `json:"type"`
	SHA256 string `json:"sha256"`
	Kept   bool   `json:"kept,omitempty"`
}

// Webhook records a webhook and its rows in one job; the same ID again is a duplicate,
// and writes nothing. The provider's attempts bear no numbers of the merchant's, so
// they take none.
func (d *Desk) Webhook(ctx context.Context, h Hook) (duplicate bool, err error) {
	if err := d.writable(); err != nil {
		return false, err
	}
	body, err := json.Marshal(hookBody{h.Type, h.SHA256, h.Kept})
	if err != nil {
		return false, fmt.Errorf("live: webhook %s: %w", h.ID, err)
	}
	drafts, err := d.drafts(ctx, h.Rows, false)
	if err != nil {
		return false, err
	}
	first := ledger.Draft{Kind: ledger.Webhook, Key: h.ID, Body: body, KnownAt: d.stated(d.Now())}
	if len(drafts) > 0 {
		first.CaseID, first.CustomerID = drafts[0].CaseID, drafts[0].CustomerID
	}
	done, err := d.book.Append(ctx, ledger.Job{Drafts: append([]ledger.Draft{first}, drafts...)})
	if errors.Is(err, ledger.ErrConflict) { // the ID is there, with another body: the first one counts
		_, known, findErr := d.book.Find(ctx, ledger.Webhook, h.ID)
		if findErr == nil && known {
			return true, nil
		}
	}
	if err != nil {
		return false, err
	}
	return done.Receipts[0].Duplicate, nil
}

// Outcome records what came of a decision. unknown says that nobody knows: the
// attempt's state becomes Unknown, which a poll alone leaves. The error Is
// ErrUnknown where there is no such decision.
func (d *Desk) Outcome(ctx context.Context, o data.Outcome, unknown bool, once *ledger.Once) (ledger.Done, error) {
	if err := d.writable(); err != nil {
		return ledger.Done{}, err
	}
	e, ok, err := d.book.Find(ctx, ledger.Decision, o.DecisionID)
	if err != nil {
		return ledger.Done{}, err
	}
	if !ok {
		return ledger.Done{}, fmt.Errorf("live: decision %s: %w: no decision of this id is recorded", o.DecisionID, ErrUnknown)
	}
	x := ledger.Draft{Kind: ledger.Outcome, Key: o.EventID, CaseID: e.CaseID, CustomerID: e.CustomerID,
		Body: rowBody(data.AnyRow{Table: "outcomes", Row: &o, Event: &o.Event})}
	if d.cfg.Replay {
		x.KnownAt = o.KnownAt
	}
	job := ledger.Job{Drafts: []ledger.Draft{x}, Once: once}
	if unknown {
		poll, err := d.drafts(ctx, []data.AnyRow{unknownPoll(&o)}, true)
		if err != nil {
			return ledger.Done{}, err
		}
		job.Drafts = append(job.Drafts, poll...)
	}
	return d.book.Append(ctx, job)
}

// unknownPoll is the status check that says that nobody knows: so the state of the
// night job hears of it, too.
func unknownPoll(o *data.Outcome) data.AnyRow {
	p := &data.Poll{Event: o.Event, AttemptID: o.AttemptID, Status: data.PollUnknown}
	p.EventID += ":unknown"
	return data.AnyRow{Table: "polls", Row: p, Event: &p.Event}
}
