package pages

import "net/http"

// report is GET /report: last night's file as the night job wrote it.
func (s *site) report(r *http.Request) view {
	_, html, err := s.src.Report()
	switch {
	case err != nil:
		return s.broken(r, err)
	case html == nil:
		return view{status: http.StatusNotFound, page: "no_report", Title: "No report yet", Nav: "/report"}
	}
	return view{ready: html, csp: reportCSP, store: true}
}

// valued is GET /ope.html: what each policy is worth, as the same night wrote it.
func (s *site) valued(r *http.Request) view {
	html, err := s.src.Valued()
	switch {
	case err != nil:
		return s.broken(r, err)
	case html == nil:
		return view{status: http.StatusNotFound, page: "no_report", Title: "No policy was valued yet", Nav: "/report"}
	}
	return view{ready: html, csp: reportCSP, store: true}
}
