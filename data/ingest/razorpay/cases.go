package razorpay

import "cmp"

// caseKey is the case of a fact.
func (g *fact) caseKey() key {
	if g.invoice != (key{}) {
		return g.invoice
	}
	return g.order
}

// hasCase reports whether a fact is about a case at all.
func (g *fact) hasCase() bool { return g.order != (key{}) }

// joinCases gives all facts of an order, and then all of a payment, one case:
// some events name only the order, or the invoice, of a payment whose others
// name both. The earliest that tells decides.
func (f *facts) joinCases() error {
	byOrderKey := f.pick((*fact).hasCase, func(a, b *fact) int { return cmp.Or(a.order.compare(b.order), a.compare(b)) })
	if err := f.runs(byOrderKey, func(a, b *fact) bool { return a.order == b.order }, f.joinOrder); err != nil {
		return err
	}
	return f.runs(f.byPayment(), samePayment, f.joinPayment)
}

func samePayment(a, b *fact) bool { return a.pay == b.pay }

// byPayment is the facts of payments, those of each in the order of the log.
func (f *facts) byPayment() []int32 {
	return f.pick(func(g *fact) bool { return g.pay != (key{}) },
		func(a, b *fact) int { return cmp.Or(a.pay.compare(b.pay), a.compare(b)) })
}

func (f *facts) joinOrder(run []int32) error {
	from := int32(-1)
	for _, i := range run {
		if from < 0 && f.all[i].invoice != (key{}) {
			from = i
		}
	}
	if from < 0 {
		return nil
	}
	for _, i := range run {
		if f.all[i].invoice == (key{}) {
			if err := f.join(i, from); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *facts) joinPayment(run []int32) error {
	best := run[0]
	for _, i := range run[1:] {
		if f.all[i].better(&f.all[best]) {
			best = i
		}
	}
	for _, i := range run {
		if f.all[i].caseKey() != f.all[best].caseKey() {
			if err := f.join(i, best); err != nil {
				return err
			}
		}
	}
	return nil
}

// better reports whether g knows more of its case than h.
func (g *fact) better(h *fact) bool {
	if a, b := g.invoice != (key{}), h.invoice != (key{}); a != b {
		return a
	}
	return g.invoice == (key{}) && g.road > h.road
}

// join puts fact i in the case of another.
func (f *facts) join(i, of int32) error {
	name, ok := f.names[of]
	if !ok {
		r, err := f.spill.at(f.all[of].at)
		if err != nil {
			return err
		}
		name = r.ownCase()
	}
	f.names[i] = name
	f.all[i].invoice, f.all[i].order, f.all[i].road = f.all[of].invoice, f.all[of].order, f.all[of].road
	return nil
}
