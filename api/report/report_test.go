package report

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s differs (go test ./api/report -update rewrites it):\n%s", name, cmp.Diff(string(want), string(got)))
	}
}

func encode(t *testing.T, r *Report) []byte {
	t.Helper()
	js, err := Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

func render(t *testing.T, js []byte, f func([]byte) ([]byte, error)) []byte {
	t.Helper()
	b, err := f(js)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestGolden(t *testing.T) {
	for name, r := range map[string]*Report{"strong": strong(), "weak": weakReport()} {
		t.Run(name, func(t *testing.T) {
			js := encode(t, r)
			golden(t, name+".json", js)
			golden(t, name+".html", render(t, js, HTML))
			golden(t, name+".md", render(t, js, Markdown))
		})
	}
}

// Nothing but the JSON decides the pages: what is read back says the same.
func TestRenderedFromJSONAlone(t *testing.T) {
	js := encode(t, strong())
	r, err := Decode(js)
	if err != nil {
		t.Fatal(err)
	}
	if again := encode(t, r); !bytes.Equal(js, again) {
		t.Error("decode and encode change the JSON:\n" + cmp.Diff(string(js), string(again)))
	}
}

func TestMarkupFromDataStaysText(t *testing.T) {
	js := encode(t, weakReport())
	for name, f := range map[string]func([]byte) ([]byte, error){"html": HTML, "markdown": Markdown} {
		out := string(render(t, js, f))
		if strings.Contains(out, "<script") {
			t.Errorf("%s: a level's name became markup", name)
		}
		if !strings.Contains(out, "alert(") {
			t.Errorf("%s: the level's name is gone", name)
		}
	}
}

func TestSelfContained(t *testing.T) {
	out := string(render(t, encode(t, strong()), HTML))
	for _, s := range []string{"http://", "https://", "<script", "<link", "<img", "NaN", "Inf"} {
		if strings.Contains(out, s) {
			t.Errorf("the page contains %q", s)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for name, js := range map[string]string{
		"empty": "", "not JSON": "{", "unknown field": `{"version":1,"colour":"red"}`, "another version": `{"version":2}`,
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := HTML([]byte(js)); err == nil {
				t.Error("rendered")
			}
			if _, err := Markdown([]byte(js)); err == nil {
				t.Error("rendered")
			}
		})
	}
}

// A report of nothing but zero values still reads.
func TestEmptyReport(t *testing.T) {
	js := encode(t, &Report{})
	render(t, js, HTML)
	render(t, js, Markdown)
}

func TestNotFiniteBecomesNull(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if e := Number(v, 3); e.known() || e.Why == "" {
			t.Errorf("Number(%v) = %+v", v, e)
		}
		if e := Ranged(1, v, 2, 3); !e.known() || e.ranged() {
			t.Errorf("Ranged(1, %v, 2) = %+v", v, e)
		}
	}
	if _, err := Encode(&Report{Attempt: Model{L2: math.NaN()}}); err == nil {
		t.Error("NaN was written")
	}
}
