package ingest

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"

	"recoup/data"
	"recoup/data/table"
)

// How much of a file is looked at: rows, and cells of all columns together.
const (
	lookRows  = 200_000
	lookCells = 4_000_000
	lookText  = 160 // bytes of a cell; longer ones are told apart by a hash
)

// survey is what was seen of a file.
type survey struct {
	path     string
	file     *table.File
	encoding string // "" = utf-8
	columns  []*examined
	unread   []Unused // columns that cannot be read at all
	rows     int
	whole    bool
	bad      int64 // records that the file itself put aside
}

// examined is a column that was looked at.
type examined struct {
	about  table.Column
	codes  []uint32 // by row; 0 = nothing there
	levels []level  // by code - 1, in the order of the file
	filled int      // rows with something there
	times  *timeReading
	timed  bool // times has been looked for
}

// level is a value of a column and how often it stands there.
type level struct {
	cell
	rows int
}

func (c *examined) name() string { return c.about.Name }

// at is the value of a row, null where there is none.
func (c *examined) at(row int) cell {
	if k := c.codes[row]; k > 0 {
		return c.levels[k-1].cell
	}
	return cell{}
}

// look reads the first rows of a file, in another encoding than UTF-8 if it is
// none.
func look(ctx context.Context, path string) (*survey, error) {
	s, foreign, err := lookAs(ctx, path, "")
	if errors.Is(err, data.ErrContract) || foreign { // the header may be what is not UTF-8
		if other, still, err := lookAs(ctx, path, "windows-1252"); err == nil && !still {
			return other, nil
		}
	}
	return s, err
}

// lookAs is look for one encoding; foreign says that it is not that of the file.
func lookAs(ctx context.Context, path, encoding string) (s *survey, foreign bool, err error) {
	s = &survey{path: path, encoding: encoding, whole: true}
	o := table.Options{Encoding: encoding, Reject: func(r table.Reject) {
		s.bad++
		foreign = foreign || strings.HasPrefix(r.Reason, "not UTF-8") || strings.HasPrefix(r.Reason, "not in the encoding")
	}}
	plain, err := table.Open(path, o) // JSONL lists its paths only when it is not tagged
	if err != nil {
		return nil, false, err
	}
	s.bad = 0
	o.Tagged = true
	if s.file, err = table.Open(path, o); err != nil {
		return nil, false, err
	}
	var names []string
	for _, c := range plain.Described() {
		switch {
		case c.Bad != "":
			s.unread = append(s.unread, Unused{c.Name, c.Bad})
		case c.Twice:
			s.unread = append(s.unread, Unused{c.Name, "the name is there twice"})
		default:
			names = append(names, c.Name)
			s.columns = append(s.columns, &examined{about: c})
		}
	}
	if len(names) == 0 {
		return s, foreign, nil
	}
	return s, foreign, s.read(ctx, names)
}

func (s *survey) read(ctx context.Context, names []string) error {
	takers := make([]*taker, len(s.columns))
	for j, c := range s.columns {
		takers[j] = &taker{examined: c, source: source{about: c.about, tagged: s.file.Tagged()}, index: map[string]uint32{}}
	}
	most := min(lookRows, max(1000, lookCells/len(names)))
	for frame, err := range s.file.Frames(names...) {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(frame.N, most-s.rows)
		for j, t := range takers {
			t.column = &frame.Columns[j]
			for i := range n {
				t.take(i)
			}
		}
		if s.rows += n; n < frame.N {
			s.whole = false
			break
		}
	}
	return nil
}

// taker fills an examined column.
type taker struct {
	*examined
	source
	index   map[string]uint32
	scratch []byte
}

func (t *taker) take(i int) {
	c := t.source.at(i)
	text := c.raw()
	if c.kind == nullCell || c.kind == textCell && text == "" {
		t.codes = append(t.codes, 0)
		return
	}
	t.scratch = append(append(t.scratch[:0], byte(c.kind)), text...)
	if len(text) > lookText {
		sum := sha256.Sum256([]byte(text))
		t.scratch = append(t.scratch[:lookText], sum[:]...)
	}
	k, ok := t.index[string(t.scratch)]
	if !ok {
		k = uint32(len(t.levels) + 1)
		t.index[string(t.scratch)] = k
		if c.s = strings.Clone(c.s); len(c.s) > lookText {
			c.s = cut(c.s)
		}
		t.levels = append(t.levels, level{cell: c})
	}
	t.levels[k-1].rows++
	t.codes = append(t.codes, k)
	t.filled++
}

// unique says that no two rows have the same value, and few have none.
func (c *examined) unique() bool {
	return c.filled > 0 && len(c.levels) == c.filled && c.filled*100 >= len(c.codes)*99
}

// texts says that values can fill a field of text, nearly all of them.
func (c *examined) texts() bool {
	other := 0
	for i := range c.levels {
		if k := c.levels[i].kind; k != textCell && k != wholeCell {
			other += c.levels[i].rows
		}
	}
	return c.filled > 0 && other*100 <= c.filled*(100-readable)
}

// digits says that values are JSON numbers of digits alone, nearly all of them:
// ids that were written without quotes.
func (c *examined) digits() bool {
	other := 0
	for i := range c.levels {
		if l := &c.levels[i]; l.kind != numeralCell || !plainDigits(l.s) {
			other += l.rows
		}
	}
	return c.filled > 0 && other*100 <= c.filled*(100-readable)
}

// half says that at least every other row has a value.
func (c *examined) half() bool { return 2*c.filled >= len(c.codes) }

// spread is at most n levels, evenly taken.
func spread(levels []level, n int) []level {
	if len(levels) <= n {
		return levels
	}
	out := make([]level, n)
	for i := range out {
		out[i] = levels[i*len(levels)/n]
	}
	return out
}
