package ope

import (
	"math/rand/v2"
	"testing"
)

// randomRows is a log of n rows of k actions by a random logger, with a reward model.
func randomRows(n, k, clusters int, seed uint64) *Rows {
	d := rand.New(rand.NewPCG(seed, 1))
	r := &Rows{Start: Square(n, k), Target: make([]float64, n*k), Q: make([]float64, n*k)}
	for j := range k {
		r.Actions = append(r.Actions, string(rune('a'+j)))
	}
	simplex := func(p []float64) {
		s := 0.0
		for j := range p {
			p[j] = d.ExpFloat64() + .05
			s += p[j]
		}
		for j := range p {
			p[j] /= s
		}
	}
	logger := make([]float64, k)
	for i := range n {
		e, q := r.Target[i*k:(i+1)*k], r.Q[i*k:(i+1)*k]
		simplex(e)
		simplex(logger)
		u, a := d.Float64(), 0
		for u -= logger[0]; u > 0 && a < k-1; u -= logger[a] {
			a++
		}
		for j := range q {
			q[j] = d.Float64()
		}
		y := 0.0
		if d.Float64() < q[a] {
			y = 1
		}
		r.Taken, r.Reward, r.Propensity = append(r.Taken, int32(a)), append(r.Reward, y), append(r.Propensity, logger[a])
	}
	if clusters > 0 {
		r.Cluster = make([]int32, n)
		for i := range r.Cluster {
			if r.Cluster[i] = int32(i); i >= clusters {
				r.Cluster[i] = int32(d.IntN(clusters))
			}
		}
	}
	return r
}

func BenchmarkDR(b *testing.B) {
	r := randomRows(100_000, 10, 0, 1)
	m := standard[4]
	for b.Loop() {
		if _, err := Value(r, m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEstimate(b *testing.B) {
	r := randomRows(100_000, 10, 30_000, 1)
	for b.Loop() {
		if _, err := Estimate(r, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBootstrap(b *testing.B) {
	r := randomRows(100_000, 10, 30_000, 1)
	res, err := Estimate(r, Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := res.Bootstrap(Bootstrap{Draws: 10_000, Seed: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
