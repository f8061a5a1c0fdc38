package razorpay

import (
	"cmp"
	"context"
	"slices"

	"recoup/data"
)

// settle decides for every fact what depends on others: its case, the number and
// status of its attempt, and which of its rows are written. l is the log so far,
// nil where there is none.
func (f *facts) settle(ctx context.Context, l *data.Log) error {
	if err := f.joinOrders(); err != nil {
		return err
	}
	payments := f.group(func(g *fact) key { return g.pay })
	heads := make([]int32, len(payments.ends)) // the first fact of each that saw an attempt, else -1
	for at, run := range payments.runs {
		if err := f.joinPayment(run); err != nil {
			return err
		}
		heads[at] = -1
		for _, i := range slices.Backward(run) {
			if f.all[i].seen > 0 {
				heads[at] = i
			}
		}
	}
	k := f.newKnown(&payments)
	if l != nil {
		if err := k.read(ctx, f, l); err != nil {
			return err
		}
		if err := f.keepCases(k); err != nil {
			return err
		}
	}
	numbers := f.number(k, heads)
	for at, run := range payments.runs {
		for _, i := range run {
			f.all[i].number = numbers[at]
			if name, ok := k.moved[int32(at)]; ok {
				f.names[i] = name
			}
		}
		f.attempt(run, &k.attempts[at])
	}
	return nil
}

// keepCases leaves a case that the log has by its order under that id, though
// the run knows its invoice.
func (f *facts) keepCases(k *known) error {
	kept := map[key]string{}
	there := func(of key) bool {
		c := k.find(of)
		return c != nil && c.there
	}
	stays := func(g *fact) bool {
		return g.drop == 0 && g.invoice != (key{}) && !there(g.invoice) && there(g.order)
	}
	for i := range f.all {
		g := &f.all[i]
		if !stays(g) || kept[g.order] != "" {
			continue
		}
		r, err := f.spill.at(g.at)
		if err != nil {
			return err
		}
		if name := r.orderCase(); f.keys.of(name) == g.order {
			kept[g.order] = name
		}
	}
	for i := range f.all {
		if g := &f.all[i]; stays(g) && kept[g.order] != "" {
			f.names[int32(i)], g.invoice = kept[g.order], key{}
		}
	}
	return nil
}

// number counts the attempts of each case that the log has not, by their
// presentation; where that is the same, as the log orders them.
func (f *facts) number(k *known, heads []int32) []int32 {
	numbers := make([]int32, len(heads))
	type entry struct {
		word uint64
		at   int32
	}
	fresh := make([]entry, 0, len(heads))
	for at, i := range heads {
		if n := &k.attempts[at]; n.there {
			numbers[at] = n.number
		} else if i >= 0 {
			fresh = append(fresh, entry{f.all[i].caseKey()[0], int32(at)})
		}
	}
	slices.SortFunc(fresh, func(a, b entry) int {
		if a.word != b.word {
			return cmp.Compare(a.word, b.word)
		}
		g, h := &f.all[heads[a.at]], &f.all[heads[b.at]]
		return cmp.Or(g.caseKey().compare(h.caseKey()), cmp.Compare(g.presented, h.presented), g.compare(h))
	})
	for _, e := range fresh {
		c := k.find(f.all[heads[e.at]].caseKey())
		numbers[e.at] = c.next
		c.next++
	}
	return numbers
}

// attempt walks through what was seen of a payment, in the order of the log, and
// decides what is written of it.
func (f *facts) attempt(run []int32, n *knownAttempt) {
	started, failed, paid, refunded := n.there, false, n.paid, n.refunded
	for _, i := range run {
		g := &f.all[i]
		failedBefore := failed || n.failedBefore(g)
		switch g.seen {
		case seenPending:
			if failedBefore && !paid {
				g.status, paid = data.AuthorizedLate, true
			} else if !started {
				g.present = true
			}
		case seenFailed:
			if !failed && !n.failed {
				g.status, failed = data.Failed, true
			}
		case seenCaptured:
			if !paid {
				g.status, paid = data.Captured, true
				if failedBefore {
					g.status = data.AuthorizedLate
				}
			}
		case seenRefunded:
			if !refunded {
				g.status, refunded = data.Refunded, true
			}
		default:
			continue
		}
		if !started && g.presented < g.occurred {
			g.present = true
		}
		started = true
	}
}
