package train

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"recoup/data"
	"recoup/data/table"
	"recoup/models"
)

// Inputs asks for a design from a file.
type Inputs struct {
	Target, Weight string            // columns that are no inputs; Weight may be ""
	Features       []string          // the inputs; nil = every other column
	Ref            map[string]string // reference level by column; else the first in byte order
}

// Discover looks through a file and makes the plain design of it: every input
// alone, numbers as they are, text as categories, in the order of the file. Levels
// are those of the rows of weight above 0. A column of numbers and text, a missing
// value and a number that is not finite are refused with their line, all at once.
// Errors name the file.
func Discover(f *table.File, in Inputs) (models.Design, error) {
	var d models.Design
	names, err := in.columns(f)
	if err != nil {
		return d, err
	}
	profiles, err := f.Profile(names...)
	if err != nil {
		return d, err
	}
	var faults []error
	if profiles[0].Rows == 0 {
		return d, fault(data.ErrTooLittle, f, "no rows")
	}
	for i, p := range profiles {
		input, err := in.input(f, p)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		d.Inputs = append(d.Inputs, input)
		d.Terms = append(d.Terms, models.Term{Name: p.Name, A: i, B: -1})
	}
	if len(faults) > 0 {
		return d, errors.Join(faults...)
	}
	if in.Weight != "" {
		if err := in.used(f, &d); err != nil {
			return d, err
		}
	}
	return d, in.setRefs(f, &d)
}

func fault(kind error, f *table.File, format string, args ...any) error {
	return data.Faultf(kind, "fit: %s: %w", f.Path(), fmt.Errorf(format, args...))
}

