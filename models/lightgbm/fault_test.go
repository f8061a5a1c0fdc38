package lightgbm

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Nothing of a file's text stands in a message as the file has it where it could command
// a terminal.
func TestFaultsQuoteTheFile(t *testing.T) {
	const evil = "\x1b[2J\x1b[31mOK\xff"
	for name, make := range map[string]func(*edited) []byte{
		"header line":    func(e *edited) []byte { return e.replaced("label_index=0\n", evil+"=0\nlabel_index=0\n") },
		"header cut":     func(e *edited) []byte { return []byte("tree\nversion=v4\n" + evil) },
		"value":          func(e *edited) []byte { return e.head("max_feature_idx", evil).text() },
		"line of a tree": func(e *edited) []byte { return e.after("num_leaves", evil+"=1").text() },
		"part":           func(e *edited) []byte { return append(e.text(), evil+": 1\n"...) },
		"cut": func(e *edited) []byte {
			text := e.text()
			return append(text[:strings.Index(string(text), "Tree=2")+7], evil+"=3"...)
		},
		"parameter": func(e *edited) []byte { return e.param("num_class", evil).text() },
		"levels": func(e *edited) []byte {
			return e.replaced("pandas_categorical:[]", "pandas_categorical:[[[\"\\u001b[31m\"]]]")
		},
	} {
		_, err := Parse(make(edit(t, "tiny")))
		if err == nil {
			t.Fatalf("%s: taken", name)
		}
		if s := err.Error(); !utf8.ValidString(s) || strings.Contains(s, "\x1b") || name != "header cut" && !strings.Contains(s, `\x1b`) {
			t.Errorf("%s: %q", name, s)
		}
	}
}
