package data

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// FuzzValidJSON: a text is JSON by this package where it is by encoding/json.
func FuzzValidJSON(f *testing.F) {
	for _, s := range jsonTexts() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := validJSON(s), json.Valid([]byte(s)); utf8.ValidString(s) && got != want {
			t.Errorf("%q: %t, json.Valid says %t", s, got, want)
		}
	})
}

func jsonTexts() []string {
	texts := []string{"", " ", "1", "-", "-0", "01", "0.", "0.0", "1.e1", "1e", "1e+", "1E-07", "+1", ".5", "1 2", "tru", "true", "falsey", "nul", "null ", "\u00a01", "\v1",
		"[", "]", "[]", "[,]", "[1,]", "[1 2]", "[1}", "{", "}", "{}", "{,}", `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a":1,2}`, `{"a":1]`, `{a:1}`, `{1:1}`, "{\t\"a\"\r\n: [ { } , [ ] ] } ",
		`"`, `"a`, `"\`, `"\u`, `"\u12g4"`, `"\u123"`, `"\u12aF"`, `"\x"`, `"\"\\\/\b\f\n\r\t"`, "\"a\nb\"", "\"\x1f\"", "\"\x7f\"", "\"\u20ac\U0001f600\"", `[[[[]]]`, "null\x00", `{"a":1}{"b":2}`, "/**/1",
		strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth), strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1),
		strings.Repeat(`{"a":`, maxDepth) + "1" + strings.Repeat("}", maxDepth), strings.Repeat(`{"a":`, maxDepth+1) + "1" + strings.Repeat("}", maxDepth+1)}
	for n := range 20 { // a strange byte at every place of a word of eight
		for _, c := range []string{`"`, `\`, "\n", "\x1f", " ", "!", "#", "[", "]", "é", `\n`, `\u00e9`} {
			texts = append(texts, `"`+strings.Repeat("x", n)+c+strings.Repeat("y", 17-n%8)+`"`)
		}
	}
	return texts
}

// Every text cut short, and with any one byte exchanged, is judged as
// encoding/json judges it.
func TestValidJSONAgrees(t *testing.T) {
	valid := 0
	same := func(s string) {
		got, want := validJSON(s), json.Valid([]byte(s))
		if utf8.ValidString(s) && got != want {
			t.Errorf("%.80q: %t, json.Valid says %t", s, got, want)
		}
		if got {
			valid++
		}
	}
	for _, s := range jsonTexts() {
		same(s)
		if len(s) > 100 {
			continue
		}
		for i := range s {
			same(s[:i])
			for _, c := range []byte(" \n\"\\{}[],:-+.eE09atfnu/\x00\x1f") {
				same(s[:i] + string(c) + s[i+1:])
				same(s[:i] + string(c) + s[i:])
			}
		}
	}
	if valid < 500 {
		t.Errorf("only %d texts are JSON: the test asks for little", valid)
	}
}

// FuzzTime: a text is the same time, or as little a time, as by package time.
func FuzzTime(f *testing.F) {
	for _, s := range timeTexts() {
		f.Add(s)
	}
	f.Fuzz(sameTime)
}

func timeTexts() (texts []string) {
	for _, date := range []string{"2026-02-01", "2000-01-01", "2099-12-31", "2024-02-29", "2100-02-28", "2000-02-29", "2023-02-29", "2026-02-30", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00", "1999-12-31", "0000-01-01", "2026-2-01", "20x6-02-01", "2026/02/01"} {
		for _, clock := range []string{"09:30:00", "00:00:00", "23:59:59", "24:00:00", "23:60:00", "23:59:60", "9:30:00", "09:30", "09:30:00.", "09:30:00.5", "09:30:00,5", "09:30:00.123456", "09:30:00.1234567", "09:30:00.999999999", "09:30:00.9999999999", "09:30:0x"} {
			for _, zone := range []string{"Z", "+05:30", "-05:30", "+00:00", "-00:00", "+23:59", "+24:00", "-23:60", "", "z", "+0530", "+05", "+05:3", "+5:30", "+05:30 ", "+05-30", "Z5", "+0x:30"} {
				texts = append(texts, date+"T"+clock+zone)
			}
		}
	}
	return append(texts, "", "T", "Z", "2026-02-01t09:30:00Z", "2026-02-01 09:30:00Z", `2026-02-01T09:30:00\u005a`)
}

func TestTimesAgree(t *testing.T) {
	for _, s := range timeTexts() {
		sameTime(t, s)
	}
	if m, ok := plainTime("2026-02-01T09:30:00.25+05:30"); !ok || m != IST(2026, 2, 1, 9, 30)+Second/4 {
		t.Errorf("%s, %t: the common form is not read", m, ok)
	}
}

func sameTime(t *testing.T, s string) {
	quoted, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var want time.Time
	wrong := want.UnmarshalText([]byte(s)) != nil || string(quoted) != `"`+s+`"`
	if m, ok := plainTime(s); ok && (wrong || m != MicrosOf(want)) {
		t.Errorf("%q: %s, package time says %s, %t", s, m, want, !wrong)
	}
	r, faults := OpenJSON(quoted)
	if r == nil {
		t.Fatal(faults)
	}
	m, ok := r.Time()
	outside := micros.check(want.UnixMicro()) != ""
	if ok != (!wrong && !outside) || ok && m != MicrosOf(want) {
		t.Errorf("%q: %s, %v, package time says %s, %t", s, m, r.Faults(), want, !wrong)
	}
}

// FuzzWhole: the whole numbers are those of encoding/json.
func FuzzWhole(f *testing.F) {
	for _, s := range []string{"0", "-0", "7", "-7", "999999999999999999", "1000000000000000000", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "1.0", "1e2", "10E0", "-1.5", "[1]", "1 ", " 1", "01"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, _ := OpenJSON([]byte(s))
		if r == nil {
			return
		}
		var want *int64
		wrong := json.Unmarshal([]byte(s), &want) != nil || want == nil
		if got, ok := r.Whole(); ok == wrong || ok && got != *want {
			t.Errorf("%q: %d, %s", s, got, fmt.Sprint(r.Faults()))
		}
	})
}
