package pages

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"recoup/api/report"
	"recoup/models"
)

// overview is the body of the first page.
type overview struct {
	Answers    answering
	Night      *night // nil = no report yet
	Models     []registered
	Promotions []models.Promotion // newest first
	PolicyID   string
	Unknown    string // why nobody knows which model has which part, "" = it is known
}

// answering is the model that answers now.
type answering struct {
	ID       models.ID // "" = the rules arm answers
	Kind     models.Kind
	AsOf     string
	Fault    string // why nothing more can be said of it
	Parts    []string
	Champion models.ID // the registry's champion, where it is another model; "" = it is this one, or none
	Measures measured
	Cure     string // why the cure model is not assessed, "" = it is there
	Waiting  bool   // models are registered but none answers
}

// night is what the newest report says.
type night struct {
	AsOf       string
	Challenger string
	About      string // whether the report judged the model that answers
	Verdicts   []verdict
	Measures   measured // of the challenger, where it is not the model that answers
	Open       []report.NotAssessed
	Warnings   []string
	Valued     bool // it valued policies, and their page can be asked for
}

type verdict struct{ About, Says string }

// registered is a line of the registry's list.
type registered struct {
	ID      models.ID
	Kind    models.Kind
	AsOf    string
	Parts   []string
	Fault   string
	Answers bool
	Rows    string
	Brier   string
	Gain    string
}

// home is GET /.
func (s *site) home(r *http.Request) view {
	list, err := s.src.Models()
	if err != nil && !errors.Is(err, models.ErrAliases) {
		return s.broken(r, err)
	}
	aliases, unknown := s.src.Aliases()
	if unknown != nil && !errors.Is(unknown, models.ErrAliases) {
		return s.broken(r, unknown)
	}
	last, html, err := s.src.Report()
	if err != nil {
		return s.broken(r, err)
	}
	o := overview{PolicyID: s.src.Policy().ID()}
	use := s.src.InUse()
	o.Answers = whoAnswers(use, list, aliases)
	if unknown != nil {
		o.Unknown, o.Answers.Waiting = unknown.Error(), false
	}
	if last != nil && html != nil {
		o.Night = lastNight(last, use)
		o.Night.Valued = last.Ope != nil && s.src.Valued != nil
		if last.Decision.Challenger == string(use) {
			o.Answers.Measures = ofReport(last)
		} else {
			o.Night.Measures = ofReport(last)
		}
	}
	for _, e := range slices.Backward(list) {
		o.Models = append(o.Models, lineOf(e, use))
	}
	if s.src.Promotions != nil {
		if o.Promotions, err = s.src.Promotions(); err != nil {
			return s.broken(r, err)
		}
		const most = 8
		slices.Reverse(o.Promotions)
		o.Promotions = o.Promotions[:min(len(o.Promotions), most)]
	}
	return view{page: "home", Title: "Overview", Nav: "/", Body: o, store: true}
}

func whoAnswers(use models.ID, list []models.Entry, aliases models.Aliases) answering {
	a := answering{ID: use, Waiting: use == "" && len(list) > 0}
	if aliases.Champion != use {
		a.Champion = aliases.Champion
	}
	if use == "" {
		return a
	}
	a.Fault = "The registry does not list it: it was removed while it answered."
	for _, e := range list {
		if e.ID != use {
			continue
		}
		a.Parts, a.Fault, a.Kind = e.Aliases, e.Fault, e.Kind
		if m := e.Manifest; m != nil {
			a.AsOf, a.Cure, a.Measures = m.AsOf, m.CureNotAssessed, ofManifest(m)
		}
	}
	return a
}

func lastNight(r *report.Report, use models.ID) *night {
	n := &night{AsOf: r.AsOf, Challenger: r.Decision.Challenger, Open: r.NotAssessed, Warnings: r.Warnings}
	switch {
	case r.Decision.Challenger == string(use):
		n.About = "It judged the model that answers now."
	case use == "":
		n.About = "It judged model " + r.Decision.Challenger + ", which does not answer."
	default:
		n.About = "It judged model " + r.Decision.Challenger + ", not the one that answers now."
	}
	for _, h := range report.Headlines(r) {
		about, says, _ := strings.Cut(h, ": ")
		n.Verdicts = append(n.Verdicts, verdict{about, says})
	}
	return n
}

func lineOf(e models.Entry, use models.ID) registered {
	l := registered{ID: e.ID, Kind: e.Kind, Parts: e.Aliases, Fault: e.Fault, Answers: e.ID == use}
	if m := e.Manifest; m != nil {
		l.AsOf = m.AsOf
		l.Rows = report.Count(m.Attempt.Rows)
		l.Brier = report.MeasuresOf(m.Attempt.Calibrated, m.Attempt.Intervals)["brier"].Text()
		l.Gain = gainOf(&m.Attempt).Text()
	}
	return l
}
