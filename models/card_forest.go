package models

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// made says what a model is made of.
func (s *Scorer) made() string {
	if s.Forest != nil {
		return fmt.Sprintf("%s, %d trees on %d columns", s.Kind(), s.Forest.Trees(), len(s.Forest.Inputs))
	}
	return fmt.Sprintf("Logistic regression, %d coefficients", len(s.Logistic.Coef))
}

// gainsShown is how many columns a card lists.
const gainsShown = 20

// Gain is what the splits on an input gained in training, as a share of all.
type Gain struct {
	Column string  `json:"column"`
	Share  float64 `json:"share"` // of the sum over all inputs
}

// Shares are the gains of the inputs that have any, largest first, equal ones in the
// order of a row; nil = not known, or no tree has a split.
func (f *Forest) Shares() (out []Gain) {
	var sum Sum
	for _, g := range f.Gains {
		sum.Add(g)
	}
	for i, g := range f.Gains {
		if g > 0 {
			out = append(out, Gain{f.Inputs[i].Name, g / sum.Value()})
		}
	}
	slices.SortStableFunc(out, func(a, b Gain) int { return cmp.Compare(b.Share, a.Share) })
	return out
}

// cardGains lists the columns that a LightGBM model splits on most.
func cardGains(w *bytes.Buffer, name string, s *Scorer) {
	if s == nil || s.Forest == nil {
		return
	}
	gains := s.Forest.Shares()
	if len(gains) == 0 {
		return
	}
	fmt.Fprintf(w, "\n## What the %s model splits on\n\nShare of the whole gain in training, which is association and no cause; %d of %d columns have a split.\n\n| column | gain |\n| --- | ---: |\n", name, len(gains), len(s.Forest.Inputs))
	for _, g := range gains[:min(len(gains), gainsShown)] {
		fmt.Fprintf(w, "| %s | %.1f %% |\n", md(g.Column), 100*g.Share)
	}
}
