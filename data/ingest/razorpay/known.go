package razorpay

import (
	"context"
	"slices"
	"strings"

	"recoup/data"
)

// known is what the log says about the payments and cases of a run.
type known struct {
	payments []key            // in order
	firsts   []int32          // a fact of each
	attempts []knownAttempt   // by payment, as attempts of the run are
	cases    []knownCase      // by key
	moved    map[int32]string // cases of attempts that are not those that the run gives them
}

// knownAttempt is an attempt of the run that the log has.
type knownAttempt struct {
	there    bool
	number   int32
	paid     bool
	failed   bool
	refunded bool
	failedAt data.Micros // when the first failure was known
	failedID string      // and its row
}

// knownCase is a case that payments of the run have, or had without their invoice.
type knownCase struct {
	key   key
	there bool  // the log has attempts of it
	next  int32 // the next number
}

// find is the place of a case; nil where no payment of the run has it.
func (k *known) find(of key) *knownCase {
	i, ok := slices.BinarySearchFunc(k.cases, of, func(c knownCase, of key) int { return c.key.compare(of) })
	if !ok {
		return nil
	}
	return &k.cases[i]
}

// newKnown has a place for every payment and every case.
func (f *facts) newKnown(payments *grouped) *known {
	n := len(payments.ends)
	k := &known{payments: make([]key, n), firsts: make([]int32, n), attempts: make([]knownAttempt, n), moved: map[int32]string{}}
	for at, run := range payments.runs {
		k.payments[at], k.firsts[at] = f.all[run[0]].pay, run[0]
	}
	k.cases = make([]knownCase, 0, n)
	for _, run := range payments.runs {
		g := &f.all[run[0]] // all of a payment have its case
		k.cases = append(k.cases, knownCase{key: g.caseKey()})
		if g.invoice != (key{}) && g.order != (key{}) {
			k.cases = append(k.cases, knownCase{key: g.order})
		}
	}
	slices.SortFunc(k.cases, func(a, b knownCase) int { return a.key.compare(b.key) })
	k.cases = slices.Clip(slices.CompactFunc(k.cases, func(a, b knownCase) bool { return a.key == b.key }))
	return k
}

// read looks the run's payments and cases up in a log.
func (k *known) read(ctx context.Context, f *facts, l *data.Log) error {
	for batch, err := range data.Scan[data.Attempt](l, data.AsOf(lastTime), "event_id", "case_id", "attempt_id", "attempt_no", "status") {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range batch {
			k.attempt(f, &batch[i])
		}
	}
	return nil
}

func (k *known) attempt(f *facts, a *data.Attempt) {
	inCase := f.keys.of(a.CaseID)
	if c := k.find(inCase); c != nil {
		c.there, c.next = true, max(c.next, a.AttemptNo+1)
	}
	pay := f.keys.of(a.AttemptID)
	i, ok := slices.BinarySearchFunc(k.payments, pay, key.compare)
	if !ok {
		return
	}
	n := &k.attempts[i]
	n.there, n.number = true, a.AttemptNo
	if f.all[k.firsts[i]].caseKey() != inCase {
		k.moved[int32(i)] = strings.Clone(a.CaseID)
	}
	switch {
	case a.Status.Paid():
		n.paid = true
	case a.Status == data.Refunded:
		n.refunded = true
	case a.Status == data.Failed && !n.failed:
		n.failed, n.failedAt, n.failedID = true, a.KnownAt, strings.Clone(a.EventID)
	}
}

// failedBefore reports whether the log knew of a failure before a fact, by the
// order of the log.
func (n *knownAttempt) failedBefore(g *fact) bool {
	if !n.failed || n.failedAt != g.known {
		return n.failed && n.failedAt < g.known
	}
	return n.failedID < rowID(g.occurred, g.rank, 'a', g.hash[:])
}
