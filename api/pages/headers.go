package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
)

const (
	// pageCSP lets a page load this site's own stylesheet and icon and send its
	// form here, nothing else; no script runs.
	pageCSP = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	// reportCSP fits a report: one file with its style inside. Without scripts,
	// pictures or connections that style can tell nobody anything.
	reportCSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)

// harden sets what every answer carries.
func harden(h http.Header, csp string) {
	h.Set("Content-Security-Policy", csp)
	h.Set("X-Content-Type-Options", "nosniff")
	// same-origin, not no-referrer: under the latter a browser sends the form
	// with Origin: null, which the check of its origin must refuse.
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
}

// send writes a page. One that may be kept is checked again each time by its
// hash; one that shows what a visitor entered is kept nowhere.
func send(w http.ResponseWriter, r *http.Request, v view, body []byte, csp string) {
	h := w.Header()
	harden(h, csp)
	status := v.status
	if status == 0 {
		status = http.StatusOK
	}
	h.Set("Cache-Control", "no-store")
	if v.store && status == http.StatusOK {
		sum := sha256.Sum256(body)
		tag := `"` + hex.EncodeToString(sum[:12]) + `"`
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", tag)
		if matches(r.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if v.allow != "" {
		h.Set("Allow", v.allow)
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body) // the visitor may have gone: nothing is left to do
	}
}

// matches reports whether an If-None-Match header names the tag (RFC 9110, weak
// comparison).
func matches(header, tag string) bool {
	for t := range strings.SplitSeq(header, ",") {
		if t = strings.TrimSpace(t); t == "*" || strings.TrimPrefix(t, "W/") == tag {
			return true
		}
	}
	return false
}
