package train

import (
	"fmt"
	"iter"

	"recoup/data"
	"recoup/models"
)

// Scored are rows with a model's word on each: parallel slices in the order of
// the table.
type Scored struct {
	Y   []float64 // 0 or 1
	W   []float64 // nil = 1 each
	F   []float64 // logit before calibration
	Raw []float64 // its probability
	P   []float64 // after calibration; nil before there is any
	// Meta has the columns that were asked for beside the features.
	Meta *data.Frame
}

// score puts a model on rows, without its calibration, with columns beside its inputs.
func (t Task) score(m *models.Scorer, rows Source, meta ...string) (*Scored, error) {
	bind, s := m.NewBinder(), &Scored{}
	row := make([]float64, len(m.Inputs()))
	beside := newPile(meta)
	for f, err := range rows() {
		if err != nil {
			return nil, err
		}
		b, err := bind.Bind(f, nil)
		if err != nil {
			return nil, fmt.Errorf("train: %s: %w", t.Table.Name, err)
		}
		for i := range f.N {
			b.Row(i, row)
			z, err := m.Margin(row)
			if err != nil {
				return nil, fmt.Errorf("train: %s: %w", t.Table.Name, err)
			}
			s.F = append(s.F, z)
			s.Raw = append(s.Raw, models.Sigmoid(z))
		}
		y, err := models.Target(f, colY)
		if err != nil {
			return nil, fmt.Errorf("train: %s: %w", t.Table.Name, err)
		}
		s.Y = append(s.Y, y...)
		w, err := t.weights(f)
		if err != nil {
			return nil, fmt.Errorf("train: %s: %w", t.Table.Name, err)
		}
		s.W = append(s.W, w...)
		if err := beside.add(f); err != nil {
			return nil, fmt.Errorf("train: %s: %w", t.Table.Name, err)
		}
	}
	s.Meta = beside.frame
	return s, nil
}

// Score puts a registered model on the rows of a slice of a table, with columns
// beside its inputs.
func Score(t Task, m models.Scorer, slice Slice, meta ...string) (*Scored, error) {
	var columns []string
	for _, in := range m.Inputs() {
		columns = append(columns, in.Name)
	}
	if t.Weight != "" {
		columns = append(columns, t.Weight)
	}
	rows, err := t.Table.rows(append(columns, meta...), within(slice))
	if err != nil {
		return nil, err
	}
	s, err := t.score(&m, rows, append([]string{colCustomer}, meta...)...)
	if err != nil {
		return nil, err
	}
	s.through(m.Platt)
	return s, nil
}

// Sample are up to n rows of a slice, evenly spaced, as the model takes them.
func Sample(t Task, m *models.Scorer, slice Slice, n int64) ([][]float64, error) {
	rows, err := t.Table.rows(t.columns(), within(slice))
	if err != nil {
		return nil, err
	}
	bind := m.NewBinder()
	every := max(1, slice.Rows/n)
	var out [][]float64
	var seen int64
	for f, err := range rows() {
		if err != nil {
			return nil, err
		}
		b, err := bind.Bind(f, nil)
		if err != nil {
			return nil, fmt.Errorf("train: %s: %w", t.Table.Name, err)
		}
		for i := range f.N {
			if seen%every == 0 && int64(len(out)) < n {
				row := make([]float64, len(m.Inputs()))
				b.Row(i, row)
				out = append(out, row)
			}
			seen++
		}
	}
	return out, nil
}

// through is P of the logits under a calibration.
func (s *Scored) through(c models.Platt) {
	s.P = make([]float64, len(s.F))
	for i, f := range s.F {
		s.P[i] = c.Prob(f)
	}
}

// Concat reads chunks to their end and puts them under one another, without
// nulls.
func Concat(columns []string, chunks iter.Seq2[*data.Frame, error]) (*data.Frame, error) {
	p := newPile(columns)
	for f, err := range chunks {
		if err != nil {
			return nil, err
		}
		if err := p.add(f); err != nil {
			return nil, err
		}
	}
	return p.frame, nil
}

// pile is a frame that grows by chunks of the same columns; the strings of all
// go in one dictionary by first appearance.
type pile struct {
	frame *data.Frame
	codes []map[string]uint32
}

func newPile(columns []string) *pile {
	p := &pile{frame: &data.Frame{Columns: make([]data.Column, len(columns))}}
	for i, name := range columns {
		p.frame.Columns[i].Name = name
		p.codes = append(p.codes, map[string]uint32{})
	}
	return p
}

func (p *pile) add(f *data.Frame) error {
	p.frame.N += f.N
	for i := range p.frame.Columns {
		c := &p.frame.Columns[i]
		from := f.Column(c.Name)
		if from == nil {
			return missing(c.Name)
		}
		c.Kind = from.Kind
		c.F, c.I = append(c.F, from.F...), append(c.I, from.I...)
		if from.Kind != data.String {
			continue
		}
		here := make([]uint32, len(from.Dict)) // 1 + code
		for _, code := range from.Codes {
			if here[code] == 0 {
				text := from.Dict[code]
				k, ok := p.codes[i][text]
				if !ok {
					k = uint32(len(c.Dict))
					p.codes[i][text] = k
					c.Dict = append(c.Dict, text)
				}
				here[code] = k + 1
			}
			c.Codes = append(c.Codes, here[code]-1)
		}
	}
	return nil
}
