package matrix

import (
	"slices"
	"time"

	"recoup/data"
)

// refusesTime is what the table prints of the rules about a time, by the numbers of
// the candidate's day.
func (q *asked) refusesTime(rule string, a data.Action, at data.Micros, d day) bool {
	if rule == "horizon" {
		return int64(at) >= int64(q.LastFailure)+q.Horizon*days
	}
	if rule == "queued" {
		return a != data.Escalate && at < q.queuedUntil()
	}
	if a == data.PaymentLink || a == data.Nudge {
		return q.refusesContact(rule, at, d)
	}
	if a != data.Retry {
		return false
	}
	switch rule {
	case "mandate_ends":
		return q.MandateUntil != 0 && q.MandateUntil <= at
	case "cycle_paid":
		_, speaks := q.number("cycle_debits", d)
		return speaks && q.cycleKnown() && q.MandatePaid != 0 && q.CycleStart <= q.MandatePaid && q.MandatePaid < q.CycleEnd && at < q.CycleEnd
	case "cycle_last_day":
		n, speaks := q.number("cycle_end_days", d)
		return speaks && q.cycleKnown() && d > dayOf(q.CycleEnd-data.Micros(n*days)-1)
	case "network_day":
		most, speaks := q.number("declines_day", d)
		return speaks && int64(q.DeclinesToday) >= most && d == dayOf(q.now)
	case "network_wait":
		wait, speaks := q.span("advice_wait", d, hour)
		return speaks && at < q.LastFinal+wait
	case "outage":
		return q.row().Retry == "after_outage" && q.downAt(at)
	case "min_wait":
		return at < q.LastFailure+q.leastWait(d)
	case "final_rest":
		rest, speaks := q.span("final_rest", d, hour)
		return speaks && at < q.LastFinal+rest
	case "mandate_fresh":
		rest, speaks := q.span("fresh_mandate", d, hour)
		return speaks && q.MandateCreated != 0 && at < q.MandateCreated+rest
	case "promise":
		return q.promised(at, d)
	case "late_capture":
		return q.mayBeCaptured(at, d) && (q.pollsSpent(d) || at <= q.pollFrom(d))
	case "notice_missing", "notice_amount", "notice_young", "notice_old":
		floor, _ := q.span("notice_floor", d, minute)
		return q.noticeFault(at, d) == rule && at-floor < q.now+q.lead(d)
	case "peak_window":
		return q.windowEnd("retry", at) != 0
	case "bank_day":
		cutOff, speaks := q.span("cut_off", d, minute)
		return q.closed(d) || speaks && timeOfDayOf(at) >= timeOfDay(cutOff)
	case "contact_hours", "contact_gap", "contact_cap":
		return false
	}
	panic("no rule about a time: " + rule)
}

func (q *asked) refusesContact(rule string, at data.Micros, d day) bool {
	switch rule {
	case "contact_hours":
		return q.windowEnd("contact", at) != 0
	case "contact_gap":
		gap, speaks := q.span("contact_gap", d, hour)
		return speaks && q.Contacts[0] != 0 && at < q.Contacts[0]+gap
	case "contact_cap":
		n, speaks := q.number("contacts_7d", d)
		return speaks && n > 0 && q.Contacts[n-1] != 0 && at-q.Contacts[n-1] < 7*days
	}
	return false
}

func (q *asked) cycleKnown() bool { return q.CycleEnd > q.FirstFailure }

func (q *asked) downAt(at data.Micros) bool {
	for _, o := range q.Outages {
		if o.Severity != 0 && o.Begin <= at && (o.End == 0 || at < o.End) {
			return true
		}
	}
	return false
}

func (q *asked) leastWait(d day) data.Micros {
	_, wait := q.reason()
	if q.row().Retry == "after_outage" && q.quiet() {
		least, _ := q.span("after_outage", d, hour)
		wait = max(wait, least)
	}
	return wait
}

func (q *asked) promised(at data.Micros, d day) bool {
	trust, speaks := q.number("promise_trust", d)
	longest, alsoSpeaks := q.span("promise_days", d, days)
	return speaks && alsoSpeaks && q.Promise == data.PromiseMade && int64(q.BrokenPromises) < trust && at < min(q.PromiseDue, q.LastFailure+longest)
}

func (q *asked) mayBeCaptured(at data.Micros, d day) bool {
	long, speaks := q.span("late_capture", d, hour)
	return speaks && q.Unresolved != 0 && at < q.Unresolved+long
}

