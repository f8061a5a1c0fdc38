package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"go.uber.org/goleak"

	"recoup/data"
)

func gzipOf(t testing.TB, parts ...string) string {
	var b bytes.Buffer
	for _, p := range parts {
		w := gzip.NewWriter(&b)
		if _, err := w.Write([]byte(p)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func zstdOf(t testing.TB, parts ...string) string {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var b []byte
	for _, p := range parts {
		b = w.EncodeAll([]byte(p), b)
	}
	return string(b)
}

// TestPacked: what is packed reads like what is not, under any name and in any
// number of pieces, and lines are those of the text.
func TestPacked(t *testing.T) {
	defer goleak.VerifyNone(t)
	head, tail := "a,b\n1,\"x\ny\"\n\n2", ",z\n"
	skip := "\x51\x2a\x4d\x18\x03\x00\x00\x00abc"
	for name, text := range map[string]string{
		"x.csv": head + tail, "x.csv.gz": gzipOf(t, head+tail), "pieces.gz": gzipOf(t, head, "", tail), "gzip.csv": gzipOf(t, head, tail),
		"x.csv.zst": zstdOf(t, head+tail), "pieces.csv.zst": zstdOf(t, head, "", tail), "zstd.tsv": zstdOf(t, head, tail),
		"skip.csv.zst": skip + zstdOf(t, head) + skip + zstdOf(t, tail), "plain.csv.gz": head + tail, "x.GZ": gzipOf(t, bom+head+tail),
	} {
		f, err := Open(write(t, name, text), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		rows, lines, err := cellsOf(t, f)
		if err != nil || !reflect.DeepEqual(rows, [][]string{{"1", "x\ny"}, {"2", "z"}}) || !reflect.DeepEqual(lines, []int{2, 5}) {
			t.Errorf("%s: %q at %v, %v", name, rows, lines, err)
		}
		for _, err := range f.Frames() { // left early
			if err != nil {
				t.Error(err)
			}
			break
		}
	}
	f, err := Open(write(t, "x.jsonl.gz", gzipOf(t, "{\"a\":{\"b\":1}}\n")), Options{})
	if err != nil || f.Format() != JSONL || f.Columns()[0].Name != "a.b" {
		t.Errorf("jsonl: %v", err)
	}
}

// TestPackedDamaged: a stream that is cut or changed anywhere refuses the file.
func TestPackedDamaged(t *testing.T) {
	defer goleak.VerifyNone(t)
	var text strings.Builder
	text.WriteString("a,b\n")
	for i := range 30_000 {
		fmt.Fprintf(&text, "%d,%d\n", i, i*i*7919%10007)
	}
	read := func(name, b string) error {
		f, err := Open(write(t, name, b), Options{Reject: func(Reject) {}})
		if err != nil {
			return err
		}
		for _, err := range f.Frames() {
			if err != nil {
				return err
			}
		}
		return nil
	}
	for name, whole := range map[string]string{"x.csv.gz": gzipOf(t, text.String()), "x.csv.zst": zstdOf(t, text.String())} {
		if err := read(name, whole); err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{3, 5, 11, len(whole) / 2, len(whole) - 8, len(whole) - 1} {
			if err := read(name, whole[:n]); !errors.Is(err, data.ErrContract) {
				t.Errorf("%s cut to %d: %v", name, n, err)
			}
		}
		for _, at := range []int{len(whole) / 2, len(whole) - 6, len(whole) - 1} {
			b := []byte(whole)
			b[at] ^= 0x10
			if err := read(name, string(b)); !errors.Is(err, data.ErrContract) {
				t.Errorf("%s with byte %d of %d changed: %v", name, at, len(b), err)
			}
		}
		if err := read(name, whole+"more than a header"); err == nil || !strings.Contains(err.Error(), "does not unpack") {
			t.Errorf("%s with bytes behind it: %v", name, err)
		}
		if err := read(name, whole[:len(whole)-9]); err == nil || !strings.Contains(err.Error(), "cut off") {
			t.Errorf("%s cut: %v", name, err)
		}
	}
	for name, c := range map[string]struct{ b, want string }{
		"twice.gz":     {gzipOf(t, gzipOf(t, "a\n1\n")), "packed twice"},
		"x.parquet.gz": {gzipOf(t, "PAR1\x15\x00"), "a parquet file packed with gzip"},
		"nothing.gz":   {gzipOf(t, ""), "empty"},
		"zip.gz":       {gzipOf(t, "PK\x03\x04"), "a zip archive"},
	} {
		if err := read(name, c.b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestPackedBomb: 64 MiB of rows from a few KB are read in little memory.
func TestPackedBomb(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks 64 MiB")
	}
	line := "1,2\n"
	part := strings.Repeat(line, 4<<20)
	parts := []string{"a,b\n"}
	for range 4 {
		parts = append(parts, part)
	}
	b := zstdOf(t, parts...)
	if len(b) > 1<<20 {
		t.Fatalf("%d bytes are no bomb", len(b))
	}
	f, err := Open(write(t, "x.csv.zst", b), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	n := 0
	for frame, err := range f.Frames("a") {
		if err != nil {
			t.Fatal(err)
		}
		n += frame.N
	}
	runtime.ReadMemStats(&after)
	if n != 16<<20 {
		t.Fatalf("%d rows", n)
	}
	if used := int64(after.HeapSys) - int64(before.HeapSys); used > 48<<20 {
		t.Fatalf("%d MiB of heap", used>>20)
	}
}

// TestOpenText: packed or not, whatever the name; what is cut off says so.
func TestOpenText(t *testing.T) {
	defer goleak.VerifyNone(t)
	text := strings.Repeat("{\"a\":1}\n", 1<<17) // more than the reader is ahead
	for _, c := range []struct{ name, bytes, plain, fault string }{
		{"x.jsonl", text, "x.jsonl", ""},
		{"x.json.gz", gzipOf(t, text), "x.json", ""},
		{"x.JSON.ZST", zstdOf(t, text), "x.JSON", ""},
		{"x.jsonl", gzipOf(t, text[:9], text[9:]), "x.jsonl", ""},
		{"x.json.gz", text, "x.json.gz", ""},
		{"empty", "", "empty", ""},
		{"x.gz", gzipOf(t, text)[:500], "x", "the gzip stream ends too early"},
		{"x.zst", zstdOf(t, text)[:60], "x", "the zstd stream ends too early"},
		{"x.zst", "\x28\xb5\x2f\xfd....", "x", "the zstd stream"},
	} {
		r, plain, err := OpenText(write(t, c.name, c.bytes))
		if err != nil || filepath.Base(plain) != c.plain {
			t.Errorf("%s: %v, plain %s", c.name, err, plain)
			continue
		}
		got, err := io.ReadAll(r)
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s: %v, expected %s", c.name, err, c.fault)
			}
		} else if want := text; err != nil || string(got) != want && c.bytes != "" {
			t.Errorf("%s: %d bytes, %v", c.name, len(got), err)
		}
		r.Close()
	}
	if _, _, err := OpenText(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}
