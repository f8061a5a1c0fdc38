package pages

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// FuzzForm: whatever is sent, the page answers, without a fault of its own and
// without an element of the visitor's; an answer comes only for an exact form.
func FuzzForm(f *testing.F) {
	f.Add(filled().Encode())
	f.Add(filled("reason", "card_expired", "mandate", "revoked", "attempts", "20", "gap", "720").Encode())
	f.Add(filled("amount", "9,22,33,720", "unit", "paise", "as_of", "2100-12-31T23:59:59", "failed_at", "2000-01-01 00:00").Encode())
	f.Add(filled("history", "2000-01-01 00:00 failed 0.01 not_reported\n\n2000-01-01 00:00 captured 1", "notice", "winback", "notice_status", "opted_out", "notice_at", "2026-02-01T00:00").Encode())
	f.Add("amount=1&amount=2&%3Cscript%3E=%00&rail=%ff")
	f.Add("%zz")
	h := handlerOf(f, asking(f, empty(), madeUp(f)))
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest("POST", "/try", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		switch w.Code {
		case 200, 400, 413, 422:
		default:
			t.Fatalf("%d: %s", w.Code, w.Body)
		}
		if strings.Contains(w.Body.String(), "<script") {
			t.Fatal("an element came through")
		}
		if v, err := url.ParseQuery(body); w.Code == 200 && (err != nil || len(v) != len(filled())) {
			t.Fatalf("%q was answered", body)
		}
	})
}

// FuzzSearch: any search finds between none and all of the reasons.
func FuzzSearch(f *testing.F) {
	for _, q := range []string{"", "q=insufficient_funds&class=STOP&rail=card", "q=%F0%9F%92%B3+%00", "class=NOT_REPORTED", "rail=x", "q=" + strings.Repeat("a+", 200)} {
		f.Add(q)
	}
	h := handlerOf(f, empty())
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequest("GET", "/reasons", nil)
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		body := w.Body.String()
		if w.Code != 200 && w.Code != 400 || strings.Contains(body, "<script") || strings.Contains(body, "{{") {
			t.Fatalf("%d: %s", w.Code, body)
		}
		if n := strings.Count(body, `data-label="Methods"`); n > 138 || w.Code == 400 && n > 0 {
			t.Fatalf("%d reasons found", n)
		}
	})
}
