package table

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
)

// write puts text in a file of a name of its own.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// cellsOf reads a whole file as text, null as "∅", and the line of each row.
func cellsOf(t testing.TB, f *File) (rows [][]string, lines []int, err error) {
	t.Helper()
	for frame, err := range f.Frames() {
		if err != nil {
			return rows, lines, err
		}
		frame.Check()
		for i := range frame.N {
			var row []string
			for _, c := range frame.Columns {
				if c.Null(i) {
					row = append(row, "∅")
				} else {
					row = append(row, c.Text(i))
				}
			}
			rows = append(rows, row)
		}
		lines = append(lines, frame.Lines...)
	}
	return rows, lines, nil
}

func TestCSVRecords(t *testing.T) {
	for _, c := range []struct {
		name, text string
		rows       [][]string
		lines      []int
	}{
		{"plain", "a,b\n1,2\n3,4\n", [][]string{{"1", "2"}, {"3", "4"}}, []int{2, 3}},
		{"no final newline", "a,b\n1,2", [][]string{{"1", "2"}}, []int{2}},
		{"byte order mark", bom + "a,b\n1,2\n", [][]string{{"1", "2"}}, []int{2}},
		{"crlf", "a,b\r\n1,2\r\n\r\n\"3\",\"4\"\r\n5,6\r", [][]string{{"1", "2"}, {"3", "4"}, {"5", "6"}}, []int{2, 4, 5}},
		{"null", "a,b\n,\n\"\",x\n", [][]string{{"∅", "∅"}, {"∅", "x"}}, []int{2, 3}},
		{"lines inside quotes", "a,b\n\n\"x\ny\n\",1\nz,2\n", [][]string{{"x\ny\n", "1"}, {"z", "2"}}, []int{3, 6}},
		{"crlf inside quotes", "a,b\n\"x\r\ny\",1\nz,2\n", [][]string{{"x\r\ny", "1"}, {"z", "2"}}, []int{2, 4}},
		{"doubled quotes", "a,b\n\"say \"\"no\"\"\",\"\"\"\"\n", [][]string{{`say "no"`, `"`}}, []int{2}},
		{"quote inside a bare field", "a,b\nx\"y,\"q\"\n", [][]string{{`x"y`, "q"}}, []int{2}},
		{"quote at the very end", "a,b\n1,\"2\"", [][]string{{"1", "2"}}, []int{2}},
		{"blanks stay", "a, b\n 1 , 2\n", [][]string{{" 1 ", " 2"}}, []int{2}},
		{"semicolons", "a;b\n1,5;2\n", [][]string{{"1,5", "2"}}, []int{2}},
		{"tabs", "a\tb\n1,5\t2;3\n", [][]string{{"1,5", "2;3"}}, []int{2}},
		{"bars", "a|b\n1|2\n", [][]string{{"1", "2"}}, []int{2}},
		{"no ORC file", "ORCID,FEA1\n1,2\n", [][]string{{"1", "2"}}, []int{2}},
		{"one column", "a\n1\n2\n", [][]string{{"1"}, {"2"}}, []int{2, 3}},
		{"header alone", "a,b\n", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Open(write(t, "x.csv", c.text), Options{})
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // as often as asked for
				rows, lines, err := cellsOf(t, f)
				if err != nil || !reflect.DeepEqual(rows, c.rows) || !reflect.DeepEqual(lines, c.lines) {
					t.Fatalf("got %q at %v, %v; want %q at %v", rows, lines, err, c.rows, c.lines)
				}
			}
		})
	}
}

func TestCSVRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"x.csv", "", "the file is empty"},
		{"x.csv", "\n\n", "header"},
		{"x.csv", "a,b,a\n1,2,3\n", "column a is twice"},
		{"x.csv", "a,b\n1,2\n1\n", "line 3: \"1\": 1 fields, not 2"},
		{"x.csv", "a,b\n1,2,3\n", "line 2: \"1,2,3\": 3 fields, not 2"},
		{"x.csv", "a,b\n1,2\n\"x\n3,4\n5,6\n", "line 3: a quote is not closed"},
		{"x.csv", "a,b\n1,2\n\"x\"y,4\n", "line 3: \"\\\"x\\\"y,4\": text after a closing quote"},
		{"x.csv", "a,b\n1,\xff\n", "line 2: column b: \"\uFFFD\": not UTF-8"},
		{"x.csv", "a,b\r1,2\r", "lines end in CR alone"},
		{"x.csv", "BZh91AY&SY\x01", "packed with bzip2"},
		{"x.csv", "\xfd7zXZ\x00\x00", "packed with xz"},
		{"x.csv", "PK\x03\x04\x14", "a zip archive"},
		{"x.arrow", "FEA1\x00\x00\x00\x00", "Feather file of version 1"},
		{"x.csv", strings.Repeat("\x00", 257) + "ustar\x00", "a tar archive"},
		{"x.parquet", "a,b\n1,2\n", "not a Parquet file"},
	} {
		f, err := Open(write(t, c.name, c.text), Options{})
		if err == nil {
			_, _, err = cellsOf(t, f)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		} else if !errors.Is(err, data.ErrContract) {
			t.Errorf("%q: %v is not ErrContract", c.text, err)
		}
	}
}

