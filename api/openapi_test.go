package api

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite openapi.json")

// TestOpenAPI holds the exported description against the program's.
func TestOpenAPI(t *testing.T) {
	spec, err := Describe()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.json", spec, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(spec, want) {
		t.Error("openapi.json is not what the program says of itself: recoup serve --openapi > api/openapi.json, and read the difference")
	}
	if served := serve(t, 0, nil).request("GET", "/openapi.json", ""); !bytes.Equal(served.body, want) || served.Header.Get("Content-Type") != "application/json" {
		t.Error("the server serves another")
	}
}

// TestOpenAPIIsWhole: every reference leads somewhere, every component is used,
// every operation tells its problems.
func TestOpenAPIIsWhole(t *testing.T) {
	spec, err := Describe()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		OpenAPI    string
		Paths      map[string]map[string]struct{ Responses map[string]any }
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(spec, &doc); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.1") {
		t.Error(doc.OpenAPI)
	}
	const ref = `"$ref": "#/components/schemas/`
	for _, part := range strings.Split(string(spec), ref)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		if doc.Components.Schemas[name] == nil {
			t.Errorf("$ref to %s, which is not there", name)
		}
	}
	for name := range doc.Components.Schemas {
		if !strings.Contains(string(spec), ref+name+`"`) {
			t.Errorf("%s is not used", name)
		}
	}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			if op.Responses["200"] == nil || op.Responses["500"] == nil || op.Responses["421"] == nil {
				t.Errorf("%s %s: %v", method, path, op.Responses)
			}
		}
	}
	for _, path := range []string{"/v1/score", "/v1/decide", "/v1/models", "/v1/reasons", "/livez", "/readyz"} {
		if doc.Paths[path] == nil {
			t.Errorf("no %s", path)
		}
	}
}
