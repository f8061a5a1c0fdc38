package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"recoup/data"
	"recoup/data/table"
	"recoup/models"
	"recoup/models/lightgbm"
)

// textBinding makes the rows of a LightGBM text file out of a table's columns.
type textBinding struct {
	features []boundFeature
	paired   bool // the levels were taken from the model alone, without a columns.json
	path     string
}

// boundFeature is one feature and the column that it is read from.
type boundFeature struct {
	name   string      // of the feature
	column data.Column // of the table
	at     *data.Column
	codes  map[string]float64 // of a text; nil = numbers are read
	truth  bool               // the texts are true and false
	code   []float64          // of the chunk's levels
	levels map[float64]float64
	seen   map[int64]bool // categories of training; nil = a number
	asZero bool           // missing counts as 0 to the model
	noText bool           // of a CSV file: a level "" can be in no field
	missed struct{ unknown, known, unseen, uneven, zero tally }
}

// tally counts rows and keeps the first.
type tally struct {
	n     int
	first string
}

func (t *tally) add(f *data.Frame, i int, what string) {
	if t.n++; t.n == 1 {
		t.first = where(f, i) + what
	}
}

func where(f *data.Frame, i int) string { return models.Where(f, i) }

// bindText finds the model's features among the columns of a table, by name.
func bindText(f *table.File, m *lightgbm.Model, columns []columnFile) (*textBinding, error) {
	b := &textBinding{paired: columns == nil, path: f.Path()}
	if columns == nil {
		var err error
		if columns, err = pairLevels(m); err != nil {
			return nil, err
		}
	}
	var lost []string
	have, zero := f.Columns(), m.MissingAsZero()
	for i, c := range columns {
		at := columnFor(have, m.Names[i])
		if at == nil {
			lost = append(lost, m.Names[i])
			continue
		}
		bf := boundFeature{name: m.Names[i], column: *at, asZero: zero[i]}
		if m.Kinds[i] == lightgbm.Categorical {
			bf.seen = m.Categories(i)
		}
		if err := bf.encode(c); err != nil {
			return nil, err
		}
		_, empty := bf.codes[""]
		bf.noText = empty && f.Format() == table.CSV
		b.features = append(b.features, bf)
	}
	if len(lost) > 0 {
		return nil, data.Faultf(data.ErrContract, "predict: %s: %d of the %d columns that the model needs are not there: %s", f.Path(), len(lost), len(m.Names), quotedOdds(lost))
	}
	b.findTruths(f)
	return b, nil
}

// columnFor finds the column of a feature: of its very name, else of the only name that
// LightGBM would keep as the feature's.
func columnFor(have []data.Column, name string) *data.Column {
	if i := slices.IndexFunc(have, func(c data.Column) bool { return c.Name == name }); i >= 0 {
		return &have[i]
	}
	var found *data.Column
	for i := range have {
		if underscored(have[i].Name) == name {
			if found != nil {
				return nil
			}
			found = &have[i]
		}
	}
	return found
}

// encode says how the column is read.
func (b *boundFeature) encode(c columnFile) error {
	if c.Kind != "category" {
		if b.column.Kind == data.String {
			b.column.Kind = data.Float64
		}
		return nil
	}
	levels, err := c.levels()
	if err != nil {
		return err
	}
	if b.column.Kind == data.String {
		b.codes = make(map[string]float64, len(levels))
		for k, s := range levels {
			b.codes[s] = float64(k)
		}
		for k, v := range c.Levels {
			if v, ok := v.(bool); ok {
				spell(b.codes, v, float64(k))
			}
		}
		return nil
	}
	b.levels = map[float64]float64{} // numbers as levels
	for k, s := range levels {
		if v, err := strconv.ParseFloat(s, 64); err == nil {
			b.levels[v] = float64(k)
		} else if v, ok := c.Levels[k].(bool); ok && b.column.Kind == data.Bool {
			b.levels[map[bool]float64{true: 1}[v]] = float64(k)
		}
	}
	if len(b.levels) == 0 {
		return data.Faultf(data.ErrContract, "predict: column %s: %s here, but texts to the model", quotedOdd(b.name), b.column.Kind)
	}
	return nil
}

// want are the columns to read.
func (b *textBinding) want() []data.Column {
	var want []data.Column
	for _, f := range b.features {
		if !slices.ContainsFunc(want, func(c data.Column) bool { return c.Name == f.column.Name }) {
			want = append(want, f.column)
		}
	}
	return want
}

