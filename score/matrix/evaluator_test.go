package matrix

import (
	"slices"

	"recoup/data"
	"recoup/features"
)

// asked is one case at one time, asked of the printed table.
type asked struct {
	*printed
	*features.Facts
	now data.Micros
}

// verdict on a candidate; Rule "" = allowed.
type verdict struct {
	Rule, Route        string
	Whole              bool // the action is refused at any time
	NoticeBy, PollFrom data.Micros
}

// judge decides on one candidate.
func (q *asked) judge(a data.Action, at data.Micros) verdict {
	if rule, named, whole := q.refuser(a, at); rule != "" {
		return verdict{Rule: rule, Route: q.route(rule, named), Whole: whole}
	}
	if a != data.Retry {
		return verdict{}
	}
	return verdict{NoticeBy: q.noticeBy(at, dayOf(at)), PollFrom: q.pollNeeded(at, dayOf(at))}
}

// refuser is the first rule to refuse, and the route it prints: first what is refused
// at any time by the numbers of the decision's day, then the rules in their order by
// those of the candidate's.
func (q *asked) refuser(a data.Action, at data.Micros) (rule, route string, whole bool) {
	if a == data.Wait {
		return "", "", false
	}
	if rule, route = q.refuserOfAction(a); rule != "" {
		return rule, route, true
	}
	d := dayOf(at)
	for _, r := range q.Rules {
		if r.holds(d) && (r.About != "time" && q.refusesAction(r.ID, a, d) || r.About != "action" && q.refusesTime(r.ID, a, at, d)) {
			return r.ID, r.Route, false
		}
	}
	return "", "", false
}

func (q *asked) refuserOfAction(a data.Action) (rule, route string) {
	d := dayOf(q.now)
	for _, r := range q.Rules {
		if r.About != "time" && r.holds(d) && q.refusesAction(r.ID, a, d) {
			return r.ID, r.Route
		}
	}
	return "", ""
}

// number is the last row of that name that holds and is the case's.
func (q *asked) number(id string, d day) (value int64, speaks bool) {
	for _, n := range q.byID[id] {
		if n.holds(d) && (n.Rail == "" || n.Rail == q.Rail.String()) && (n.Network == "" || n.Network == q.Network.String()) &&
			(n.Category == "" || n.Category == q.MandateCategory.String()) && (n.Code == "" || n.Code == q.Advice.String()) && (n.Reason == "" || n.Reason == q.Reason.String()) {
			value, speaks = n.Value, true
		}
	}
	return value, speaks
}

// span is a number of time in its unit.
func (q *asked) span(id string, d day, unit int64) (span data.Micros, speaks bool) {
	n, ok := q.number(id, d)
	return data.Micros(n * unit), ok
}

// mandate is its state: one past its end is expired.
func (q *asked) mandate() string {
	if s := q.Mandate.String(); s == "revoked" {
		return s
	}
	if q.MandateUntil != 0 && q.MandateUntil <= q.now {
		return "expired"
	}
	return q.Mandate.String()
}

// row is that of the class that the case is treated as.
func (q *asked) row() class {
	name := "NOT_REPORTED"
	if q.Class != 0 {
		name = q.Class.String()
	}
	switch name {
	case "NOT_REPORTED", "MERCHANT_ALERT", "AWAIT_STATUS", "STOP":
	default:
		switch q.mandate() {
		case "revoked", "expired":
			name = "SWITCH_INSTRUMENT"
		case "paused":
			name = "NUDGE_CUSTOMER"
		}
	}
	i := slices.IndexFunc(q.Classes, func(c class) bool { return c.Class == name })
	return q.Classes[i]
}

// cause and least wait of the reason; the row without a name is for a failure without one.
func (q *asked) reason() (cause string, wait data.Micros) {
	for _, r := range q.Reasons {
		if r.Reason == q.Reason.String() {
			return r.Cause, data.Micros(r.MinWait * hour)
		}
	}
	panic("the table has no reason " + q.Reason.String())
}

func (q *asked) presented() int64 {
	return int64(max(q.ByRecoup+q.ByProvider+q.ByUnknown, q.LastNo+1-q.ByCustomer))
}

// quiet says that no outage ended since the failure nor holds at the decision's time.
func (q *asked) quiet() bool {
	for _, o := range q.Outages {
		if o.Severity != 0 && (o.End != 0 && q.LastFailure < o.End && o.End <= q.now || o.Begin <= q.now && (o.End == 0 || q.now < o.End)) {
			return false
		}
	}
	return true
}
