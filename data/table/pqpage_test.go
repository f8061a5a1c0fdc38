package table

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"
	"pgregory.net/rapid"
)

// TestRuns holds the reader of runs against the library's writer, in pieces of
// any length.
func TestRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 8).Draw(t, "width")
		var want []byte
		for range rapid.IntRange(0, 40).Draw(t, "runs") {
			x := byte(rapid.IntRange(0, 1<<width-1).Draw(t, "x"))
			for range rapid.IntRange(1, 30).Draw(t, "times") {
				want = append(want, x)
			}
		}
		e := rle.Encoding{BitWidth: width}
		b, err := e.EncodeLevels(nil, want)
		if err != nil {
			t.Fatal(err)
		}
		r, err := newRuns(b, uint(width))
		if err != nil {
			t.Fatal(err)
		}
		for left := want; len(left) > 0; {
			n := rapid.IntRange(1, len(left)).Draw(t, "n")
			got := make([]byte, n)
			if err := fill(&r, got); err != nil || !bytes.Equal(got, left[:n]) {
				t.Fatalf("%v, %v, want %v", got, err, left[:n])
			}
			left = left[n:]
		}
		if err := fill(&r, make([]byte, 8)); err == nil { // the last group may be padded to eight
			t.Fatal("more than there is")
		}
	})
}

func TestRunsOfAnyLength(t *testing.T) {
	r, err := newRuns([]byte{0xfe, 0xff, 0xff, 0xff, 0x0f, 7}, 3) // 2^31-1 sevens
	if err != nil {
		t.Fatal(err)
	}
	got := make([]int32, 1000)
	for range 100 {
		if err := fill(&r, got); err != nil || got[0] != 7 || got[999] != 7 {
			t.Fatal(got[0], err)
		}
	}
	if r, err = newRuns([]byte{3, 0o21, 0o43}, 3); err != nil { // a group of eight, cut to 16 bits
		t.Fatal(err)
	}
	if err := fill(&r, got[:5]); err != nil || got[0] != 1 || got[1] != 2 {
		t.Fatal(got[:5], err)
	}
	if err := fill(&r, got[:1]); err == nil {
		t.Fatal("a number of no bits")
	}
	if _, err := newRuns(nil, 33); err == nil {
		t.Fatal("33 bits")
	}
}

// TestDeltas holds the reader of differences against the library's writer.
func TestDeltas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 3), rapid.Just(int64(math.MinInt64))), 1, 400).Draw(t, "values")
		var e delta.BinaryPackedEncoding
		b, err := e.EncodeInt64(nil, want)
		if err != nil {
			t.Fatal(err)
		}
		d, err := newDeltas(b)
		if err != nil {
			t.Fatal(err)
		}
		for left := want; len(left) > 0; {
			n := rapid.IntRange(1, len(left)).Draw(t, "n")
			got := make([]int64, n)
			if err := d.next(got); err != nil || !slices.Equal(got, left[:n]) {
				t.Fatalf("%v, %v, want %v", got, err, left[:n])
			}
			left = left[n:]
		}
		if d.next(make([]int64, 1)) == nil {
			t.Fatal("more than there is")
		}
		if d, err = newDeltas(b[:len(b)-rapid.IntRange(1, len(b)-1).Draw(t, "cut")]); err == nil {
			got := make([]int64, len(want))
			if err := d.next(got); err == nil && !slices.Equal(got, want) { // padding may be cut off
				t.Fatalf("%v of a page cut short, want %v", got, want)
			}
		}
	})
}

// TestCodecs unpacks what the library packs, cut and lied about too.
func TestCodecs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var u unpacker
	defer u.close()
	noise := make([]byte, 5000)
	for i := range noise {
		noise[i] = byte(r.IntN(256))
	}
	for _, codec := range []format.CompressionCodec{format.Uncompressed, format.Snappy, format.Gzip, format.Zstd, format.Brotli, format.Lz4Raw} {
		for _, want := range [][]byte{{}, {1}, bytes.Repeat([]byte("abcab"), 70_000), noise, append(bytes.Clone(noise), noise...)} {
			packed, err := parquet.LookupCompressionCodec(codec).Encode(nil, want)
			if codec == format.Uncompressed {
				packed, err = want, nil
			}
			if err != nil {
				t.Fatal(err)
			}
			if got, err := u.unpack(codec, packed, len(want), nil); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s of %d bytes: %d, %v", codec, len(want), len(got), err)
			}
			for _, size := range []int{len(want) + 1, len(want) - 1, maxPage} {
				if size < 0 || codec == format.Brotli && size == maxPage {
					continue
				}
				if _, err := u.unpack(codec, packed, size, nil); err == nil {
					t.Errorf("%s of %d bytes: unpacked to %d", codec, len(want), size)
				}
			}
			if len(packed) > 8 && codec != format.Brotli {
				if got, err := u.unpack(codec, packed[:len(packed)-5], len(want), nil); err == nil {
					t.Errorf("%s of %d bytes, cut: %d bytes", codec, len(want), len(got))
				}
			}
		}
	}
	// Hadoop's frames: two blocks, the second of literals alone
	block := []byte{0x31, 'a', 'b', 'c', 3, 0, 0x10, 'd'} // abc, five of it again, d
	framed := binary.BigEndian.AppendUint32(nil, 9)
	framed = append(binary.BigEndian.AppendUint32(framed, uint32(len(block))), block...)
	framed = append(binary.BigEndian.AppendUint32(framed, 1), 0, 0, 0, 2, 0x10, 'e')
	for _, c := range []struct {
		b    []byte
		want string
	}{{framed, "abcabcabde"}, {block, "abcabcabd"}} {
		if got, err := u.unpack(format.Lz4, c.b, len(c.want), nil); err != nil || string(got) != c.want {
			t.Errorf("%q, %v, want %q", got, err, c.want)
		}
	}
}

