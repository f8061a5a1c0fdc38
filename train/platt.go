package train

import (
	"fmt"
	"math"

	"recoup/data"
	"recoup/models"
)

// PlattFlag says why a curve is only a constant.
type PlattFlag string

// The flags.
const (
	PlattOneClass  PlattFlag = "one_class"  // all outcomes alike: a = 0, the smoothed rate
	PlattConstantF PlattFlag = "constant_f" // all scores alike: a = 0, the mean smoothed target
)

// PlattInfo says how the fit of a calibration curve went.
type PlattInfo struct {
	N          int       `json:"n"` // rows of weight > 0
	Positives  int       `json:"positives"`
	Flag       PlattFlag `json:"flag,omitempty"`
	Backwards  bool      `json:"backwards"` // a > 0: the score ranks the wrong way round
	Iterations int       `json:"iterations"`
	GradInf    float64   `json:"grad_inf"`
}

// Platt fits p = 1/(1+exp(a*f+b)) to logits f and outcomes y with weights w (nil
// = 1 each), all of one length, on smoothed targets: (N1+1)/(N1+2) for a positive,
// 1/(N0+2) for a negative, N1 and N0 being summed weights (Platt 1999, section 2.2). The
// loss is computed as Lin, Lin & Weng 2007 do; unlike theirs, the search goes on to the
// exact optimum (gradient below 1e-10 with f scaled to |f| <= 1).
//
// The rows must be ones the model has not seen. One class and constant f give a
// constant and a flag; a backwards curve is fitted and flagged. No rows, f that is not
// finite, y other than 0 and 1 and w < 0 are errors.
func Platt(f, y, w []float64) (models.Platt, PlattInfo, error) {
	q, info, err := newPlatt(f, y, w)
	if err != nil {
		return models.Platt{}, info, err
	}
	switch {
	case q.n1 == 0 || q.n0 == 0:
		info.Flag = PlattOneClass
		return models.Platt{B: math.Log((q.n0 + 1) / (q.n1 + 1))}, info, nil
	case q.constant:
		info.Flag = PlattConstantF
		var t, all models.Sum
		for i, v := range q.t {
			t.Add(q.w[i] * v)
			all.Add(q.w[i])
		}
		m := t.Value() / all.Value()
		return models.Platt{B: math.Log((1 - m) / m)}, info, nil
	}
	if err := q.search(&info); err != nil {
		return models.Platt{}, info, err
	}
	c := models.Platt{A: -q.slope / q.scale, B: -(q.level - q.slope*q.shift)}
	if c.A == 0 {
		c.A = 0 // not -0
	}
	info.Backwards = c.A > 0
	return c, info, nil
}

// plattFit is the search: p = sigmoid(level + slope*(x - shift)), x = f/scale.
type plattFit struct {
	x, t, w      []float64
	n1, n0       float64
	constant     bool
	scale, shift float64
	level, slope float64
}

func newPlatt(f, y, w []float64) (*plattFit, PlattInfo, error) {
	if len(f) != len(y) || w != nil && len(w) != len(f) {
		panic(fmt.Sprintf("train: platt: %d scores, %d outcomes, %d weights", len(f), len(y), len(w)))
	}
	q := &plattFit{}
	var info PlattInfo
	var n1, n0 models.Sum
	for i := range f {
		u := 1.0
		if w != nil {
			u = w[i]
		}
		if f[i]-f[i] != 0 || y[i] != 0 && y[i] != 1 || !(u >= 0 && u <= math.MaxFloat64) {
			return nil, info, data.Faultf(data.ErrContract, "train: platt: row %d: score %v, outcome %v, weight %v", i, f[i], y[i], u)
		}
		if u == 0 {
			continue
		}
		q.x, q.t, q.w = append(q.x, f[i]), append(q.t, y[i]), append(q.w, u)
		q.scale = max(q.scale, math.Abs(f[i]))
		if y[i] == 1 {
			info.Positives++
			n1.Add(u)
		} else {
			n0.Add(u)
		}
	}
	info.N = len(q.x)
	if info.N == 0 {
		return nil, info, data.Faultf(data.ErrTooLittle, "train: platt: no row to calibrate on")
	}
	q.n1, q.n0 = n1.Value(), n0.Value()
	q.constant = minOf(q.x) == maxOf(q.x)
	var m, all models.Sum
	for i := range q.x {
		if q.scale > 0 {
			q.x[i] /= q.scale
		}
		m.Add(q.w[i] * q.x[i])
		all.Add(q.w[i])
		if q.t[i] == 1 {
			q.t[i] = (q.n1 + 1) / (q.n1 + 2)
		} else {
			q.t[i] = 1 / (q.n0 + 2)
		}
	}
	q.shift = m.Value() / all.Value()
	q.level = math.Log((q.n1 + 1) / (q.n0 + 1))
	return q, info, nil
}

