package ope

import "recoup/data"

// Compare is a - b on the same rows, paired: its error is that of the difference
// row by row, which is much smaller than two errors apart when both follow the same
// rewards. The name is that of a. The level is that of the interval, in (0, 1).
func Compare(a, b *Figure, level float64) (Figure, error) {
	d := Figure{Name: a.Name}
	switch {
	case !(level > 0 && level < 1):
		return d, data.Faultf(data.ErrUsage, "ope: compare %s: level %v: between 0 and 1", a.Name, level)
	case a.Value == nil:
		d.Reason = a.Reason
		return d, nil
	case b.Value == nil:
		d.Reason = b.Reason
		return d, nil
	}
	x, y := a.Influence(), b.Influence()
	if len(x) != len(y) {
		return d, data.Faultf(data.ErrUsage, "ope: compare %s: %d rows and %d: a paired difference needs the same rows", a.Name, len(x), len(y))
	}
	for i := range a.by.cluster {
		if len(a.by.cluster) != len(b.by.cluster) || a.by.cluster[i] != b.by.cluster[i] {
			return d, data.Faultf(data.ErrUsage, "ope: compare %s: row %d: the two have other clusters: a paired difference needs the same rows", a.Name, i+1)
		}
	}
	d.ratio, d.by = a.ratio || b.ratio, a.by
	d.psi = func() []float64 {
		out, y := a.Influence(), b.Influence()
		for i := range out {
			out[i] -= y[i]
		}
		return out
	}
	for i := range x {
		x[i] -= y[i]
	}
	d.settle(*a.Value-*b.Value, x, level)
	return d, nil
}

// LoggedMean is the logged mean reward as an estimate: what the logger earned, to be
// compared with. The result's level is that of its interval.
func (r *Result) LoggedMean() Figure {
	return r.base.estimateOf("mean_reward", r.base.rows.Reward, r.Level)
}

// estimateOf is the mean of z with its errors.
func (b *base) estimateOf(name string, z []float64, level float64) Figure {
	v := mean(z)
	e := Figure{Name: name, by: b.by}
	e.psi = func() []float64 {
		psi := make([]float64, len(z))
		for i, x := range z {
			psi[i] = x - v
		}
		return psi
	}
	psi := e.psi()
	e.settle(v, psi, level)
	return e
}

// minusMean is the estimate less the logged mean reward.
func (e *Figure) minusMean(b *base, level float64) Figure {
	logged := b.estimateOf("mean_reward", b.rows.Reward, level)
	d, err := Compare(e, &logged, level)
	if err != nil {
		panic("ope: " + err.Error()) // same rows, a level already checked
	}
	d.SETerms = nil
	return d
}
