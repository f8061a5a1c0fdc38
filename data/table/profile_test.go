package table

import (
	"reflect"
	"strings"
	"testing"

	"recoup/data"
)

func TestSortOf(t *testing.T) {
	for want, words := range map[sort][]string{
		finite:   {"0", "-1", "+1", "1.", ".5", "-.5", "1e5", "1E-5", "1.5e+05", "1e-999", "007", "1e308", strings.Repeat("9", 308)},
		infinite: {"NaN", "nan", "-NaN", "+nan", "Inf", "-inf", "+INF", "Infinity", "-infinity", "1e999", "-1e309", strings.Repeat("9", 400)},
		word: {"", "+", "-", ".", "e5", ".e5", "1e", "1e+", "1.2.3", "0x1F", "1_000", "1,000", " 1", "1 ", "--1", "nano", "infinit",
			"1e5.0", "١", "NA", "true", "1e9_9"},
	} {
		for _, s := range words {
			if got := sortOf([]byte(s)); got != want {
				t.Errorf("%q is %d, want %d", s, got, want)
			}
		}
	}
}

func TestProfile(t *testing.T) {
	text := "num,word,mixed,empty,bad,none,late\n" +
		"1,b,1,x,1,,z\n" +
		"2.5,a,NaN,,Inf,,z\n\n" +
		"-3e2,b,\"x\ny\",x,NaN,,1\n" +
		"4,b,2,,2,,z\n"
	f, err := Open(write(t, "x.csv", text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Profile()
	if err != nil {
		t.Fatal(err)
	}
	want := []Profile{
		{Name: "num", Content: Numbers, Rows: 4},
		{Name: "word", Content: Words, Rows: 4, Levels: []string{"a", "b"}},
		{Name: "mixed", Content: Mixed, Rows: 4, Differs: 5, NonFinite: 3, Levels: []string{"x\ny"}},
		{Name: "empty", Content: Words, Rows: 4, Nulls: 2, Null: 3, Levels: []string{"x"}},
		{Name: "bad", Content: Numbers, Rows: 4, NonFinite: 3},
		{Name: "none", Content: Nothing, Rows: 4, Nulls: 4, Null: 2},
		{Name: "late", Content: Mixed, Rows: 4, Differs: 5, Levels: []string{"z"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
	if got, err = f.Profile("word", "num"); err != nil || got[0].Name != "word" || got[1].Name != "num" {
		t.Fatalf("by name: %+v, %v", got, err)
	}
	if _, err := f.Profile("wrod"); err == nil || !strings.Contains(err.Error(), "no column wrod") {
		t.Fatalf("unknown column: %v", err)
	}
}

func TestFramesAsNumbers(t *testing.T) {
	f, err := Open(write(t, "x.csv", "a,b\n1,x\n,y\n2.5,1e999\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for frame, err := range f.FramesAs(data.Column{Name: "a", Kind: data.Float64}) {
		if err != nil {
			t.Fatal(err)
		}
		if c := frame.Columns[0]; !reflect.DeepEqual(c.F, []float64{1, 0, 2.5}) || !reflect.DeepEqual(c.Nulls, []bool{false, true, false}) {
			t.Fatalf("got %+v", c)
		}
	}
	for _, err := range f.FramesAs(data.Column{Name: "b", Kind: data.Float64}) {
		if err == nil || !strings.Contains(err.Error(), "line 2: column b") {
			t.Fatalf("words as numbers: %v", err)
		}
	}
}
