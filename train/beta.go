package train

import (
	"context"

	"recoup/data"
	"recoup/models"
)

// BetaMap is beta calibration of a logit f (Kull, Silva Filho & Flach 2017):
// logit p = A ln q - B ln(1-q) + C with q = sigmoid(f) and A, B >= 0. A = B = 1,
// C = 0 changes nothing.
type BetaMap struct{ A, B, C float64 }

// Prob is the recalibrated probability of the logit f.
func (m BetaMap) Prob(f float64) float64 {
	return models.Sigmoid(float64(m.A*-softplus(-f)) + float64(m.B*softplus(f)) + m.C)
}

// Beta fits the map; a slope that comes out negative is left out and the other
// fitted again, as its authors do. w nil = 1 each.
func Beta(ctx context.Context, f, y, w []float64) (BetaMap, error) {
	frame := &data.Frame{N: len(f), Columns: []data.Column{
		{Name: "lnq", Kind: data.Float64, F: make([]float64, len(f))},
		{Name: "ln1q", Kind: data.Float64, F: make([]float64, len(f))},
		{Name: "y", Kind: data.Float64, F: y},
	}}
	for i, z := range f {
		frame.Columns[0].F[i], frame.Columns[1].F[i] = -softplus(-z), softplus(z)
	}
	weight := ""
	if w != nil {
		weight = "w"
		frame.Columns = append(frame.Columns, data.Column{Name: weight, Kind: data.Float64, F: w})
	}
	d := models.Design{Inputs: []models.Input{{Name: "lnq"}, {Name: "ln1q"}}, Terms: []models.Term{{A: 0, B: -1}, {A: 1, B: -1}}}
	for {
		m, _, err := Logistic(ctx, d, InMemory(frame), "y", weight, Options{Standardize: true})
		if err != nil {
			return BetaMap{}, err
		}
		out := BetaMap{C: m.Intercept}
		worst := 0.0
		drop := -1
		for i, t := range d.Terms {
			if t.A == 0 {
				out.A = m.Coef[i]
			} else {
				out.B = m.Coef[i]
			}
			if m.Coef[i] < worst {
				worst, drop = m.Coef[i], i
			}
		}
		if drop < 0 {
			return out, nil
		}
		if len(d.Terms) == 1 {
			return BetaMap{}, data.Faultf(data.ErrUnsafe, "train: beta: the score ranks backwards")
		}
		d.Terms = append(d.Terms[:drop:drop], d.Terms[drop+1:]...)
	}
}
