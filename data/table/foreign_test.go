package table

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"recoup/data"
)

// TestTypesOfOtherWriters reads every type, codec and encoding of the files
// that testdata/make.py wrote.
func TestTypesOfOtherWriters(t *testing.T) {
	b, err := os.ReadFile("testdata/types.json")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]*string{}
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/types_*")
	if err != nil || len(files) < 13 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		f, err := Open(path, Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		if f.Rows() != 40 {
			t.Errorf("%s: %d rows", path, f.Rows())
		}
		for _, c := range f.Described() {
			if strings.HasPrefix(c.Name, "list") {
				if !strings.Contains(c.Bad, "a list") {
					t.Errorf("%s: %s is %q", path, c.Name, c.Bad)
				}
				continue
			}
			wall, utc := strings.HasPrefix(c.Name, "wall_"), strings.HasPrefix(c.Name, "utc_")
			if wall && !c.Local && !strings.HasSuffix(path, "fp_int64.parquet") || utc && c.Local && c.Type != "INT96" || (wall || utc) != (c.Kind == data.Timestamp) {
				t.Errorf("%s: %+v", path, c)
			}
			n := 0
			for frame, err := range f.Frames(c.Name) {
				if err != nil {
					t.Errorf("%s: %s: %v", path, c.Name, err)
					break
				}
				frame.Check()
				for i := range frame.N {
					got, w := shownCell(&frame.Columns[0], i), "∅"
					if p := want[c.Name][n]; p != nil {
						w = *p
					}
					if c.Kind == data.Float64 && got != w {
						x, err := strconv.ParseFloat(w, 64)
						if err != nil && w == "∅" && math.IsNaN(frame.Columns[0].F[i]) || x == frame.Columns[0].F[i] { // pandas has NaN for null
							w = got
						}
					}
					if got != w {
						t.Errorf("%s: %s, row %d: %q, want %q", path, c.Name, n+1, got, w)
					}
					n++
				}
			}
			if n != 40 {
				t.Errorf("%s: %s: %d rows", path, c.Name, n)
			}
		}
	}
}

// TestArrowWords: a dictionary that grows, one that is replaced, and nulls that
// stand in the dictionary.
func TestArrowWords(t *testing.T) {
	for name, want := range map[string][]string{"grows": {"a", "∅", "∅", "c", "a"}, "replaced": {"a", "∅", "∅", "z", "x"}} {
		f, err := Open("testdata/words_"+name+".arrow", Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows, _, err := cellsOf(t, f)
		var got []string
		for _, r := range rows {
			got = append(got, r[0])
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
}

// TestArrowOdd: what is not read is refused by name, and stands in nobody's way;
// a number beyond 64 bits with sign is the fault of its row.
func TestArrowOdd(t *testing.T) {
	var bad []Reject
	f, err := Open("testdata/odd.arrow", Options{Reject: func(r Reject) { bad = append(bad, r) }})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"span", "fixed", "runs", "map", "union", "list"} {
		for _, err := range f.Frames("n", name) {
			if err == nil || !strings.Contains(err.Error(), "column "+name+" is ") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for frame, err := range f.Frames("n", "big") {
		if err != nil || !reflect.DeepEqual(frame.Lines, []int{2}) || frame.Columns[0].I[0] != 2 || frame.Columns[1].I[0] != 5 {
			t.Errorf("%+v, %v", frame, err)
		}
	}
	if len(bad) != 1 || bad[0].Line != 1 || bad[0].Column != "big" || bad[0].Value != "9223372036854775808" {
		t.Errorf("rejects %v", bad)
	}
	f, _ = Open("testdata/odd.arrow", Options{})
	for _, err := range f.Frames() {
		if err == nil || !strings.Contains(err.Error(), "column span is ") {
			t.Errorf("all columns: %v", err)
		}
	}
	for _, err := range f.Frames("big") {
		if err == nil || !strings.Contains(err.Error(), "row 1: column big: \"9223372036854775808\": beyond 64 bits") {
			t.Errorf("strict: %v", err)
		}
	}
}
