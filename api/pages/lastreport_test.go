package pages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLastReport(t *testing.T) {
	runs := filepath.Join(t.TempDir(), "runs")
	last := LastReport(runs)
	if r, html, err := last(); r != nil || html != nil || err != nil {
		t.Errorf("before the first night: %v, %s, %v", r, html, err)
	}
	js, err := os.ReadFile("../report/testdata/strong.json")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		path := filepath.Join(runs, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	night := func(name, html string) { write(name+"/report.json", string(js)); write(name+"/report.html", html) }
	night("20260201T000000Z", "older")
	night("20260301T000000Z", "newer")
	write("20260401T000000Z/features.done", "under way")
	write("notes.txt", "no night")
	if r, html, err := last(); err != nil || r == nil || string(html) != "newer" {
		t.Errorf("%v, %s, %v", r, html, err)
	}
	night("20260401T000000Z", "newest")
	if _, html, err := last(); err != nil || string(html) != "newest" {
		t.Errorf("%s, %v", html, err)
	}
	write("20260401T000000Z/report.json", "{}")
	if _, _, err := last(); err == nil || !strings.Contains(err.Error(), "20260401T000000Z/report.json") {
		t.Errorf("a damaged report: %v", err)
	}
}
