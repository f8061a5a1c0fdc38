package data

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

var frameColumns = []Column{{Name: "f", Kind: Float64}, {Name: "f?", Kind: Float64, Nulls: []bool{}}, {Name: "i", Kind: Int64},
	{Name: "i?", Kind: Int64, Nulls: []bool{}}, {Name: "b", Kind: Bool}, {Name: "b?", Kind: Bool, Nulls: []bool{}},
	{Name: "s", Kind: String}, {Name: "s?", Kind: String, Nulls: []bool{}}, {Name: "t", Kind: Timestamp},
	{Name: "t?", Kind: Timestamp, Nulls: []bool{}}, {Name: "none", Kind: String, Nulls: []bool{}}}

// randomFrame has n rows of frameColumns.
func randomFrame(r *rand.Rand, n int) *Frame {
	f := &Frame{N: n}
	for _, c := range frameColumns {
		if c.Nulls != nil {
			c.Nulls = make([]bool, n)
			for i := range n {
				c.Nulls[i] = r.IntN(3) == 0 || c.Name == "none"
			}
		}
		for i := range n {
			switch c.Kind {
			case Float64:
				x := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), -1.5, r.NormFloat64()}[r.IntN(6)]
				c.F = append(c.F, x)
				if c.Null(i) {
					c.F[i] = 0
				}
			case String:
				c.Codes = append(c.Codes, uint32(r.IntN(9)))
			default:
				x := r.Int64()
				if c.Kind == Bool {
					x &= 1
				}
				c.I = append(c.I, x)
				if c.Null(i) {
					c.I[i] = 0
				}
			}
		}
		for k := range 9 {
			c.Dict = append(c.Dict, strings.Repeat("x", k)+fmt.Sprint(r.IntN(3)))
		}
		if c.Kind != String {
			c.Dict = nil
		}
		f.Columns = append(f.Columns, c)
	}
	return f
}

// cell is a comparable value of a column, "null" for a null.
func cell(c *Column, i int) any {
	switch {
	case c.Null(i):
		return "null"
	case c.Kind == Float64:
		return math.Float64bits(c.F[i])
	case c.Kind == String:
		return "text " + c.Text(i)
	}
	return c.I[i]
}

