package features

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"recoup/data"
)

// rows is a small event log in memory.
type rows struct {
	attempts  []data.Attempt
	cases     []data.CaseEvent
	subs      []data.Subscription
	mandates  []data.Mandate
	notices   []data.Notice
	polls     []data.Poll
	promises  []data.Promise
	downtimes []data.Downtime
	decisions []data.Decision
}

var epoch = data.IST(2025, 1, 1, 0, 0)

// write stores the rows as a log.
func (r *rows) write(t testing.TB, dir string) *data.Log {
	t.Helper()
	w, err := data.NewWriter(dir, data.WriteOptions{Currency: "INR"})
	must(t, err)
	must(t, data.Add(w, r.attempts...))
	must(t, data.Add(w, r.cases...))
	must(t, data.Add(w, r.subs...))
	must(t, data.Add(w, r.mandates...))
	must(t, data.Add(w, r.notices...))
	must(t, data.Add(w, r.polls...))
	must(t, data.Add(w, r.promises...))
	must(t, data.Add(w, r.downtimes...))
	must(t, data.Add(w, r.decisions...))
	_, err = w.Commit(context.Background())
	must(t, err)
	l, err := data.OpenLog(dir)
	must(t, err)
	return l
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// randomRows makes a log in which everything happens: several cases a
// customer, late results, links, promises, mandates, outages, decisions.
func randomRows(seed uint64, customers, cycles int) *rows {
	g := rand.New(rand.NewPCG(seed, 7))
	r := &rows{}
	n := 0
	stamp := func(occurred, lag data.Micros) data.Event {
		n++
		return data.Event{EventID: fmt.Sprintf("e%06d", n), OccurredAt: occurred, KnownAt: occurred + lag}
	}
	lag := func() data.Micros {
		switch g.IntN(10) {
		case 0:
			return data.Micros(g.IntN(int(3 * data.Day)))
		case 1:
			return -data.Micros(g.IntN(int(data.Hour))) // a provider whose clock is ahead
		case 2, 3, 4:
			return data.Micros(g.IntN(int(data.Minute)))
		}
		return 0
	}
	banks := []string{"HDFC", "SBIN", "", "Some Cooperative", "icici"}
	reasons := []string{"insufficient_funds", "bank_technical_error", "payment_timed_out", "not_reported", "card_expired"}
	for c := range customers {
		cust, mandate, sub := fmt.Sprintf("cust%03d", c), fmt.Sprintf("m%03d", c), fmt.Sprintf("s%03d", c)
		rail := data.Rail(1 + g.IntN(3))
		bank := banks[g.IntN(len(banks))]
		r.mandates = append(r.mandates, data.Mandate{Event: stamp(epoch, 0), MandateID: mandate, CustomerID: cust, Rail: rail,
			Status: data.MandateActive, CreatedAt: epoch - data.Day, MaxAmount: 2000_00, ValidUntil: epoch + 300*data.Day})
		r.subs = append(r.subs, data.Subscription{Event: stamp(epoch, 0), SubscriptionID: sub, CustomerID: cust, Status: data.SubActive})
		for k := range cycles {
			at := epoch + data.Micros(k)*30*data.Day + data.Micros(g.IntN(int(5*data.Day)))
			caseID := fmt.Sprintf("case%03d.%02d", c, k)
			amount := data.Paise(100_00 + 100*g.IntN(900_00/100))
			r.notices = append(r.notices, data.Notice{Event: stamp(at-data.Day-data.Hour, lag()), CaseID: caseID, MandateID: mandate,
				Kind: data.PreDebit, Status: data.NoticeSent, Amount: amount, DebitAt: at})
			if g.IntN(6) == 0 {
				r.mandates = append(r.mandates, data.Mandate{Event: stamp(at, lag()), MandateID: mandate, CustomerID: cust, Rail: rail,
					Status: data.MandateStatus(1 + g.IntN(3)), CreatedAt: epoch - data.Day, MaxAmount: 2000_00})
			}
			for no := int32(0); no < 5; no++ {
				a := data.Attempt{CaseID: caseID, AttemptNo: no, AttemptID: fmt.Sprintf("a%03d.%02d.%d", c, k, no), CustomerID: cust,
					SubscriptionID: sub, MandateID: mandate, Rail: rail, Bank: bank, Network: "Visa", Amount: amount, Initiator: data.ByRecoup}
				if g.IntN(5) == 0 && no > 0 {
					a.Initiator = data.ByCustomer
				}
				result := lag()
				if g.IntN(3) == 0 {
					a.Event, a.Status = stamp(at, max(0, lag())/10), data.Pending
					r.attempts = append(r.attempts, a)
					if g.IntN(3) == 0 {
						r.polls = append(r.polls, data.Poll{Event: stamp(at+data.Minute, 0), AttemptID: a.AttemptID, Status: data.PollPending})
					}
				}
				failedAt := at + max(0, result)/3
				a.Event = stamp(failedAt, result)
				if g.IntN(100) < 45 {
					a.Status = data.Captured
					r.attempts = append(r.attempts, a)
					if g.IntN(12) == 0 {
						a.Event, a.Status = stamp(at+3*data.Day, lag()), data.Refunded
						r.attempts = append(r.attempts, a)
					}
					break
				}
				a.Status, a.Reason, a.Source = data.Failed, data.MustReason(reasons[g.IntN(len(reasons))]), "bank"
				r.attempts = append(r.attempts, a)
				if g.IntN(20) == 0 {
					a.Event, a.Status, a.Reason = stamp(failedAt+data.Day, 2*data.Day), data.AuthorizedLate, 0
					r.attempts = append(r.attempts, a)
				}
				if g.IntN(4) == 0 {
					r.notices = append(r.notices, data.Notice{Event: stamp(failedAt+data.Hour, lag()), CaseID: caseID,
						Kind: data.NoticeKind(2 + g.IntN(6)), Status: data.NoticeSent})
				}
				if g.IntN(8) == 0 {
					r.promises = append(r.promises, data.Promise{Event: stamp(failedAt+2*data.Hour, lag()), CaseID: caseID,
						PromisedFor: failedAt + 3*data.Day, Status: data.PromiseMade})
				}
				if g.IntN(10) == 0 {
					r.cases = append(r.cases, data.CaseEvent{Event: stamp(failedAt+data.Micros(g.IntN(int(9*data.Day))), lag()), CaseID: caseID,
						Kind: data.CaseEventKind(1 + g.IntN(4))})
				}
				at = failedAt + data.Micros(1+g.IntN(int(4*data.Day)))
				if g.IntN(6) == 0 {
					at = failedAt + data.Second
				}
			}
		}
	}
	for d := range cycles * 4 {
		at := epoch + data.Micros(g.IntN(cycles*30))*data.Day
		id := fmt.Sprintf("d%02d", d)
		down := data.Downtime{Event: stamp(at, lag()), DowntimeID: id, Rail: data.Rail(1 + g.IntN(3)), Severity: data.SeverityHigh,
			Status: data.DowntimeStarted, Begin: at}
		r.downtimes = append(r.downtimes, down)
		down.Event, down.Status, down.End = stamp(at+3*data.Hour, lag()), data.DowntimeResolved, at+3*data.Hour
		r.downtimes = append(r.downtimes, down)
	}
	return r
}
