package table

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"

	"recoup/data"
)

// doubles writes a Parquet file of random numbers.
func doubles(tb testing.TB, rows, columns int) string {
	tb.Helper()
	group := parquet.Group{}
	for j := range columns {
		group[fmt.Sprintf("x%02d", j)] = parquet.Leaf(parquet.DoubleType)
	}
	r := rand.New(rand.NewPCG(1, 2))
	return writeRows(tb, group, rows, func(int) parquet.Row {
		row := make(parquet.Row, columns)
		for j := range row {
			row[j] = parquet.DoubleValue(r.NormFloat64()).Level(0, 0, j)
		}
		return row
	})
}

// writeRows writes rows of a schema; columns are in order of their names.
func writeRows(tb testing.TB, group parquet.Group, rows int, row func(i int) parquet.Row, options ...parquet.WriterOption) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "x.parquet")
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	w := parquet.NewGenericWriter[any](f, append([]parquet.WriterOption{parquet.NewSchema("t", group), parquet.Compression(&parquet.Zstd)}, options...)...)
	for i := range rows {
		if _, err := w.WriteRows([]parquet.Row{row(i)}); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return path
}

func BenchmarkParquet(b *testing.B) {
	const rows, columns = 200_000, 45
	f, err := Open(doubles(b, rows, columns), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(rows * columns * 8)
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range f.Frames() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// every is one value of each type, by name of the column.
func every(i int) map[string]parquet.Value {
	text := func(s string) parquet.Value { return parquet.ByteArrayValue([]byte(s)) }
	return map[string]parquet.Value{
		"bool":    parquet.BooleanValue(i%3 == 0),
		"bytes":   text(fmt.Sprint("b", i%4)),
		"clock":   parquet.Int64Value(int64(i)*1_000_001 + 3_600_000_000),
		"date":    parquet.Int32Value(int32(i - 1)),
		"dec32":   parquet.Int32Value(int32(i - 5)),
		"dec64":   parquet.Int64Value(int64(i) - 123),
		"decfix":  parquet.FixedLenByteArrayValue([]byte{0xff, byte(200 + i%40)}),
		"dict":    text([]string{"card", "upi", "wallet"}[i%3]),
		"dictnum": parquet.Int64Value(int64(i % 5)),
		"double":  parquet.DoubleValue(float64(i) / 8),
		"float":   parquet.FloatValue(float32(i) / 4),
		"int96":   parquet.Int96Value(deprecated.Int96{uint32(i * 1000), 0, 2440588 + 2}),
		"ms":      parquet.Int64Value(int64(i) - 7),
		"ns":      parquet.Int64Value(int64(i)*1500 - 1),
		"u32":     parquet.Int32Value(int32(-1 - i)),
		"us":      parquet.Int64Value(int64(i)),
		"uuid":    parquet.FixedLenByteArrayValue(bytes.Repeat([]byte{byte(i)}, 16)),
	}
}

// wantEvery is every as it is read.
func wantEvery(i int) map[string]string {
	return map[string]string{
		"bool":    fmt.Sprint(map[bool]int{true: 1}[i%3 == 0]),
		"bytes":   fmt.Sprint("b", i%4),
		"clock":   fmt.Sprintf("01:%02d:%02d.%06d000", i/60, i%60, i),
		"date":    data.Micros(int64(i-1) * int64(data.Day)).UTCDate(),
		"dec32":   strings.Replace(fmt.Sprintf("%.3f", float64(i-5)/1000), "-0.000", "0.000", 1),
		"dec64":   fmt.Sprintf("%.1f", float64(i-123)/10),
		"decfix":  fmt.Sprintf("%.2f", float64(200+i%40-256)/100),
		"dict":    []string{"card", "upi", "wallet"}[i%3],
		"dictnum": fmt.Sprint(i % 5),
		"double":  fmt.Sprint(float64(i) / 8),
		"float":   fmt.Sprint(float64(i) / 4),
		"int96":   fmt.Sprint(2*int64(data.Day) + int64(i)),
		"ms":      fmt.Sprint((i - 7) * 1000),
		"ns":      fmt.Sprint(int64(math.Floor(float64(i*1500-1) / 1000))),
		"u32":     fmt.Sprint(uint32(0xffffffff - uint32(i))),
		"us":      fmt.Sprint(i),
		"uuid":    fmt.Sprintf("%x-%x-%x-%x-%x", bytes.Repeat([]byte{byte(i)}, 4), []byte{byte(i), byte(i)}, []byte{byte(i), byte(i)}, []byte{byte(i), byte(i)}, bytes.Repeat([]byte{byte(i)}, 6)),
	}
}

func everyGroup(optional bool) parquet.Group {
	g := parquet.Group{
		"bool":    parquet.Leaf(parquet.BooleanType),
		"bytes":   parquet.Leaf(parquet.ByteArrayType),
		"clock":   parquet.Time(parquet.Microsecond),
		"date":    parquet.Date(),
		"dec32":   parquet.Decimal(3, 9, parquet.Int32Type),
		"dec64":   parquet.Decimal(1, 12, parquet.Int64Type),
		"decfix":  parquet.Decimal(2, 4, parquet.FixedLenByteArrayType(2)),
		"dict":    parquet.Encoded(parquet.String(), &parquet.RLEDictionary),
		"dictnum": parquet.Encoded(parquet.Int(64), &parquet.RLEDictionary),
		"double":  parquet.Leaf(parquet.DoubleType),
		"float":   parquet.Leaf(parquet.FloatType),
		"int96":   parquet.Leaf(parquet.Int96Type),
		"ms":      parquet.Timestamp(parquet.Millisecond),
		"ns":      parquet.Timestamp(parquet.Nanosecond),
		"u32":     parquet.Uint(32),
		"us":      parquet.Timestamp(parquet.Microsecond),
		"uuid":    parquet.UUID(),
	}
	if optional {
		for name, n := range g {
			g[name] = parquet.Optional(n)
		}
	}
	return g
}

// shownCell is a cell as a text.
func shownCell(c *data.Column, i int) string {
	switch {
	case c.Null(i):
		return "∅"
	case c.Kind == data.String:
		return c.Text(i)
	case c.Kind == data.Float64:
		return fmt.Sprint(c.F[i])
	}
	return fmt.Sprint(c.I[i])
}

// TestParquetTypes writes every type, required and optional with gaps, in small
// pages and row groups, and reads it back.
func TestParquetTypes(t *testing.T) {
	const rows = 500
	for _, optional := range []bool{false, true} {
		null := func(i, j int) bool { return optional && (i*7+j*3)%5 < 2 }
		group := everyGroup(optional)
		var names []string
		for _, c := range parquet.NewSchema("t", group).Columns() {
			names = append(names, c[0])
		}
		path := writeRows(t, group, rows, func(i int) parquet.Row {
			var row parquet.Row
			for j, name := range names {
				switch {
				case null(i, j):
					row = append(row, parquet.NullValue().Level(0, 0, j))
				case optional:
					row = append(row, every(i)[name].Level(0, 1, j))
				default:
					row = append(row, every(i)[name].Level(0, 0, j))
				}
			}
			return row
		}, parquet.PageBufferSize(200), parquet.MaxRowsPerRowGroup(173))
		f, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if f.Rows() != rows {
			t.Fatalf("%d rows", f.Rows())
		}
		n := 0
		for frame, err := range f.Frames() {
			if err != nil {
				t.Fatal(err)
			}
			frame.Check()
			for i := range frame.N {
				want := wantEvery(n)
				for j := range frame.Columns {
					w := want[frame.Columns[j].Name]
					if null(n, j) {
						w = "∅"
					}
					if got := shownCell(&frame.Columns[j], i); got != w {
						t.Fatalf("optional %v: row %d: %s is %q, want %q", optional, n, frame.Columns[j].Name, got, w)
					}
				}
				n++
			}
		}
		if n != rows {
			t.Fatalf("read %d rows", n)
		}
	}
}

func TestParquetAsNumbers(t *testing.T) {
	group := everyGroup(false)
	var names []string
	for _, c := range parquet.NewSchema("t", group).Columns() {
		names = append(names, c[0])
	}
	f, err := Open(writeRows(t, group, 3, func(i int) (row parquet.Row) {
		for j, name := range names {
			row = append(row, every(i)[name].Level(0, 0, j))
		}
		return row
	}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]float64{"bool": {1, 0, 0}, "dec32": {-0.005, -0.004, -0.003}, "dec64": {-12.3, -12.2, -12.1},
		"decfix": {-0.56, -0.55, -0.54}, "dictnum": {0, 1, 2}, "double": {0, 0.125, 0.25}, "float": {0, 0.25, 0.5}, "u32": {4294967295, 4294967294, 4294967293}}
	for _, name := range names {
		for frame, err := range f.FramesAs(data.Column{Name: name, Kind: data.Float64}) {
			switch {
			case want[name] == nil && err == nil:
				t.Errorf("%s is read as numbers %v", name, frame.Columns[0].F)
			case want[name] != nil && (err != nil || !reflect.DeepEqual(frame.Columns[0].F, want[name])):
				t.Errorf("%s: %+v, %v", name, frame, err)
			}
		}
	}
}

func TestParquetBadText(t *testing.T) {
	for _, encoding := range []parquet.Node{parquet.Optional(parquet.String()), parquet.Optional(parquet.Encoded(parquet.String(), &parquet.RLEDictionary))} {
		words := []string{"a", "", "b", "\xff", "a", "\xff"}
		path := writeRows(t, parquet.Group{"n": parquet.Int(64), "s": encoding}, len(words), func(i int) parquet.Row {
			s := parquet.ByteArrayValue([]byte(words[i])).Level(0, 1, 1)
			if i == 1 {
				s = parquet.NullValue().Level(0, 0, 1)
			}
			return parquet.Row{parquet.Int64Value(int64(i)).Level(0, 0, 0), s}
		})
		f, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range f.Frames() {
			if err == nil || !strings.Contains(err.Error(), "row 4: column s") {
				t.Fatalf("strict: %v", err)
			}
		}
		var at []int
		if f, err = Open(path, Options{Reject: func(r Reject) { at = append(at, r.Line) }}); err != nil {
			t.Fatal(err)
		}
		for frame, err := range f.Frames() {
			if err != nil {
				t.Fatal(err)
			}
			frame.Check()
			if !reflect.DeepEqual(frame.Lines, []int{1, 2, 3, 5}) || !reflect.DeepEqual(frame.Columns[0].I, []int64{0, 1, 2, 4}) {
				t.Fatalf("%+v", frame)
			}
			if s := &frame.Columns[1]; s.Text(2) != "b" || s.Text(3) != "a" || !s.Null(1) || s.Null(3) {
				t.Fatalf("%+v", s)
			}
		}
		if !reflect.DeepEqual(at, []int{4, 6}) {
			t.Fatalf("rejects at %v", at)
		}
	}
}

// TestForeignParquet reads files of other writers (testdata/README.md).
func TestForeignParquet(t *testing.T) {
	for _, name := range []string{"dk_v1_snappy", "pa_delta", "pa_int96", "pa_row_groups"} {
		f, err := Open("testdata/"+name+".parquet", Options{})
		if err != nil {
			t.Fatal(err)
		}
		n, paise, nulls, first := 0, int64(0), 0, ""
		for frame, err := range f.Frames("amount_paise", "bank", "tmsp", "id") {
			if err != nil {
				t.Fatal(err)
			}
			for i := range frame.N {
				paise += frame.Columns[0].I[i]
				if frame.Columns[1].Null(i) {
					nulls++
				}
				if n++; n == 1 {
					first = data.Micros(frame.Columns[2].I[0]).String() + " " + frame.Columns[3].Text(0)
				}
			}
		}
		got := fmt.Sprintf("%d %d %d %s", n, paise, nulls, first)
		if want := "1000 587058456 184 2026-06-30T19:05:17Z pay_BF2KxCBnWg4MTi"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	f, err := Open("testdata/bad_crc.parquet", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range f.Frames() {
		if err == nil || !strings.Contains(err.Error(), "crc32") {
			t.Fatalf("a flipped bit: %v", err)
		}
	}
}

// TestDamagedParquet cuts and flips a file everywhere: an error or the same
// number of rows, never a panic.
func TestDamagedParquet(t *testing.T) {
	whole, err := os.ReadFile("testdata/pa_row_groups.parquet")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	read := func(b []byte) (rows int64, err error) {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path, Options{})
		if err != nil {
			return 0, err
		}
		for frame, err := range f.Frames() {
			if err != nil {
				return rows, err
			}
			rows += int64(frame.N)
		}
		return rows, nil
	}
	if n, err := read(whole); n != 1000 || err != nil {
		t.Fatal(n, err)
	}
	for n := 0; n < len(whole); n += 1 + len(whole)/60 {
		if _, err := read(whole[:n]); err == nil {
			t.Fatalf("%d of %d bytes are read", n, len(whole))
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		b := bytes.Clone(whole)
		for range 1 + r.IntN(8) {
			b[r.IntN(len(b))] ^= byte(1 + r.IntN(255))
		}
		if n, err := read(b); err == nil && n != 1000 {
			t.Fatalf("%d rows without an error", n)
		}
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	part := func(folder string, first, rows int) {
		path := writeRows(t, parquet.Group{"n": parquet.Int(64)}, rows, func(i int) parquet.Row {
			return parquet.Row{parquet.Int64Value(int64(first+i)).Level(0, 0, 0)}
		})
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path, filepath.Join(dir, folder, "p.parquet")); err != nil {
			t.Fatal(err)
		}
	}
	part("rail=card/bank=A%20B", 1, 2)
	part("rail=card/bank=__HIVE_DEFAULT_PARTITION__", 3, 1)
	part("rail=upi/bank=C", 4, 2)
	if err := os.WriteFile(filepath.Join(dir, "_metadata"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for frame, err := range f.Frames() {
		if err != nil {
			t.Fatal(err)
		}
		for i := range frame.N {
			got = append(got, shownCell(&frame.Columns[0], i)+shownCell(&frame.Columns[1], i)+shownCell(&frame.Columns[2], i))
		}
	}
	if want := []string{"1cardA B", "2cardA B", "3card∅", "4upiC", "5upiC"}; !reflect.DeepEqual(got, want) || f.Rows() != 5 {
		t.Fatalf("got %q, want %q", got, want)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), "notes.txt") {
		t.Fatalf("a stray file: %v", err)
	}
}
