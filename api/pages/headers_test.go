package pages

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func request(h http.Handler, method, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestHeaders: what protects a page, and how long it may be kept.
func TestHeaders(t *testing.T) {
	h := handlerOf(t, full(t))
	css := regexp.MustCompile(`/static/style-[0-9a-f]{16}\.css`).FindString(get(t, h, "/").Body.String())
	if css == "" {
		t.Fatal("no stylesheet")
	}
	for path, want := range map[string]struct{ cache, kind, csp string }{
		"/":                 {"no-cache", "text/html; charset=utf-8", "style-src 'self'"},
		"/reasons":          {"no-cache", "text/html; charset=utf-8", "style-src 'self'"},
		"/reasons/nothing":  {"no-store", "text/html; charset=utf-8", "style-src 'self'"},
		"/try":              {"no-store", "text/html; charset=utf-8", "form-action 'self'"},
		"/nothing":          {"no-store", "text/html; charset=utf-8", "style-src 'self'"},
		"/report":           {"no-cache", "text/html; charset=utf-8", "style-src 'unsafe-inline'"},
		"/ope.html":         {"no-cache", "text/html; charset=utf-8", "style-src 'unsafe-inline'"},
		css:                 {"public, max-age=31536000, immutable", "text/css; charset=utf-8", "default-src 'none'"},
		"/static/style.css": {"no-store", "text/html; charset=utf-8", "style-src 'self'"},
	} {
		got := get(t, h, path).Header()
		if got.Get("Cache-Control") != want.cache || got.Get("Content-Type") != want.kind || !strings.Contains(got.Get("Content-Security-Policy"), want.csp) {
			t.Errorf("%s: %v", path, got)
		}
		csp := got.Get("Content-Security-Policy")
		if !strings.HasPrefix(csp, "default-src 'none'") || strings.Contains(csp, "script-src") {
			t.Errorf("%s may run scripts: %s", path, csp)
		}
		if got.Get("X-Content-Type-Options") != "nosniff" || got.Get("Referrer-Policy") != "same-origin" {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestKeptPagesAreCheckedAgain(t *testing.T) {
	h := handlerOf(t, full(t))
	tag := get(t, h, "/reasons").Header().Get("ETag")
	if w := request(h, "GET", "/reasons", "If-None-Match", `"x", W/`+tag); w.Code != http.StatusNotModified || w.Body.Len() > 0 {
		t.Errorf("%d with %d bytes", w.Code, w.Body.Len())
	}
	if w := request(h, "GET", "/reasons?q=bank", "If-None-Match", tag); w.Code != http.StatusOK {
		t.Errorf("another page: %d", w.Code)
	}
	if tag := get(t, h, "/try").Header().Get("ETag"); tag != "" {
		t.Error("the form has a tag")
	}
}

// TestMethods: HEAD is GET without the body; other methods learn what is taken.
func TestMethods(t *testing.T) {
	h := handlerOf(t, full(t))
	server := serve(t, h)
	for _, path := range []string{"/", "/report", "/reasons", "/reasons/card_expired", "/try", "/nothing"} {
		got, head := request(h, "GET", path), request(h, "HEAD", path)
		if head.Code != got.Code || head.Body.Len() > 0 || head.Header().Get("Content-Length") != got.Header().Get("Content-Length") {
			t.Errorf("HEAD %s: %d, %d bytes, %v", path, head.Code, head.Body.Len(), head.Header())
		}
		r, err := http.Head(server.URL + path)
		if err != nil || r.StatusCode != got.Code {
			t.Errorf("HEAD %s: %v, %v", path, r, err)
		}
	}
	for _, c := range []struct{ method, path, allow string }{
		{"POST", "/", "GET, HEAD"}, {"PUT", "/try", "GET, HEAD, POST"}, {"DELETE", "/reasons/card_expired", "GET, HEAD"}, {"POST", "/report", "GET, HEAD"},
	} {
		w := request(h, c.method, c.path)
		if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != c.allow || !strings.Contains(w.Body.String(), "does not take "+c.method) {
			t.Errorf("%s %s: %d, Allow %q", c.method, c.path, w.Code, w.Header().Get("Allow"))
		}
	}
	if w := request(h, "GET", "/reasons/"); w.Code != http.StatusMovedPermanently || w.Header().Get("Location") != "/reasons" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

// TestFromElsewhere: a form that another site sends is not taken.
func TestFromElsewhere(t *testing.T) {
	h := handlerOf(t, full(t))
	for _, c := range []struct {
		header []string
		want   int
	}{
		{nil, 200}, // a program: no browser, no cookie, nothing to borrow
		{[]string{"Sec-Fetch-Site", "same-origin"}, 200},
		{[]string{"Sec-Fetch-Site", "none"}, 200},
		{[]string{"Sec-Fetch-Site", "cross-site"}, 403},
		{[]string{"Sec-Fetch-Site", "same-site"}, 403},
		{[]string{"Origin", "http://example.com"}, 200}, // httptest's own host
		{[]string{"Origin", "https://elsewhere.example"}, 403},
		{[]string{"Origin", "null"}, 403},
	} {
		r := httptest.NewRequest("POST", "/try", strings.NewReader(filled().Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for i := 0; i < len(c.header); i += 2 {
			r.Header.Set(c.header[i], c.header[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%v: %d, want %d", c.header, w.Code, c.want)
		}
	}
}