// rewritten is a Parquet file with its first page put in other bytes.
func rewritten(t *testing.T, change func(page []byte) []byte) (string, error) {
	path := writeRows(t, parquet.Group{"n": parquet.Leaf(parquet.Int64Type)}, 3, func(i int) parquet.Row {
		return parquet.Row{parquet.Int64Value(int64(i)).Level(0, 0, 0)}
	}, parquet.Compression(&parquet.Uncompressed), parquet.DataPageStatistics(false), parquet.DataPageVersion(1))
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	c := f.Metadata().RowGroups[0].Columns[0].MetaData
	from, to := c.DataPageOffset, c.DataPageOffset+c.TotalCompressedSize
	b = slices.Concat(b[:from], change(bytes.Clone(b[from:to])), b[to:])
	path = filepath.Join(t.TempDir(), "y.parquet")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := Open(path, Options{})
	if err != nil {
		return "", err
	}
	var got []string
	for frame, err := range file.Frames() {
		if err != nil {
			return "", err
		}
		for i := range frame.N {
			got = append(got, fmt.Sprint(frame.Columns[0].I[i]))
		}
	}
	return strings.Join(got, " "), nil
}

// TestPageClaims: pages that are shorter or longer than they say.
func TestPageClaims(t *testing.T) {
	head := func(p []byte) int { return len(p) - 24 }
	find := func(p []byte, x byte) int { // zigzag, in the head
		k := bytes.IndexByte(p[:head(p)], x)
		if k < 0 {
			t.Fatalf("no %d in % x", x, p)
		}
		return k
	}
	for _, c := range []struct {
		name   string
		change func(p []byte) []byte
		want   string
	}{
		{"as it is", func(p []byte) []byte { return p }, ""},
		{"a size that is another", func(p []byte) []byte { p[find(p, 48)] = 46; return p }, "claims"},
		{"fewer rows", func(p []byte) []byte { p[find(p, 6)] = 4; return p }, "behind its last value"},
		{"more rows", func(p []byte) []byte { p[find(p, 6)] = 8; return p }, "more rows than the footer states"},
		{"garbage", func(p []byte) []byte { return bytes.Repeat([]byte{0xff}, len(p)) }, "damaged"},
	} {
		got, err := rewritten(t, c.change)
		if c.want == "" && (err != nil || got != "0 1 2") || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

// TestThriftClaims: lists and texts longer than their bytes, nests without end.
func TestThriftClaims(t *testing.T) {
	for _, c := range []struct {
		b  []byte
		ok bool
	}{
		{[]byte{0x15, 0x02, 0x18, 2, 'a', 'b', 0x11, 0}, true},
		{[]byte{0x18, 9, 'a', 'b', 0}, false},
		{[]byte{0x19, 0x25, 2, 4, 0}, true},                               // a list of two numbers
		{[]byte{0x19, 0xf5, 0xff, 0xff, 0xff, 0xff, 7, 2, 0}, false},      // of 2^31
		{[]byte{0x1b, 1, 0x85, 1, 'k', 6, 0}, true},                       // a map
		{[]byte{0x1b, 0xff, 0xff, 0xff, 0x7f, 0x85, 1, 'k', 6, 0}, false}, // of 2^28
		{bytes.Repeat([]byte{0x1c}, 1<<20), false},
		{bytes.Repeat([]byte{0x19, 0x19}, 1<<20), false},
		{[]byte{0x15}, false},
	} {
		if _, err := checkThrift(c.b); (err == nil) != c.ok {
			t.Errorf("% x: %v", c.b[:min(len(c.b), 12)], err)
		}
	}
}
