package pages

import (
	"fmt"
	"net/http"
	"strings"

	"recoup/api/live"
	"recoup/data"
	"recoup/score"
)

// mostMoments is how many entries of a case a page shows, and mostJudged of how many
// of its decisions, the latest, it says what became of them.
const (
	mostMoments = 500
	mostJudged  = 20
)

// timeline is the body of a case's page.
type timeline struct {
	CaseID  string
	Facts   []fact
	Left    int // entries before those shown
	Entries []moment
}

// moment is an entry of the timeline.
type moment struct {
	Seq     int64
	Known   string // when recoup knew of it
	Kind    string
	Says    string
	More    []fact
	Erased  bool
	Answer  *answer // of a decision: why
	Became  string  // of a decision
	Because string
	Open    string // path of the escalation's page
}

// oneCase is GET /case: without ?id= a form that asks for one.
func (s *site) oneCase(r *http.Request) view {
	id := strings.TrimSpace(r.URL.Query().Get("id"))
	if id == "" {
		return view{page: "find_case", Title: "Cases", Nav: "/case", Body: ""}
	}
	line, err := s.src.Present.Case(r.Context(), id)
	if err != nil && s.src.Present.Status(err) == http.StatusNotFound {
		if x, found := s.src.Present.Trail(r.Context(), id); found == nil { // the id of a decision
			line, err = s.src.Present.Case(r.Context(), x.Decision.CaseID)
		}
	}
	switch {
	case err != nil && s.src.Present.Status(err) == http.StatusNotFound:
		return view{status: http.StatusNotFound, page: "find_case", Title: "No such case", Nav: "/case", Body: short(id)}
	case err != nil:
		return s.trouble(r, "/case", err)
	}
	b, err := s.timelineOf(r, &line)
	if err != nil {
		return s.trouble(r, "/case", err)
	}
	return view{page: "timeline", Title: "Case " + short(line.CaseID), Nav: "/case", Body: b}
}

func (s *site) timelineOf(r *http.Request, line *live.Timeline) (timeline, error) {
	b := timeline{CaseID: line.CaseID, Facts: standing(line)}
	b.Left = max(0, len(line.Entries)-mostMoments)
	judged := 0
	for i := len(line.Entries) - 1; i >= b.Left; i-- {
		m, err := momentOf(&line.Entries[i])
		if err != nil {
			return b, err
		}
		if line.Entries[i].Decision != nil && judged < mostJudged {
			judged++
			x, err := s.src.Present.Trail(r.Context(), line.Entries[i].Entry.Key)
			if err != nil {
				return b, err
			}
			m.Became, m.Because = statusWords[x.Status], x.Why
			if len(x.Results) > 0 {
				m.Open = askedPath(x.Decision.ID)
			}
		}
		b.Entries = append(b.Entries, m)
	}
	for i, j := 0, len(b.Entries)-1; i < j; i, j = i+1, j-1 {
		b.Entries[i], b.Entries[j] = b.Entries[j], b.Entries[i]
	}
	return b, nil
}

// standing says where the case is now.
func standing(line *live.Timeline) []fact {
	f := line.Facts
	if f == nil {
		return []fact{{"Now", "no failed charge of it is known"}}
	}
	now := "still owed"
	switch {
	case f.Paid:
		now = "paid"
	case f.Ended:
		now = "ended"
	}
	if f.Owed && f.Pending > 0 {
		now += ", and a debit is under way: what comes of it is not known yet"
	}
	if f.Owed && line.Reported != "" {
		now += ", as the events tell it, but held: " + line.Reported
	}
	if f.Disputed {
		now += ", disputed"
	}
	return []fact{
		{"Now", now}, {"Amount", rupees(f.Amount)}, {"Rail", railWords[f.Rail]}, {"Latest reason", f.Reason.String()}, {"Class", orElse(f.Class.String(), noClass)},
		{"First failure", ist(f.FirstFailure) + " IST"}, {"Failures", fmt.Sprint(f.Failures)}, {"Customer", orElse(f.CustomerID, "not known")},
	}
}

// momentOf is an entry in words.
func momentOf(x *live.Moment) (moment, error) {
	m := moment{Seq: x.Entry.Seq, Known: ist(x.Entry.KnownAt)}
	switch {
	case x.Entry.Body == nil:
		m.Kind, m.Says, m.Erased = titled(x.Entry.Kind.String()), "Erased: what it said is gone, that it was there is not.", true
	case x.Decision != nil:
		a, err := answerOf(x.Decision)
		if err != nil {
			return m, err
		}
		a.Facts = append(a.Facts, drawn(x.Decision)...)
		m.Kind, m.Answer, m.Says = "Decision", a, a.Does
		if a.When != "" {
			m.Says += ", " + a.When
		}
		m.More = []fact{{"Decision", x.Decision.ID}}
	case x.Result != nil:
		m.Kind, m.Says = "A person's word", said(x.Result)
		m.More = []fact{{"Note", x.Result.Note}, {"Decision", x.Result.DecisionID}}
	case x.Row != nil:
		m.Kind, m.Says, m.More = rowWords(x.Row.Row)
		if at := x.Row.OccurredAt; at != x.Entry.KnownAt && at != 0 {
			m.More = append(m.More, fact{"Happened", ist(at) + " IST"})
		}
	default:
		m.Kind = titled(x.Entry.Kind.String())
	}
	m.More = stated(m.More)
	return m, nil
}

// drawn says how likely the choice was.
func drawn(d *score.Decision) []fact {
	out := []fact{{"Decision made", ist(d.DecidedAt) + " IST"}, {"Probability given the arm", percent(d.Allowed[d.Chosen].Propensity)}, {"Share of the arm", percent(d.ArmShare)}}
	if d.Assigned != d.Arm && d.Assigned != 0 {
		out = append(out, fact{"Assigned arm", d.Assigned.String()})
	}
	if d.Fallback != "" {
		out = append(out, fact{"Fallback", d.Fallback + ": it teaches and judges nothing"})
	}
	if d.Monitored {
		out = append(out, fact{"Monitored", "what was decided is logged, the answer was to wait"})
	}
	return out
}

func said(e *live.Escalation) string {
	s := "Owner " + orElse(e.Owner, "nobody") + ", until " + ist(e.Deadline)
	if e.Result != 0 {
		s += ": " + resultWords[e.Result]
	}
	return s
}

// stated are the facts with a value.
func stated(all []fact) (out []fact) {
	for _, f := range all {
		if f.Value != "" {
			out = append(out, f)
		}
	}
	return out
}

var statusWords = map[live.Status]string{
	live.Standing: "It stands", live.Done: "Done", live.Superseded: "Superseded", live.Lapsed: "Its time went by", live.Closed: "The case closed",
}

func amountOf(p data.Paise) string {
	if p == 0 {
		return ""
	}
	return rupees(p)
}
