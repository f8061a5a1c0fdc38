package razorpay

import (
	"context"
	"slices"
	"strings"

	"recoup/data"
)

// known is what the log says about the payments and cases of a run.
type known struct {
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
}

// knownCase is a case of the run.
type knownCase struct {
	key   key
	there bool  // the log has attempts of it
	next  int32 // the next number
}

// find is the place of a case; the run has it.
func (k *known) find(of key) *knownCase {
	i, ok := slices.BinarySearchFunc(k.cases, of, func(c knownCase, of key) int { return c.key.compare(of) })
	if !ok {
		return nil
	}
	return &k.cases[i]
}

// newKnown has a place for every payment and every case.
func (f *facts) newKnown(payments int) *known {
	k := &known{attempts: make([]knownAttempt, payments), moved: map[int32]string{}}
	for i := range f.all {
		if g := &f.all[i]; g.drop == 0 && g.hasCase() {
			k.cases = append(k.cases, knownCase{key: g.caseKey()})
			if g.invoice != (key{}) {
				k.cases = append(k.cases, knownCase{key: g.order})
			}
		}
	}
	slices.SortFunc(k.cases, func(a, b knownCase) int { return a.key.compare(b.key) })
	k.cases = slices.Clip(slices.CompactFunc(k.cases, func(a, b knownCase) bool { return a.key == b.key }))
	return k
}

// read looks the run's payments (by the first facts of each, in the order of their
// keys) and cases up in a log.
func (k *known) read(ctx context.Context, f *facts, firsts []int32, l *data.Log) error {
	for batch, err := range data.Scan[data.Attempt](l, data.AsOf(lastTime), "case_id", "attempt_id", "attempt_no", "status") {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range batch {
			k.attempt(f, firsts, &batch[i])
		}
	}
	return nil
}

func (k *known) attempt(f *facts, firsts []int32, a *data.Attempt) {
	inCase := f.keys.of(a.CaseID)
	if c := k.find(inCase); c != nil {
		c.there, c.next = true, max(c.next, a.AttemptNo+1)
	}
	pay := f.keys.of(a.AttemptID)
	i, ok := slices.BinarySearchFunc(firsts, pay, func(i int32, pay key) int { return f.all[i].pay.compare(pay) })
	if !ok {
		return
	}
	n := &k.attempts[i]
	n.there, n.number = true, a.AttemptNo
	if f.all[firsts[i]].caseKey() != inCase {
		k.moved[int32(i)] = strings.Clone(a.CaseID)
	}
	switch {
	case a.Status.Paid():
		n.paid = true
	case a.Status == data.Refunded:
		n.refunded = true
	case a.Status == data.Failed && !n.failed:
		n.failed, n.failedAt = true, a.KnownAt
	}
}
