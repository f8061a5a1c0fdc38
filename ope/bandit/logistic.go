package bandit

import (
	"crypto/sha256"
	"math"
	"math/rand/v2"
)

// Normal is a posterior of a logistic model's coefficients: N(mean, covariance), as
// Laplace's method gives it at the most probable coefficients (Chapelle and Li 2011).
type Normal struct {
	Mean []float64
	root []float64 // lower triangle of the covariance's Cholesky factor, row after row
}

// NewNormal takes a mean and a covariance (row after row, symmetric). A direction
// without variance is allowed; a covariance that is none is refused.
func NewNormal(mean, cov []float64) (*Normal, error) {
	n := len(mean)
	if n == 0 || len(cov) != n*n {
		return nil, refuse(MalformedArm, "posterior: %d means and %d covariances: expected n and n times n", n, len(cov))
	}
	for i, v := range mean {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, refuse(NotFinite, "posterior: mean %d is %v", i, v)
		}
	}
	root := make([]float64, n*n)
	for i := range n {
		for j := 0; j <= i; j++ {
			v := cov[i*n+j]
			scale := math.Sqrt(math.Abs(cov[i*n+i]) * math.Abs(cov[j*n+j]))
			if !(math.Abs(v) <= math.MaxFloat64) || math.Abs(v-cov[j*n+i]) > 1e-9*scale {
				return nil, refuse(NotFinite, "posterior: covariance of %d and %d: %v and %v: expected one finite number", i, j, v, cov[j*n+i])
			}
			for k := range j {
				v -= float64(root[i*n+k] * root[j*n+k])
			}
			switch {
			case i != j && root[j*n+j] > 0:
				root[i*n+j] = v / root[j*n+j]
			case i != j && math.Abs(v) > 1e-9*scale, i == j && v < -1e-9*scale:
				return nil, refuse(NotPositive, "posterior: the covariance is not one: coefficient %d has a negative variance", i)
			case i == j && v > 1e-14*scale:
				root[i*n+i] = math.Sqrt(v)
			}
		}
	}
	return &Normal{append([]float64(nil), mean...), root}, nil
}

// Narrowed is the same posterior with its deviations scaled by a share in (0, 1]: it
// explores less than its doubts ask for (posterior reshaping, Chapelle and Li 2011,
// section 3). Where a world ends in months, what is tried in the last of them is not
// earned back, and that is what Thompson sampling by itself does not know.
func (n *Normal) Narrowed(share float64) (*Normal, error) {
	if err := checkShare(share); err != nil {
		return nil, err
	}
	out := &Normal{append([]float64(nil), n.Mean...), make([]float64, len(n.root))}
	for i, v := range n.root {
		out.root[i] = float64(share * v)
	}
	return out, nil
}

// Draws are coefficients drawn from a Normal once and for all: the selection
// probabilities that they give are what is drawn from, so what is logged is true,
// whatever their number. They come in pairs, one on either side of the mean, which
// makes the frequencies steadier.
type Draws struct {
	mean  []float64
	shift [][]float64 // root times standard normals; each counts with both signs
}

// Draws makes pairs of draws keyed by key, such as the posterior's version.
func (n *Normal) Draws(pairs int, key []byte) *Draws {
	dice := rand.New(rand.NewChaCha8(sha256.Sum256(key)))
	m := len(n.Mean)
	out := &Draws{n.Mean, make([][]float64, pairs)}
	z := make([]float64, m+1)
	for p := range out.shift {
		for i := 0; i < m; i += 2 { // Box and Muller: two normals of two uniforms
			r := math.Sqrt(-2 * math.Log((float64(dice.Uint64()>>11)+.5)/(1<<53)))
			sin, cos := math.Sincos(2 * math.Pi * (float64(dice.Uint64()>>11) / (1 << 53)))
			z[i], z[i+1] = r*cos, r*sin
		}
		x := make([]float64, m)
		for i := range x {
			for k := 0; k <= i; k++ {
				x[i] += float64(n.root[i*m+k] * z[k])
			}
		}
		out.shift[p] = x
	}
	return out
}

// Select is how often each candidate has the largest score among the legal ones over
// all draws, floored: p' = (1 - K e) p + e. rows hold the candidates' inputs; offset,
// which may be nil, is added to each score. Candidates that tie share. legal may be nil.
func (d *Draws) Select(rows [][]float64, offset []float64, legal []bool, floor float64) ([]float64, error) {
	if legal == nil {
		legal = all(len(rows))
	}
	var index, varies []int
	for i, row := range rows {
		if len(row) != len(d.mean) {
			return nil, refuse(MalformedArm, "candidate %d: %d inputs: expected %d", i, len(row), len(d.mean))
		}
		for k, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, refuse(NotFinite, "candidate %d: input %d is %v", i, k, v)
			}
		}
		if offset != nil && (math.IsNaN(offset[i]) || math.IsInf(offset[i], 0)) {
			return nil, refuse(NotFinite, "candidate %d: offset %v", i, offset[i])
		}
		if legal[i] {
			index = append(index, i)
		}
	}
	if len(index) == 0 {
		return nil, refuse(NoLegalArm, "none of %d candidates is legal", len(rows))
	}
	for k := range d.mean { // what all candidates share moves no rank
		for _, i := range index {
			if rows[i][k] != rows[index[0]][k] {
				varies = append(varies, k)
				break
			}
		}
	}
	base, move := make([]float64, len(index)), make([]float64, len(index))
	for c, i := range index {
		if offset != nil {
			base[c] = offset[i]
		}
		for _, k := range varies {
			base[c] += float64(rows[i][k] * d.mean[k])
		}
	}
	wins := make([]float64, len(rows))
	for _, x := range d.shift {
		for c, i := range index {
			move[c] = 0
			for _, k := range varies {
				move[c] += float64(rows[i][k] * x[k])
			}
		}
		for _, sign := range []float64{1, -1} {
			winners(base, move, sign, index, wins)
		}
	}
	return Floored(wins, legal, floor)
}

// winners gives one win to the candidate with the largest base + sign x move, or
// shares it among those that tie.
func winners(base, move []float64, sign float64, index []int, wins []float64) {
	best, n := math.Inf(-1), 0
	for c := range base {
		switch v := base[c] + float64(sign*move[c]); {
		case v > best:
			best, n = v, 1
		case v == best:
			n++
		}
	}
	for c := range base {
		if base[c]+float64(sign*move[c]) == best {
			wins[index[c]] += 1 / float64(n)
		}
	}
}