func TestCSVRejects(t *testing.T) {
	text := "a,b\n1,2\n1\n\"x\"y,4\n3,\xe9\n\n\"5\n\",6\n7,8,9\n9,9\n"
	var got []Reject
	f, err := Open(write(t, "x.csv", text), Options{Reject: func(r Reject) { got = append(got, r) }})
	if err != nil {
		t.Fatal(err)
	}
	rows, lines, err := cellsOf(t, f)
	if err != nil || !reflect.DeepEqual(rows, [][]string{{"1", "2"}, {"5\n", "6"}, {"9", "9"}}) || !reflect.DeepEqual(lines, []int{2, 7, 10}) {
		t.Fatalf("got %q at %v, %v", rows, lines, err)
	}
	var at []int
	for _, r := range got {
		at = append(at, r.Line)
	}
	if !reflect.DeepEqual(at, []int{3, 4, 5, 9}) || got[2].Column != "b" {
		t.Fatalf("rejects %+v", got)
	}
}

func TestCharset(t *testing.T) {
	path := write(t, "x.csv", "a;b\nIl\xe9;\"d\xe9\"\n")
	f, err := Open(path, Options{Encoding: "latin-1"})
	if err != nil {
		t.Fatal(err)
	}
	rows, _, err := cellsOf(t, f)
	if err != nil || !reflect.DeepEqual(rows, [][]string{{"Ilé", "dé"}}) {
		t.Fatalf("got %q, %v", rows, err)
	}
	if _, err := Open(path, Options{Encoding: "latin-99"}); err == nil || !strings.Contains(err.Error(), "latin-99") {
		t.Fatalf("unknown encoding: %v", err)
	}
}

// TestCSVRoundTrip writes random cells with random quoting and reads them back,
// whatever the delimiter, the line ends and the size of the reads.
func TestCSVRoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		delim := rapid.SampledFrom([]byte(",;\t|")).Draw(rt, "delim")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "end")
		width := rapid.IntRange(2, 4).Draw(rt, "width")
		want := rapid.SliceOfN(rapid.SliceOfN(rapid.StringOf(rapid.SampledFrom([]rune("ab,;|\t\"\n\r é1"))), width, width), 0, 20).Draw(rt, "rows")
		var s strings.Builder
		line, lines := 1, []int(nil)
		s.WriteString(strings.Join([]string{"c1", "c2", "c3", "c4"}[:width], string(delim)) + end)
		for _, row := range want {
			line++
			lines = append(lines, line)
			for j, v := range row {
				if j > 0 {
					s.WriteByte(delim)
				}
				if strings.ContainsAny(v, "\"\n\r") || strings.IndexByte(v, delim) >= 0 || rapid.Bool().Draw(rt, "quote") {
					s.WriteString(`"` + strings.ReplaceAll(v, `"`, `""`) + `"`)
					line += strings.Count(v, "\n")
				} else {
					s.WriteString(v)
				}
			}
			s.WriteString(end)
		}
		path := filepath.Join(dir, "x.csv")
		if err := os.WriteFile(path, []byte(s.String()), 0o600); err != nil {
			rt.Fatal(err)
		}
		f, err := Open(path, Options{Delimiter: delim})
		if err != nil {
			rt.Fatal(err)
		}
		rows, gotLines, err := cellsOf(t, f)
		if err != nil {
			rt.Fatal(err)
		}
		for _, row := range want {
			for j := range row {
				if row[j] == "" {
					row[j] = "∅"
				}
			}
		}
		if len(rows) != len(want) || len(rows) > 0 && !reflect.DeepEqual(rows, want) || !reflect.DeepEqual(gotLines, lines) {
			rt.Fatalf("%q: got %q at %v, want %q at %v", s.String(), rows, gotLines, want, lines)
		}
	})
}

// dribble hands out a few bytes at a time, so that records straddle reads.
type dribble struct {
	text string
	r    *rand.Rand
}

func (d *dribble) Read(p []byte) (int, error) {
	n := copy(p, d.text[:min(len(d.text), 1+d.r.IntN(3))])
	d.text = d.text[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func TestCSVSmallReads(t *testing.T) {
	text := "a,b\r\n\"x\"\"y\",2\r\n\"\r\n\",\"\"\r\nz,\"q\"\r\n\r\n\"q\"w,1\r\n4,5"
	read := func(src io.Reader) (out []string) {
		r := csvReader{buffer: buffer{src: src}, delim: ','}
		for {
			rec, err := r.record()
			if err == io.EOF {
				return out
			}
			s := ""
			for _, b := range rec.fields {
				s += "[" + string(b) + "]"
			}
			if err != nil {
				s = err.Error()
			}
			out = append(out, s)
		}
	}
	want := read(strings.NewReader(text))
	if len(want) != 6 {
		t.Fatalf("got %q", want)
	}
	for seed := range uint64(50) {
		if got := read(&dribble{text, rand.New(rand.NewPCG(seed, 1))}); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %q, want %q", seed, got, want)
		}
	}
}
