package ope

// terms fills z with the parts of rows lo, lo+1, ... that a method adds up: without
// the normaliser of the methods that have one.
func (b *base) terms(m Method, lo int, z []float64) {
	hi := lo + len(z)
	r, w := b.rows.Reward[lo:hi], b.w[lo:hi]
	switch {
	case m.Family == Direct:
		copy(z, b.qbar[lo:hi])
	case m.Family == Weighted && m.Shape != AsIs:
		for i := range z {
			z[i] = r[i] * m.shaped(w[i])
		}
	case m.Family == Weighted || m.Family == Normalised:
		for i := range z {
			z[i] = r[i] * w[i]
		}
	case m.Family == DoublyRobust && m.Shape != AsIs:
		qbar, q := b.qbar[lo:hi], b.q[lo:hi]
		for i := range z {
			z[i] = qbar[i] + m.shaped(w[i])*(r[i]-q[i])
		}
	case m.Family == DoublyRobust:
		qbar, q := b.qbar[lo:hi], b.q[lo:hi]
		for i := range z {
			z[i] = qbar[i] + w[i]*(r[i]-q[i])
		}
	case m.Family == NormalisedDR:
		q := b.q[lo:hi]
		for i := range z {
			z[i] = w[i] * (r[i] - q[i])
		}
	default: // Replay
		for i := range z {
			z[i] = r[i] * b.match(lo+i)
		}
	}
}

// sumTerms adds them up, and the normaliser of a ratio.
func (b *base) sumTerms(m Method) (num, den float64) {
	var buffer [512]float64
	var s, d sum
	for lo := 0; lo < len(b.w); lo += len(buffer) {
		z := buffer[:min(len(buffer), len(b.w)-lo)]
		b.terms(m, lo, z)
		for i, v := range z {
			s.add(v)
			if m.Ratio() {
				d.add(b.norm(m, lo+i))
			}
		}
	}
	return s.value(), d.value()
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
	num, den := b.sumTerms(m)
	switch {
	case !m.Ratio():
		return num / float64(len(b.w)), true
	case den == 0:
		return 0, false
	case m.Family == NormalisedDR:
		return mean(b.qbar) + num/den, true
	}
	return num / den, true
}

// influence fills psi with the centred terms of the estimate v: they sum to 0, and
// psi/n is what a row pulls at the estimate.
//
//	mean:  psi = z - v
//	snipw: psi = w (r - v)/mean(w)
//	sndr:  psi = (qbar - mean qbar) + w (r - q - D)/mean(w), D = Σ w(r - q)/Σ w
//	rm:    as snipw, with m in place of w
func (b *base) influence(m Method, v float64, psi []float64) {
	if !m.Ratio() {
		b.terms(m, 0, psi)
		for i := range psi {
			psi[i] -= v
		}
		return
	}
	num, den := b.sumTerms(m)
	mid, meanQ, mw := v, 0.0, den/float64(len(psi))
	if m.Family == NormalisedDR {
		meanQ, mid = mean(b.qbar), num/den
	}
	for i := range psi {
		u, direct := b.rows.Reward[i], 0.0
		if m.Family == NormalisedDR {
			direct = b.qbar[i] - meanQ
			u -= b.q[i]
		}
		psi[i] = direct + b.norm(m, i)*(u-mid)/mw
	}
}

// rounds fills z with the rows' own rewards as Open Bandit Pipeline has them: their
// mean is the estimate, and the normaliser is taken as known.
func (b *base) rounds(m Method, z []float64) {
	b.terms(m, 0, z)
	if !m.Ratio() {
		return
	}
	_, den := b.sumTerms(m)
	mw := den / float64(len(z))
	for i := range z {
		z[i] /= mw
		if m.Family == NormalisedDR {
			z[i] += b.qbar[i]
		}
	}
}
