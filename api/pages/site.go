package pages

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"
	"strings"
)

// site answers requests. Nothing but its checks changes after New.
type site struct {
	src     Source
	pages   map[string]*template.Template
	assets  map[string]asset // by path
	css     string           // path of the stylesheet
	icon    string
	reasons []entry // searchable
	guard   *http.CrossOriginProtection
	menu    []link
	checks  checks
}

// view is what a handler answers: a page of the frame, or ready bytes.
type view struct {
	status int
	page   string // name of the template, without .html
	Title  string
	Nav    string // the menu's item that the page belongs to
	Body   any

	ready []byte // an HTML document that is sent as it is
	csp   string // of a ready document
	allow string // methods, of a 405
	to    string // where a redirect leads; with status 0 for ever
	store bool   // the page shows nothing a visitor entered: it may be kept and asked for again by its hash
}

type handler func(*http.Request) view

// find is the site's map.
func (s *site) find(path string) (get, post handler) {
	switch {
	case path == "/":
		return s.home, nil
	case path == "/report":
		return s.report, nil
	case path == "/ope.html" && s.src.Valued != nil: // as the report beside it names it
		return s.valued, nil
	case path == "/reasons":
		return s.browse, nil
	case path == "/reasons/":
		return func(*http.Request) view { return view{to: "/reasons"} }, nil
	case strings.HasPrefix(path, "/reasons/"):
		return s.reason, nil
	case path == "/try":
		return s.try, s.decide
	case path == "/queue":
		return s.recorded(s.queue), s.recorded(s.answered)
	case path == "/due":
		return s.recorded(s.due), nil
	case path == "/case":
		return s.recorded(s.oneCase), nil
	case path == "/chain":
		return s.recorded(s.chain), nil
	}
	return nil, nil
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if a, ok := s.assets[r.URL.Path]; ok && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		a.serve(w)
		return
	}
	s.write(w, r, s.answer(r))
}

func (s *site) answer(r *http.Request) view {
	get, post := s.find(r.URL.Path)
	_, static := s.assets[r.URL.Path]
	switch {
	case get == nil && !static:
		return notFound(r)
	case get != nil && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		return get(r)
	case post != nil && r.Method == http.MethodPost:
		return post(r)
	}
	allow := "GET, HEAD"
	if post != nil {
		allow += ", POST"
	}
	return notAllowed(r, allow)
}

// write renders a view whole before the first byte leaves, so that a fault of
// a template is a 500 and never half a page.
func (s *site) write(w http.ResponseWriter, r *http.Request, v view) {
	body, csp := v.ready, v.csp
	if v.to != "" {
		harden(w.Header(), pageCSP)
		w.Header().Set("Location", v.to)
		if v.status == 0 {
			v.status = http.StatusMovedPermanently
		}
		w.WriteHeader(v.status)
		return
	}
	if body == nil {
		var err error
		csp = pageCSP
		if body, err = s.render(v); err != nil {
			v = s.broken(r, err)
			if body, err = s.render(v); err != nil {
				http.Error(w, "something went wrong here", http.StatusInternalServerError)
				return
			}
		}
	}
	send(w, r, v, body, csp)
}

func (s *site) render(v view) ([]byte, error) {
	t, ok := s.pages[v.page]
	if !ok {
		return nil, fmt.Errorf("pages: no template %q", v.page)
	}
	var b bytes.Buffer
	frame := struct {
		view
		CSS, Icon string
		Menu      []link
		Records   bool // what a person answers
	}{v, s.css, s.icon, s.menu, s.src.Present != nil && s.src.Present.Resolve != nil}
	if err := t.ExecuteTemplate(&b, "frame.html", frame); err != nil {
		return nil, fmt.Errorf("pages: %s: %w", v.page, err)
	}
	return b.Bytes(), nil
}

type link struct{ Path, Text string }

var menu = []link{{"/", "Overview"}, {"/report", "Report"}, {"/reasons", "Reasons"}, {"/try", "Try a case"}}
