package train

import (
	"context"

	"recoup/models"
)

// Calibrated is what one calibrator, fitted on the calibrate slice, says about
// the test rows. Only Platt is used; the others show what it leaves on the table.
type Calibrated struct {
	Name string    // none, platt, beta, isotonic
	P    []float64 // by test row; nil: see Why
	Why  string    // why there is no P
}

// calibrators fits every map of the model's logits on one slice and applies it
// to the test rows.
func (t Task) calibrators(ctx context.Context, f *Fitted, calibrate Source, test *Scored) ([]Calibrated, error) {
	s, err := t.score(logistic(f.Logistic), calibrate)
	if err != nil {
		return nil, err
	}
	out := []Calibrated{{Name: "none", P: test.Raw}, {Name: "platt", P: test.P}, {Name: "beta"}, {Name: "isotonic"}}
	beta, iso := &out[2], &out[3]
	if m, err := Beta(ctx, s.F, s.Y, s.W); err != nil {
		beta.Why = err.Error()
	} else {
		for _, f := range test.F {
			beta.P = append(beta.P, m.Prob(f))
		}
	}
	m, err := models.FitIsotonic(s.Raw, s.Y, s.W)
	if err != nil {
		return nil, err
	}
	for _, p := range test.Raw {
		q, err := m.Prob(p)
		if err != nil {
			return nil, err
		}
		iso.P = append(iso.P, q)
	}
	return out, nil
}
