package table

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestJSONPaths(t *testing.T) {
	for _, c := range []struct{ line, path, want string }{
		{`{"a":1}`, "a", "1"},
		{`{"a":"1"}`, "a", `"1`},
		{`{"a":{"b":{"c":"x"}}}`, "a.b.c", `"x`},
		{`{"a":{"b.c":"x"}}`, "a.b.c", `"x`},
		{`{"a.b":"flat","a":{"b":"deep"}}`, "a.b", `"flat`},
		{`{"a":{"b":"deep"},"a.b":"flat"}`, "a.b", `"flat`},
		{`{"a":{"b":"deep"},"a.b":null}`, "a.b", "null"},
		{`{"a":[1,{"b":2}]}`, "a.b", "null"},
		{`{"a":5}`, "a.b", "null"},
		{`{"b":5}`, "a", "null"},
		{`{"a":"\u0041\n\ud83d\ude00\/"}`, "a", "\"A\n😀/"},
		{`{"\u0061":true}`, "a", "true"},
		{`{"a":{"x":1}}`, "a", `{"x":1}`},
		{` { "a" : [ ] } `, "a", "[ ]"},
		{`{"a":""}`, "a", `"`},
	} {
		p := newLineParser([]string{c.path})
		if fault := p.parse([]byte(c.line)); fault != nil {
			t.Errorf("%s: %v", c.line, fault)
			continue
		}
		got := string(p.cells[0].text)
		switch p.cells[0].kind {
		case cellNull:
			got = "null"
		case cellText:
			got = `"` + got
		}
		if got != c.want {
			t.Errorf("%s: %s is %s, want %s", c.line, c.path, got, c.want)
		}
	}
}

func TestJSONFaults(t *testing.T) {
	for _, c := range []struct{ line, column, reason string }{
		{`{"a":1`, "", "not JSON: the line ends too early"},
		{`{"a":`, "", "not JSON: the line ends too early"},
		{`{"a"`, "", "not JSON: no colon"},
		{`{"a":"x`, "", "not JSON: a text is not closed"},
		{`[1]`, "", "not an object"},
		{`"x"`, "", "not an object"},
		{`null`, "", "not an object"},
		{`{"a":NaN}`, "", "NaN is not JSON"},
		{`{"a":-Infinity}`, "", "-Infinity is not JSON"},
		{`{"a":1}x`, "", `not JSON: "x" behind the object`},
		{`{"a":1}{"a":1}`, "", "not JSON"},
		{`{"a":1,"b":2,"a":3}`, "a", "the key is there twice"},
		{`{"x":{"a":1,"\u0061":2}}`, "a", "the key is there twice"},
		{`{"x":[{"k":1,"k":2}]}`, "k", "the key is there twice"},
		{`{"a":01}`, "", "not JSON"},
		{`{"a":1.}`, "", "not JSON"},
		{`{"a":.5}`, "", "not JSON"},
		{`{"a":+1}`, "", "not JSON"},
		{`{"a":1e}`, "", "not JSON"},
		{`{'a':1}`, "", "not JSON"},
		{`{"a":1,}`, "", "not JSON"},
		{`{"a":"\x"}`, "", "not JSON: a wrong escape"},
		{`{"a":"\ud83d"}`, "", "not JSON: half of a surrogate pair"},
		{"{\"a\":\"\t\"}", "", "not JSON: a control character"},
		{"{\"a\":\"\xff\"}", "", "not UTF-8"},
		{strings.Repeat(`{"a":`, 300), "", "not JSON: nested deeper"},
	} {
		fault := newLineParser([]string{"a"}).parse([]byte(c.line))
		if fault == nil || fault.column != c.column || !strings.HasPrefix(fault.reason, c.reason) {
			t.Errorf("%s: got %+v, want %q in column %q", c.line, fault, c.reason, c.column)
		}
	}
	many := `{`
	for i := range 100 {
		many += `"k` + strings.Repeat("x", i) + `":1,`
	}
	if fault := newLineParser(nil).parse([]byte(many + `"end":1}`)); fault != nil {
		t.Errorf("100 keys: %v", fault)
	}
	if fault := newLineParser(nil).parse([]byte(many + `"kxxxxx":1}`)); fault == nil || fault.column != "kxxxxx" {
		t.Errorf("100 keys, one twice: %v", fault)
	}
}

