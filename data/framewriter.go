package data

import (
	"fmt"
	"os"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// Sizes of a frame file: a row group is a whole number of frames.
const (
	frameRows      = 1 << 14
	frameGroupRows = 1 << 17
)

// FrameWriter writes a flat table to one Parquet file, which appears under its
// name at Close. It is not for concurrent use.
type FrameWriter struct {
	path    string
	columns []Column // names, kinds, nullability
	f       *os.File // nil when closed
	out     framesOut
	chunks  []*frameChunk
	group   int // rows in the open row group
}

// CreateFrames begins a table of the given names and kinds; a column may hold
// nulls iff its Nulls is not nil (an empty slice will do). meta is kept beside
// the columns.
func CreateFrames(path string, columns []Column, meta map[string]string) (*FrameWriter, error) {
	w := &FrameWriter{path: path}
	seen := map[string]bool{}
	for _, c := range columns {
		if c.Name == "" || seen[c.Name] || c.Kind < Float64 || c.Kind > Timestamp {
			return nil, fmt.Errorf("data: %s: column %q of kind %s: names must be unique and not empty", path, c.Name, c.Kind)
		}
		seen[c.Name] = true
		w.columns = append(w.columns, Column{Name: c.Name, Kind: c.Kind, Nulls: c.Nulls})
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("data: %s: a table without columns", path)
	}
	f, err := createTemp(path)
	if err != nil {
		return nil, err
	}
	w.f = f
	if w.out, err = newFramesOut(f, w.columns, meta); err != nil {
		w.Abort()
		return nil, fmt.Errorf("data: %s: %w", path, err)
	}
	buffers := &pageBuffers{codec: zstd.Codec{Level: zstd.SpeedFastest}}
	for _, c := range w.columns {
		w.chunks = append(w.chunks, newFrameChunk(c, buffers))
	}
	return w, nil
}

func frameSchema(columns []Column) *parquet.Schema {
	nodes := make([]namedNode, len(columns))
	for i, c := range columns {
		n := frameNode(c.Kind)
		if c.Nulls != nil {
			n = parquet.Optional(n)
		}
		nodes[i] = namedNode{c.Name, n}
	}
	return parquet.NewSchema("frames", groupOf(nodes))
}

func frameNode(k Kind) parquet.Node {
	switch k {
	case Float64:
		return probability.node()
	case Int64:
		return deltaInt64()
	case Bool:
		return bools.node()
	case String:
		return words.node()
	default:
		return micros.node()
	}
}

// Write appends the frame's rows. Its columns must be those of CreateFrames, in
// their order; Lines and First are not kept.
func (w *FrameWriter) Write(f *Frame) error {
	if w.f == nil {
		return fmt.Errorf("data: %s: the table is closed", w.path)
	}
	f.Check()
	if len(f.Columns) != len(w.columns) {
		return fmt.Errorf("data: %s: frame of %d columns, expected %d", w.path, len(f.Columns), len(w.columns))
	}
	for i := range f.Columns {
		if err := w.accepts(&f.Columns[i], &w.columns[i]); err != nil {
			return err
		}
	}
	for from := 0; from < f.N; {
		to := min(f.N, from+frameGroupRows-w.group)
		for i := range f.Columns {
			if err := w.chunks[i].add(&f.Columns[i], from, to); err != nil {
				return fmt.Errorf("data: %s: column %s: %w", w.path, f.Columns[i].Name, err)
			}
		}
		if w.group += to - from; w.group == frameGroupRows {
			if err := w.flush(); err != nil {
				return fmt.Errorf("data: %s: %w", w.path, err)
			}
		}
		from = to
	}
	return nil
}

func (w *FrameWriter) accepts(got, want *Column) error {
	if got.Name != want.Name || got.Kind != want.Kind {
		return fmt.Errorf("data: %s: column %s of kind %s, expected %s of kind %s", w.path, got.Name, got.Kind, want.Name, want.Kind)
	}
	if want.Nulls == nil && slices.Contains(got.Nulls, true) {
		return fmt.Errorf("data: %s: column %s: null in row %d of the frame, but the column was not declared nullable",
			w.path, got.Name, slices.Index(got.Nulls, true))
	}
	return nil
}

// flush ends the row group.
func (w *FrameWriter) flush() error {
	if w.group == 0 {
		return nil
	}
	err := w.out.rowGroup(w.chunks, int64(w.group))
	w.group = 0
	return err
}

// Close finishes the table and gives it its name.
func (w *FrameWriter) Close() error {
	if w.f == nil {
		return fmt.Errorf("data: %s: the table is closed", w.path)
	}
	f := w.f
	err := w.flush()
	if err == nil {
		err = w.out.close()
	}
	if err != nil {
		w.Abort()
		return fmt.Errorf("data: %s: %w", w.path, err)
	}
	w.f = nil
	if err := publish(f, w.path); err != nil {
		f.Close()
		os.Remove(f.Name())
		return err
	}
	return nil
}

// Abort gives the table up, unless it is closed already.
func (w *FrameWriter) Abort() error {
	if w.f == nil {
		return nil
	}
	f := w.f
	w.f = nil
	f.Close()
	return os.Remove(f.Name())
}