func (q *asked) pollsSpent(d day) bool {
	most, speaks := q.number("polls", d)
	return speaks && int64(q.UnresolvedPolls) >= most
}

// pollFrom is when the next status check can be made.
func (q *asked) pollFrom(d day) data.Micros {
	first, _ := q.span("poll_first", d, second)
	gap, _ := q.span("poll_gap", d, second)
	from := max(q.now, q.Unresolved+first)
	if q.UnresolvedPolls > 0 {
		from = max(from, q.UnresolvedPollAt+gap)
	}
	return from
}

func (q *asked) pollNeeded(at data.Micros, d day) data.Micros {
	if q.mayBeCaptured(at, d) {
		return q.pollFrom(d)
	}
	return 0
}

// queuedUntil is the end of the retry window in which the latest failure was presented; 0 = in none.
func (q *asked) queuedUntil() data.Micros {
	if q.LastPresented == 0 {
		return 0
	}
	return q.windowEnd("retry", q.LastPresented)
}

// windowEnd is the end of the window that holds at a time; 0 = none does.
func (q *asked) windowEnd(what string, at data.Micros) data.Micros {
	today, tod := dayOf(at), timeOfDayOf(at)
	for _, w := range q.Windows {
		if w.What != what || w.Rail != "" && w.Rail != q.Rail.String() || !w.holds(today) {
			continue
		}
		switch {
		case w.At < w.Until && w.At <= tod && tod < w.Until, w.At > w.Until && tod < w.Until:
			return startOf(today) + data.Micros(w.Until)
		case w.At > w.Until && w.At <= tod:
			return startOf(today+1) + data.Micros(w.Until)
		}
	}
	return 0
}

// closed says that the rail does not clear on a day.
func (q *asked) closed(d day) bool {
	date := time.Unix(int64(d)*86400, 0).UTC()
	for _, h := range q.Holidays {
		if h.Rail != q.Rail.String() || !h.holds(d) {
			continue
		}
		if h.Sundays && date.Weekday() == time.Sunday || slices.Contains(h.Days, d) ||
			date.Weekday() == time.Saturday && slices.Contains(h.Saturdays, (date.Day()-1)/7+1) {
			return true
		}
	}
	return false
}

// exempt says that a debit on that day needs no notice.
func (q *asked) exempt(d day) bool {
	yes, speaks := q.number("notice_exempt", d)
	return speaks && yes == 1
}

// noticeFault is the first thing wrong with the notice for a debit; "" = nothing, or none is needed.
func (q *asked) noticeFault(at data.Micros, d day) string {
	floor, speaks := q.span("notice_floor", d, minute)
	if !speaks || q.exempt(d) {
		return ""
	}
	if q.Notice != data.NoticeSent && q.Notice != data.NoticeDelivered {
		return "notice_missing"
	}
	if q.NoticeAmount != q.Amount {
		return "notice_amount"
	}
	if at < q.NoticeSent+floor {
		return "notice_young"
	}
	announced := q.NoticeDebit
	if announced == 0 {
		announced = q.NoticeSent + floor
	}
	if age, ages := q.span("notice_age", d, hour); ages && at > q.NoticeSent+age {
		return "notice_old"
	}
	if lapse, lapses := q.span("notice_lapse", d, hour); lapses && at > announced+lapse {
		return "notice_old"
	}
	return ""
}

// noticeBy is when a notice for a debit must be sent; 0 = one holds, or none is needed.
func (q *asked) noticeBy(at data.Micros, d day) data.Micros {
	if q.noticeFault(at, d) == "" {
		return 0
	}
	floor, _ := q.span("notice_floor", d, minute)
	return at - floor
}

// lead is how long a new notice takes to be out.
func (q *asked) lead(d day) data.Micros {
	lead, _ := q.span("notice_lead", d, minute)
	return lead
}

// firstNoticed is the first time at which the notice holds, or a new one sent now would.
func (q *asked) firstNoticed(d day) (first data.Micros, speaks bool) {
	if q.exempt(d) {
		return q.now, true
	}
	floor, speaks := q.span("notice_floor", d, minute)
	first = q.now + q.lead(d) + floor
	if old := max(q.now, q.NoticeSent+floor); old < first && q.noticeFault(old, d) == "" {
		first = old
	}
	return first, speaks
}
