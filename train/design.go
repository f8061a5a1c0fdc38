package train

import (
	"recoup/data"
	"recoup/features"
	"recoup/models"
)

// design is the model of a schema: every column alone, then every interaction
// block. A term is named after what it belongs to, its column's group or its
// block, and leave-out names are such names: their terms are missing, as if the
// schema had never had them. refs gives the reference level of each column.
func design(s features.Schema, refs []int, leaveOut string) models.Design {
	d := models.Design{Inputs: make([]models.Input, len(s.Columns))}
	for i, c := range s.Columns {
		d.Inputs[i] = models.Input{Name: c.Name, Levels: c.Levels, Ref: refs[i]}
		if c.Group != leaveOut {
			d.Terms = append(d.Terms, models.Term{Name: c.Group, A: i, B: -1})
		}
	}
	for _, b := range s.Blocks {
		x, y := s.Index(b.A), s.Index(b.B)
		if b.Name == leaveOut || s.Columns[x].Group == leaveOut || s.Columns[y].Group == leaveOut {
			continue
		}
		d.Terms = append(d.Terms, models.Term{Name: b.Name, A: x, B: y})
	}
	return d
}

// parts lists what design can leave out: the schema's groups in order of first
// appearance, then its blocks.
func parts(s features.Schema) []string {
	var out []string
	seen := map[string]bool{}
	for _, c := range s.Columns {
		if !seen[c.Group] {
			seen[c.Group] = true
			out = append(out, c.Group)
		}
	}
	for _, b := range s.Blocks {
		if !seen[b.Name] { // several products may make one block
			seen[b.Name] = true
			out = append(out, b.Name)
		}
	}
	return out
}

// commonest is each category's most frequent level in some rows, the lower
// index of equals: the reference level, so that a coefficient says how a level
// differs from the usual.
func commonest(s features.Schema, rows Source) ([]int, error) {
	counts := make([][]int64, len(s.Columns))
	index := make([]map[string]int, len(s.Columns))
	for i, c := range s.Columns {
		counts[i] = make([]int64, len(c.Levels))
		index[i] = map[string]int{}
		for k, v := range c.Levels {
			index[i][v] = k
		}
	}
	for f, err := range rows() {
		if err != nil {
			return nil, err
		}
		for i, c := range s.Columns {
			if c.Levels == nil {
				continue
			}
			from := f.Column(c.Name)
			if from == nil {
				return nil, missing(c.Name)
			}
			times := make([]int64, len(from.Dict))
			for _, k := range from.Codes {
				times[k]++
			}
			for k, v := range from.Dict {
				level, ok := index[i][v]
				if !ok && times[k] > 0 {
					return nil, data.Faultf(data.ErrContract, "train: column %s: level %q is not in the schema: build the table again", c.Name, v)
				}
				if ok {
					counts[i][level] += times[k]
				}
			}
		}
	}
	refs := make([]int, len(s.Columns))
	for i := range counts {
		for k, n := range counts[i] {
			if n > counts[i][refs[i]] {
				refs[i] = k
			}
		}
	}
	return refs, nil
}
