package razorpay

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"
	"unicode/utf8"

	"recoup/data"
)

// plainJSON says whether a text is one JSON value whose objects have no key
// twice (with another value), by encoding/json.
func plainJSON(b []byte) bool {
	if !utf8.Valid(b) || !json.Valid(b) {
		return false
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	ok := noKeyTwice(d)
	_, err := d.Token()
	return ok && err == io.EOF
}

func noKeyTwice(d *json.Decoder) bool {
	t, err := d.Token()
	if err != nil {
		return false
	}
	switch t {
	case json.Delim('{'):
		seen := map[string]bool{}
		for d.More() {
			k, err := d.Token()
			if err != nil || seen[k.(string)] || !noKeyTwice(d) {
				return false
			}
			seen[k.(string)] = true
		}
	case json.Delim('['):
		for d.More() {
			if !noKeyTwice(d) {
				return false
			}
		}
	default:
		return true
	}
	_, err = d.Token()
	return err == nil
}

func TestScannerAgreesWithEncodingJSON(t *testing.T) {
	alphabet := []string{"{", "}", "[", "]", ",", ":", `"a"`, `"b"`, `"\u00e9\n"`, `"\ud83d\ude00"`, `"`, "\\", "1", "-0.5e+7", "01", "null", "true", "nul", " ", "\t", "é", "\x01"}
	r := rand.New(rand.NewPCG(1, 2))
	valid := 0
	for range 200_000 {
		var b []byte
		for range 1 + r.IntN(12) {
			b = append(b, alphabet[r.IntN(len(alphabet))]...)
		}
		if agree(t, b) {
			valid++
		}
	}
	if valid < 1000 {
		t.Errorf("only %d texts were JSON", valid)
	}
	for _, s := range []string{`{"a":1,"b":[{"a":2},{"a":2}]}`, `{"a":1,"\u0061":2}`, `{}`, `[]`, `[1,]`, `{"a"}`, `{"a":1,}`, `-`, `1.`, `.5`, `1e`, `+1`, `"` + "\n" + `"`, `{"a":{"b":{"c":1}}}x`, ``, ` `, `tru`, `"\x"`, `"\u12"`} {
		agree(t, []byte(s))
	}
}

func agree(t *testing.T, b []byte) (ok bool) {
	s := &scanner{}
	s.start(b)
	s.blanks()
	fault := s.value(nil, 1)
	if fault == nil {
		fault = s.end()
	}
	if got, want := fault == nil && utf8.Valid(b), plainJSON(b); got != want {
		t.Fatalf("%q: scanner %t (%v), encoding/json %t", b, got, fault, want)
	}
	return fault == nil
}

// TestHalfACharacter: encoding/json puts another in its place.
func TestHalfACharacter(t *testing.T) {
	for _, text := range []string{`"\ud83d"`, `"\ud83dx"`, `"\ude00\ud83d"`} {
		s := &scanner{}
		s.start([]byte(text))
		if s.value(nil, 1) == nil {
			t.Errorf("%s went through", text)
		}
	}
}

// TestKeyTwice: the same value twice is no contradiction.
func TestKeyTwice(t *testing.T) {
	for text, ok := range map[string]bool{`{"a":{"x":1},"a":{"x":1}}`: true, `{"a":1,"a":2}`: false, `{"a":1,"b":2,"a":1,"a":3}`: false} {
		s := &scanner{}
		s.start([]byte(text))
		if fault := s.value(nil, 1); (fault == nil) != ok {
			t.Errorf("%s: %v", text, fault)
		}
	}
}

func TestTextsAreUnescaped(t *testing.T) {
	s := &scanner{}
	s.start([]byte(`{"event":"a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00z","payload":{"payment":{"entity":{"vpa":null,"amount":12,"card":{"network":"V\u0069sa"}}}}}`))
	if fault := s.value(eventTree, 1); fault != nil {
		t.Fatal(fault)
	}
	for at, want := range map[slot]cell{eventType: {text, []byte("a\"\\/\b\f\n\r\té😀z")}, payVPA: {null, []byte("null")}, payAmount: {number, []byte("12")}, payCardNetwork: {text, []byte("Visa")}, payID: {}} {
		if got := s.cells[at]; got.kind != want.kind || !bytes.Equal(got.b, want.b) {
			t.Errorf("%s: %d %q", paths[at], got.kind, got.b)
		}
	}
}

// TestSpill: a record comes back as it went.
func TestSpill(t *testing.T) {
	var r record
	fill(reflect.ValueOf(&r.event).Elem())
	r.file, r.line = 3, 1<<20
	faulty := record{file: 1, line: 2, fault: data.Fault{Path: "a", Value: "b", Message: "c"}}
	s, err := newSpill(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	records := []record{r, {line: 1}, faulty}
	for _, r := range records {
		if err := s.add(r.append(nil), 1); err != nil {
			t.Fatal(err)
		}
	}
	err = s.each(func(i int, at int64, got *record) error {
		again, err := s.at(at)
		if err != nil || !reflect.DeepEqual(*got, records[i]) || !reflect.DeepEqual(*again, records[i]) {
			t.Errorf("record %d: %+v, expected %+v", i, *got, records[i])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// fill gives every field another value.
func fill(v reflect.Value) {
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString(string(rune('a' + i)))
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int64, reflect.Int32:
			f.SetInt(int64(1000 + i))
		default:
			f.SetUint(uint64(i + 1))
		}
	}
}
