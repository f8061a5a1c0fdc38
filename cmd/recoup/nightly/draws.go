package nightly

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"recoup/api/report"
)

// draws makes 95 % intervals by drawing whole customers with replacement
// (Efron 1979; clusters because one customer's rows hang together). All
// statistics are registered first, then every draw is made once and shown to
// all of them, so that differences are paired.
type draws struct {
	customers int
	stats     []stat
}

// stat is some statistics of one pass over the rows, and where their intervals go.
type stat struct {
	n   int
	of  func(times, out []float64) // times[c] = how often customer c was drawn
	set func(k int, lo, hi float64)
}

// add registers one statistic.
func (d *draws) add(of func(times []float64) float64, set func(lo, hi float64)) {
	d.addAll(1, func(times, out []float64) { out[0] = of(times) }, func(_ int, lo, hi float64) { set(lo, hi) })
}

// addAll registers n statistics of one pass.
func (d *draws) addAll(n int, of func(times, out []float64), set func(k int, lo, hi float64)) {
	d.stats = append(d.stats, stat{n, of, set})
}

// run makes n draws from a seed and hands every statistic the 2.5 % and 97.5 %
// percentiles of its values; NaN where a draw left it undefined in more than one
// of twenty. Each draw has a generator of its own, so workers change nothing.
func (d *draws) run(n int, seed uint64, workers int) {
	width := 0
	for _, s := range d.stats {
		width += s.n
	}
	values := make([][]float64, n) // by draw
	var wg sync.WaitGroup
	for w := range max(1, workers) {
		wg.Go(func() {
			times := make([]float64, d.customers)
			for k := w; k < n; k += max(1, workers) {
				clear(times)
				rng := rand.New(rand.NewPCG(seed, uint64(k)))
				for range d.customers {
					times[rng.IntN(d.customers)]++
				}
				out := make([]float64, width)
				values[k] = out
				for _, s := range d.stats {
					s.of(times, out[:s.n])
					out = out[s.n:]
				}
			}
		})
	}
	wg.Wait()
	at := 0
	column := make([]float64, n)
	for _, s := range d.stats {
		for k := range s.n {
			for i := range values {
				column[i] = values[i][at]
			}
			lo, hi := percentiles(column)
			s.set(k, lo, hi)
			at++
		}
	}
}

// percentiles are the 2.5 % and 97.5 % points of values that are numbers, by
// linear interpolation of the order statistics.
func percentiles(values []float64) (lo, hi float64) {
	v := slices.DeleteFunc(values, math.IsNaN)
	if len(v) == 0 || len(values)-len(v) > len(values)/20 {
		return math.NaN(), math.NaN()
	}
	slices.Sort(v)
	at := func(q float64) float64 {
		h := q * float64(len(v)-1)
		i := int(h)
		if i+1 == len(v) {
			return v[i]
		}
		return v[i] + float64((h-float64(i))*(v[i+1]-v[i]))
	}
	return at(0.025), at(0.975)
}

// ratio is sum of num over sum of den, kept by customer.
type ratio struct {
	who      []int32 // customers with rows, ascending by first appearance
	num, den []float64
	n        int64
}

// ratioOf sums num(i) and den(i) of rows by customer.
func ratioOf(rows []int, customer []int32, num, den func(i int) float64) *ratio {
	r := &ratio{n: int64(len(rows))}
	at := map[int32]int{}
	for _, i := range rows {
		c := customer[i]
		k, ok := at[c]
		if !ok {
			k = len(r.who)
			at[c] = k
			r.who = append(r.who, c)
			r.num = append(r.num, 0)
			r.den = append(r.den, 0)
		}
		r.num[k] += num(i)
		r.den[k] += den(i)
	}
	return r
}

// of is the ratio under a draw; nil = every customer once. NaN when nothing was drawn.
func (r *ratio) of(times []float64) float64 {
	var a, b float64
	for k, c := range r.who {
		m := 1.0
		if times != nil {
			m = times[c]
		}
		a += float64(m * r.num[k])
		b += float64(m * r.den[k])
	}
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

// estimate registers the ratio's interval and gives its value now.
func (d *draws) estimate(e *report.Estimate, r *ratio) {
	v := r.of(nil)
	*e = report.Number(v, r.n)
	if e.Value == nil {
		return
	}
	d.add(r.of, func(lo, hi float64) { *e = report.Ranged(v, lo, hi, r.n) })
}
