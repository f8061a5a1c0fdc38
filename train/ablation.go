package train

import (
	"context"

	"recoup/models"
)

// Ablated is the model less one part: a group of columns with all its
// interactions, or one interaction block.
type Ablated struct {
	Name    string
	Columns int       // columns of the linear model that are missing
	P       []float64 // calibrated, by test row; nil: see Why
	Why     string    // why there is no P
}

// ablate fits and calibrates the model once without each part and scores the
// test rows: what the part is worth is the difference of the Brier scores.
func (t Task) ablate(ctx context.Context, f *Fitted, rows sources, test Source) ([]Ablated, error) {
	refs := make([]int, len(f.Logistic.Inputs))
	for i, in := range f.Logistic.Inputs {
		refs[i] = in.Ref
	}
	var out []Ablated
	for _, name := range parts(t.Schema) {
		d := design(t.Schema, refs, name)
		a := Ablated{Name: name, Columns: len(f.Logistic.Columns())}
		p, columns, err := t.without(ctx, d, f.L2, rows, test)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			a.Why = err.Error()
		default:
			a.P = p
		}
		a.Columns -= columns
		out = append(out, a)
	}
	return out, nil
}

func (t Task) without(ctx context.Context, d models.Design, l2 float64, rows sources, test Source) ([]float64, int, error) {
	l, err := d.Layout()
	if err != nil {
		return nil, 0, err
	}
	m, _, err := t.fit(ctx, d, rows.train, Options{L2: l2, Workers: t.Workers})
	if err != nil {
		return nil, len(l.Columns), err
	}
	platt, _, err := t.calibrate(m, rows.calibrate)
	if err != nil {
		return nil, len(l.Columns), err
	}
	s, err := t.score(logistic(m), test)
	if err != nil {
		return nil, len(l.Columns), err
	}
	s.through(platt)
	return s.P, len(l.Columns), nil
}