func writeFrames(t tester, path string, meta map[string]string, columns []Column, frames ...*Frame) {
	t.Helper()
	w, err := CreateFrames(path, columns, meta)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		if err := w.Write(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestFramesRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.parquet")
	for seed, sizes := range [][]int{{1}, {}, {0, 3, 0}, {frameRows - 1, 2, 700}, {frameGroupRows - 5, 10, frameRows}} {
		r := rand.New(rand.NewPCG(uint64(seed), 9))
		var frames []*Frame
		want := map[string][]any{}
		rows := int64(0)
		for _, n := range sizes {
			f := randomFrame(r, n)
			frames = append(frames, f)
			rows += int64(n)
			for k := range f.Columns {
				for i := range n {
					want[f.Columns[k].Name] = append(want[f.Columns[k].Name], cell(&f.Columns[k], i))
				}
			}
		}
		writeFrames(t, path, map[string]string{"as_of": "now", "a": "b"}, frameColumns, frames...)
		file, err := OpenFrames(path)
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := file.Meta("as_of"); v != "now" || !ok || file.Rows() != rows {
			t.Errorf("meta %q, %d rows, expected %d", v, file.Rows(), rows)
		}
		if _, ok := file.Meta("nothing"); ok {
			t.Error("a key that was not given is there")
		}
		for k, c := range file.Columns() {
			if w := frameColumns[k]; c.Name != w.Name || c.Kind != w.Kind || (c.Nulls == nil) != (w.Nulls == nil) {
				t.Errorf("column %+v, expected %+v", c, w)
			}
		}
		for _, names := range [][]string{nil, {"s?", "f", "none"}} {
			got := map[string][]any{}
			first := int64(0)
			for f, err := range file.Frames(names...) {
				if err != nil {
					t.Fatal(err)
				}
				f.Check()
				if f.First != first || f.N > frameRows || len(names) > 0 && len(f.Columns) != len(names) {
					t.Errorf("frame of %d rows from %d with %d columns", f.N, f.First, len(f.Columns))
				}
				first += int64(f.N)
				for k := range f.Columns {
					c := &f.Columns[k]
					if len(names) > 0 && c.Name != names[k] {
						t.Errorf("column %s, expected %s", c.Name, names[k])
					}
					for i := range f.N {
						got[c.Name] = append(got[c.Name], cell(c, i))
					}
				}
			}
			if first != rows {
				t.Errorf("%d rows, expected %d", first, rows)
			}
			for name, cells := range got {
				for i := range cells {
					if cells[i] != want[name][i] {
						t.Fatalf("column %s: row %d is %v, expected %v", name, i, cells[i], want[name][i])
					}
				}
			}
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFramesSameBytes: how rows were cut into frames does not show, nor does
// the order of the metadata.
func TestFramesSameBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.parquet")
	meta := map[string]string{"a": "1", "b": "2", "c": "3", "d": "4"}
	f := randomFrame(rand.New(rand.NewPCG(5, 5)), 3000)
	var want string
	for cut := range 3 {
		parts := []*Frame{f}
		if cut > 0 {
			parts = []*Frame{sliceFrame(f, 0, cut*700), sliceFrame(f, cut*700, f.N)}
		}
		writeFrames(t, path, meta, frameColumns, parts...)
		hash, err := HashFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = hash
		}
		if hash != want {
			t.Errorf("cut %d: other bytes", cut)
		}
	}
}

func sliceFrame(f *Frame, from, to int) *Frame {
	out := &Frame{N: to - from}
	for _, c := range f.Columns {
		if c.Nulls != nil {
			c.Nulls = c.Nulls[from:to]
		}
		switch c.Kind {
		case Float64:
			c.F = c.F[from:to]
		case String:
			c.Codes = c.Codes[from:to]
		default:
			c.I = c.I[from:to]
		}
		out.Columns = append(out.Columns, c)
	}
	return out
}

// TestTextsAcrossDictionaries: row groups that end within a frame, and pages
// without a dictionary, give the same texts.
func TestTextsAcrossDictionaries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.parquet")
	var b bytes.Buffer
	w := parquet.NewGenericWriter[any](&b, frameSchema([]Column{{Name: "s", Kind: String, Nulls: []bool{}}}),
		parquet.Compression(&zstd.Codec{}), parquet.DictionaryMaxBytes(40), parquet.PageBufferSize(200))
	var want []any
	for i := range 4000 {
		v, s := parquet.NullValue(), "null"
		if i%5 > 0 {
			s = "text " + strings.Repeat("y", i%37)
			v = textValue(s[5:]).Level(0, 1, 0)
		}
		want = append(want, s)
		if _, err := w.ColumnWriters()[0].WriteRowValues([]parquet.Value{v}); err != nil {
			t.Fatal(err)
		}
		if i%1500 == 1499 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := OpenFrames(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	n := 0
	for f, err := range file.Frames() {
		if err != nil {
			t.Fatal(err)
		}
		distinct := map[string]bool{}
		for _, s := range f.Columns[0].Dict {
			distinct[s] = true
		}
		if len(distinct) != len(f.Columns[0].Dict) {
			t.Errorf("a level is twice in %q", f.Columns[0].Dict)
		}
		for i := range f.N {
			if got := cell(&f.Columns[0], i); got != want[n] {
				t.Fatalf("row %d is %q, expected %q", n, got, want[n])
			}
			n++
		}
	}
	if n != len(want) {
		t.Errorf("%d rows, expected %d", n, len(want))
	}
}

func TestFramesStopEarly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.parquet")
	writeFrames(t, path, nil, frameColumns, randomFrame(rand.New(rand.NewPCG(1, 1)), 3*frameRows))
	file, err := OpenFrames(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for range 3 {
		for f := range file.Frames("i") {
			if f.First > 0 {
				break
			}
		}
	}
	for _, err := range file.Frames("j") {
		if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), `"j"`) {
			t.Errorf("an unknown column gives %v", err)
		}
	}
}

func TestFrameWriterRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f.parquet")
	for name, columns := range map[string][]Column{"none": nil, "nameless": {{Kind: Int64}}, "kindless": {{Name: "a"}},
		"twice": {{Name: "a", Kind: Int64}, {Name: "a", Kind: Bool}}} {
		if _, err := CreateFrames(path, columns, nil); err == nil {
			t.Errorf("%s: columns were accepted", name)
		}
	}
	w, err := CreateFrames(path, []Column{{Name: "a", Kind: Int64}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]Column{"name": {Name: "b", Kind: Int64, I: []int64{1}}, "kind": {Name: "a", Kind: Bool, I: []int64{1}},
		"null": {Name: "a", Kind: Int64, I: []int64{1}, Nulls: []bool{true}}} {
		if err := w.Write(&Frame{N: 1, Columns: []Column{c}}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := w.Write(&Frame{N: 1}); err == nil {
		t.Error("a frame without columns was accepted")
	}
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	if w.Close() == nil || w.Write(&Frame{}) == nil {
		t.Error("an aborted table was written to")
	}
	if names, _ := os.ReadDir(dir); len(names) != 0 {
		t.Errorf("an aborted table left %v", names)
	}
	if _, err := CreateFrames(filepath.Join(dir, "no", "f"), []Column{{Name: "a", Kind: Int64}}, nil); err == nil {
		t.Error("a table in no folder")
	}
}

func TestOpenFramesRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f.parquet")
	if _, err := OpenFrames(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file gives %v", err)
	}
	writeFrames(t, path, nil, frameColumns, randomFrame(rand.New(rand.NewPCG(1, 1)), 100))
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var int32s, nested bytes.Buffer
	for b, node := range map[*bytes.Buffer]parquet.Node{&int32s: parquet.Leaf(parquet.Int32Type), &nested: parquet.Repeated(parquet.String())} {
		w := parquet.NewGenericWriter[any](b, parquet.NewSchema("x", parquet.Group{"col": node}))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, b := range map[string][]byte{"empty": nil, "text": []byte("a,b\n1,2\n"), "truncated": good[:len(good)-9],
		"int32": int32s.Bytes(), "list": nested.Bytes()} {
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenFrames(path); !errors.Is(err, ErrContract) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, expected a broken contract that names the file", name, err)
		}
	}
	// A page that was changed on the disk fails its checksum.
	b := bytes.Clone(good)
	b[60] ^= 1
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := OpenFrames(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, err := range file.Frames() {
		if !errors.Is(err, ErrContract) || !strings.Contains(err.Error(), path) {
			t.Errorf("a changed page gives %v", err)
		}
	}
}
