package score

import (
	"cmp"
	"math"
	"slices"

	"recoup/models"
)

// Contribution is what one column of a row adds to the calibrated log-odds, against
// the same row with that column as the training had it on average; a category against
// "unknown". Products count with both of their columns, so contributions need not sum
// to the whole.
type Contribution struct {
	Column  string
	Value   float64 // a category: the index of its level
	Level   string  // "" = a number
	LogOdds float64
}

// Contributions are those of all columns that add something, the largest first;
// equal ones in the order of the row.
func Contributions(s *models.Scorer, row []float64) ([]Contribution, error) {
	m := s.Logistic
	whole, err := m.Margin(row)
	if err != nil {
		return nil, err
	}
	columns := map[string]int{}
	for i, name := range m.Columns() {
		columns[name] = i
	}
	var out []Contribution
	other := slices.Clone(row)
	for i, in := range m.Inputs {
		c := Contribution{Column: in.Name, Value: row[i]}
		other[i] = 0
		if in.Levels != nil {
			c.Level = in.Levels[int(row[i])]
		} else if k, ok := columns[in.Name]; ok {
			other[i] = m.Mean[k]
		}
		without, err := m.Margin(other)
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
