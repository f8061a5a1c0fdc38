package data

import (
	"fmt"
	"iter"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// FrameFile is a table written by CreateFrames, open for reading.
type FrameFile struct {
	f       *parquetFile
	columns []Column
}

// OpenFrames opens a table. A file of other types than a frame's Is ErrContract.
func OpenFrames(path string) (*FrameFile, error) {
	t := &FrameFile{}
	f, err := openParquet(path, func(f *parquetFile) error {
		for _, p := range f.Schema().Columns() {
			leaf, _ := f.Schema().Lookup(p...)
			c, err := frameColumn(p, leaf)
			if err != nil {
				return err
			}
			t.columns = append(t.columns, c)
		}
		return checkCounts(f)
	})
	if err != nil {
		return nil, err
	}
	t.f = f
	return t, nil
}

// checkCounts holds the columns of a flat file to the rows of their row group.
func checkCounts(f *parquetFile) error {
	for i, g := range f.RowGroups() {
		for _, c := range g.ColumnChunks() {
			if c.NumValues() != g.NumRows() {
				return fmt.Errorf("row group %d has %d rows, but a column of %d values", i, g.NumRows(), c.NumValues())
			}
		}
	}
	return nil
}

func frameColumn(path []string, leaf parquet.LeafColumn) (Column, error) {
	c := Column{Name: columnPath(path)}
	if len(path) == 1 && leaf.MaxRepetitionLevel == 0 {
		if leaf.MaxDefinitionLevel > 0 {
			c.Nulls = []bool{}
		}
		for k := Float64; k <= Timestamp; k++ {
			if want, _ := frameSchema([]Column{{Name: c.Name, Kind: k, Nulls: c.Nulls}}).Lookup(c.Name); leafType(want) == leafType(leaf) {
				c.Kind = k
				return c, nil
			}
		}
	}
	return c, fmt.Errorf("column %s is %s, which no frame holds", c.Name, leafType(leaf))
}

// Columns lists names and kinds; Nulls is not nil where a column may hold nulls.
func (t *FrameFile) Columns() []Column { return slices.Clone(t.columns) }

// Rows is the number of rows.
func (t *FrameFile) Rows() int64 { return t.f.NumRows() }

// Meta looks a key up that CreateFrames was given.
func (t *FrameFile) Meta(key string) (string, bool) { return t.f.Lookup(key) }

// Close closes the file; Frames may no longer be used.
func (t *FrameFile) Close() error { return t.f.Close() }

// Frames reads the table from its first row, in frames of at most 16384 rows,
// with the named columns in the order of the names (none: all of them). A frame
// and its slices are reused by the next one but one: use it before asking for
// the next. Its texts may be kept.
func (t *FrameFile) Frames(columns ...string) iter.Seq2[*Frame, error] {
	return func(yield func(*Frame, error) bool) {
		r := &frameReader{left: t.Rows()}
		want := t.columns
		if len(columns) > 0 {
			want = nil
			for _, name := range columns {
				i := slices.IndexFunc(t.columns, func(c Column) bool { return c.Name == name })
				if i < 0 {
					yield(nil, Faultf(ErrUsage, "data: %s: no column %q", t.f.path, name))
					return
				}
				want = append(want, t.columns[i])
			}
		}
		for _, c := range want {
			s := (&columnSource{t.f}).leaf(c.Name)
			r.columns = append(r.columns, newFrameColumn(c, s))
		}
		defer r.close()
		ahead(r.next, 1, func(f []Frame, err error) bool {
			if err != nil {
				return yield(nil, err)
			}
			return yield(&f[0], nil)
		})
	}
}

// frameReader fills frames from the columns of a file.
type frameReader struct {
	columns []frameColumnReader
	left    int64
	first   int64
}

type frameColumnReader interface {
	fill(c *Column, n int) error
	close() error
}

func (r *frameReader) next(out []Frame) (int, error) {
	if r.left == 0 {
		return 0, nil
	}
	f := &out[0]
	f.N, f.First = int(min(r.left, frameRows)), r.first
	if f.Columns == nil {
		f.Columns = make([]Column, len(r.columns))
	}
	for i, c := range r.columns {
		if err := c.fill(&f.Columns[i], f.N); err != nil {
			return 0, err
		}
	}
	r.left -= int64(f.N)
	r.first += int64(f.N)
	return 1, nil
}

func (r *frameReader) close() {
	for _, c := range r.columns {
		c.close()
	}
}
