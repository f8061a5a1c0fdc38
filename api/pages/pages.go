// Package pages shows recoup to people in a browser: which model answers and
// how good it is, last night's report, what every failure reason leads to, and
// a form that decides a case by hand.
//
// Pages are rendered here, whole: they need no script, nothing from elsewhere,
// and they store nothing.
package pages

import (
	"context"
	"errors"
	"net/http"

	"recoup/api/report"
	"recoup/data"
	"recoup/models"
	"recoup/score"
)

// Source is where the pages get what they show. Its funcs are called by
// requests at the same time; each is asked anew by every request that needs it.
type Source struct {
	Models  func() ([]models.Entry, error)         // of the registry, oldest first; with models.ErrAliases none has a part
	Aliases func() (models.Aliases, error)         // of the registry
	InUse   func() models.ID                       // the model that answers now, "" = the rules arm
	Report  func() (*report.Report, []byte, error) // last night's, and its HTML; nil, nil = none yet
	// Decide answers the body of POST /v1/decide. Faults are what is wrong with
	// the body; an error that Is data.ErrUsage or data.ErrContract is shown to
	// the visitor, any other is not.
	Decide func(ctx context.Context, body []byte) (score.Decision, []data.Fault, error)
	Policy func() *score.Policy
	Now    func() data.Micros

	// Promotions is the registry's log, oldest first; nil = the list is left out.
	Promotions func() ([]models.Promotion, error)
	// Failed is told the cause behind a page that says only that something went
	// wrong here; nil = it is dropped.
	Failed func(r *http.Request, err error)
}

// New makes the handler of GET /, /report, /reasons, /reasons/{name}, /try and
// the files under /static/, and of POST /try. Every other path gets a page
// that says so.
func New(s Source) (http.Handler, error) {
	if s.Models == nil || s.Aliases == nil || s.InUse == nil || s.Report == nil || s.Decide == nil || s.Policy == nil || s.Now == nil {
		return nil, errors.New("pages: a source without one of Models, Aliases, InUse, Report, Decide, Policy, Now")
	}
	p := &site{src: s, reasons: entries(), guard: http.NewCrossOriginProtection()}
	if err := p.load(); err != nil {
		return nil, err
	}
	return p, nil
}
