package pages

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"strconv"
	"strings"
)

//go:embed html/*.html html/style.css html/icon.svg
var files embed.FS

// asset is a file whose path carries its hash: it never changes, so it may be
// kept for ever.
type asset struct {
	kind string
	body []byte
}

func (a asset) serve(w http.ResponseWriter) {
	h := w.Header()
	harden(h, "default-src 'none'; style-src 'unsafe-inline'")
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Content-Type", a.kind)
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	w.Write(a.body) // net/http drops the body of a HEAD
}

// load reads the embedded files: one template a page, each with the frame and
// the shared pieces, and the assets under their hashed paths.
func (s *site) load() error {
	s.assets = map[string]asset{}
	for name, to := range map[string]*string{"style.css": &s.css, "icon.svg": &s.icon} {
		body, err := files.ReadFile("html/" + name)
		if err != nil {
			return fmt.Errorf("pages: %w", err)
		}
		sum := sha256.Sum256(body)
		ext := path.Ext(name)
		*to = "/static/" + strings.TrimSuffix(name, ext) + "-" + hex.EncodeToString(sum[:8]) + ext
		s.assets[*to] = asset{map[string]string{".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}[ext], body}
	}
	shared, err := template.New("").Funcs(words).ParseFS(files, "html/frame.html", "html/pieces.html")
	if err != nil {
		return fmt.Errorf("pages: %w", err)
	}
	s.pages = map[string]*template.Template{}
	for _, name := range []string{"home", "no_report", "reasons", "reason", "try", "error", "queue", "escalation", "due", "find_case", "timeline", "chain"} {
		t, err := shared.Clone()
		if err == nil {
			t, err = t.ParseFS(files, "html/"+name+".html")
		}
		if err != nil {
			return fmt.Errorf("pages: %s: %w", name, err)
		}
		s.pages[name] = t
	}
	return nil
}
