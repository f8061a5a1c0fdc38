package bandit

import "math"

// density is a Beta density of s = logit(x), relative to its peak:
//
//	g(s) = exp(a log x + b log(1-x)), x = 1/(1+exp(-s)).
//
// No log-Beta constant is used: at ten million counts it has lost half its digits.
type density struct {
	a, b, n   float64 // n = a + b
	rare      float64 // the smaller of the mean and one minus it
	mirrored  bool    // the mean is above one half
	centre    float64 // of the peak, on the logit scale
	low, high float64 // beyond these nothing is left that counts
}

// nothing is the logarithm of what no longer counts, beside the peak. Of the mass
// of a posterior less than 1e-17 lies beyond.
const nothing = -48

func newDensity(a Arm) density {
	d := density{a: a.Alpha, b: a.Beta, n: a.Alpha + a.Beta, centre: math.Log(a.Alpha) - math.Log(a.Beta)}
	d.rare, d.mirrored = min(a.Alpha, a.Beta)/d.n, a.Alpha > a.Beta
	d.low, d.high = d.edge(-1), d.edge(1)
	return d
}

// log is the logarithm of the density at s, 0 at the peak. Where the mean is above
// one half the mirror image is computed: the terms that cancel are then small.
func (d *density) log(s float64) float64 {
	t, a := s-d.centre, d.a
	if d.mirrored {
		t, a = -t, d.b
	}
	if t > 600 { // exp(t) is about to overflow
		return float64(a*t) - float64(d.n*(t+math.Log(d.rare+float64((1-d.rare)*math.Exp(-t)))))
	}
	return float64(a*t) - float64(d.n*math.Log1p(float64(d.rare*math.Expm1(t))))
}

// width is the local standard deviation of the posterior at s: 1/sqrt(n x (1-x)).
func (d *density) width(s float64) float64 {
	e := math.Exp(-math.Abs(s) / 2) // sqrt(x (1-x)) = e/(1+e^2)
	return (1 + float64(e*e)) / (e * math.Sqrt(d.n))
}

// edge walks from the centre until nothing is left.
func (d *density) edge(sign float64) float64 {
	step := 6 * d.width(d.centre)
	for d.log(d.centre+float64(sign*step)) > nothing {
		step *= 1.2
	}
	return d.centre + float64(sign*step)
}
