package data

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// libraryFrames writes frames with the library's own column writers, value by
// value: what FrameWriter must give, byte by byte.
func libraryFrames(t tester, columns []Column, meta map[string]string, frames ...*Frame) []byte {
	t.Helper()
	options := writerOptions(frameSchema(columns))
	for k, v := range meta {
		options = append(options, parquet.KeyValueMetadata(k, v))
	}
	var out bytes.Buffer
	w := parquet.NewGenericWriter[any](&out, options...)
	group := 0
	for _, f := range frames {
		for from := 0; from < f.N; {
			to := min(f.N, from+frameGroupRows-group)
			for i := range columns {
				for first := from; first < to; first += batchRows {
					var v []parquet.Value
					for r := first; r < min(to, first+batchRows); r++ {
						v = append(v, frameValue(&f.Columns[i], r, columns[i].Nulls != nil))
					}
					if _, err := w.ColumnWriters()[i].WriteRowValues(v); err != nil {
						t.Fatal(err)
					}
				}
			}
			if group += to - from; group == frameGroupRows {
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
				group = 0
			}
			from = to
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func frameValue(c *Column, row int, nullable bool) parquet.Value {
	if c.Null(row) {
		return parquet.NullValue()
	}
	var v parquet.Value
	switch c.Kind {
	case Float64:
		v = parquet.DoubleValue(c.F[row])
	case Bool:
		v = parquet.BooleanValue(c.I[row] != 0)
	case String:
		v = textValue(c.Text(row))
	default:
		v = parquet.Int64Value(c.I[row])
	}
	if nullable {
		v = v.Level(0, 1, 0)
	}
	return v
}

// TestFrameBytes: a frame file is what the library would have written.
func TestFrameBytes(t *testing.T) {
	ids := func(f *Frame, n int) *Frame { // texts that hardly repeat
		c := &f.Columns[6]
		c.Dict = nil
		for i := range c.Codes {
			c.Codes[i] = uint32(i)
			c.Dict = append(c.Dict, fmt.Sprint("a text longer than an index entry ", n*7919+i))
		}
		return f
	}
	for seed, c := range []struct{ first, end, rows int }{{0, 11, -1}, {0, 11, 0}, {0, 11, 1}, {0, 11, 7}, {0, 11, batchRows + 1}, {0, 8, 35_000}, {5, 8, frameGroupRows + 9}} {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		columns := frameColumns[c.first:c.end]
		var frames []*Frame
		for _, n := range []int{c.rows / 2, 0, c.rows - c.rows/2} {
			if c.rows < 0 {
				break // no frame at all
			}
			f := randomFrame(r, n)
			if seed%2 == 1 {
				ids(f, len(frames))
			}
			f.Columns = f.Columns[c.first:c.end]
			frames = append(frames, f)
		}
		meta := map[string]string{"z": "1", "a": "", "m": "日本"}
		path := filepath.Join(t.TempDir(), "f.parquet")
		writeFrames(t, path, meta, columns, frames...)
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if want := libraryFrames(t, columns, meta, frames...); !bytes.Equal(got, want) {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			t.Errorf("columns %d to %d, %d rows: %d bytes, the library writes %d; byte %d differs", c.first, c.end, c.rows, len(got), len(want), at)
		}
	}
}
