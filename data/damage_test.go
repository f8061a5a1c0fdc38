package data

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// damaged is a log of one attempts part that a test then breaks.
type damaged struct {
	dir, part string
	m         Manifest
}

func newDamaged(t *testing.T) *damaged {
	dir := t.TempDir()
	m := commit(t, dir, inr, attemptAt("a", day0), attemptAt("b", day0+1))
	return &damaged{dir, filepath.Join(dir, "events", filepath.FromSlash(m.Files[0].Path)), m}
}

// repack puts bytes in the part's place and makes the manifest agree, so that
// only what is inside can be wrong.
func (d *damaged) repack(t testing.TB, b []byte) {
	if err := os.WriteFile(d.part, b, 0o644); err != nil {
		t.Fatal(err)
	}
	d.m.Files[0].Bytes, d.m.Files[0].SHA256 = int64(len(b)), hashBytes(b)
	if err := writeManifest(filepath.Join(d.dir, "events"), &d.m); err != nil {
		t.Fatal(err)
	}
}

// refused checks that the log cannot be opened, and that the error is of the
// contract and names all of the words.
func (d *damaged) refused(t *testing.T, words ...string) {
	t.Helper()
	_, err := OpenLog(d.dir)
	if !errors.Is(err, ErrContract) {
		t.Errorf("%v, expected a broken contract", err)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}

func TestDamagedFilesAreRefusedByName(t *testing.T) {
	part := func(t *testing.T) (*damaged, []byte) {
		d := newDamaged(t)
		b, err := os.ReadFile(d.part)
		if err != nil {
			t.Fatal(err)
		}
		return d, b
	}
	t.Run("truncated", func(t *testing.T) {
		d, b := part(t)
		os.WriteFile(d.part, b[:len(b)-1], 0o644)
		d.refused(t, d.part, "bytes")
	})
	t.Run("one bit", func(t *testing.T) {
		d, b := part(t)
		b[len(b)/2] ^= 4
		os.WriteFile(d.part, b, 0o644)
		d.refused(t, d.part, "sha256")
	})
	t.Run("missing", func(t *testing.T) {
		d, _ := part(t)
		os.Remove(d.part)
		d.refused(t, d.part, "the manifest names it")
	})
	t.Run("no Parquet", func(t *testing.T) {
		d, b := part(t)
		d.repack(t, bytes.Repeat([]byte("x"), len(b)))
		d.refused(t, d.part, "Parquet")
	})
	t.Run("row count", func(t *testing.T) {
		d, b := part(t)
		d.m.Files[0].Rows = 3
		d.repack(t, b)
		d.refused(t, d.part, "2 rows, the manifest says 3")
	})
}

// TestOtherSchemasAreRefused writes the part with a column changed, which
// reading by position or conversion would take for zeros or other numbers.
func TestOtherSchemasAreRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(nodes []namedNode) []namedNode
		words  []string
	}{
		{"missing", func(n []namedNode) []namedNode { return n[:len(n)-1] }, []string{"advice_code is missing"}},
		{"renamed", func(n []namedNode) []namedNode { n[4].name = "case"; return n },
			[]string{"case_id is missing", "column case is unknown"}},
		{"added", func(n []namedNode) []namedNode { return append(n, namedNode{"more", parquet.String()}) },
			[]string{"more is unknown"}},
		{"text for number", func(n []namedNode) []namedNode { n[17].node = parquet.String(); return n },
			[]string{"amount_paise", "expected INT64", "BYTE_ARRAY"}},
		{"narrower", func(n []namedNode) []namedNode { n[17].node = parquet.Leaf(parquet.Int32Type); return n },
			[]string{"amount_paise", "INT32"}},
		{"milliseconds", func(n []namedNode) []namedNode { n[2].node = parquet.Timestamp(parquet.Millisecond); return n },
			[]string{"known_at", "MILLIS", "MICROS"}},
		{"local time", func(n []namedNode) []namedNode {
			n[2].node = parquet.TimestampAdjusted(parquet.Microsecond, false)
			return n
		}, []string{"known_at", "isAdjustedToUTC=false"}},
		{"bare number for a time", func(n []namedNode) []namedNode { n[2].node = parquet.Leaf(parquet.Int64Type); return n },
			[]string{"known_at"}},
		{"optional", func(n []namedNode) []namedNode { n[17].node = parquet.Optional(n[17].node); return n },
			[]string{"amount_paise", "optional", "required"}},
		{"required", func(n []namedNode) []namedNode { n[15].node = parquet.String(); return n },
			[]string{"bank", "expected", "optional"}},
		{"list", func(n []namedNode) []namedNode { n[4].node = parquet.Repeated(parquet.String()); return n },
			[]string{"case_id", "repeated"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDamaged(t)
			var nodes []namedNode
			for _, col := range attemptsTable().columns {
				nodes = append(nodes, namedNode{col.columnName(), col.node()})
			}
			var b bytes.Buffer
			w := parquet.NewGenericWriter[any](&b, parquet.NewSchema("x", groupOf(c.change(nodes))))
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			d.repack(t, b.Bytes())
			d.refused(t, append(c.words, d.part)...)
		})
	}
}

