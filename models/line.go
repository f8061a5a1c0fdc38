package models

import "math"

// line fits logit P(y=1) = offset + v[0] + v[1]*x[0] + ... by Newton's method
// with halving, for one to three coefficients and rows in memory: the curves of
// calibration measures. Columns are scaled by their mean and largest distance
// from it; offset may be nil. ok is false when the optimum is not finite or not found.
func line(x [][]float64, offset, y, w []float64) (v []float64, ok bool) {
	k := len(x) + 1
	cols, center, scale := standard(x, w)
	t := make([]float64, k)
	rows := func(t []float64, grad []float64, hess [][]float64) float64 {
		var obj Sum
		g := make([]Sum, k)
		h := make([]Sum, k*k)
		for i := range y {
			z := t[0]
			for j, c := range cols {
				z += t[j+1] * c[i]
			}
			if offset != nil {
				z += offset[i]
			}
			e := math.Exp(-math.Abs(z))
			obj.Add(w[i] * (max(z, 0) + math.Log1p(e) - y[i]*z))
			if grad == nil {
				continue
			}
			p := Sigmoid(z)
			q := w[i] * e / ((1 + e) * (1 + e))
			u := [4]float64{1}
			for j, c := range cols {
				u[j+1] = c[i]
			}
			for a := range k {
				g[a].Add(w[i] * (p - y[i]) * u[a])
				for b := 0; b <= a; b++ {
					h[a*k+b].Add(q * u[a] * u[b])
				}
			}
		}
		for a := range grad {
			grad[a] = g[a].Value()
			for b := 0; b <= a; b++ {
				hess[a][b] = h[a*k+b].Value()
			}
		}
		return obj.Value()
	}
	grad, hess := make([]float64, k), square(k)
	f, last, radius := rows(t, grad, hess), math.Inf(1), 4.0
	for it := 0; ; it++ {
		if it == 500 {
			return nil, false
		}
		// Where certain rows have lost their say, what is left may lie far from the
		// centers, and the coefficients can hardly be told apart: move the centers there.
		if recenter(x, cols, center, scale, t, hess) {
			f = rows(t, grad, hess)
		}
		// Far from the optimum nearly every row is certain, and the Hessian says
		// next to nothing: the step is kept within a radius in which logits change by so much.
		step, good := choleskySolve(hess, grad)
		for raise := 1e-14; !good; raise *= 10 {
			step, good = choleskySolve(raised(hess, raise), grad)
		}
		size, full := 0.0, 0.0
		for _, s := range step {
			size, full = max(size, math.Abs(s)), full+math.Abs(s)
		}
		if !(full <= math.MaxFloat64) {
			return nil, false
		}
		size /= 1 + largestOf(t)
		if size < 1e-13 || size < 1e-8 && size >= last/2 {
			break
		}
		h := min(1, radius/full)
		trial, start := make([]float64, k), h
		for ; ; h /= 2 {
			for j := range trial {
				trial[j] = t[j] - h*step[j]
			}
			if size < 1e-5 { // the objective's rounding hides what the gradient still sees
				break
			}
			if ft := rows(trial, nil, nil); ft <= f+1e-13*math.Abs(f) {
				break
			}
			if h < 1e-10*start {
				return nil, false
			}
		}
		if last = size; h == start {
			radius *= 2
		} else {
			radius = max(1e-6, h*full)
		}
		t = trial
		f = rows(t, grad, hess)
		if !(math.Abs(t[0]) < 1e6) {
			return nil, false
		}
	}
	v = append([]float64{}, t...)
	for j := range cols {
		v[j+1] /= scale[j]
		v[0] -= v[j+1] * center[j]
	}
	return v, true
}

// standard shifts and scales columns to |x| <= about 1.
func standard(x [][]float64, w []float64) (cols [][]float64, center, scale []float64) {
	for _, c := range x {
		var m, t Sum
		for i, v := range c {
			m.Add(w[i] * v)
			t.Add(w[i])
		}
		mean, far := m.Value()/t.Value(), 0.0
		for _, v := range c {
			far = max(far, math.Abs(v-mean))
		}
		if far == 0 {
			far = 1
		}
		z := make([]float64, len(c))
		for i, v := range c {
			z[i] = (v - mean) / far
		}
		cols, center, scale = append(cols, z), append(center, mean), append(scale, far)
	}
	return
}

// recenter moves the centers of columns to their means by the Hessian's weights,
// and the intercept with them, if that takes most of a column's squares away.
func recenter(x, cols [][]float64, center, scale, t []float64, hess [][]float64) bool {
	moved := false
	for j := range cols {
		by := hess[j+1][0] / hess[0][0]
		if !(math.Abs(by) <= 2) || float64(by*hess[j+1][0]) < 0.9*hess[j+1][j+1] {
			continue
		}
		moved = true
		center[j] += by * scale[j]
		t[0] += t[j+1] * by
		for i, v := range x[j] {
			cols[j][i] = (v - center[j]) / scale[j]
		}
	}
	return moved
}

// raised is h with more on its diagonal: by a share of its largest entry.
func raised(h [][]float64, share float64) [][]float64 {
	top := math.SmallestNonzeroFloat64
	for i := range h {
		top = max(top, h[i][i])
	}
	out := square(len(h))
	for i := range h {
		copy(out[i], h[i])
		out[i][i] += max(share*top, 1e-300)
	}
	return out
}

func largestOf(v []float64) float64 {
	m := 0.0
	for _, x := range v {
		m = max(m, math.Abs(x))
	}
	return m
}

func square(k int) [][]float64 {
	m := make([][]float64, k)
	for i := range m {
		m[i] = make([]float64, k)
	}
	return m
}

// choleskySolve solves h*x = g for a positive definite h given by its lower half.
func choleskySolve(h [][]float64, g []float64) ([]float64, bool) {
	k := len(g)
	l, x := square(k), append([]float64{}, g...)
	for i := range k {
		for j := 0; j <= i; j++ {
			s := h[i][j]
			for m := range j {
				s -= l[i][m] * l[j][m]
			}
			if i > j {
				l[i][j] = s / l[j][j]
				continue
			}
			if !(s > 1e-15*h[i][i]) {
				return nil, false
			}
			l[i][i] = math.Sqrt(s)
		}
	}
	for i := range k {
		for m := range i {
			x[i] -= l[i][m] * x[m]
		}
		x[i] /= l[i][i]
	}
	for i := k - 1; i >= 0; i-- {
		for m := i + 1; m < k; m++ {
			x[i] -= l[m][i] * x[m]
		}
		x[i] /= l[i][i]
	}
	return x, true
}
