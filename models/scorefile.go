package models

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"recoup/data"
	"recoup/data/table"
)

// ScoreFile scores every row of a table on disk: logits before calibration and
// calibrated probabilities, in the order of the file. Columns are found by name. A column that the model needs and the file
// lacks, one that it does not know and that is not among also, a missing value
// and a level out of the vocabulary are errors that name file, column and line.
func (s *Scorer) ScoreFile(ctx context.Context, path string, also []string) (raw, p []float64, err error) {
	f, err := table.Open(path, table.Options{})
	if err != nil {
		return nil, nil, err
	}
	want := make([]data.Column, len(s.Inputs()))
	for i, in := range s.Inputs() {
		want[i] = data.Column{Name: in.Name, Kind: data.Float64}
		if in.Category() {
			want[i].Kind = data.String
		}
	}
	if err := knownColumns(f, want, also); err != nil {
		return nil, nil, err
	}
	binder, row := s.NewBinder(), make([]float64, len(want))
	for frame, err := range f.FramesAs(want...) {
		if err != nil {
			return nil, nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		bound, err := binder.Bind(frame, nil)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		for i := range bound.N {
			bound.Row(i, row)
			z, q, err := s.Score(row)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %s: %w", path, Where(frame, i), err)
			}
			raw, p = append(raw, z), append(p, q)
		}
	}
	if len(raw) == 0 {
		return nil, nil, data.Faultf(data.ErrContract, "%s: no rows", path)
	}
	return raw, p, nil
}

// ErrColumns is a table that has other columns than a model's. It comes with
// data.ErrContract.
var ErrColumns = errors.New("other columns than the model's")

// knownColumns reports every column too many and too few at once.
func knownColumns(f *table.File, want []data.Column, also []string) error {
	var strange, lost, faults []string
	have := map[string]bool{}
	for _, c := range f.Columns() {
		have[c.Name] = true
		if !slices.Contains(also, c.Name) && !slices.ContainsFunc(want, func(w data.Column) bool { return w.Name == c.Name }) {
			strange = append(strange, c.Name)
		}
	}
	for _, w := range want {
		if !have[w.Name] {
			lost = append(lost, w.Name)
		}
	}
	if len(strange) > 0 {
		faults = append(faults, "unknown to the model: "+strings.Join(strange, ", "))
	}
	if len(lost) > 0 {
		faults = append(faults, fmt.Sprintf("%d of the %d columns that the model needs are not there: %s", len(lost), len(want), strings.Join(lost, ", ")))
	}
	if len(faults) > 0 {
		return data.Faultf(data.ErrContract, "%s: %w: %s", f.Path(), ErrColumns, strings.Join(faults, "; "))
	}
	return nil
}
