package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"recoup/data"
	"recoup/score"
)

// entry is a reason with the text that a search looks through.
type entry struct {
	data.ReasonInfo
	Wait     string // least wait in words, "" = none
	Domain   string // of the source, "" = none
	Origin   string // the list it stands on, in words
	OnDebits string // whether it is seen on recurring debits, in words
	Behind   string // the cause behind it, in words
	text     string // name, note and rationale, folded
	rails    []data.Rail
}

func entries() []entry {
	var out []entry
	for _, r := range data.Reasons() {
		in := r.Info()
		e := entry{ReasonInfo: in, text: fold(in.Name + " " + in.Note + " " + in.Rationale),
			Origin: lists[in.List], OnDebits: recurring[in.Recurring], Behind: fold(in.Cause.String())}
		if in.MinWait > 0 {
			e.Wait = span(in.MinWait)
		}
		if u, err := url.Parse(in.SourceURL); err == nil {
			e.Domain = u.Hostname()
		}
		for _, rail := range data.Rails() {
			if slices.Contains(in.Families, familyOf(rail)) {
				e.rails = append(e.rails, rail)
			}
		}
		out = append(out, e)
	}
	return out
}

// familyOf is the payment method that a rail runs on, as the table names it.
func familyOf(r data.Rail) string {
	if r == data.UPIAutopay {
		return "upi"
	}
	return r.String()
}

// fold makes texts comparable: small letters, words apart by one space;
// "Insufficient_Funds!" is "insufficient funds".
func fold(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}

// search is what a visitor looks for; the zero value finds everything.
type search struct {
	Q     string
	Class string
	Rail  string
	class data.Class
	none  bool // the class of the reason without one
	rail  data.Rail
}

const noClass = "NOT_REPORTED"

// readSearch reads the query; says is what cannot be meant, "" = all is well.
func readSearch(q url.Values) (s search, says string) {
	s = search{Q: strings.TrimSpace(q.Get("q")), Class: q.Get("class"), Rail: q.Get("rail")}
	var err error
	if s.none = s.Class == noClass; !s.none && s.Class != "" {
		if s.class, err = data.ParseClass(s.Class); err != nil {
			return s, "There is no class " + short(s.Class) + "."
		}
	}
	if s.Rail != "" {
		if s.rail, err = data.ParseRail(s.Rail); err != nil {
			return s, "There is no rail " + short(s.Rail) + "."
		}
	}
	return s, ""
}

// finds reports whether e has every word of the text (as the beginning of a
// word or anywhere inside one), the class and the rail.
func (s search) finds(e *entry) bool {
	if s.none && e.Class != 0 || s.class != 0 && e.Class != s.class || s.rail != 0 && !slices.Contains(e.rails, s.rail) {
		return false
	}
	for w := range strings.FieldsSeq(fold(s.Q)) {
		if !strings.Contains(e.text, w) {
			return false
		}
	}
	return true
}

// browser is the body of the reason browser.
type browser struct {
	search
	Says    string // what is wrong with the search
	Found   int
	All     int
	Groups  []group
	Classes []option
	Rails   []option
	Near    []link

	Rules     []score.Rule // of the gate; shown with all reasons alone
	After     []score.Rule // that are asked after the gate
	PolicyID  string
	OwnPolicy bool
}

// group is the reasons found of one class.
type group struct {
	class
	Entries []entry
}

// option is a choice of a select.
type option struct {
	Value, Text string
	Chosen      bool
}

// browse is GET /reasons.
func (s *site) browse(r *http.Request) view {
	var b browser
	b.search, b.Says = readSearch(r.URL.Query())
	b.All = len(s.reasons)
	b.OwnPolicy = s.ownPolicy()
	for _, c := range append(data.Classes(), 0) {
		g := group{class: gateOf(s.src.Policy(), c)}
		for i := range s.reasons {
			if e := &s.reasons[i]; e.Class == c && b.Says == "" && b.finds(e) {
				g.Entries = append(g.Entries, *e)
			}
		}
		if len(g.Entries) > 0 {
			b.Groups = append(b.Groups, g)
		}
		b.Found += len(g.Entries)
		b.Classes = append(b.Classes, option{g.Name, g.Name, g.Name == b.Class})
	}
	for _, rail := range data.Rails() {
		b.Rails = append(b.Rails, option{rail.String(), railWords[rail], rail == b.rail})
	}
	v := view{page: "reasons", Title: "Failure reasons", Nav: "/reasons", store: true}
	if b.Says != "" {
		v.status = http.StatusBadRequest
	} else if b.Found == 0 {
		b.Near = s.near(b.Q)
	}
	if b.Says == "" && b.Found == b.All {
		p := s.src.Policy()
		b.Rules, b.After, b.PolicyID = p.Rules(), p.AfterRules(), p.ID()
	}
	v.Body = b
	return v
}

// ownPolicy reports whether the server decides by another policy than the one
// built in.
func (s *site) ownPolicy() bool { return s.src.Policy().ID() != score.Default().ID() }

// reason is GET /reasons/{name}.
func (s *site) reason(r *http.Request) view {
	name := strings.TrimPrefix(r.URL.Path, "/reasons/")
	for i := range s.reasons {
		if e := &s.reasons[i]; e.Name == name {
			return view{page: "reason", Title: name, Nav: "/reasons", store: true, Body: struct {
				entry
				Gate      class
				OwnPolicy bool
			}{*e, gateOf(s.src.Policy(), e.Class), s.ownPolicy()}}
		}
	}
	v := failed(http.StatusNotFound, "No such reason", "None of the reasons is called "+short(name)+".",
		"A name that is not in the table is refused, never taken for a retry. Look through all reasons, or at the nearest names:")
	v.Nav = "/reasons"
	t := v.Body.(trouble)
	t.Near = append(s.near(name), link{"/reasons", "All reasons"})
	v.Body = t
	return v
}
