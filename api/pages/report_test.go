package pages

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"recoup/api/report"
)

// TestValued: the page on the policies is sent as the night wrote it, and the overview
// leads there where the night valued any.
func TestValued(t *testing.T) {
	s := full(t)
	if w := get(t, handlerOf(t, s), "/ope.html"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<title>worth</title>") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	const link = `href="/ope.html"`
	r, html, _ := s.Report()
	for _, ope := range []*report.Bracket{nil, {}} {
		night := *r
		night.Ope = ope
		s.Report = func() (*report.Report, []byte, error) { return &night, html, nil }
		if home := get(t, handlerOf(t, s), "/").Body.String(); strings.Contains(home, link) != (ope != nil) {
			t.Errorf("policies valued: %v, and the overview says\n%s", ope != nil, home)
		}
	}
	s.Valued = func() ([]byte, error) { return nil, nil }
	if w := get(t, handlerOf(t, s), "/ope.html"); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "recoup nightly") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	s.Valued = func() ([]byte, error) { return nil, errors.New("the disk is gone") }
	if w := get(t, handlerOf(t, s), "/ope.html"); w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "disk") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	s.Valued = nil
	if w := get(t, handlerOf(t, s), "/ope.html"); w.Code != http.StatusNotFound {
		t.Errorf("%d without a source", w.Code)
	}
}
