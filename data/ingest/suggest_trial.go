package ingest

import (
	"cmp"
	"context"
	"slices"

	"recoup/data/table"
)

// try reads the whole file by the mapping and counts what would be put aside.
// Rows that stand there twice are not looked for.
func (m *Mapping) try(ctx context.Context, path string) (*Trial, error) {
	type why struct{ column, reason string }
	t, code := &Trial{Reasons: []TrialFail{}}, m.Currency.Code
	fails := map[why]*TrialFail{}
	r, err := m.open(path, &code, func(bad table.Reject) {
		t.Rejected++
		k := why{bad.Column, bad.Reason}
		if fails[k] == nil {
			if len(fails) == 1000 { // reasons that quote values
				return
			}
			fails[k] = &TrialFail{Column: bad.Column, Reason: bad.Reason, Line: bad.Line, Value: bad.Value}
		}
		fails[k].Rows++
	})
	if err != nil {
		return nil, err
	}
	if err := r.each(ctx, func(*row) error { return nil }); err != nil {
		return nil, err
	}
	t.Read = r.read
	for _, f := range fails {
		t.Reasons = append(t.Reasons, *f)
	}
	slices.SortFunc(t.Reasons, func(a, b TrialFail) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	t.Reasons = t.Reasons[:min(10, len(t.Reasons))]
	return t, nil
}
