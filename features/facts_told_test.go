package features

import (
	"math"
	"slices"
	"strings"
	"testing"

	"recoup/data"
)

// told is what was known at a cursor: every visible row of every table, in
// cursor order. Facts are made from it by plain loops that share no code with
// the State.
type told struct {
	outcomes  []data.Attempt // those that count: see oracle.outcomes
	attempts  []data.Attempt
	cases     []data.CaseEvent
	subs      []data.Subscription
	mandates  []data.Mandate
	notices   []data.Notice
	polls     []data.Poll
	promises  []data.Promise
	downtimes []data.Downtime
}

func toldOf(t *testing.T, l *data.Log) *told {
	t.Helper()
	return &told{nil, all[data.Attempt](t, l), all[data.CaseEvent](t, l), all[data.Subscription](t, l), all[data.Mandate](t, l),
		all[data.Notice](t, l), all[data.Poll](t, l), all[data.Promise](t, l), all[data.Downtime](t, l)}
}

func (w *told) at(asOf data.Cursor) *told {
	attempts := seenAt(w.attempts, asOf, func(r *data.Attempt) data.Cursor { return r.Cursor() })
	return &told{(&oracle{attempts: attempts}).outcomes(asOf), attempts,
		seenAt(w.cases, asOf, func(r *data.CaseEvent) data.Cursor { return r.Cursor() }),
		seenAt(w.subs, asOf, func(r *data.Subscription) data.Cursor { return r.Cursor() }),
		seenAt(w.mandates, asOf, func(r *data.Mandate) data.Cursor { return r.Cursor() }),
		seenAt(w.notices, asOf, func(r *data.Notice) data.Cursor { return r.Cursor() }),
		seenAt(w.polls, asOf, func(r *data.Poll) data.Cursor { return r.Cursor() }),
		seenAt(w.promises, asOf, func(r *data.Promise) data.Cursor { return r.Cursor() }),
		seenAt(w.downtimes, asOf, func(r *data.Downtime) data.Cursor { return r.Cursor() })}
}

// seenAt is the rows, which come in cursor order, that are known.
func seenAt[T data.Row](rows []T, asOf data.Cursor, cursor func(*T) data.Cursor) []T {
	for i := range rows {
		if !asOf.Sees(cursor(&rows[i])) {
			return rows[:i]
		}
	}
	return rows
}

// opened says whether a case is one: its first row is no capture.
func (w *told) opened(caseID string) bool {
	i := slices.IndexFunc(w.attempts, func(a data.Attempt) bool { return a.CaseID == caseID })
	return i >= 0 && (w.attempts[i].AttemptNo > 0 || !w.attempts[i].Status.Paid())
}

// facts of the case whose latest failure is f, at as_of.
func (w *told) facts(f data.Attempt, asOf data.Cursor, t data.Micros) Facts {
	out := Facts{CaseID: f.CaseID, CustomerID: f.CustomerID, AsOf: asOf, Owed: true, Amount: f.Amount, Rail: f.Rail, Reason: f.Reason,
		Class: f.Reason.Class(), LastFailure: f.KnownAt, LastFinal: f.OccurredAt, Response: CodeOf(f.ResponseCode), Advice: CodeOf(f.AdviceCode)}
	for _, n := range Networks() {
		if n.String() == strings.ToLower(f.Network) {
			out.Network = n
		}
	}
	w.ofAttempts(&out, f)
	w.ofMandate(&out, f)
	w.ofNotices(&out, t)
	w.ofCustomer(&out, t)
	w.ofOutages(&out, f, t)
	for _, c := range w.cases {
		if c.CaseID == f.CaseID {
			out.Disputed = out.Disputed || c.Kind == data.Disputed
		}
	}
	var sub data.Subscription
	for _, s := range w.subs {
		if s.SubscriptionID == f.SubscriptionID && s.OccurredAt >= sub.OccurredAt {
			sub = s
		}
	}
	out.Subscription, out.CycleStart, out.CycleEnd = sub.Status, sub.CycleStart, sub.CycleEnd
	due := data.Micros(math.MaxInt64)
	for _, a := range w.attempts {
		if a.CaseID == f.CaseID {
			due = min(due, a.OccurredAt)
		}
	}
	for _, s := range w.subs { // the one that the charge fell due in, as told last
		if s.SubscriptionID == f.SubscriptionID && s.CycleStart <= due && due < s.CycleEnd && s.CycleStart != 0 {
			out.CycleStart, out.CycleEnd = s.CycleStart, s.CycleEnd
		}
	}
	return out
}