// columns are the inputs' names in the order of the file; target and weight must
// be there too.
func (in Inputs) columns(f *table.File) ([]string, error) {
	var names, have []string
	for _, c := range f.Columns() {
		have = append(have, c.Name)
		if c.Name != in.Target && c.Name != in.Weight && (in.Features == nil || slices.Contains(in.Features, c.Name)) {
			names = append(names, c.Name)
		}
	}
	var faults []error
	for _, want := range append([]string{in.Target}, in.Features...) {
		if !slices.Contains(have, want) {
			faults = append(faults, fault(data.ErrContract, f, "no column %s: the file has %s", want, strings.Join(have, ", ")))
		}
	}
	if in.Weight != "" && !slices.Contains(have, in.Weight) {
		faults = append(faults, fault(data.ErrContract, f, "no column %s for the weights: the file has %s", in.Weight, strings.Join(have, ", ")))
	}
	for _, c := range in.Features {
		if c == in.Target || c == in.Weight {
			faults = append(faults, fault(data.ErrUsage, f, "column %s is the target or the weight, it cannot be a feature", c))
		}
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	if len(names) == 0 {
		return nil, fault(data.ErrContract, f, "no column left to fit beside %s", in.Target)
	}
	return names, nil
}

// input decides what a column is.
func (in Inputs) input(f *table.File, p table.Profile) (models.Input, error) {
	where := "line"
	if f.Format() == table.Parquet || f.Format() == table.Arrow {
		where = "row"
	}
	bad := func(format string, args ...any) (models.Input, error) {
		return models.Input{}, fault(data.ErrContract, f, "column %s"+format, append([]any{p.Name}, args...)...)
	}
	switch {
	case p.Null > 0:
		return bad(", %s %d: missing value: fill it or drop the row", where, p.Null)
	case p.Content == table.Mixed:
		return bad(", %s %d: numbers and text in one column", where, p.Differs)
	case p.NonFinite > 0:
		return bad(", %s %d: not a finite number", where, p.NonFinite)
	case p.Many:
		return bad(": more than %d different texts: it is not a category", table.MaxLevels)
	case p.Content == table.Words:
		return models.Input{Name: p.Name, Levels: p.Levels}, nil
	}
	return models.Input{Name: p.Name}, nil
}

// used keeps the levels that occur in a row of weight above 0.
func (in Inputs) used(f *table.File, d *models.Design) error {
	seen := make([]map[string]bool, len(d.Inputs))
	want := []data.Column{{Name: in.Weight, Kind: data.Float64}}
	for i, c := range d.Inputs {
		if c.Category() {
			seen[i] = map[string]bool{}
			want = append(want, data.Column{Name: c.Name, Kind: data.String})
		}
	}
	if len(want) == 1 {
		return nil
	}
	for frame, err := range f.FramesAs(want...) {
		if err != nil {
			return err
		}
		w, err := models.Weights(frame, in.Weight)
		if err != nil {
			return fault(data.ErrContract, f, "%w", err)
		}
		for i, c := range d.Inputs {
			if seen[i] == nil {
				continue
			}
			column := frame.Column(c.Name)
			for r, v := range w {
				if v > 0 {
					seen[i][column.Text(r)] = true
				}
			}
		}
	}
	for i := range d.Inputs {
		if seen[i] != nil {
			d.Inputs[i].Levels = slices.DeleteFunc(d.Inputs[i].Levels, func(v string) bool { return !seen[i][v] })
		}
	}
	return nil
}

// setRefs applies the reference levels that were asked for.
func (in Inputs) setRefs(f *table.File, d *models.Design) error {
	var faults []error
	names := make([]string, 0, len(in.Ref))
	for name := range in.Ref {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		i := slices.IndexFunc(d.Inputs, func(c models.Input) bool { return c.Name == name })
		if i < 0 {
			faults = append(faults, fault(data.ErrUsage, f, "reference %s=%s: %s is not one of the inputs", name, in.Ref[name], name))
			continue
		}
		k := slices.Index(d.Inputs[i].Levels, in.Ref[name])
		if k < 0 {
			faults = append(faults, fault(data.ErrUsage, f, "reference %s=%s: the column has %s", name, in.Ref[name], levelList(d.Inputs[i].Levels)))
			continue
		}
		d.Inputs[i].Ref = k
	}
	return errors.Join(faults...)
}

func levelList(levels []string) string {
	switch {
	case len(levels) == 0:
		return "numbers"
	case len(levels) > 10:
		return strings.Join(levels[:10], ", ") + fmt.Sprintf(" and %d more", len(levels)-10)
	}
	return strings.Join(levels, ", ")
}

// SourceOf streams the columns of a file that a design needs, and others that are
// numbers. Errors name the file.
func SourceOf(f *table.File, d models.Design, numbers ...string) Source {
	var want []data.Column
	for _, in := range d.Inputs {
		kind := data.Float64
		if in.Category() {
			kind = data.String
		}
		want = append(want, data.Column{Name: in.Name, Kind: kind})
	}
	for _, name := range numbers {
		if name != "" {
			want = append(want, data.Column{Name: name, Kind: data.Float64})
		}
	}
	return func() iter.Seq2[*data.Frame, error] { return f.FramesAs(want...) }
}

// Margins are the logits of a model on the rows of a table, with the outcomes and
// weights beside them (weight "" = nil). Rows of weight 0 that hold an unknown level have
// logit 0.
func Margins(m *models.Logistic, src Source, target, weight string) (f, y, w []float64, err error) {
	binder := m.NewBinder()
	row := make([]float64, len(m.Inputs))
	for frame, err := range src() {
		if err != nil {
			return nil, nil, nil, err
		}
		yy, err := models.Target(frame, target)
		if err != nil {
			return nil, nil, nil, err
		}
		var ww []float64
		if weight != "" {
			if ww, err = models.Weights(frame, weight); err != nil {
				return nil, nil, nil, err
			}
		}
		b, err := binder.Bind(frame, ww)
		if err != nil {
			return nil, nil, nil, err
		}
		for i := range frame.N {
			z := 0.0
			if ww == nil || ww[i] > 0 {
				b.Row(i, row)
				if z, err = m.Margin(row); err != nil {
					return nil, nil, nil, fmt.Errorf("%s: %w", models.Where(frame, i), err)
				}
			}
			f = append(f, z)
		}
		y, w = append(y, yy...), append(w, ww...)
	}
	return f, y, w, nil
}