// sums are the loss, its gradient and its Hessian by level and slope.
func (q *plattFit) sums(level, slope float64) (loss, g0, g1, h00, h01, h11 float64) {
	var s [6]models.Sum
	for i, x := range q.x {
		d := x - q.shift
		z := level + slope*d
		e := math.Exp(-math.Abs(z))
		s[0].Add(q.w[i] * (max(z, 0) + math.Log1p(e) - q.t[i]*z))
		r := q.w[i] * (models.Sigmoid(z) - q.t[i])
		s[1].Add(r)
		s[2].Add(r * d)
		v := q.w[i] * e / ((1 + e) * (1 + e))
		s[3].Add(v)
		s[4].Add(v * d)
		s[5].Add(v * d * d)
	}
	return s[0].Value(), s[1].Value(), s[2].Value(), s[3].Value(), s[4].Value(), s[5].Value()
}

// search takes Newton steps with halving. The problem is strictly convex: the
// targets lie inside (0,1) and x is not constant.
func (q *plattFit) search(info *PlattInfo) error {
	loss, g0, g1, h00, h01, h11 := q.sums(q.level, q.slope)
	weight := q.n1 + q.n0
	stop := min(1e-11, 1e-13*weight)
	last := math.Inf(1)
	for info.Iterations = 1; info.Iterations <= 500; info.Iterations++ {
		// g1 is about the shifted x; the gradient by f/scale is g1 + shift*g0.
		info.GradInf = max(math.Abs(g0), math.Abs(g1+q.shift*g0))
		det := h00*h11 - h01*h01
		if !(det > 0) {
			return data.Faultf(data.ErrContract, "train: platt: scores between %v and %v are too close to one another to fit a slope", minOf(q.x)*q.scale, maxOf(q.x)*q.scale)
		}
		d0, d1 := (h11*g0-h01*g1)/det, (h00*g1-h01*g0)/det
		step := max(math.Abs(d0), math.Abs(d1)) / (1 + max(math.Abs(q.level), math.Abs(q.slope)))
		if step < 1e-15 || info.GradInf <= stop && step < 1e-12 || step < 1e-9 && step >= last/2 {
			return nil
		}
		last = step
		h := 1.0
		for ; h > 1e-12; h /= 2 {
			l, a, b, c, d, e := q.sums(q.level-h*d0, q.slope-h*d1)
			if l <= loss+1e-13*math.Abs(loss) {
				q.level, q.slope = q.level-h*d0, q.slope-h*d1
				loss, g0, g1, h00, h01, h11 = l, a, b, c, d, e
				break
			}
		}
		if h <= 1e-12 {
			return nil // rounding is all that is left
		}
	}
	return data.Faultf(data.ErrContract, "train: platt: no optimum after %d steps (gradient %.3g)", info.Iterations, info.GradInf)
}

func minOf(x []float64) float64 {
	m := x[0]
	for _, v := range x {
		m = min(m, v)
	}
	return m
}

func maxOf(x []float64) float64 {
	m := x[0]
	for _, v := range x {
		m = max(m, v)
	}
	return m
}
