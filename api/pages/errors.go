package pages

import (
	"net/http"
)

// trouble is the body of an error page.
type trouble struct {
	Says string // what happened, in a sentence
	Next string // the way out
	Near []link // what the visitor may have meant
}

func failed(status int, title, says, next string) view {
	return view{status: status, page: "error", Title: title, Body: trouble{Says: says, Next: next}}
}

func notFound(r *http.Request) view {
	return failed(http.StatusNotFound, "No such page", "There is nothing at "+short(r.URL.Path)+".",
		"The pages are in the menu above; the API lives under /v1 and describes itself at /openapi.json.")
}

func notAllowed(r *http.Request, allow string) view {
	v := failed(http.StatusMethodNotAllowed, "Not with this method", short(r.URL.Path)+" does not take "+short(r.Method)+".",
		"It takes "+allow+".")
	v.allow = allow
	return v
}

// broken is the page for what the visitor cannot help; the cause goes to the
// operator alone.
func (s *site) broken(r *http.Request, err error) view {
	if s.src.Failed != nil {
		s.src.Failed(r, err)
	}
	return failed(http.StatusInternalServerError, "Something went wrong here", "The page could not be made. Nothing was changed.",
		"Try again; if it stays, the server's log has the cause.")
}

// short cuts what a visitor sent to what a sentence can hold.
func short(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
