package matrix

import (
	"slices"

	"recoup/data"
)

// refusesAction is what the table prints of the rules about an action, by the
// numbers of a day.
func (q *asked) refusesAction(rule string, a data.Action, d day) bool {
	debit := a == data.Retry
	asks := a == data.PaymentLink || a == data.Nudge
	switch rule {
	case "paid":
		return q.Paid
	case "refunded":
		return q.CaseRefunds > 0
	case "disputed":
		return q.Disputed
	case "ended":
		return q.Ended || !q.Owed
	case "pending":
		return (debit || a == data.PaymentLink) && q.Pending > 0
	case "poll_captured":
		return (debit || asks) && q.LastPoll == data.PollCaptured
	case "opted_out":
		return (debit || asks) && q.OptedOut
	case "mandate_state":
		return debit && slices.Contains([]string{"revoked", "expired", "paused"}, q.mandate())
	case "rail_change":
		return debit && q.MandateRail != 0 && q.MandateRail != q.Rail
	case "mandate_amount":
		return debit && q.MandateMax > 0 && q.Amount > q.MandateMax
	case "afa_cap":
		limit, speaks := q.number("afa_cap", d)
		return debit && speaks && int64(q.Amount) > limit
	case "mandate_outlives":
		first, speaks := q.firstNoticed(d)
		return debit && speaks && q.MandateUntil != 0 && q.MandateUntil <= first
	case "not_reported":
		return (debit || asks) && q.Class == 0
	case "await_status":
		return debit && q.row().Retry == "after_failed_poll" && q.LastPoll != data.PollFailed
	case "class_table":
		row := q.row()
		return debit && row.Retry == "no" || a == data.PaymentLink && row.Link == "no" || a == data.Nudge && row.Nudge == "no" || a == data.Escalate && row.Escalate == "no"
	case "limit_spent":
		cause, _ := q.reason()
		return debit && cause == "LIMIT_EXCEEDED"
	case "network_stop":
		return debit && q.networkStops()
	case "attempts_spent":
		budget, speaks := q.number("budget", d)
		return debit && speaks && q.presented() >= budget
	case "advice_absent":
		yes, speaks := q.number("advice_needed", d)
		return debit && speaks && yes == 1 && q.Response.String() != "" && q.Advice.String() == ""
	case "network_month":
		most, speaks := q.number("declines_30d", d)
		return debit && speaks && int64(q.Declines30d) >= most
	case "attempts_left":
		budget, speaks := q.number("budget", d)
		return a == data.PaymentLink && q.row().Link == "after_attempts" && speaks && q.presented() < budget && !q.retriesOver()
	case "nudge_once":
		return a == data.Nudge && q.row().Nudge == "once" && q.Nudges > 0
	case "polls_left":
		most, speaks := q.number("polls", d)
		return a == data.Escalate && q.row().Escalate == "after_polls" && speaks && int64(q.LastPolls) < most
	case "outage":
		return debit && q.row().Retry == "after_outage" && q.endless()
	case "baseline":
		return debit && q.row().Retry == "after_outage" && q.quiet() && q.overBaseline(d)
	}
	panic("no rule about an action: " + rule)
}

func (q *asked) networkStops() bool {
	for _, s := range q.Stops {
		if s.holds(dayOf(q.now)) && s.Network == q.Network.String() && (slices.Contains(s.Response, q.Response.String()) || slices.Contains(s.Advice, q.Advice.String())) {
			return true
		}
	}
	return false
}

// endless says that an outage began whose end nobody knows.
func (q *asked) endless() bool {
	for _, o := range q.Outages {
		if o.Severity != 0 && o.Begin <= q.now && o.End == 0 {
			return true
		}
	}
	return false
}

// overBaseline: f/(n+20) - F/N n/(n+20) > b/1000, times 1000 N (n+20).
func (q *asked) overBaseline(d day) bool {
	b, speaks := q.number("baseline", d)
	f, n, F, N := q.BankFailed6h, q.BankOutcomes6h, q.BankFailed30d, q.BankOutcomes30d
	if N == 0 {
		F, N = 0, 1
	}
	return speaks && 1000*(f*N-F*n) > b*N*(n+20)
}
