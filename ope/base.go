package ope

import (
	"math"
	"runtime"
	"slices"
	"sync"
)

// base is what one pass over the rows leaves: three numbers a row, from which every
// method is made.
type base struct {
	rows    *Rows
	w       []float64 // e(a)/p
	qbar, q []float64 // the reward model on the target and on the logged action; nil without one
	groups  int       // clusters; 0 = unknown
	by      grouping
}

// blockRows is how many rows a worker takes at a time.
const blockRows = 8192

// newBase checks the rows and weighs them. Each row's numbers depend on that row
// alone, so the number of workers changes nothing.
func newBase(r *Rows) (*base, error) {
	n := r.Len()
	if err := r.checkShape(); err != nil {
		return nil, err
	}
	b := &base{rows: r, w: make([]float64, n)}
	if r.Q != nil {
		b.qbar, b.q = make([]float64, n), make([]float64, n)
	}
	if err := inBlocks(n, b.weigh); err != nil {
		return nil, err
	}
	if err := r.checkWhole(); err != nil {
		return nil, err
	}
	if r.Cluster != nil {
		b.groups = countGroups(r.Cluster)
		b.by = groupingOf(r.Cluster, r.Shared, r.Lasting)
	}
	return b, nil
}

// inBlocks runs do over [0, n) in blocks, side by side, and returns the error of
// the first block that has one.
func inBlocks(n int, do func(lo, hi int) *Refusal) error {
	blocks := (n + blockRows - 1) / blockRows
	faults := make([]*Refusal, blocks)
	var wg sync.WaitGroup
	next := make(chan int, blocks)
	for k := range blocks {
		next <- k
	}
	close(next)
	for range min(runtime.GOMAXPROCS(0), blocks) {
		wg.Go(func() {
			for k := range next {
				faults[k] = do(k*blockRows, min(n, (k+1)*blockRows))
			}
		})
	}
	wg.Wait()
	for _, f := range faults {
		if f != nil {
			return f
		}
	}
	return nil
}

// weigh does rows lo..hi.
func (b *base) weigh(lo, hi int) *Refusal {
	r := b.rows
	plain := r.plain()
	for i := lo; i < hi; i++ {
		if !plain || !r.sound(i) {
			if f := r.checkRow(i); f != nil {
				return f
			}
		}
		from, to := r.Candidates(i)
		target, taken := r.Target[from:to], int(r.Taken[i])
		var se, sq float64
		var signs uint64 // the sign bit is that of any negative entry
		if r.Q == nil {
			for _, e := range target {
				se += e
				signs |= math.Float64bits(e)
			}
		} else {
			q := r.Q[from:to]
			q = q[:len(target)]
			for j, e := range target {
				se += e
				sq += e * q[j] // NaN with a prediction that is not finite, even at e = 0
				signs |= math.Float64bits(e)
			}
			if !(math.Abs(sq) <= most) || !(math.Abs(q[taken]) <= most) {
				return r.badQ(i)
			}
			b.qbar[i], b.q[i] = sq/se, q[taken]
		}
		if !(math.Abs(se-1) <= sumTolerance) || signs>>63 == 1 && slices.Min(target) < 0 {
			return r.badTarget(i)
		}
		w := target[taken] / r.Propensity[i]
		if w > most {
			return refuse(Overflow, i+1, "propensity", "%v: the weight is beyond what can be judged", r.Propensity[i])
		}
		b.w[i] = w
	}
	return nil
}

// countGroups is one more than the largest group.
func countGroups(g []int32) int {
	top := int32(-1)
	for _, k := range g {
		top = max(top, k)
	}
	return int(top) + 1
}
