package train

import (
	"math"

	"recoup/data"
	"recoup/features"
	"recoup/models"
)

// seen is what some rows show of a case's state: rows by level, and the range and the
// tenths of each number. Columns of the candidate are left out; see models.SeenInput.
func seen(s features.Schema, rows Source) (*models.Seen, error) {
	out := &models.Seen{Inputs: make([]models.SeenInput, len(s.Columns))}
	index, samples := make([]map[string]int, len(s.Columns)), make([]thinned, len(s.Columns))
	for i, c := range s.Columns {
		out.Inputs[i].Name = c.Name
		if c.Candidate || c.Levels == nil {
			continue
		}
		out.Inputs[i].Rows, index[i] = make([]int64, len(c.Levels)), map[string]int{}
		for k, v := range c.Levels {
			index[i][v] = k
		}
	}
	for f, err := range rows() {
		if err != nil {
			return nil, err
		}
		out.Rows += int64(f.N)
		for i, c := range s.Columns {
			from := f.Column(c.Name)
			switch {
			case c.Candidate:
			case from == nil:
				return nil, missing(c.Name)
			case c.Levels != nil:
				for _, k := range from.Codes {
					level, ok := index[i][from.Dict[k]]
					if !ok {
						return nil, data.Faultf(data.ErrContract, "train: column %s: level %q is not in the schema: build the table again", c.Name, from.Dict[k])
					}
					out.Inputs[i].Rows[level]++
				}
			default:
				if out.Inputs[i].Range == nil {
					out.Inputs[i].Range = &models.Interval{math.Inf(1), math.Inf(-1)}
				}
				r := out.Inputs[i].Range
				for _, v := range from.F {
					r[0], r[1] = min(r[0], v), max(r[1], v)
				}
				samples[i].add(from.F)
			}
		}
	}
	for i := range samples {
		out.Inputs[i].Cuts = models.CutsOf(samples[i].kept)
	}
	return out, nil
}

// tenthsOf is how many numbers of a column are remembered at most, for its tenths.
const tenthsOf = 20_000

// thinned keeps every value, then every second, fourth, ... one, so that at most
// tenthsOf are kept and all parts of what came count alike.
type thinned struct {
	kept  []float64
	every int // 0 = 1: every value is kept
	next  int // values to pass over
}

func (t *thinned) add(values []float64) {
	t.every = max(1, t.every)
	for _, v := range values {
		if t.next > 0 {
			t.next--
			continue
		}
		if len(t.kept) == tenthsOf {
			for i := range tenthsOf / 2 {
				t.kept[i] = t.kept[2*i]
			}
			t.kept = t.kept[:tenthsOf/2]
			t.every *= 2
		}
		t.kept, t.next = append(t.kept, v), t.every-1
	}
}
