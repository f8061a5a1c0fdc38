package score

import (
	"cmp"
	"math"
	"slices"

	"recoup/models"
)

// Contribution is what one column of a row adds to the calibrated log-odds, against
// the same row with that column as the training had it on average (a LightGBM model: at
// its median); a category against "unknown". Products, and trees that ask several columns,
// count with each of them, so contributions need not sum to the whole.
type Contribution struct {
	Column  string
	Value   float64 // a category: the index of its level
	Level   string  // "" = a number
	LogOdds float64
}

// Contributions are those of all columns that add something, the largest first;
// equal ones in the order of the row.
func Contributions(s *models.Scorer, row []float64) ([]Contribution, error) {
	whole, err := s.Margin(row)
	if err != nil {
		return nil, err
	}
	usual := usualOf(s)
	var out []Contribution
	other := slices.Clone(row)
	for i, in := range s.Inputs() {
		c := Contribution{Column: in.Name, Value: row[i]}
		other[i] = usual[i]
		if in.Levels != nil {
			c.Level = in.Levels[int(row[i])]
		}
		without, err := s.Margin(other)
		if err != nil {
			return nil, err
		}
		other[i] = row[i]
		if c.LogOdds = -s.Platt.A * (whole - without); c.LogOdds != 0 {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Contribution) int { return cmp.Compare(math.Abs(b.LogOdds), math.Abs(a.LogOdds)) })
	return out, nil
}

// usualOf is what stands in for each input: what training had on average or, where that
// is not kept, in the middle; 0 where neither is, and for a category, whose level 0 is "unknown".
func usualOf(s *models.Scorer) []float64 {
	out := make([]float64, len(s.Inputs()))
	if s.Forest != nil {
		if s.Seen == nil {
			return out
		}
		for i, in := range s.Seen.Inputs {
			if in.Cuts != nil {
				out[i] = in.Cuts.Median()
			}
		}
		return out
	}
	columns := map[string]int{}
	for i, name := range s.Logistic.Columns() {
		columns[name] = i
	}
	for i, in := range s.Logistic.Inputs {
		if k, ok := columns[in.Name]; ok && in.Levels == nil {
			out[i] = s.Logistic.Mean[k]
		}
	}
	return out
}
