package features

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recoup/data"
)

// richer adds to random rows what facts read and features do not.
func richer(r *rows, seed uint64) *rows {
	g := rand.New(rand.NewPCG(seed, 8))
	pick := func(of ...string) string { return of[g.IntN(len(of))] }
	n := 0
	again := func(e data.Event, after data.Micros) data.Event {
		n++
		out := data.Event{EventID: fmt.Sprintf("r%06d", n), OccurredAt: e.OccurredAt + after, KnownAt: e.KnownAt + after + data.Micros(g.IntN(int(data.Hour)))}
		if g.IntN(3) == 0 { // heard of at once, perhaps before the word it follows
			out.KnownAt = out.OccurredAt
		}
		return out
	}
	until, paid := map[string]data.Micros{}, map[string]bool{}
	for i := range r.attempts {
		a := &r.attempts[i]
		a.Network, a.Amount = pick("Visa", "RUPAY", "mastercard", ""), data.Paise(100_00*(1+g.IntN(3)))
		a.Initiator = data.Initiator(g.IntN(4))
		until[a.CaseID], paid[a.CaseID] = max(until[a.CaseID], a.KnownAt), paid[a.CaseID] || a.Status.Paid()
		if a.Status == data.Failed {
			a.ResponseCode, a.AdviceCode = pick("51", "05", "n7", "", "long"), pick("03", "24", "", "x")
		}
		for range g.IntN(3) {
			r.polls = append(r.polls, data.Poll{Event: again(a.Event, data.Minute), AttemptID: a.AttemptID, Status: data.PollStatus(1 + g.IntN(4))})
		}
	}
	for _, sub := range slices.Clone(r.subs) { // a cycle of 30 days after the other, some never told
		for k := range data.Micros(8) {
			if sub.Event, sub.Status = again(sub.Event, k*30*data.Day), data.SubPending; g.IntN(5) > 0 {
				sub.OccurredAt = epoch + k*30*data.Day
				sub.CycleStart, sub.CycleEnd = epoch+k*30*data.Day, epoch+(k+1)*30*data.Day
				r.subs = append(r.subs, sub)
			}
			sub.Event.OccurredAt, sub.Event.KnownAt = epoch, epoch
		}
	}
	for i := range r.mandates {
		r.mandates[i].Category = pick("", "insurance", "Credit_Card_Bill", "rent")
	}
	for _, v := range r.notices {
		if v.Event = again(v.Event, 3*data.Hour); g.IntN(2) == 0 {
			v.Status = []data.NoticeStatus{data.NoticeDelivered, data.NoticeDelivered, data.NoticeFailed, data.NoticeOptedOut}[g.IntN(4)]
			r.notices = append(r.notices, v)
		}
	}
	for _, v := range r.promises {
		if v.Event = again(v.Event, 5*data.Hour); g.IntN(2) == 0 {
			v.Status = []data.PromiseStatus{data.PromiseKept, data.PromiseBroken}[g.IntN(2)]
			r.promises = append(r.promises, v)
		}
	}
	for i := range r.downtimes { // no two begin together
		d := &r.downtimes[i]
		if d.Begin += data.Micros(i/2) * data.Second; d.End != 0 {
			d.End += data.Micros(g.IntN(4)) * data.Day
		}
	}
	// A paid case is remembered five days after it was last heard of.
	r.cases = slices.DeleteFunc(r.cases, func(c data.CaseEvent) bool { return paid[c.CaseID] && c.KnownAt > until[c.CaseID]+4*data.Day })
	return r
}

// Facts at every other row of random logs are those that the plain loops find, in
// every field: at once, some hours and some days later.
func TestFactsAgainstPlainLoops(t *testing.T) {
	asked, filled := 0, map[string]int{}
	for seed := range uint64(3) {
		l := richer(randomRows(300+seed, 12, 5), seed).write(t, t.TempDir())
		everything, s := toldOf(t, l), NewState()
		g := rand.New(rand.NewPCG(seed, 9))
		for n, i := range items(t, l) {
			must(t, i.fold(s))
			open := s.OpenCases()
			if n%2 == 0 || len(open) == 0 {
				continue
			}
			w, id := everything.at(i.at), open[g.IntN(len(open))]
			k := len(w.outcomes) - 1
			for w.outcomes[k].CaseID != id || w.outcomes[k].Status != data.Failed {
				k--
			}
			at := i.at.KnownAt + []data.Micros{0, 5 * data.Hour, 9 * data.Day}[g.IntN(3)]
			got, err := s.Facts(id, at)
			must(t, err)
			if diff := cmp.Diff(w.facts(w.outcomes[k], i.at, at), got); diff != "" {
				t.Fatalf("seed %d, case %s at %s (- plain loops, + State):\n%s", seed, id, at, diff)
			}
			asked++
			count(filled, got)
		}
	}
	for i := range reflect.TypeFor[Facts]().NumField() {
		name := reflect.TypeFor[Facts]().Field(i).Name
		if n := filled[name]; n < 20 && name != "Paid" && name != "Ended" && name != "Disputed" && name != "CaseRefunds" { // of an owed case none is set
			t.Errorf("of %d cases asked about only %d have %s: nothing was compared", asked, n, name)
		}
	}
}

// count notes which fields are not zero.
func count(filled map[string]int, f Facts) {
	v := reflect.ValueOf(f)
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			filled[v.Type().Field(i).Name]++
		}
	}
}
