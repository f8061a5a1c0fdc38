package table

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"recoup/data"
)

// exercise opens, profiles and streams a file of any bytes: an error of the
// file or frames that are whole, and as many rows as the file states.
func exercise(t *testing.T, name string, b []byte) {
	if len(b) > 1<<20 {
		t.Skip("too long for a quick look")
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	rejects := int64(0)
	for _, o := range []Options{{}, {Reject: func(Reject) { rejects++ }}, {Tagged: true, Reject: func(Reject) {}}} {
		f, err := Open(path, o)
		if err != nil {
			if !errors.Is(err, data.ErrContract) {
				t.Fatalf("%v is not the file's fault", err)
			}
			continue
		}
		var names []string
		for _, c := range f.Described() {
			if c.Bad == "" && !c.Twice && len(names) < 64 {
				names = append(names, c.Name)
			}
		}
		if o.Tagged {
			names = []string{"a", "a.b"}
			if f.format != JSONL {
				continue
			}
		}
		if f.Rows()*int64(len(names)) > 1<<18 { // a few bytes can state many rows, one after the other
			continue
		}
		if len(names) > 0 {
			if _, err := f.Profile(names...); err != nil && !errors.Is(err, data.ErrContract) {
				t.Fatalf("%v is not the file's fault", err)
			}
		}
		rejects = 0
		rows, failed := int64(0), false
		for frame, err := range f.Frames(names...) {
			if err != nil {
				failed = true
				break
			}
			frame.Check()
			rows += int64(frame.N)
		}
		if f.typed() && !failed && len(names) > 0 && rows+rejects != f.Rows() {
			t.Fatalf("%d rows and %d rejects of %d", rows, rejects, f.Rows())
		}
	}
}

// seeds adds files by pattern, and texts.
func seeds(f *testing.F, pattern string, texts ...string) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	for _, s := range texts {
		f.Add([]byte(s))
	}
}

func FuzzJSONL(f *testing.F) {
	seeds(f, "none", "{\"a\":1}\n{\"a\":{\"b\":[1,{}]}}\n", "{\"a.b\":null,\"a\":{\"b\":\"\\ud83d\\ude00\"}}", "[1]\n", "{\"a\":1,\"a\":2}", "{\"a\":NaN}", "{\"a\":-0.5e+7}\n\n \n{", bom+"{}")
	f.Fuzz(func(t *testing.T, b []byte) { exercise(t, "x.jsonl", b) })
}

func FuzzParquet(f *testing.F) {
	seeds(f, "testdata/types_*.parquet")
	f.Fuzz(func(t *testing.T, b []byte) { exercise(t, "x.parquet", b) })
}

func FuzzArrow(f *testing.F) {
	seeds(f, "testdata/*.arrow")
	f.Fuzz(func(t *testing.T, b []byte) { exercise(t, "x.arrow", b) })
}
