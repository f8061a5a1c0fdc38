package bandit

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The oracle shares nothing with Best but the integral: distribution functions by
// the continued fraction of the incomplete beta function, densities by another
// formula, and an adaptive Gauss-Kronrod rule that halves until nothing moves.
type oracle struct {
	arms []Arm
	z    []float64 // integral of each density, relative to its peak
}

// slowBest is Best by the oracle.
func slowBest(arms []Arm) []float64 {
	o := oracle{arms, make([]float64, len(arms))}
	var edges []float64
	for i, a := range arms {
		c, sd := math.Log(a.Alpha/a.Beta), math.Sqrt(1/a.Alpha+1/a.Beta)
		own := []float64{c - 12*sd - 55/a.Alpha, c - 12*sd, c - 6*sd, c - 2*sd, c, c + 2*sd, c + 6*sd, c + 12*sd, c + 12*sd + 55/a.Beta}
		o.z[i] = adaptive(own, 1, func(s float64, out []float64) { out[0] = math.Exp(o.log(i, s)) })[0]
		edges = append(edges, own...)
	}
	slices.Sort(edges)
	return adaptive(edges, len(arms), func(s float64, out []float64) {
		below := make([]float64, len(arms))
		for j := range arms {
			below[j] = o.below(j, s)
		}
		for i := range out {
			out[i] = math.Exp(o.log(i, s)) / o.z[i]
			for j, v := range below {
				if j != i {
					out[i] *= v
				}
			}
		}
	})
}

// log is the log density on the logit scale, as a log(x/m) + b log((1-x)/(1-m)).
func (o *oracle) log(i int, s float64) float64 {
	a, b := o.arms[i].Alpha, o.arms[i].Beta
	m, w := a/(a+b), b/(a+b)
	t := s - math.Log(a/b)
	if t <= 0 {
		l := math.Log1p(m * math.Expm1(t))
		return a*(t-l) - b*l
	}
	l := math.Log1p(w * math.Expm1(-t))
	return -a*l - b*(t+l)
}

// below is the distribution function of arm j at logit s.
func (o *oracle) below(j int, s float64) float64 {
	a, b := o.arms[j].Alpha, o.arms[j].Beta
	x := 1 / (1 + math.Exp(-s))
	top := math.Exp(o.log(j, s)) / o.z[j]
	if top < 1e-40 {
		if s < math.Log(a/b) {
			return 0
		}
		return 1
	}
	if x < (a+1)/(a+b+2) {
		return top / a * fraction(a, b, x)
	}
	return 1 - top/b*fraction(b, a, 1/(1+math.Exp(s)))
}

// fraction is the continued fraction of the incomplete beta function, by Lentz.
func fraction(a, b, x float64) float64 {
	const tiny = 1e-300
	c, d := 1.0, 1-(a+b)*x/(a+1)
	if math.Abs(d) < tiny {
		d = tiny
	}
	d = 1 / d
	h := d
	for m := 1.0; m < 1e6; m++ {
		for _, t := range []float64{m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m)), -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))} {
			if d = 1 + t*d; math.Abs(d) < tiny {
				d = tiny
			}
			if c = 1 + t/c; math.Abs(c) < tiny {
				c = tiny
			}
			d = 1 / d
			h *= d * c
		}
		if math.Abs(d*c-1) < 1e-16 {
			break
		}
	}
	return h
}

// The Gauss-Kronrod pair of 7 and 15 points (Kronrod 1965; QUADPACK's qk15).
var (
	kronrod = [8]float64{.991455371120812639206854697526329, .949107912342758524526189684047851, .864864423359769072789712788640926, .741531185599394439863864773280788,
		.586087235467691130294144258480117, .405845151377397166906606412076961, .207784955007898467600689403773245, 0}
	kWeight = [8]float64{.022935322010529224963732008058970, .063092092629978553290700663189204, .104790010322250183839876322541518, .140653259715525918745189590510238,
		.169004726639267902826583426598550, .190350578064785409913256402421014, .204432940075298892414161999234649, .209482141084727828012999174891714}
	gWeight = [8]float64{0, .129484966168869693270611432679082, 0, .279705391489276667901467771423780, 0, .381830050505118944950369775488975, 0, .417959183673469387755102040816327}
)

