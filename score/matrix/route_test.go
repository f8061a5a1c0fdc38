package matrix

import "recoup/data"

// kinds are the actions of the routes.
var kinds = map[string]data.Action{
	"re_mandate_link": data.PaymentLink, "afa_payment_link": data.PaymentLink, "plain_link": data.PaymentLink,
	"mandate_upgrade": data.Nudge, "winback": data.Nudge, "authenticate": data.Nudge,
	"merchant_alert": data.Escalate, "status_poll": data.Wait,
}

// route is what becomes of a refusal: the printed route, where it can be done.
func (q *asked) route(rule, named string) string {
	row := q.row()
	switch {
	case rule == "class_table":
		named = row.Instead
	case rule == "mandate_state" && q.mandate() == "paused":
		named = "authenticate"
	case rule == "mandate_state":
		named = "re_mandate_link"
	case rule == "late_capture":
		if named = "status_poll"; q.pollsSpent(dayOf(q.now)) {
			named = ""
		}
	}
	if named == "" || q.Paid || q.CaseRefunds > 0 || q.Disputed || q.Ended || !q.Owed {
		return ""
	}
	if named == "human_review" {
		return named
	}
	for _, r := range []string{named, row.Instead, row.LinkKind, row.Nudges} {
		if r == "status_poll" {
			most, speaks := q.number("polls", dayOf(q.now))
			if speaks && (int64(q.LastPolls) < most || q.Unresolved != 0 && int64(q.UnresolvedPolls) < most) {
				return r
			}
			return "human_review"
		}
		if a, ok := kinds[r]; ok && q.can(a) {
			return r
		}
	}
	if !q.retriesOver() {
		return ""
	}
	return "human_review"
}

// can says that an action is allowed at one of the printed times.
func (q *asked) can(a data.Action) bool {
	times := []data.Micros{q.now}
	if a != data.Escalate {
		for day := range day(q.Grid.Days + 1) {
			for _, h := range q.Grid.ContactHours {
				at := startOf(dayOf(q.now)+day) + data.Micros(h*hour)
				if at >= q.now && at < q.now+data.Micros(q.Grid.Days*days) {
					times = append(times, at)
				}
			}
		}
	}
	for _, at := range times {
		for range 8 {
			if end := q.windowEnd("contact", at); a != data.Escalate && end != 0 {
				at = end
			}
		}
		if rule, _, _ := q.refuser(a, at); rule == "" {
			return true
		}
	}
	return false
}

// retriesOver says that no retry can come: none at any time, or none by when a notice can hold.
func (q *asked) retriesOver() bool {
	if rule, _ := q.refuserOfAction(data.Retry); rule != "" {
		return true
	}
	at, _ := q.firstNoticed(dayOf(q.now))
	d := dayOf(at)
	for _, r := range q.Rules {
		switch r.ID {
		case "mandate_ends", "cycle_paid", "cycle_last_day":
			if r.holds(d) && q.refusesTime(r.ID, data.Retry, at, d) {
				return true
			}
		}
	}
	return false
}
