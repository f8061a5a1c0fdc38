package ingest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzSuggest: no table makes Suggest panic, and a draft is accepted iff it
// asks nothing.
func FuzzSuggest(f *testing.F) {
	for _, path := range exports(f) {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text[:min(len(text), 1500)], filepath.Ext(path) == ".jsonl")
	}
	f.Add([]byte("a,a\n1,2\n"), false)
	f.Add([]byte("id,\"a\n# b: {\",status\n1,2,?\n"), false)
	f.Add([]byte("{\"id\":1,\"a\":{\"b\":null}}\n{\"id\":\"x\"}\n"), true)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte, jsonl bool) {
		path := filepath.Join(dir, "x.csv")
		if jsonl {
			path = filepath.Join(dir, "x.jsonl")
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Suggest(t.Context(), path)
		if err != nil {
			return
		}
		m, err := Parse("draft", []byte(s.Mapping))
		if (err == nil) != (len(s.Undecided) == 0) {
			t.Fatalf("%d questions, and Parse says %v\n%s", len(s.Undecided), err, s.Mapping)
		}
		if err == nil && s.Trial == nil {
			t.Fatal("no trial")
		}
		for _, d := range s.Decided {
			for _, c := range d.From {
				if m != nil && !strings.Contains(d.Field, "source.") && d.Field != "currency" && len(m.columns()) == 0 {
					t.Fatalf("%s is from %s, and the mapping reads nothing", d.Field, c)
				}
			}
		}
	})
}
