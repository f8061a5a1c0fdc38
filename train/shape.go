package train

import (
	"math"

	"recoup/data"
	"recoup/models"
)

// shape orders what is fitted: position 0 is the intercept, then the dense
// columns, then the sparse ones, constant columns left out. A last position takes what
// belongs to no column; nothing reads it.
//
// The search works on t, coefficients of standardised columns: at any row
// logit = t[0] + sum t[k]*(x[k]-center[k])/sd[k].
type shape struct {
	column  []int     // by position: the layout's column; -1 for the intercept
	dense   []int     // by dense position - 1: index into chunk.dense
	pos     []int32   // by layout column + 1: its position, or the last
	center  []float64 // by position; the mean
	sd      []float64 // by position; 1 for the intercept
	far     []bool    // by dense position - 1: the mean is so far from 0 that it is taken off first
	names   []string  // by position
	dropped []models.Dropped
	mean    []float64 // by layout column
	spread  []float64 // by layout column: standard deviation
}

// farAway is how many standard deviations a mean may lie from 0 before rounding
// in x*coef would be felt.
const farAway = 64

func newShape(d models.Design, l *models.Layout, m *moments) (*shape, error) {
	s := &shape{column: []int{-1}, center: []float64{0}, sd: []float64{1}, names: []string{"intercept"}, dropped: []models.Dropped{}}
	s.pos = make([]int32, len(l.Columns)+1)
	s.mean, s.spread = make([]float64, len(l.Columns)), make([]float64, len(l.Columns))
	for i := range l.Parts {
		if p := &l.Parts[i]; p.Kind == models.Category && len(d.Inputs[p.A].Levels) == 1 {
			s.dropped = append(s.dropped, models.Dropped{Column: d.Inputs[p.A].Name, Why: "constant: every row is " + d.Inputs[p.A].Levels[0]})
		}
	}
	k := -1
	for i := range l.Parts {
		if p := &l.Parts[i]; p.Dense() {
			k++
			s.dense = append(s.dense, k)
			if ok, err := s.take(l, p.Offset, m.dense[k]); err != nil {
				return nil, err
			} else if !ok {
				s.dense = s.dense[:len(s.dense)-1]
			}
		}
	}
	for j := range s.dense {
		s.far = append(s.far, math.Abs(s.center[j+1]) > farAway*s.sd[j+1])
	}
	for i := range l.Parts {
		p := &l.Parts[i]
		for j := p.Offset; !p.Dense() && j < p.Offset+p.Width; j++ {
			if _, err := s.take(l, j, m.column(j)); err != nil {
				return nil, err
			}
		}
	}
	last := int32(len(s.column))
	for j, v := range s.pos {
		if v == 0 {
			s.pos[j] = last
		}
	}
	return s, nil
}

// take gives layout column j a position, or drops it.
func (s *shape) take(l *models.Layout, j int, a moment) (bool, error) {
	why := ""
	switch {
	case a.w == 0:
		why = "constant: no row has it"
	case a.lo == a.hi:
		why = "constant"
	}
	s.mean[j] = a.mean
	if why != "" {
		s.mean[j] = a.lo
		s.dropped = append(s.dropped, models.Dropped{Column: l.Columns[j], Why: why})
		return false, nil
	}
	sd := a.sd()
	if !(sd > 0) || math.IsInf(sd, 0) || math.IsNaN(a.mean) || math.IsInf(1/sd, 0) {
		return false, data.Faultf(data.ErrContract, "train: logistic: column %s: values from %v to %v cannot be standardised in float64: give it another unit", l.Columns[j], a.lo, a.hi)
	}
	s.spread[j] = sd
	s.pos[j+1] = int32(len(s.column))
	s.column, s.names = append(s.column, j), append(s.names, l.Columns[j])
	s.center, s.sd = append(s.center, a.mean), append(s.sd, sd)
	return true, nil
}

// size is the number of positions, the intercept included.
func (s *shape) size() int { return len(s.column) }

// active is the number of columns that are fitted.
func (s *shape) active() int { return len(s.column) - 1 }

// model turns the optimum into a model on the raw scale. Levels keep 0 as their
// center, numbers their mean.
func (s *shape) model(d models.Design, l *models.Layout, t []float64, m *moments) (*models.Logistic, error) {
	n := len(l.Columns)
	coef, center := make([]float64, n), make([]float64, n)
	for i := range l.Parts {
		if p := &l.Parts[i]; p.Dense() {
			center[p.Offset] = s.mean[p.Offset]
		}
	}
	base := models.Sum{}
	base.Add(t[0])
	for k, j := range s.column {
		if j < 0 {
			continue
		}
		coef[j] = t[k] / s.sd[k]
		base.Add(-coef[j] * (s.center[k] - center[j]))
	}
	return models.NewLogistic(d, base.Value(), coef, center, s.mean, s.spread, s.dropped)
}