// ofAttempts: who presented what, and what the status checks say.
func (w *told) ofAttempts(out *Facts, f data.Attempt) {
	var ids []string
	first, status, failed := map[string]data.Attempt{}, map[string]data.AttemptStatus{}, map[string]data.Micros{}
	for _, a := range w.attempts {
		if _, known := first[a.AttemptID]; !known && a.CaseID == f.CaseID {
			first[a.AttemptID] = a
			ids = append(ids, a.AttemptID)
		}
	}
	for _, a := range w.outcomes {
		if a.CaseID != f.CaseID {
			continue
		}
		status[a.AttemptID] = a.Status
		if a.Status == data.Failed {
			failed[a.AttemptID] = a.OccurredAt
			if out.Failures++; out.Failures == 1 {
				out.FirstFailure = a.KnownAt
			}
		}
		if a.Status == data.Refunded {
			out.CaseRefunds++
		}
	}
	out.LastPresented = first[f.AttemptID].OccurredAt
	for _, id := range ids {
		*map[data.Initiator]*int{data.ByRecoup: &out.ByRecoup, data.ByProvider: &out.ByProvider, data.ByCustomer: &out.ByCustomer,
			0: &out.ByUnknown}[first[id].Initiator]++
		out.LastNo = max(out.LastNo, int(first[id].AttemptNo))
		if status[id] == data.Pending {
			out.Pending++
		}
		out.LastPoll, out.LastPolls, out.LastPollAt = 0, 0, 0
		for _, p := range w.polls {
			if p.AttemptID == id {
				out.Polls++
				out.LastPolls++
				out.LastPoll, out.LastPollAt = p.Status, p.Stamp()
			}
		}
		final := out.LastPoll == data.PollFailed && out.LastPollAt >= failed[id]
		if status[id] == data.Failed && !final && first[id].OccurredAt > out.Unresolved {
			out.Unresolved, out.UnresolvedPolls, out.UnresolvedPollAt = first[id].OccurredAt, out.LastPolls, out.LastPollAt
		}
	}
}

func (w *told) ofMandate(out *Facts, f data.Attempt) {
	var now data.Mandate
	for _, m := range w.mandates {
		if m.MandateID != f.MandateID || m.OccurredAt < now.OccurredAt {
			continue
		}
		if m.Status != now.Status {
			out.MandateSince = m.Stamp()
		}
		now = m
	}
	out.Mandate, out.MandateCreated, out.MandateUntil, out.MandateMax, out.MandateRail = now.Status, now.CreatedAt, now.ValidUntil, now.MaxAmount, now.Rail
	out.MandateCategory = map[string]Category{"": 0, "insurance": Insurance, "Credit_Card_Bill": CreditCardBill, "rent": OtherCategory}[now.Category]
	for _, a := range w.outcomes {
		if a.MandateID == f.MandateID && a.Status.Paid() {
			out.MandatePaid = max(out.MandatePaid, a.Stamp())
		}
	}
}

// ofNotices: the pre-debit notice, promises and contacts of the case.
func (w *told) ofNotices(out *Facts, t data.Micros) {
	var latest data.Notice
	for _, n := range w.notices {
		if n.CaseID == out.CaseID && n.Kind == data.PreDebit && n.OccurredAt >= latest.OccurredAt {
			latest = n
		}
		out.OptedOut = out.OptedOut || n.CaseID == out.CaseID && n.Status == data.NoticeOptedOut
	}
	out.Notice, out.NoticeDebit, out.NoticeAmount = latest.Status, latest.DebitAt, latest.Amount
	if latest.Status != 0 {
		out.NoticeAt = latest.Stamp()
		out.NoticeSent = latest.Stamp()
	}
	for _, n := range w.notices {
		if n.CaseID == out.CaseID && n.Kind == data.PreDebit && n.DebitAt == latest.DebitAt && n.Amount == latest.Amount {
			out.NoticeSent = min(out.NoticeSent, n.Stamp())
		}
	}
	var promise data.Promise
	for _, p := range w.promises {
		if p.CaseID == out.CaseID && p.OccurredAt >= promise.OccurredAt {
			promise = p
		}
	}
	out.Promise, out.PromiseDue = promise.Status, promise.PromisedFor
	out.Links, out.LastLink = w.contactsOf(out.CaseID, data.PaymentLink, nil)
	out.Nudges, out.LastNudge = w.contactsOf(out.CaseID, data.Nudge, nil)
}