// adaptive integrates n functions at once from the first edge to the last.
func adaptive(edges []float64, n int, f func(s float64, out []float64)) []float64 {
	sum, v := make([]float64, n), make([]float64, n)
	var part func(a, b float64, deep int)
	part = func(a, b float64, deep int) {
		half, mid := (b-a)/2, (a+b)/2
		k, g := make([]float64, n), make([]float64, n)
		for i, x := range kronrod {
			for _, sign := range []float64{-1, 1} {
				if x == 0 && sign > 0 {
					continue
				}
				f(mid+sign*half*x, v)
				for j := range v {
					k[j] += half * kWeight[i] * v[j]
					g[j] += half * gWeight[i] * v[j]
				}
			}
		}
		off := 0.0
		for j := range k {
			off = max(off, math.Abs(k[j]-g[j])-1e-11*math.Abs(k[j])) // beyond rounding
		}
		if off > 1e-13 && deep < 16 {
			part(a, mid, deep+1)
			part(mid, b, deep+1)
			return
		}
		for j := range k {
			sum[j] += k[j]
		}
	}
	for i := range edges[1:] {
		if edges[i+1] > edges[i] {
			part(edges[i], edges[i+1], 0)
		}
	}
	return sum
}

// agree compares Best with the oracle.
func agree(t testing.TB, a []Arm) float64 {
	t.Helper()
	p, _, err := Best(a)
	if err != nil {
		t.Errorf("%v: %v", a, err)
		return 0
	}
	sums(t, "best", p)
	want := slowBest(a)
	worst := 0.0
	for i := range p {
		worst = max(worst, math.Abs(p[i]-want[i]))
	}
	if !(worst <= 1e-9) {
		t.Errorf("%v: %v, the oracle says %v: off by %.1e", a, p, want, worst)
	}
	return worst
}

// The oracle itself is held to the golden sets.
func TestOracleKnows(t *testing.T) {
	var sets []struct {
		Name  string
		Arms  [][2]float64
		Probs []float64
	}
	load(t, "probs.json", &sets)
	for _, s := range sets {
		if len(s.Arms) <= 4 {
			near(t, s.Name, slowBest(arms(s.Arms)), s.Probs, 1e-10)
		}
	}
}

// Counts from .5 to 1e7, few and many, alike and far apart: no case is silently
// wrong.
func TestBestAgreesWithOracle(t *testing.T) {
	dice := rand.New(rand.NewPCG(7, 7))
	count := func() float64 { return .5 * math.Exp(dice.Float64()*math.Log(2e7)) }
	worst := 0.0
	for range 300 {
		a := make([]Arm, 2+dice.IntN(3))
		for i := range a {
			a[i] = Arm{count(), count()}
			if i > 0 && dice.IntN(2) == 0 { // a neighbour within a few standard deviations
				m := a[i-1]
				a[i] = Arm{m.Alpha * math.Exp(dice.NormFloat64()/math.Sqrt(m.Alpha)), m.Beta}
				a[i].Alpha = min(1e7, max(.5, a[i].Alpha))
			}
		}
		worst = max(worst, agree(t, a))
	}
	t.Logf("largest difference %.1e", worst)
}

// FuzzBest takes any bytes as arms between .5 and 1e7.
func FuzzBest(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 255, 255, 255, 255})
	f.Add([]byte{128, 0, 129, 0, 128, 0, 129, 7, 10, 0, 200, 0})
	f.Add([]byte{255, 255, 255, 254, 255, 255, 255, 253})
	f.Fuzz(func(t *testing.T, b []byte) {
		var a []Arm
		for ; len(b) >= 4 && len(a) < 4; b = b[4:] {
			c := func(k int) float64 {
				return .5 * math.Exp(float64(binary.BigEndian.Uint16(b[k:]))/65535*math.Log(2e7))
			}
			a = append(a, Arm{c(0), c(2)})
		}
		if len(a) > 1 {
			agree(t, a)
		}
	})
}
