package razorpay

// caseKey is the case of a fact.
func (g *fact) caseKey() key {
	if g.invoice != (key{}) {
		return g.invoice
	}
	return g.order
}

// joinOrders gives all facts of an order one case: some events name only the
// order of a payment whose others name the invoice. The earliest that tells
// decides.
func (f *facts) joinOrders() error {
	orders := f.group(func(g *fact) key { return g.order })
	for _, run := range orders.runs {
		if err := f.joinOrder(run); err != nil {
			return err
		}
	}
	return nil
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

// joinPayment gives all facts of a payment one case: that of the earliest that
// knows most.
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