// contactsOf counts the links or nudges that went out to a case: sent, or
// delivered with nothing sent in the day before.
func (w *told) contactsOf(caseID string, action data.Action, each func(at data.Micros)) (n int, last data.Micros) {
	for _, c := range w.notices {
		if c.CaseID != caseID || c.Kind.Action() != action {
			continue
		}
		if c.Status == data.NoticeSent || c.Status == data.NoticeDelivered && (last == 0 || c.Stamp() > last+data.Day) {
			n++
			last = max(last, c.Stamp())
			if each != nil {
				each(c.Stamp())
			}
		}
	}
	return n, last
}

// ofCustomer: what all cases and charges of the customer tell.
func (w *told) ofCustomer(out *Facts, t data.Micros) {
	cases, seen := map[string]bool{}, []data.Micros{}
	for _, a := range w.attempts {
		if a.CustomerID == out.CustomerID {
			cases[a.CaseID] = true
			seen = append(seen, a.Stamp())
		}
	}
	for _, m := range w.mandates {
		if m.CustomerID == out.CustomerID {
			seen = append(seen, m.Stamp())
		}
	}
	out.FirstSeen = slices.Min(seen)
	var contacts []data.Micros
	for c := range cases {
		for _, action := range []data.Action{data.PaymentLink, data.Nudge} {
			w.contactsOf(c, action, func(at data.Micros) {
				contacts = append(contacts, at)
				if at >= t-7*data.Day {
					out.Contacts7d++
				}
			})
		}
	}
	slices.Sort(contacts)
	slices.Reverse(contacts)
	copy(out.Contacts[:], contacts)
	for _, p := range w.promises {
		if cases[p.CaseID] && p.Status == data.PromiseBroken {
			out.BrokenPromises++
		}
	}
	for _, c := range w.cases {
		if cases[c.CaseID] && w.opened(c.CaseID) && c.Kind == data.Disputed {
			out.Disputes++
		}
	}
	var paid []data.Paise
	for _, a := range w.outcomes {
		if a.CustomerID != out.CustomerID {
			continue
		}
		same := a.Status == data.Failed && a.Rail == out.Rail && a.Amount == out.Amount && a.Stamp() > t-30*data.Day
		if same {
			out.Declines30d++
		}
		if same && (a.Stamp()+330*data.Minute)/data.Day == (t+330*data.Minute)/data.Day {
			out.DeclinesToday++
		}
		if (a.Status == data.Failed || a.Status.Paid()) && a.Stamp() >= t-7*data.Day {
			out.Outcomes7d++
		}
		if a.Status.Paid() {
			paid = append(paid, a.Amount)
		}
		if a.Status == data.Refunded {
			out.Refunds++
		}
	}
	out.Captures = len(paid)
	for _, p := range paid { // the smallest that nine tenths do not exceed
		below := 0
		for _, o := range paid {
			if o <= p {
				below++
			}
		}
		if 10*below >= 9*len(paid) && (out.OwnP90 == 0 || p < out.OwnP90) {
			out.OwnP90 = p
		}
	}
}

func (w *told) ofOutages(out *Facts, f data.Attempt, t data.Micros) {
	latest := map[string]data.Downtime{}
	for _, d := range w.downtimes {
		if d.OccurredAt >= latest[d.DowntimeID].OccurredAt {
			latest[d.DowntimeID] = d
		}
	}
	var all []data.Downtime
	for _, d := range latest {
		over := d.End != 0 && t > d.End+7*data.Day || d.End == 0 && t > d.KnownAt+3*data.Day
		if d.Rail == f.Rail && d.PSP == "" && !over {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b data.Downtime) int { return int(b.Begin - a.Begin) })
	for i, d := range all[:min(len(all), len(out.Outages))] {
		out.Outages[i] = Outage{d.Begin, d.End, d.Severity}
		if t >= d.Begin && (d.End == 0 || t < d.End) {
			out.RailDown = max(out.RailDown, d.Severity)
			out.RailDownUntil = max(out.RailDownUntil, d.End)
		}
	}
	bank := (&oracle{attempts: w.attempts})
	short, long := bank.health(out.AsOf, f.Bank, f.Rail, t, 6*data.Hour), bank.health(out.AsOf, f.Bank, f.Rail, t, 30*data.Day)
	out.BankFailed6h, out.BankOutcomes6h = int64(short.failed), int64(short.n)
	out.BankFailed30d, out.BankOutcomes30d = int64(long.failed), int64(long.n)
}
