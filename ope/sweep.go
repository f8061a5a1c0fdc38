package ope

import "recoup/data"

// Swept is one method at one lambda, with what the shape did to the weights.
type Swept struct {
	Shape   string  `json:"shape"`
	Lambda  float64 `json:"lambda"`
	Figure  Figure  `json:"figure"`
	ESS     float64 `json:"ess"`     // of the shaped weights
	Clipped int     `json:"clipped"` // rows whose weight is not what it was
	NoOp    bool    `json:"no_op"`   // the shape changed no weight that counts: the figure is that of plain weights
}

// shapeNames are what reports call them.
var shapeNames = [...]string{AsIs: "none", Clip: "clip", Switch: "switch", Shrink: "shrink", SubGaussian: "sub_gaussian"}

// String is the name of the shape in reports.
func (s Shape) String() string {
	if int(s) < len(shapeNames) {
		return shapeNames[s]
	}
	return "unknown"
}

// Lambdas are the values that a sweep shows where none are given: clips from 2 to 100
// and none, the grid of Saito et al. 2021 for shrinkage and switching, and shares for
// sub-Gaussian weights.
func (s Shape) Lambdas() []float64 {
	switch s {
	case Clip:
		return []float64{2, 5, 10, 30, 100}
	case Switch, Shrink:
		return []float64{1, 5, 10, 50, 100, 500, 1000, 5000, 10000}
	case SubGaussian:
		return []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1}
	}
	return nil
}

// Sweep shows a family under a shape at every lambda, in the order given (nil = the
// shape's Lambdas), so that nobody needs to trust one pick. Weighted and
// DoublyRobust have shapes.
func (r *Result) Sweep(family Family, shape Shape, lambdas []float64) ([]Swept, error) {
	if shape == AsIs || family != Weighted && family != DoublyRobust {
		return nil, data.Faultf(data.ErrUsage, "ope: sweep: family %d under shape %s has no lambda", family, shape)
	}
	if lambdas == nil {
		lambdas = shape.Lambdas()
	}
	none := r.base.noWeight(r.Weights.UnsupportedMass)
	out := make([]Swept, 0, len(lambdas))
	for _, l := range lambdas {
		m := Method{Name: shape.String(), Family: family, Shape: shape, Lambda: l}
		if err := m.check(); err != nil {
			return nil, err
		}
		out = append(out, r.base.sweep(m, none, r.Level))
	}
	return out, nil
}

func (b *base) sweep(m Method, none Reason, level float64) Swept {
	s := Swept{Shape: m.Shape.String(), Lambda: m.Lambda, Figure: b.estimate(m, none, level), NoOp: true}
	shaped := make([]float64, len(b.w))
	for i, w := range b.w {
		if shaped[i] = m.shaped(w); shaped[i] != w {
			s.Clipped++
			residual := b.rows.Reward[i]
			if m.NeedsQ() && b.q != nil {
				residual -= b.q[i]
			}
			s.NoOp = s.NoOp && residual == 0
		}
	}
	s.ESS = weigh(shaped).ESS
	return s
}