func TestDamagedManifestsAreRefused(t *testing.T) {
	for name, change := range map[string]func(m *Manifest){
		"format":     func(m *Manifest) { m.Format = 2 },
		"generation": func(m *Manifest) { m.Generation = 0 },
		"schema":     func(m *Manifest) { m.Schema = "old" },
		"horizon":    func(m *Manifest) { m.Horizon = -1 },
		"path":       func(m *Manifest) { m.Files[0].Path = "attempts/../../x" },
		"table":      func(m *Manifest) { m.Files[0].Table = "moods" },
		"sha256":     func(m *Manifest) { m.Files[0].SHA256 = "ab" },
		"rows":       func(m *Manifest) { m.Files[0].Rows = 0 },
		"cursor":     func(m *Manifest) { m.Files[0].Max = Cursor{} },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDamaged(t)
			change(&d.m)
			b, _ := json.Marshal(d.m)
			os.WriteFile(filepath.Join(d.dir, "events", manifestName), b, 0o644)
			d.refused(t, manifestName, name)
			if _, err := NewWriter(d.dir, inr); !errors.Is(err, ErrContract) {
				t.Errorf("a writer opened it: %v", err)
			}
		})
	}
	for name, text := range map[string]string{"empty": "", "not JSON": "x", "unknown key": `{"format":1,"mood":2}`, "more": `{} {}`} {
		d := newDamaged(t)
		os.WriteFile(filepath.Join(d.dir, "events", manifestName), []byte(text), 0o644)
		t.Run(name, func(t *testing.T) { d.refused(t, manifestName) })
	}
}

// TestForeignDictionaryPagesAreRead: other writers dictionary-encode numbers
// and switch to plain within a chunk; the values must not be taken for indexes.
func TestForeignDictionaryPagesAreRead(t *testing.T) {
	d := newDamaged(t)
	var nodes []namedNode
	for _, col := range attemptsTable().columns {
		n := col.node()
		base, opt := n, n.Optional()
		switch base.Type().Kind() {
		case parquet.Int64, parquet.Int32, parquet.ByteArray:
			base = parquet.Encoded(parquet.Leaf(n.Type()), &parquet.RLEDictionary)
		}
		if opt {
			base = parquet.Optional(base)
		}
		nodes = append(nodes, namedNode{col.columnName(), base})
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[any](&b, parquet.NewSchema("x", groupOf(nodes)), parquet.Compression(&zstd.Codec{}), parquet.DictionaryMaxBytes(64), parquet.PageBufferSize(256))
	var rows []Attempt
	for i := range 500 {
		a := attemptAt(strings.Repeat("z", i%5)+string(rune('a'+i%26)), day0+Micros(i))
		a.Amount, a.AttemptNo, a.Seq = Paise(i*3), int32(i%4), int64(i)
		if i%3 == 0 {
			a.Bank = "B" + string(rune('a'+i%7))
		}
		rows = append(rows, a)
		cw := w.ColumnWriters()
		for k, c := range attemptsTable().columns {
			if _, err := c.write(cw[k:k+1], rows[i:i+1], nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	d.m.Files[0].Rows, d.m.Files[0].Max = 500, rows[499].Cursor()
	d.repack(t, b.Bytes())
	got := read[Attempt](t, d.dir, lastCursor)
	for i := range rows {
		if got[i] != rows[i] {
			t.Fatalf("row %d is %+v, expected %+v", i, got[i], rows[i])
		}
	}
}
