// Package pages shows recoup to people in a browser: which model answers and
// how good it is, last night's report, what every failure reason leads to, and
// a form that decides a case by hand. Where the service keeps a ledger they also show
// who waits for a person, what is due, what is recorded of a case, and whether the
// chain is what was written.
//
// Pages are rendered here, whole: they need no script and nothing from elsewhere. They
// store nothing but what a person answers to an escalation.
package pages

import (
	"context"
	"errors"
	"net/http"
	"slices"

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
	// Valued is the HTML of what each policy is worth on the log, of the same night; nil,
	// nil = that night has none; a nil func = there is no such page.
	Valued func() ([]byte, error)
	// Decide answers the body of POST /v1/decide. Faults are what is wrong with
	// the body; an error that Is data.ErrUsage or data.ErrContract is shown to
	// the visitor, any other is not.
	Decide func(ctx context.Context, body []byte) (score.Decision, []data.Fault, error)
	Policy func() *score.Policy
	Now    func() data.Micros

	Present *Present // nil = the service keeps no ledger

	// Promotions is the registry's log, oldest first; nil = the list is left out.
	Promotions func() ([]models.Promotion, error)
	// Failed is told the cause behind a page that says only that something went
	// wrong here; nil = it is dropped.
	Failed func(r *http.Request, err error)
}

// New makes the handler of GET /, /report, /ope.html, /reasons, /reasons/{name}, /try, /queue,
// /due, /case, /chain and the files under /static/, and of POST /try and /queue. Every
// other path gets a page that says so.
func New(s Source) (http.Handler, error) {
	if s.Models == nil || s.Aliases == nil || s.InUse == nil || s.Report == nil || s.Decide == nil || s.Policy == nil || s.Now == nil {
		return nil, errors.New("pages: a source without one of Models, Aliases, InUse, Report, Decide, Policy, Now")
	}
	p := &site{src: s, reasons: entries(), guard: http.NewCrossOriginProtection(), menu: menu}
	if s.Present != nil {
		if err := s.Present.check(); err != nil {
			return nil, err
		}
		p.menu = slices.Concat(menu, presentMenu)
	}
	if err := p.load(); err != nil {
		return nil, err
	}
	return p, nil
}
