package bandit

import "math"

// nodes of a panel. Ten integrate what a panel of at most 1.5 local standard
// deviations holds to rounding.
const nodes = 10

// gauss is the Gauss-Legendre rule on [-1, 1]: points in ascending order, weights,
// and upTo[k] . f = the integral from -1 to point k of the polynomial of degree
// nodes-1 that runs through f.
type gauss struct {
	point, weight [nodes]float64
	upTo          [nodes][nodes]float64
}

var rule = newGauss()

// newGauss finds the roots of the Legendre polynomial by Newton's method, and the
// integration matrix from the integrals of the polynomials,
//
//	integral of P_n from -1 to x = (P_{n+1}(x) - P_{n-1}(x)) / (2n+1).
func newGauss() *gauss {
	var g gauss
	var value [nodes][nodes + 1]float64 // P_n at point k
	for k := range nodes {
		x := -math.Cos(math.Pi * (float64(k) + .75) / (nodes + .5))
		p := &value[k]
		for range 20 {
			legendre(p, x)
			slope := nodes * (float64(x*p[nodes]) - p[nodes-1]) / (float64(x*x) - 1)
			x -= p[nodes] / slope
		}
		legendre(p, x)
		slope := nodes * (float64(x*p[nodes]) - p[nodes-1]) / (float64(x*x) - 1)
		g.point[k], g.weight[k] = x, 2/((1-float64(x*x))*float64(slope*slope))
	}
	for k := range nodes {
		for l := range nodes {
			sum := (g.point[k] + 1) / 2
			for n := 1; n < nodes; n++ {
				sum += float64(value[l][n]*(value[k][n+1]-value[k][n-1])) / 2
			}
			g.upTo[k][l] = g.weight[l] * sum
		}
	}
	return &g
}

// legendre sets p[n] = P_n(x).
func legendre(p *[nodes + 1]float64, x float64) {
	p[0], p[1] = 1, x
	for n := 2; n <= nodes; n++ {
		p[n] = (float64(float64(2*n-1)*x*p[n-1]) - float64(float64(n-1)*p[n-2])) / float64(n)
	}
}
