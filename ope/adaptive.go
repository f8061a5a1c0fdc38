package ope

import "math"

// Adaptive is the doubly robust estimate of a log whose logger learned from it. A logger
// that learns is moved by the very rewards that it logs, and the plain estimate of such a
// log need not be normal, nor as often within its interval as that says. Here each row
// counts as its batch's weights are steady, which makes the sum one whose parts vary
// alike (Zhan, Hadad, Hirshberg & Athey 2021, "Off-Policy Evaluation via Adaptive
// Weighting with Data from Contextual Bandits", eq. 4 and 9, StableVar):
//
//	h = 1/sqrt(mean over the batch's other contexts of sum over a of e(a)^2 / b(a))
//	V = sum h G / sum h,  G = qbar + w (r - q)
//
// h rests on contexts and on the logger's policy alone, never on what was drawn or came
// of it in the same batch or later.
type Adaptive struct {
	Batches int    `json:"batches"` // times that the logger's policy stood still
	DR      Figure `json:"dr"`
}

// adaptive is nil where the rows do not say that the logger learned.
func (b *base) adaptive(level float64) *Adaptive {
	r := b.rows
	if r.Batch == nil {
		return nil
	}
	n := countGroups(r.Batch)
	if n < 2 {
		return nil
	}
	out := &Adaptive{Batches: n, DR: Figure{Name: "dr_adaptive", by: b.by, ratio: true}}
	f := &out.DR
	switch {
	case b.qbar == nil:
		f.Reason = QMissing
		return out
	case len(r.Behaviour) != 1:
		f.Reason = LoggerPolicyMissing
		return out
	case allZero(b.w):
		f.Reason = WeightsAllZero
		return out
	}
	h, ok := b.steadiness(n)
	if !ok {
		f.Reason = NoOverlap
		return out
	}
	z := make([]float64, r.Len())
	b.terms(Method{Name: "dr", Family: DoublyRobust}, 0, z)
	var num, den sum
	for i, v := range z {
		num.add(h[i] * v)
		den.add(h[i])
	}
	v, scale := num.value()/den.value(), float64(len(z))/den.value()
	for i := range z {
		z[i] = scale * h[i] * (z[i] - v)
	}
	f.psi = func() []float64 { return append([]float64(nil), z...) }
	f.settle(v, z, level)
	return out
}

// steadiness is h of each row. A batch of one row is judged by the rows before it, and
// the very first by nothing: h = 1. false = the target does what the logger never does,
// in every batch.
func (b *base) steadiness(batches int) ([]float64, bool) {
	r := b.rows
	square, sums, counts := make([]float64, r.Len()), make([]float64, batches), make([]float64, batches)
	for i := range square {
		lo, hi := r.Candidates(i)
		for j := lo; j < hi; j++ {
			if e := r.Target[j]; e > 0 {
				square[i] += e * e / r.Behaviour[0][j] // +Inf where the logger never does it
			}
		}
		if g := r.Batch[i]; !math.IsInf(square[i], 1) {
			sums[g] += square[i]
			counts[g]++
		}
	}
	before, seen := make([]float64, batches), make([]float64, batches)
	for g := 1; g < batches; g++ {
		before[g], seen[g] = before[g-1]+sums[g-1], seen[g-1]+counts[g-1]
	}
	h, any := make([]float64, r.Len()), false
	for i, g := range r.Batch {
		s, n := sums[g], counts[g]
		if !math.IsInf(square[i], 1) {
			s, n = s-square[i], n-1
		}
		if n < 1 {
			s, n = before[g], seen[g]
		}
		if h[i] = 1; n >= 1 && s > 0 {
			h[i], any = 1/math.Sqrt(s/n), true
		}
	}
	return h, any
}
