package models

import "math"

// ranking fills the measures that only see the order of p.
func (m *Metrics) ranking(s *scores) {
	if s.n1 == 0 {
		m.warn("no positives", "average_precision")
	} else {
		m.AveragePrecision = ptr(s.averagePrecision())
	}
	if s.n1 == 0 || s.n0 == 0 {
		m.warn("one class", "roc_auc", "roc_auc_ci")
		return
	}
	auc := s.auc()
	m.AUC = ptr(auc)
	if !s.unit {
		m.warn("DeLong's variance is for unit weights", "roc_auc_ci")
		return
	}
	if min(s.n1, s.n0) < 2 {
		m.warn("fewer than two rows of one class", "roc_auc_ci")
		return
	}
	v := s.delong(auc)
	if !(v > 0) {
		m.warn("DeLong's variance is 0", "roc_auc_ci")
		return
	}
	h := z975 * math.Sqrt(v)
	m.AUCInterval = &Interval{max(0, auc-h), min(1, auc+h)}
}

// auc is the weighted share of pairs in the right order, ties half (Mann & Whitney 1947).
func (s *scores) auc() float64 {
	var right Sum
	below := Sum{} // weight of negatives with smaller p
	for i := 0; i < len(s.p); {
		j := s.run(i)
		w1, w0 := s.classWeights(i, j)
		right.Add(w1 * (below.Value() + w0/2))
		below.Add(w0)
		i = j
	}
	return right.Value() / (s.w1 * s.w0)
}

// classWeights is the weight of positives and negatives among rows i .. j-1.
func (s *scores) classWeights(i, j int) (w1, w0 float64) {
	for ; i < j; i++ {
		if s.y[i] == 1 {
			w1 += s.w[i]
		} else {
			w0 += s.w[i]
		}
	}
	return
}

// delong is the variance of the AUC of unweighted rows (DeLong, DeLong &
// Clarke-Pearson 1988), from placements: of a positive, the share of negatives
// below it; of a negative, the share of positives above it; ties half.
func (s *scores) delong(auc float64) float64 {
	n1, n0 := float64(s.n1), float64(s.n0)
	var q1, q0 Sum // sums of squares about the mean, which is the AUC for both
	below1, below0 := 0.0, 0.0
	for i := 0; i < len(s.p); {
		j := s.run(i)
		k1, k0 := s.classWeights(i, j)
		if k1 > 0 {
			d := (below0+k0/2)/n0 - auc
			q1.Add(k1 * d * d)
		}
		if k0 > 0 {
			d := (n1-below1-k1/2)/n1 - auc
			q0.Add(k0 * d * d)
		}
		below1, below0 = below1+k1, below0+k0
		i = j
	}
	return q1.Value()/(n1-1)/n1 + q0.Value()/(n0-1)/n0
}

// averagePrecision sums precision times the step in recall over the distinct
// values of p from the highest down.
func (s *scores) averagePrecision() float64 {
	var sum, tp, all Sum
	for j := len(s.p); j > 0; {
		i := j - 1
		for i > 0 && s.p[i-1] == s.p[i] {
			i--
		}
		w1, w0 := s.classWeights(i, j)
		tp.Add(w1)
		all.Add(w1 + w0)
		sum.Add(w1 / s.w1 * (tp.Value() / all.Value()))
		j = i
	}
	return sum.Value()
}
