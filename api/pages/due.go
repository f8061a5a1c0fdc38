package pages

import (
	"net/http"
	"net/url"

	"recoup/api/live"
	"recoup/data"
)

// mostSteps is how many steps a page lists of each kind of list.
const mostSteps = 300

// step is a line of the due list.
type step struct {
	Does, CaseID, Case, AttemptKey, Amount, Rail string
	At, Until, DebitAt                           string
	Rule, Why                                    string // of a held one
}

// dueList is the body of the due list's page.
type dueList struct {
	At          string
	Steps, Held []step
	All, Kept   int // how many there are, the ones that are not shown included
	Kinds       []option
	Kind        string
	Says        string // what is wrong with the filter
}

// due is GET /due: what is to be done now; ?step= keeps one kind.
func (s *site) due(r *http.Request) view {
	var b dueList
	b.Kind = r.URL.Query().Get("step")
	var only live.StepKind
	var err error
	if b.Kind != "" {
		if only, err = live.ParseStepKind(b.Kind); err != nil {
			b.Says = "There is no step " + short(b.Kind) + "."
		}
	}
	for k := live.StepRetry; k <= live.StepNudge; k++ {
		b.Kinds = append(b.Kinds, option{k.String(), stepWords[k], k == only})
	}
	v := view{page: "due", Title: "Due now", Nav: "/due"}
	if b.Says != "" {
		v.status, v.Body = http.StatusBadRequest, b
		return v
	}
	list, err := s.src.Present.Due(r.Context(), 0)
	if err != nil {
		return s.trouble(r, "/due", err)
	}
	b.At = ist(list.At)
	for i := range list.Steps {
		if x := &list.Steps[i]; only == 0 || x.Kind == only {
			if b.All++; b.All <= mostSteps {
				b.Steps = append(b.Steps, stepOf(x))
			}
		}
	}
	for i := range list.Held {
		if x := &list.Held[i]; only == 0 || x.Kind == only {
			if b.Kept++; b.Kept <= mostSteps {
				h := stepOf(&x.Step)
				h.Rule, h.Why = x.Rule, x.Why
				b.Held = append(b.Held, h)
			}
		}
	}
	v.Body = b
	return v
}

func stepOf(x *live.Step) step {
	out := step{Does: stepWords[x.Kind], CaseID: x.CaseID, Case: casePath(x.CaseID), AttemptKey: x.AttemptKey, Amount: rupees(x.Amount), Rail: railWords[x.Rail], At: day(x.At),
		Until: orNothing(x.Until), DebitAt: orNothing(x.DebitAt)}
	if x.Route != 0 {
		out.Does += ": " + routeWords[x.Route]
	}
	return out
}

// orNothing is an instant in a list; 0 is "".
func orNothing(t data.Micros) string {
	if t == 0 {
		return ""
	}
	return day(t)
}

var stepWords = map[live.StepKind]string{
	live.StepRetry: "Retry", live.StepPoll: "Check the status", live.StepNotice: "Send the notice", live.StepLink: "Payment link", live.StepNudge: "Nudge",
}

func casePath(caseID string) string { return "/case?id=" + url.QueryEscape(caseID) }
