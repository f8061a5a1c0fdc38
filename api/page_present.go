package api

import (
	"context"
	"errors"
	"net/http"

	"recoup/api/live"
	"recoup/api/pages"
	"recoup/data/ledger"
)

// present is where a tenant's pages get what is recorded; nil = nothing is.
func (s *Server) present(t *tenant) *pages.Present {
	if t.desk == nil {
		return nil
	}
	p := &pages.Present{Queue: t.desk.Queue, Due: t.desk.Due, Case: t.desk.Case, Trail: t.desk.Trail, Status: statusOf,
		Verify: func(ctx context.Context) (pages.Chain, error) { return s.walk(ctx, t) }}
	if !s.parts.ReadOnly {
		p.Resolve = func(ctx context.Context, decisionID string, c live.Change) error {
			_, _, err := t.desk.Resolve(ctx, decisionID, c, nil)
			return err
		}
	}
	return p
}

// statusOf is the status that an error of the desk or the ledger is to a caller.
func statusOf(err error) int {
	var p *Problem
	if errors.As(ledgerFault(err), &p) {
		return p.Status
	}
	return http.StatusInternalServerError
}

// walk verifies a tenant's chain as recoup verify does.
func (s *Server) walk(ctx context.Context, t *tenant) (pages.Chain, error) {
	var v ledger.Verification
	var found ledger.Verdict
	var err error
	if s.parts.Keeping.Verification != nil {
		v, err = s.parts.Keeping.Verification()
	}
	if err == nil {
		found, err = t.desk.Book().Verify(ctx, v)
	}
	out := pages.Chain{Strength: found.Strength, Entries: found.Entries, Erased: found.Erased, KeyedFrom: found.KeyedFrom, Unchecked: found.Unchecked, Secrets: found.Secrets,
		Checkpoints: found.Checkpoints, Signed: found.Signed, Root: found.Root, Hash: found.Hash, Warnings: found.Warnings}
	var b *ledger.Break
	if !errors.As(err, &b) {
		return out, err
	}
	out.Broken = &pages.Break{Seq: b.Seq, Kind: b.Kind.String(), Key: b.Key, What: b.What}
	out.Broken.Around = around(ctx, t.desk.Book(), b.Seq)
	return out, nil
}

// around are the rows beside one, as far as they can be read.
func around(ctx context.Context, b *ledger.Book, seq int64) (out []pages.ChainRow) {
	for e, err := range b.Scan(ctx, max(0, seq-2)) {
		if err != nil || e.Seq > seq+1 {
			return out
		}
		out = append(out, pages.ChainRow{Seq: e.Seq, Kind: e.Kind.String(), Key: e.Key, CaseID: e.CaseID, KnownAt: e.KnownAt, Body: beginning(e.Body)})
	}
	return out
}

// beginning is what a page shows of a body.
func beginning(body []byte) string {
	const most = 400
	if r := []rune(string(body)); len(r) > most {
		return string(r[:most]) + "…"
	}
	return string(body)
}
