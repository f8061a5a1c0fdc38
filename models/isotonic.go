package models

import "recoup/data"

// Isotonic is a monotone map of p, fitted by pooling adjacent violators (Ayer
// et al. 1955). Between blocks it is linear, outside them flat. A diagnostic: what
// a calibrator without a shape could gain.
type Isotonic struct {
	X, Y []float64 // ascending; the ends of each block
}

// block is a stretch of neighbouring p with one fitted value sum/w.
type block struct {
	w, sum   float64
	from, to int // rows of scores
}

// pava pools equal p first, then neighbours that are out of order.
func (s *scores) pava() []block {
	var st []block
	for i := 0; i < len(s.p); {
		j := s.run(i)
		w1, w0 := s.classWeights(i, j)
		st = append(st, block{w1 + w0, w1, i, j})
		for len(st) > 1 {
			a, b := &st[len(st)-2], st[len(st)-1]
			if a.sum*b.w < b.sum*a.w {
				break
			}
			a.w, a.sum, a.to = a.w+b.w, a.sum+b.sum, b.to
			st = st[:len(st)-1]
		}
		i = j
	}
	return st
}

// corp fills miscalibration, discrimination and uncertainty of the Brier score
// (Dimitriadis, Gneiting & Jordan 2021): exact, without a choice of bins.
func (m *Metrics) corp(s *scores) {
	var c Sum
	for _, b := range s.pava() {
		v := b.sum / b.w
		for i := b.from; i < b.to; i++ {
			d := v - s.y[i]
			c.Add(s.w[i] * d * d)
		}
	}
	best := c.Value() / s.total
	m.CorpUNC = s.rate * (1 - s.rate)
	m.CorpMCB, m.CorpDSC = m.Brier-best, m.CorpUNC-best
}

// FitIsotonic fits the map; arguments as in Evaluate.
func FitIsotonic(p, y, w []float64) (*Isotonic, error) {
	s, _, err := newScores(p, y, w)
	if err != nil {
		return nil, err
	}
	m := &Isotonic{}
	for _, b := range s.pava() {
		m.X, m.Y = append(m.X, s.p[b.from]), append(m.Y, b.sum/b.w)
		if hi := s.p[b.to-1]; hi > s.p[b.from] {
			m.X, m.Y = append(m.X, hi), append(m.Y, b.sum/b.w)
		}
	}
	return m, nil
}

// Prob maps p.
func (m *Isotonic) Prob(p float64) (float64, error) {
	n := len(m.X)
	if n == 0 || !(p >= 0 && p <= 1) {
		return 0, data.Faultf(data.ErrContract, "models: isotonic: p %v with %d points", p, n)
	}
	if p <= m.X[0] {
		return m.Y[0], nil
	}
	if p >= m.X[n-1] {
		return m.Y[n-1], nil
	}
	lo, hi := 0, n-1
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; m.X[mid] <= p {
			lo = mid
		} else {
			hi = mid
		}
	}
	f := (p - m.X[lo]) / (m.X[hi] - m.X[lo])
	return m.Y[lo] + f*(m.Y[hi]-m.Y[lo]), nil
}
