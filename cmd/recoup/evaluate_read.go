package main

import (
	"fmt"

	"recoup/data"
	"recoup/data/table"
	"recoup/models"
)

// scoreFile is a file of scores in memory.
type scoreFile struct {
	p, y, w []float64
	cluster []int // nil = none given

	ids map[string]int
}

// scoreColumns are the names of its columns; "" = there is none.
type scoreColumns struct{ p, y, weight, cluster string }

// readScores reads p and y, and weight and cluster where the file has them.
func readScores(path string) (*scoreFile, error) {
	f, err := table.Open(path, table.Options{})
	if err != nil {
		return nil, err
	}
	want := scoreColumns{p: "p", y: "y"}
	for _, col := range f.Columns() {
		switch col.Name {
		case "weight":
			want.weight = "weight"
		case "cluster":
			want.cluster = "cluster"
		}
	}
	return readScoreColumns(f, want)
}

// readOutcomes reads what stands beside the rows that a model scores.
func readOutcomes(path, target, weight, cluster string) (*scoreFile, error) {
	f, err := table.Open(path, table.Options{})
	if err != nil {
		return nil, err
	}
	return readScoreColumns(f, scoreColumns{y: target, weight: weight, cluster: cluster})
}

func readScoreColumns(f *table.File, names scoreColumns) (*scoreFile, error) {
	var want []data.Column
	for _, name := range []string{names.p, names.y, names.weight} {
		if name != "" {
			want = append(want, data.Column{Name: name, Kind: data.Float64})
		}
	}
	if names.cluster != "" {
		c := data.Column{Name: names.cluster, Kind: data.String}
		for _, col := range f.Columns() {
			if col.Name == names.cluster {
				c.Kind = col.Kind
			}
		}
		want = append(want, c)
	}
	s := &scoreFile{ids: map[string]int{}}
	for frame, err := range f.FramesAs(want...) {
		if err != nil { // it names the file
			return nil, err
		}
		if err := s.add(frame, names); err != nil {
			return nil, fmt.Errorf("evaluate: %s: %w", f.Path(), err)
		}
	}
	if len(s.y) == 0 {
		return nil, data.Faultf(data.ErrTooLittle, "evaluate: %s: no rows", f.Path())
	}
	return s, nil
}

func (s *scoreFile) add(f *data.Frame, names scoreColumns) error {
	if names.p != "" {
		p, err := models.Numbers(f, names.p)
		if err != nil {
			return err
		}
		for i, v := range p {
			if v < 0 || v > 1 {
				return data.Faultf(data.ErrContract, "column %s, %s: %v is outside [0, 1]", names.p, models.Where(f, i), v)
			}
		}
		s.p = append(s.p, p...)
	}
	y, err := models.Target(f, names.y)
	if err != nil {
		return err
	}
	s.y = append(s.y, y...)
	if names.weight != "" {
		w, err := models.Weights(f, names.weight)
		if err != nil {
			return err
		}
		s.w = append(s.w, w...)
	}
	if names.cluster == "" {
		return nil
	}
	clusters, err := models.Labels(f, names.cluster)
	if err != nil {
		return err
	}
	for _, name := range clusters {
		k, ok := s.ids[name]
		if !ok {
			k = len(s.ids)
			s.ids[name] = k
		}
		s.cluster = append(s.cluster, k)
	}
	return nil
}
