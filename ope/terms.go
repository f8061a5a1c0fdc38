package ope

// term is the part of row i that a method adds up: without the normaliser of the
// methods that have one.
func (b *base) term(m Method, i int) float64 {
	switch m.Family {
	case Direct:
		return b.qbar[i]
	case Weighted:
		return b.rows.Reward[i] * m.shaped(b.w[i])
	case Normalised:
		return b.rows.Reward[i] * b.w[i]
	case DoublyRobust:
		return b.qbar[i] + m.shaped(b.w[i])*(b.rows.Reward[i]-b.q[i])
	case NormalisedDR:
		return b.w[i] * (b.rows.Reward[i] - b.q[i])
	default: // Replay
		return b.rows.Reward[i] * b.match(i)
	}
}

// match is 1 where the target is certain of the logged action, else 0.
func (b *base) match(i int) float64 {
	if b.rows.Target[b.rows.At(i)] == 1 {
		return 1
	}
	return 0
}

// norm is what row i adds to the normaliser of a ratio.
func (b *base) norm(m Method, i int) float64 {
	if m.Family == Replay {
		return b.match(i)
	}
	return b.w[i]
}

// value is the estimate of a method; ok is false when its normaliser is 0.
func (b *base) value(m Method) (v float64, ok bool) {
	n := b.rows.Len()
	var num, den, direct sum
	for i := range n {
		num.add(b.term(m, i))
		if m.Ratio() {
			den.add(b.norm(m, i))
		}
		if m.Family == NormalisedDR {
			direct.add(b.qbar[i])
		}
	}
	if !m.Ratio() {
		return num.value() / float64(n), true
	}
	if den.value() == 0 {
		return 0, false
	}
	return direct.value()/float64(n) + num.value()/den.value(), true
}

// influence fills psi with the centred terms of the estimate v: they sum to 0, and
// psi/n is what a row pulls at the estimate.
//
//	mean:  psi = z - v
//	snipw: psi = w (r - v)/mean(w)
//	sndr:  psi = (qbar - mean qbar) + w (r - q - D)/mean(w), D = Σ w(r - q)/Σ w
//	rm:    as snipw, with m in place of w
func (b *base) influence(m Method, v float64, psi []float64) {
	n := b.rows.Len()
	if !m.Ratio() {
		for i := range n {
			psi[i] = b.term(m, i) - v
		}
		return
	}
	var den sum
	for i := range n {
		den.add(b.norm(m, i))
	}
	mid, meanQ, mw := v, 0.0, den.value()/float64(n)
	if m.Family == NormalisedDR {
		meanQ = mean(b.qbar)
		var num sum
		for i := range n {
			num.add(b.term(m, i))
		}
		mid = num.value() / den.value()
	}
	for i := range n {
		u := b.rows.Reward[i]
		if m.Family == NormalisedDR {
			psi[i] = b.qbar[i] - meanQ
			u -= b.q[i]
		} else {
			psi[i] = 0
		}
		psi[i] += b.norm(m, i) * (u - mid) / mw
	}
}

// rounds fills z with the rows' own rewards as Open Bandit Pipeline has them: their
// mean is the estimate, and the normaliser is taken as known.
func (b *base) rounds(m Method, z []float64) {
	n := b.rows.Len()
	var den sum
	for i := range n {
		z[i] = b.term(m, i)
		if m.Ratio() {
			den.add(b.norm(m, i))
		}
	}
	if !m.Ratio() {
		return
	}
	mw := den.value() / float64(n)
	for i := range n {
		z[i] /= mw
		if m.Family == NormalisedDR {
			z[i] += b.qbar[i]
		}
	}
}
