package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"recoup/data"
)

// arrowStreamOf writes numbers and words in records of the given lengths; every
// fifth word is null.
func arrowStreamOf(t testing.TB, rows ...int) []byte {
	schema := arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int64}, {Name: "s", Type: arrow.BinaryTypes.String, Nullable: true}}, nil)
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(schema), ipc.WithLZ4())
	n := 0
	for _, k := range rows {
		build := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for range k {
			build.Field(0).(*array.Int64Builder).Append(int64(n))
			if n%5 == 3 {
				build.Field(1).AppendNull()
			} else {
				build.Field(1).(*array.StringBuilder).Append(fmt.Sprint("w", n%7))
			}
			n++
		}
		if err := w.Write(build.NewRecord()); err != nil {
			t.Fatal(err)
		}
		build.Release()
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// readArrow reads all of some bytes.
func readArrow(t testing.TB, b []byte, use func(*data.Frame)) error {
	f, err := Open(write(t, "x.arrow", string(b)), Options{})
	if err != nil {
		return err
	}
	for frame, err := range f.Frames() {
		if err != nil {
			return err
		}
		frame.Check()
		use(frame)
	}
	return nil
}

// TestArrowRecords: records longer and shorter than a frame, and empty ones.
func TestArrowRecords(t *testing.T) {
	for _, rows := range [][]int{{}, {0}, {1}, {0, 3, 0}, {ChunkRows}, {ChunkRows + 1, 2}, {3, 2*ChunkRows + 5, 7}} {
		total := 0
		for _, n := range rows {
			total += n
		}
		n := 0
		err := readArrow(t, arrowStreamOf(t, rows...), func(frame *data.Frame) {
			if frame.First != int64(n) || frame.N > ChunkRows {
				t.Fatalf("%v: a frame of %d from %d, after %d", rows, frame.N, frame.First, n)
			}
			for i := range frame.N {
				want := fmt.Sprint("w", n%7)
				if n%5 == 3 {
					want = "∅"
				}
				if got := shownCell(&frame.Columns[1], i); frame.Columns[0].I[i] != int64(n) || got != want {
					t.Fatalf("%v: row %d: %d %s, want %s", rows, n, frame.Columns[0].I[i], got, want)
				}
				n++
			}
		})
		if err != nil || n != total {
			t.Fatalf("%v: %d rows, %v", rows, n, err)
		}
	}
}

// TestArrowDamaged: cut anywhere, a file or a stream is refused; changed
// anywhere, it is refused or has as many rows as before.
func TestArrowDamaged(t *testing.T) {
	for _, name := range []string{"types_file_lz4", "types_stream_zstd", "types_stream_old", "words_grows"} {
		whole, err := os.ReadFile("testdata/" + name + ".arrow")
		if err != nil {
			t.Fatal(err)
		}
		step := 1 + len(whole)/150
		for n := 1; n < len(whole); n += step {
			if err := readArrow(t, whole[:n], func(*data.Frame) {}); !errors.Is(err, data.ErrContract) {
				t.Fatalf("%s: %d of %d bytes: %v", name, n, len(whole), err)
			}
		}
		want := 40
		if name == "words_grows" {
			want = 5
		}
		r := rand.New(rand.NewPCG(5, 6))
		for range 200 {
			b := bytes.Clone(whole)
			for range 1 + r.IntN(6) {
				b[r.IntN(len(b))] ^= byte(1 + r.IntN(255))
			}
			n := 0
			if err := readArrow(t, b, func(f *data.Frame) { n += f.N }); err == nil && n > want {
				t.Fatalf("%s: %d rows without an error", name, n)
			}
		}
	}
}

// TestArrowRefused: what a stream or a footer claims and does not hold.
func TestArrowRefused(t *testing.T) {
	stream := arrowStreamOf(t, 3, 4)
	file, err := os.ReadFile("testdata/types_file_plain.arrow")
	if err != nil {
		t.Fatal(err)
	}
	with := func(b []byte, at int, x uint32) []byte {
		b = bytes.Clone(b)
		binary.LittleEndian.PutUint32(b[at:], x)
		return b
	}
	big := append(bytes.Clone(stream[:len(stream)-8]), 0xff, 0xff, 0xff, 0xff, 0xf0, 0xff, 0xff, 0x7f)
	for _, c := range []struct {
		name string
		b    []byte
		want string
	}{
		{"no end mark", stream[:len(stream)-8], "no end mark"},
		{"two streams", append(bytes.Clone(stream), stream...), "two streams"},
		{"a message of 2 GiB", big, "claims 2147483632 bytes"},
		{"a schema of 2 GiB", with(stream, 4, 0x7ffffff0), "claims 2147483632 bytes"},
		{"no schema", append([]byte("\xff\xff\xff\xff\x00\x00\x00\x00"), make([]byte, 20)...), "no schema"},
		{"another footer", append(bytes.Clone(file[:len(file)-6]), "PAR1PA"...), "ends in \"PAR1PA\""},
		{"a footer of 2 GiB", with(file, len(file)-10, 0x7ffffff0), "footer claims 2147483632 bytes"},
		{"the first bytes", []byte("ARROW1\x00\x00"), "too short"},
		{"text", []byte("a,b\n1,2\n"), "begins neither with ARROW1"},
	} {
		if err := readArrow(t, c.b, func(*data.Frame) {}); err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, data.ErrContract) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestArrowFootersRecords: a file that states more records than are there.
func TestArrowFootersRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.arrow")
	schema := arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int64}}, nil)
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := ipc.NewFileWriter(file, ipc.WithSchema(schema))
	if err != nil {
		t.Fatal(err)
	}
	build := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer build.Release()
	var size [3]int64
	for i := range size {
		build.Field(0).(*array.Int64Builder).Append(int64(i))
		if err := w.Write(build.NewRecord()); err != nil {
			t.Fatal(err)
		}
		size[i], _ = file.Seek(0, 1)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file.Close()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := readArrow(t, b, func(f *data.Frame) { n += f.N }); err != nil || n != 3 {
		t.Fatal(n, err)
	}
	lost := append(bytes.Clone(b[:size[1]]), b[size[2]:]...) // without the last record
	if err := readArrow(t, lost, func(*data.Frame) {}); err == nil || !errors.Is(err, data.ErrContract) {
		t.Errorf("a lost record: %v", err)
	}
}