// take prepares for the rows of a chunk.
func (b *textBinding) take(f *data.Frame) error {
	for i := range b.features {
		bf := &b.features[i]
		if bf.at = f.Column(bf.column.Name); bf.at == nil {
			return fmt.Errorf("predict: no column %q", bf.column.Name)
		}
		if bf.at.Kind == data.Timestamp {
			return data.Faultf(data.ErrContract, "predict: column %s: times here, numbers to the model", quotedOdd(bf.name))
		}
		if bf.codes == nil {
			continue
		}
		bf.code = bf.code[:0]
		for _, s := range bf.at.Dict {
			k, ok := bf.codes[s]
			if !ok {
				k = math.NaN()
			}
			bf.code = append(bf.code, k)
		}
	}
	return nil
}

// row makes row i of the chunk.
func (b *textBinding) row(f *data.Frame, i int, row []float64) error {
	for j := range b.features {
		x, err := b.features[j].value(f, i)
		if err != nil {
			return err
		}
		row[j] = x
	}
	return nil
}

func (b *boundFeature) value(f *data.Frame, i int) (float64, error) {
	x := math.NaN()
	switch {
	case b.at.Null(i):
	case b.codes != nil:
		if x = b.code[b.at.Codes[i]]; x != x && b.truth {
			return 0, data.Faultf(data.ErrContract, "predict: column %s, %s: %q among true and false: write one of them in every row, or 1 and 0", quotedOdd(b.name), where(f, i), b.at.Text(i))
		} else if x != x {
			b.missed.unknown.add(f, i, fmt.Sprintf(": %q", b.at.Text(i)))
		} else {
			b.missed.known.n++
		}
	default:
		if b.at.Kind == data.Float64 {
			x = b.at.F[i]
		} else {
			x = float64(b.at.I[i])
		}
		if math.IsInf(x, 0) {
			return 0, data.Faultf(data.ErrContract, "predict: column %s, %s: %v is not a finite number; leave it empty where it is missing", quotedOdd(b.name), where(f, i), x)
		}
		if b.levels != nil {
			k, ok := b.levels[x]
			if !ok && x == x {
				b.missed.unknown.add(f, i, fmt.Sprintf(": %v", x))
				k = math.NaN()
			} else if !ok {
				k = math.NaN()
			}
			x = k
		}
	}
	b.count(f, i, x)
	return x, nil
}

// count keeps what a reader of the scores should know.
func (b *boundFeature) count(f *data.Frame, i int, x float64) {
	switch {
	case x != x:
		if b.asZero {
			b.missed.zero.add(f, i, "")
		}
	case b.seen == nil:
	case x != math.Trunc(x):
		b.missed.uneven.add(f, i, fmt.Sprintf(": %v", x))
	case x < math.MinInt32 || x > math.MaxInt32 || !b.seen[int64(x)]:
		b.missed.unseen.add(f, i, fmt.Sprintf(": %v", x))
	}
}

// known refuses a column of texts of which none is a level, where only counting said that
// the levels are its own.
func (b *textBinding) known() error {
	for _, f := range b.features {
		if b.paired && f.codes != nil && f.missed.known.n == 0 && f.missed.unknown.n > 0 {
			return data.Faultf(data.ErrUsage, "predict: column %s: none of its texts (%s) is a level of the model: give --columns C to say which levels are whose", quotedOdd(f.name), f.missed.unknown.first)
		}
	}
	return nil
}

// warnings say what was scored otherwise than the file may have meant.
func (b *textBinding) warnings() []string {
	var out []string
	for _, f := range b.features {
		if f.noText {
			out = append(out, fmt.Sprintf("column %s: the model has the level \"\", which no field of a CSV file can hold: an empty field was taken as missing", quotedOdd(f.name)))
		}
		for _, w := range []struct {
			tally
			what string
		}{
			{f.missed.unknown, "texts that are no level of the model, taken as missing"},
			{f.missed.unseen, "categories that are not among those that the model kept"},
			{f.missed.uneven, "codes that are no whole numbers, cut to whole ones as LightGBM does"},
			{f.missed.zero, "missing values, where the training data had none: LightGBM takes them for 0"},
		} {
			if w.n > 0 {
				out = append(out, fmt.Sprintf("column %s: %d rows with %s (first %s)", quotedOdd(f.name), w.n, w.what, w.first))
			}
		}
	}
	return out
}
