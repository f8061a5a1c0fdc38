package table

import (
	"strings"
	"testing"
)

func TestSniffDelimiter(t *testing.T) {
	long := strings.Repeat("x;", 200)
	for _, c := range []struct {
		name, text string
		want       byte
	}{
		{"decimal commas", "id;amount;bank\n1;12,50;A\n2;3,00;B\n", ';'},
		{"grouped amounts", "id;amount\n1;1.234,50\n2;12.345.678,00\n", ';'},
		{"other separators in quotes", "\"a,b|c\";d\n\"1,2|3\";\"x,y\tz\"\n", ';'},
		{"lines in quotes", "a|b\n\"1\n,,,,\n2\"|3\n\"\n\"|4\n", '|'},
		{"more commas than tabs", "name\tnote\nA, B, C\tx, y\nD\tz, z, z, z\n", '\t'},
		{"one column with commas in quotes", "amount\n\"1,5\"\n\"2,5\"\n", ','},
		{"one column of words", "name\nx y\nz\n", ','},
		{"a header alone", "a|b|c", '|'},
		{"a header alone, with commas in a name", "\"a,b\";c\n", ';'},
		{"a ragged line", "a,b,c\n1,2\n3,4,5\n6,7,8\n", ','},
		{"one text full of semicolons", "a,b\n1,2\n3," + long + "\n4,5\n", ','},
		{"byte order mark", bom + "a;b\n1;2\n", ';'},
		{"crlf", "a\tb\r\n1,0\t2\r\n", '\t'},
		{"times and colons", "at,note\n2026-01-01 10:00:00,a|b\n2026-01-01 11:00:00,c\n", ','},
	} {
		f, err := Open(write(t, "x.csv", c.text), Options{})
		if err != nil {
			if f, err = Open(write(t, "x.csv", c.text), Options{Reject: func(Reject) {}}); err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
		}
		if got := f.Delimiter(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestFormatOf: the bytes count, and the name only where they leave it open.
func TestFormatOf(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       Format
	}{
		{"x.csv", "a,b\n", CSV}, {"x", "a,b\n", CSV}, {"x.txt", " \n{\"a\":1}\n", JSONL}, {"x.jsonl", "a,b\n", JSONL}, {"x.ndjson.gz", "[", JSONL},
		{"x.csv", "{a},b\n", CSV}, {"x.csv", "PAR1\x15\x04", Parquet}, {"x.csv", "ARROW1\x00\x00", Arrow}, {"x.csv", "\xff\xff\xff\xff\xf0\x00\x00\x00\x10\x00\x00\x00\x00\x00\x0a\x00", Arrow},
		{"x.csv", "\xf0\x00\x00\x00\x10\x00\x00\x00\x00\x00\x0a\x00\x0c\x00\x0a\x00", Arrow}, {"x.csv", "PARENT,ORC,FEA1\n", CSV}, {"x.csv", "PAR1,PAR2\n1,2\n", CSV}, {"x.csv", "ARROW1,b\n", CSV},
	} {
		if got, err := formatOf(c.name, unpacked, []byte(c.head)); err != nil || got != c.want {
			t.Errorf("%s %q: %v, %v, want %v", c.name, c.head, got, err, c.want)
		}
	}
}
