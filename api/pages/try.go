package pages

import (
	"errors"
	"mime"
	"net/http"

	"recoup/data"
)

// mostForm is the largest form that is read, in bytes.
const mostForm = 64 << 10

// trial is the body of the form's page.
type trial struct {
	Form   *form
	Answer *answer // nil = nothing asked yet, or faults
}

// try is GET /try, with ?reason= to begin from a reason.
func (s *site) try(r *http.Request) view {
	f := newForm(s.src.Now())
	if name := r.URL.Query().Get("reason"); name != "" {
		if _, err := data.ParseReason(name); err != nil {
			return failed(http.StatusBadRequest, "No such reason", "None of the reasons is called "+short(name)+".",
				"Choose one in the form, or look it up among the reasons.")
		}
		f.field("reason").Value = name
	}
	return view{page: "try", Title: "Try a case", Nav: "/try", Body: trial{Form: f}}
}

// decide is POST /try. It asks and shows; nothing is kept, so that sending the
// form again is harmless.
func (s *site) decide(r *http.Request) view {
	if err := s.guard.Check(r); err != nil {
		return failed(http.StatusForbidden, "Sent from elsewhere", "This form was sent from another site.", "Open the form here and send it again.")
	}
	f, v := s.readForm(r, newForm(s.src.Now()))
	if f == nil {
		return v
	}
	c := readCase(f)
	if f.faulty() {
		return refuse(f)
	}
	body, err := c.write()
	if err != nil {
		return s.broken(r, err)
	}
	d, faults, err := s.src.Decide(r.Context(), body.JSON)
	switch {
	case errors.Is(err, data.ErrUsage) || errors.Is(err, data.ErrContract):
		f.fault("", plainly(err))
	case err != nil:
		return s.broken(r, err)
	}
	for _, x := range faults {
		f.fault(body.fieldOf(x.Path), sentence(x, body.fieldOf(x.Path) == ""))
	}
	if f.faulty() {
		return refuse(f)
	}
	a, err := answerOf(&d)
	if err != nil {
		return s.broken(r, err)
	}
	a.Body, a.Command = string(body.JSON), command(r, body.JSON)
	return view{page: "try", Title: "Try a case", Nav: "/try", Body: trial{Form: f, Answer: a}}
}

// readForm reads the request's body into f; a nil form comes with the page that says why.
func (s *site) readForm(r *http.Request, f *form) (*form, view) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return nil, failed(http.StatusUnsupportedMediaType, "Not a form", "This address takes the form of its page.", "A program sends JSON to the API, such as POST /v1/decide.")
	}
	r.Body = http.MaxBytesReader(nil, r.Body, mostForm)
	if err := r.ParseForm(); err != nil {
		var big *http.MaxBytesError
		if errors.As(err, &big) {
			return nil, failed(http.StatusRequestEntityTooLarge, "Too much", "The form is larger than 64 KiB.", "Send what is longer to the API, such as POST /v1/decide.")
		}
		return nil, failed(http.StatusBadRequest, "Not readable", "The form could not be read.", "Open the form here and send it again.")
	}
	f.fill(r.PostForm)
	return f, view{}
}

// refuse shows the form again with everything that is wrong and what was entered.
func refuse(f *form) view {
	f.collect()
	return view{status: http.StatusUnprocessableEntity, page: "try", Title: "Error: Try a case", Nav: "/try", Body: trial{Form: f}}
}

// sentence is a fault in the visitor's words; with the path where no field
// stands for it.
func sentence(x data.Fault, path bool) string {
	if !path {
		x.Path = ""
	}
	return x.String() + "."
}
