package bracket

import (
	"io"
	"os"
	"path/filepath"

	"recoup/api/report"
	"recoup/data"
)

// Write stores a bracket at stem.json, stem.md and stem.html: JSON first, the pages
// from its bytes.
func Write(b *report.Bracket, stem string) ([]string, error) {
	js, err := report.EncodeBracket(b)
	if err != nil {
		return nil, err
	}
	html, err := report.BracketHTML(js)
	if err != nil {
		return nil, err
	}
	md, err := report.BracketMarkdown(js)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(stem), 0o777); err != nil {
		return nil, err
	}
	var files []string
	for _, f := range []struct {
		ext string
		b   []byte
	}{{".json", js}, {".html", html}, {".md", md}} {
		if err := data.WriteFile(stem+f.ext, func(w io.Writer) error { _, err := w.Write(f.b); return err }); err != nil {
			return nil, err
		}
		files = append(files, stem+f.ext)
	}
	return files, nil
}
