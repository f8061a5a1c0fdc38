package table

import (
	"math"
	"slices"

	"recoup/data"
)

// Content is what the cells of a column are, taken together.
type Content uint8

// The contents of a column.
const (
	Nothing Content = iota // no cell has a value
	Numbers                // every value is a number, perhaps not finite
	Words                  // no value is a number
	Mixed                  // some are numbers and some are not
)

func (c Content) String() string { return [...]string{"nothing", "numbers", "words", "mixed"}[c] }

// MaxLevels is how many different words a Profile lists.
const MaxLevels = 100_000

// Profile is what one pass found in a column. Lines are physical lines, row
// numbers in Parquet and Arrow; 0 is none.
//
// A number is an optional sign, decimal digits with at most one point, an
// optional exponent. NaN, Inf, Infinity (any case, any sign) and numbers beyond
// float64 are numbers that are not finite. Anything else is a word, and so is
// JSON text, text of Parquet and Arrow, true and false of JSON. Booleans of Parquet
// and Arrow are the numbers 0 and 1.
type Profile struct {
	Name      string
	Content   Content
	Rows      int64
	Nulls     int64
	Null      int      // line of the first null
	Differs   int      // Mixed: line of the first value that differs from the column's first in kind
	NonFinite int      // line of the first number that is not finite
	Levels    []string // the words, in byte order; numbers of a Mixed column are not among them
	Many      bool     // more than MaxLevels words: Levels is nil
}

// Profile reads the named columns once, all of them where none is named, and
// answers in that order.
func (f *File) Profile(columns ...string) ([]Profile, error) {
	want := f.Columns()
	if len(columns) > 0 {
		want = make([]data.Column, len(columns))
		for i, name := range columns {
			want[i] = data.Column{Name: name, Kind: data.String}
			if c := f.column(name); c != nil {
				want[i].Kind = c.Kind
			}
		}
	}
	if err := f.check(want); err != nil {
		return nil, err
	}
	if f.typed() {
		return f.typedProfile(want)
	}
	ps := make([]profiler, len(want))
	for j, c := range want {
		ps[j].Name, ps[j].levels = c.Name, map[string]struct{}{}
	}
	err := f.each(want, func(line int, cells []cell) error {
		for j := range cells {
			if cells[j].kind == cellNull {
				ps[j].null(line)
				continue
			}
			ps[j].value(line, cells[j].text, cells[j].sort())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return finish(ps), nil
}

// typedProfile looks at typed columns: numbers are numbers by their type.
func (f *File) typedProfile(columns []data.Column) ([]Profile, error) {
	ps := make([]profiler, len(columns))
	for j, c := range columns {
		ps[j].Name, ps[j].levels = c.Name, map[string]struct{}{}
	}
	for frame, err := range f.FramesAs(columns...) {
		if err != nil {
			return nil, err
		}
		for j := range frame.Columns {
			c := &frame.Columns[j]
			ps[j].column(c, f.column(c.Name).Exact, func(i int) int {
				if frame.Lines != nil {
					return frame.Lines[i]
				}
				return int(frame.First) + i + 1
			})
		}
	}
	return finish(ps), nil
}

// column adds a chunk; line is the row number of a row of it.
func (p *profiler) column(c *data.Column, exact bool, line func(i int) int) {
	for i := range max(len(c.F), len(c.I), len(c.Codes)) {
		switch {
		case c.Null(i):
			p.null(line(i))
		case c.Kind == data.Float64 && (math.IsNaN(c.F[i]) || math.IsInf(c.F[i], 0)):
			p.value(line(i), nil, infinite)
		case c.Kind != data.String || exact:
			p.value(line(i), nil, finite)
		default:
			p.value(line(i), []byte(c.Text(i)), word)
		}
	}
}

type profiler struct {
	Profile
	levels map[string]struct{}
	last   string
}

func (p *profiler) null(line int) {
	p.Rows++
	p.Nulls++
	if p.Null == 0 {
		p.Null = line
	}
}

func (p *profiler) value(line int, text []byte, s sort) {
	p.Rows++
	kind := Numbers
	if s == word {
		kind = Words
		p.word(text)
	} else if s == infinite && p.NonFinite == 0 {
		p.NonFinite = line
	}
	switch p.Content {
	case kind, Mixed:
	case Nothing:
		p.Content = kind
	default:
		p.Content, p.Differs = Mixed, line
	}
}

func (p *profiler) word(text []byte) {
	if p.Many || len(p.levels) > 0 && p.last == string(text) {
		return
	}
	if _, ok := p.levels[string(text)]; ok {
		return
	}
	if len(p.levels) == MaxLevels {
		p.Many, p.levels = true, nil
		return
	}
	p.last = string(text)
	p.levels[p.last] = struct{}{}
}

func finish(ps []profiler) []Profile {
	out := make([]Profile, len(ps))
	for i, p := range ps {
		for v := range p.levels {
			p.Levels = append(p.Levels, v)
		}
		slices.Sort(p.Levels)
		out[i] = p.Profile
	}
	return out
}
