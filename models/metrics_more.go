package models

import "math"

// more fills further views of calibration. They are shown beside the others and gate nothing.
func (m *Metrics) more(s *scores, k int) {
	mass := s.bins(k, s.massCuts)
	for _, b := range mass {
		m.ACEMass += math.Abs(b.Rate-b.MeanP) / float64(len(mass))
	}
	m.ECESweep, m.ECESweepBins = s.sweep()
	m.SmoothECE = s.smooth()
	m.hosmer(s, mass)
}

const maxSweep = 100

// sweep is the calibration error of the largest number of equal-count bins whose
// outcome rates still rise with p (Roelofs et al. 2022), looked for up to maxSweep.
func (s *scores) sweep() (ece float64, bins int) {
	for k := 1; k <= min(len(s.p), maxSweep); k++ {
		b := s.bins(k, s.massCuts)
		if len(b) < bins { // ties: nothing finer exists
			break
		}
		for i := 1; i < len(b); i++ {
			if b[i].Rate < b[i-1].Rate {
				return ece, bins
			}
		}
		ece, _ = gaps(b, s.total)
		if len(b) == bins && k > 2*bins {
			break
		}
		bins = len(b)
	}
	return ece, bins
}

// smoothCells is the mesh on which residuals are smoothed.
const smoothCells = 500

// smooth is the calibration error without bins of Blasiok & Nakkiran 2023: the
// mean residual smoothed by a Gaussian reflected at 0 and 1, integrated in absolute
// value, with the width that equals the result (not below 0.001).
func (s *scores) smooth() float64 {
	cells := make([]float64, smoothCells+1)
	for i, p := range s.p { // each residual on its two neighbours
		x := p * smoothCells
		c := min(int(x), smoothCells-1)
		r := s.w[i] * (s.y[i] - p) / s.total
		cells[c] += r * (1 - (x - float64(c)))
		cells[c+1] += r * (x - float64(c))
	}
	lo, hi := 0.001, 0.001
	at := smoothed(cells, hi)
	for at > hi && hi < 1 { // the error falls as the width grows
		lo, hi = hi, 2*hi
		at = smoothed(cells, hi)
	}
	for range 20 {
		if lo == hi {
			break
		}
		mid := (lo + hi) / 2
		if at = smoothed(cells, mid); at > mid {
			lo = mid
		} else {
			hi = mid
		}
	}
	return at
}

// smoothed is the integral of |residuals convolved with a Gaussian of width s|,
// reflected at both ends.
func smoothed(cells []float64, s float64) float64 {
	n := len(cells) - 1
	reach := min(n, int(math.Ceil(6*s*float64(n)))+1)
	kernel, sum := make([]float64, 2*reach+1), 0.0
	for d := -reach; d <= reach; d++ {
		z := float64(d) / float64(n) / s
		kernel[d+reach] = math.Exp(-z * z / 2)
		sum += kernel[d+reach]
	}
	wide := make([]float64, n+1+2*reach)
	for i := range wide {
		c := i - reach
		if c < 0 {
			c = -c
		} else if c > n {
			c = 2*n - c
		}
		wide[i] = cells[c]
	}
	// The end cells are their own mirror images: what lies there was spread over
	// half a cell only and must count twice.
	wide[reach] *= 2
	wide[reach+n] *= 2
	total := 0.0
	for t := 0; t <= n; t++ {
		v := 0.0
		for i, k := range kernel {
			v += float64(k * wide[t+i])
		}
		if t == 0 || t == n {
			v /= 2
		}
		total += math.Abs(v)
	}
	return total / sum
}

// hosmer fills the test of Hosmer & Lemeshow 1980 over the bins, with as many
// degrees of freedom as bins: these are rows the model has not seen. At large n it
// rejects everything.
func (m *Metrics) hosmer(s *scores, bins []Bin) {
	if !s.unit {
		m.warn("the test is for unit weights", "hosmer_lemeshow", "hosmer_lemeshow_p")
		return
	}
	x := 0.0
	for _, b := range bins {
		n := float64(b.Rows)
		v := n * b.MeanP * (1 - b.MeanP)
		if !(v > 0) {
			m.warn("a bin's mean p is 0 or 1", "hosmer_lemeshow", "hosmer_lemeshow_p")
			return
		}
		d := n * (b.Rate - b.MeanP)
		x += d * d / v
	}
	m.Hosmer, m.HosmerP = ptr(x), ptr(chiSquareTail(x, float64(len(bins))))
}

// chiSquareTail is P(X >= x), X chi-square with df degrees of freedom: the upper
// incomplete gamma function by series or continued fraction (Abramowitz & Stegun 6.5.29, 6.5.31).
func chiSquareTail(x, df float64) float64 {
	a, z := df/2, x/2
	if z <= 0 {
		return 1
	}
	lg, _ := math.Lgamma(a)
	front := math.Exp(a*math.Log(z) - z - lg)
	if z < a+1 {
		term, sum := 1/a, 1/a
		for n := a + 1; math.Abs(term) > 1e-17*sum; n++ {
			term *= z / n
			sum += term
		}
		return max(0, 1-front*sum)
	}
	b := z + 1 - a
	c, d := 1/1e-300, 1/b
	h := d
	for i := 1.0; i < 10000; i++ {
		an := -i * (i - a)
		b += 2
		d = 1 / (an*d + b)
		c = b + an/c
		h *= d * c
		if math.Abs(d*c-1) < 1e-16 {
			break
		}
	}
	return front * h
}
