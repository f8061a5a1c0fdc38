package pages

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"recoup/api/live"
	"recoup/data"
)

// mostAsked is how many escalations a page lists.
const mostAsked = 200

// asked is an escalation as a page shows it.
type asked struct {
	DecisionID, CaseID, CustomerID string
	Asks, Amount, Reason, Since    string
	Owner, Deadline, Result, Note  string
	Late                           bool
	Changes                        int
	Answer                         string // path of its own page
}

// waiting is the body of the queue's page.
type waiting struct {
	At         string
	Open, Late int
	Nobodys    int // without an owner
	Shown      []asked
}

// queue is GET /queue: who is to be looked at by a person; with ?decision= one of them.
func (s *site) queue(r *http.Request) view {
	if id := r.URL.Query().Get("decision"); id != "" {
		return s.oneAsked(r, id, newAnswerForm())
	}
	all, err := s.src.Present.Queue(r.Context())
	if err != nil {
		return s.trouble(r, "/queue", err)
	}
	now := s.src.Now()
	w := waiting{At: ist(now), Open: len(all)}
	for i := range all {
		a := askedOf(&all[i], now)
		if a.Late {
			w.Late++
		}
		if a.Owner == "" {
			w.Nobodys++
		}
		if i < mostAsked {
			w.Shown = append(w.Shown, a)
		}
	}
	return view{page: "queue", Title: "Queue", Nav: "/queue", Body: w}
}

// oneEscalation is the body of the page about one escalation.
type oneEscalation struct {
	Now    asked
	States []asked // oldest first, as it was asked and after each change
	Form   *form   // nil = it has its result, or nothing is recorded here
}

// oneAsked shows an escalation, with a form to answer it while it is open.
func (s *site) oneAsked(r *http.Request, id string, f *form) view {
	x, err := s.src.Present.Trail(r.Context(), id)
	if err != nil {
		return s.trouble(r, "/queue", err)
	}
	if len(x.Results) == 0 {
		v := failed(http.StatusNotFound, "Nobody is asked", "Decision "+short(id)+" asks no person.", "Its case tells the rest.")
		v.Nav = "/queue"
		t := v.Body.(trouble)
		t.Near = []link{{casePath(x.Decision.CaseID), "Case " + short(x.Decision.CaseID)}, {"/queue", "All that wait for a person"}}
		v.Body = t
		return v
	}
	now := s.src.Now()
	o := oneEscalation{}
	for i := range x.Results {
		o.States = append(o.States, askedOf(&x.Results[i], now))
	}
	o.Now = o.States[len(o.States)-1]
	v := view{page: "escalation", Title: "Escalation of " + short(o.Now.CaseID), Nav: "/queue"}
	if o.Now.Result == "" && s.src.Present.Resolve != nil {
		o.Form = f
		f.field("seen").Value = strconv.Itoa(o.Now.Changes)
		if f.faulty() {
			f.collect()
			v.status, v.Title = http.StatusUnprocessableEntity, "Error: "+v.Title
		}
	}
	v.Body = o
	return v
}

// answered is POST /queue?decision=: what a person says.
func (s *site) answered(r *http.Request) view {
	if err := s.guard.Check(r); err != nil {
		return failed(http.StatusForbidden, "Sent from elsewhere", "This form was sent from another site.", "Open the form here and send it again.")
	}
	id := r.URL.Query().Get("decision")
	if s.src.Present.Resolve == nil {
		return failed(http.StatusForbidden, "Nothing is recorded", "This server only shows what is there.", "Answer on the server that records.")
	}
	f, v := s.readForm(r, newAnswerForm())
	if f == nil {
		return v
	}
	c := readAnswer(f)
	if f.faulty() {
		return s.oneAsked(r, id, f)
	}
	x, err := s.src.Present.Trail(r.Context(), id)
	if err == nil {
		if n := len(x.Results); n > 0 && strconv.Itoa(x.Results[n-1].Changes) != f.field("seen").Value {
			f.fault("", "Somebody else changed it after you opened this page; what it says now is above. Look, then send it again.")
			return s.oneAsked(r, id, f)
		}
		err = s.src.Present.Resolve(r.Context(), id, c)
	}
	if err != nil {
		return s.trouble(r, "/queue", err)
	}
	return view{status: http.StatusSeeOther, to: askedPath(id)}
}

func askedOf(e *live.Escalation, now data.Micros) asked {
	return asked{DecisionID: e.DecisionID, CaseID: e.CaseID, CustomerID: e.CustomerID, Asks: routeWords[e.Route], Amount: rupees(e.Amount), Reason: e.Reason.String(),
		Since: ist(e.Since), Owner: e.Owner, Deadline: ist(e.Deadline), Late: e.Result == 0 && now > e.Deadline, Result: resultWords[e.Result], Note: e.Note,
		Changes: e.Changes, Answer: askedPath(e.DecisionID)}
}

func askedPath(decisionID string) string { return "/queue?decision=" + url.QueryEscape(decisionID) }

var resultWords = map[live.Result]string{
	live.Resolved: "resolved", live.Promised: "the customer promised to pay", live.Unreached: "nobody answered", live.GivenUp: "given up", live.HandedBack: "handed back to recoup",
}

// Limits of what people write, those of the API.
const (
	mostOwner = 100
	mostNote  = 1000
)

func newAnswerForm() *form {
	results := [][2]string{{"", "still open"}}
	for k := live.Resolved; k <= live.HandedBack; k++ {
		results = append(results, [2]string{k.String(), resultWords[k]})
	}
	return &form{Sections: []section{{"Your answer", "What is left empty stays as it is.", []*field{
		{Name: "owner", Label: "Who works on it", Kind: "text", Optional: true},
		{Name: "deadline", Label: "Until", Hint: "Indian time.", Kind: "time", Optional: true},
		{Name: "result", Label: "What came of it", Hint: "With a result it leaves the queue.", Kind: "select", Optional: true, Groups: plain(results...)},
		{Name: "note", Label: "Note", Hint: "Nothing personal: it is kept until the customer is erased.", Kind: "area", Optional: true},
		{Name: "seen", Kind: "hidden", Value: "0"},
	}}}}
}

func readAnswer(f *form) (c live.Change) {
	r := reader{f}
	c.Owner = read(r, "owner", within(mostOwner))
	c.Deadline = read(r, "deadline", readClock)
	c.Result = read(r, "result", live.ParseResult)
	c.Note = read(r, "note", within(mostNote))
	if !f.faulty() && c == (live.Change{}) {
		f.fault("owner", "Nothing to record: say who works on it, until when, or what came of it.")
	}
	return c
}

func within(most int) func(string) (string, error) {
	return func(s string) (string, error) {
		if len(s) > most {
			return "", errors.New("too long: at most " + strconv.Itoa(most) + " bytes")
		}
		return s, nil
	}
}
