package experiment

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// spare is how much the delay varies in a table.
func (t *attemptTable) spare() (SpareTime, error) {
	out := SpareTime{Log: t.name}
	cells := map[string][]float64{}
	var all []float64
	for f, err := range t.task.Table.Frames("class", "next_no", "cand_delay") {
		if err != nil {
			return out, err
		}
		class, no, delay := f.Column("class"), f.Column("next_no"), f.Column("cand_delay")
		for i, v := range delay.F {
			cell := fmt.Sprintf("%s/%v", class.Text(i), no.F[i])
			cells[cell] = append(cells[cell], v)
			all = append(all, v)
			out.Days += math.Expm1(v) / 86400
		}
	}
	if out.Rows = int64(len(all)); out.Rows == 0 {
		return out, nil
	}
	out.Days /= float64(len(all))
	_, whole := moments(all)
	within := 0.0
	for _, cell := range slices.Sorted(maps.Keys(cells)) {
		_, v := moments(cells[cell])
		within += float64(v * float64(len(cells[cell])))
	}
	if whole > 0 {
		out.Within = within / float64(len(all)) / whole
	}
	return out, nil
}