// TestArrowCircle: a schema that leads back into itself does not take the stack.
func TestArrowCircle(t *testing.T) {
	whole := arrowStreamOf(t, 1)
	refused := 0
	for at := 8; at < 400; at += 4 { // every number of the schema, turned into an offset back
		for _, back := range []uint32{0xfffffff0, 0xffffff00, 0x10, 0} {
			b := bytes.Clone(whole)
			binary.LittleEndian.PutUint32(b[at:], back)
			if readArrow(t, b, func(*data.Frame) {}) != nil {
				refused++
			}
		}
	}
	if refused < 50 {
		t.Errorf("%d were refused", refused)
	}
}

// TestArrowGrows: a dictionary that grows to many times a record's size.
func TestArrowGrows(t *testing.T) {
	kind := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}
	schema := arrow.NewSchema([]arrow.Field{{Name: "s", Type: kind}}, nil)
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(schema), ipc.WithDictionaryDeltas(true))
	words := array.NewStringBuilder(memory.DefaultAllocator)
	defer words.Release()
	var all []string
	for round := range 30 {
		for range 50 {
			all = append(all, fmt.Sprint(len(all), strings.Repeat("x", 2000)))
		}
		words.AppendValues(all, nil)
		dict := words.NewStringArray()
		places := array.NewInt32Builder(memory.DefaultAllocator)
		places.Append(int32(50 * round))
		places.Append(int32(len(all) - 1))
		column := array.NewDictionaryArray(kind, places.NewInt32Array(), dict)
		if err := w.Write(array.NewRecord(schema, []arrow.Array{column}, 2)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	n := 0
	err := readArrow(t, b.Bytes(), func(frame *data.Frame) {
		for i := range frame.N {
			want := all[n/2*50]
			if n%2 == 1 {
				want = all[n/2*50+49]
			}
			if frame.Columns[0].Text(i) != want {
				t.Fatalf("row %d: %.8s, want %.8s", n, frame.Columns[0].Text(i), want)
			}
			n++
		}
	})
	if err != nil || n != 60 {
		t.Fatal(n, err)
	}
}