func TestJSONL(t *testing.T) {
	text := bom + "{\"a\":1,\"m\":{\"x\":\"p\"}}\n\n  \t\r\n{\"b\":[1,2],\"a\":null}\r\n{\"a\":true}\n"
	f, err := Open(write(t, "x.jsonl", text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range f.Columns() {
		names = append(names, c.Name)
	}
	if !reflect.DeepEqual(names, []string{"a", "m.x", "b"}) {
		t.Fatalf("columns %v", names)
	}
	rows, lines, err := cellsOf(t, f)
	want := [][]string{{"1", "p", "∅"}, {"∅", "∅", "[1,2]"}, {"true", "∅", "∅"}}
	if err != nil || !reflect.DeepEqual(rows, want) || !reflect.DeepEqual(lines, []int{1, 4, 5}) {
		t.Fatalf("got %q at %v, %v", rows, lines, err)
	}
	p, err := f.Profile("a", "m.x")
	if err != nil || p[0].Content != Mixed || p[0].Differs != 5 || p[1].Content != Words || p[1].Null != 4 {
		t.Fatalf("profile %+v, %v", p, err)
	}
}

// hasTwice reports whether an object anywhere in valid JSON has a key twice.
func hasTwice(d *json.Decoder) bool {
	tok, err := d.Token()
	if err != nil {
		return false
	}
	switch tok {
	case json.Delim('{'):
		seen := map[string]bool{}
		twice := false
		for d.More() {
			k, _ := d.Token()
			twice = twice || seen[k.(string)]
			seen[k.(string)] = true
			twice = hasTwice(d) || twice
		}
		d.Token()
		return twice
	case json.Delim('['):
		twice := false
		for d.More() {
			twice = hasTwice(d) || twice
		}
		d.Token()
		return twice
	}
	return false
}

// FuzzJSONLine holds the parser to encoding/json, which differs in three ways:
// it replaces bytes that are not UTF-8 and half surrogates, and keeps the last
// of equal keys.
func FuzzJSONLine(f *testing.F) {
	for _, s := range []string{`{"a":{"b":[1,2.5e3,"x\n\u00e9"]},"c":null}`, `{"a":1,"a":2}`, `{}`, `[{}]`, `{"a":"\ud800"}`, "{\"\xff\":1}", `{"a":-0}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.Count(line, []byte("{"))+bytes.Count(line, []byte("[")) > 100 {
			return // depth
		}
		p := newLineParser([]string{"a", "a.b"})
		fault := p.parse(line)
		var v map[string]any
		valid := utf8.Valid(line) && json.Unmarshal(line, &v) == nil && v != nil &&
			!hasTwice(json.NewDecoder(bytes.NewReader(line)))
		if fault == nil && !valid {
			t.Fatalf("%q is taken", line)
		}
		if fault != nil && valid && !strings.Contains(fault.reason, "surrogate") {
			t.Fatalf("%q is not taken: %s", line, fault.reason)
		}
		if fault != nil {
			return
		}
		switch want := v["a"].(type) {
		case nil:
			if p.cells[0].kind != cellNull {
				t.Fatalf("%q: a is %q, want null", line, p.cells[0].text)
			}
		case string:
			if p.cells[0].kind != cellText || string(p.cells[0].text) != want {
				t.Fatalf("%q: a is %q, want %q", line, p.cells[0].text, want)
			}
		}
	})
}

// FuzzCSV reads any bytes: no panic, lines that count up, and every record
// either read or put aside.
func FuzzCSV(f *testing.F) {
	seeds(f, "none", "a,b\n1,2\n", "a;b\r\n\"x\"\"\n\";1\r\n", "a\n\"\n", "a,b\n1\n\"x\"y,2\n\n3,4", bom+"a\tb\n1\t\xff\n", "a|b\n\"", "a,a\n",
		"\"a\n\",b\n1,\"2\" \n", gzipOf(f, "a,b\n", "1,2\n"), zstdOf(f, "a,b\n1,2\n"), "\x1f\x8b", "PK\x03\x04", "1e999,nan\n-0,+.5e-7\n")
	f.Fuzz(func(t *testing.T, text []byte) {
		exercise(t, "x.csv", text)
		path := write(t, "x.csv", string(text))
		rejects, last := 0, 1
		file, err := Open(path, Options{Reject: func(r Reject) {
			rejects++
			if r.Line <= 1 {
				t.Fatalf("a reject on line %d", r.Line)
			}
		}})
		if err != nil || file.format != CSV || file.packing != unpacked {
			return
		}
		rows := 0
		for frame, err := range file.Frames() {
			if err != nil {
				return
			}
			frame.Check()
			for _, line := range frame.Lines {
				if line <= last {
					t.Fatalf("line %d after %d", line, last)
				}
				last = line
			}
			rows += frame.N
		}
		r := csvReader{buffer: buffer{src: bytes.NewReader(bytes.TrimPrefix(text, []byte(bom)))}, delim: file.Delimiter()}
		records := -1 // the header
		for {
			_, err := r.record()
			if err == io.EOF {
				break
			}
			records++
		}
		if rows+rejects != records {
			t.Fatalf("%d rows and %d rejects of %d records", rows, rejects, records)
		}
	})
}
