package models

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"recoup/data"
)

// Bootstrap makes intervals by drawing whole clusters (customers) with
// replacement, as many as there are, because the rows of one customer are not
// independent (Field & Welsh 2007). The zero value draws rows, 2,000 times, seed 1.
type Bootstrap struct {
	Cluster []int  // by row: 0, 1, ...; nil = every row is one
	Draws   int    // 0 = 2,000
	Seed    uint64 // 0 = 1
	Bins    int    // of the calibration error; 0 = 10
	Workers int    // 0 = one a processor; the result does not depend on it
}

// Intervals are 95 % intervals: percentiles of the draws for Brier, log loss and
// AUC; the basic (pivot) interval 2*estimate - percentile for the calibration
// error, whose draws all lie too high (it is a sum of absolute values). nil = not defined, see Warnings.
type Intervals struct {
	Brier    *Interval `json:"brier"`
	LogLoss  *Interval `json:"log_loss"`
	AUC      *Interval `json:"roc_auc"`
	ECEMass  *Interval `json:"ece_mass"`
	BaseRate *Interval `json:"base_rate"`
	Clusters int       `json:"clusters"` // that hold a row of weight > 0
	Unit     string    `json:"unit"`     // what is drawn: "cluster" or "row"
	Draws    int       `json:"draws"`
	Seed     uint64    `json:"seed"`
	Warnings []Warning `json:"warnings,omitempty"`
}

// Compared is a paired difference of two models on the same rows: first minus
// second, negative where the first is better for Brier, LogLoss and ECE.
type Compared struct {
	Brier     float64   `json:"brier"`
	BrierCI   *Interval `json:"brier_ci"`
	LogLoss   *float64  `json:"log_loss"`
	LogLossCI *Interval `json:"log_loss_ci"`
	AUC       *float64  `json:"roc_auc"`
	AUCCI     *Interval `json:"roc_auc_ci"`
	Clusters  int       `json:"clusters"`
	Draws     int       `json:"draws"`
	Seed      uint64    `json:"seed"`
}

// Intervals draws; p, y and w as in Evaluate, Cluster of the same length.
func (b Bootstrap) Intervals(p, y, w []float64) (Intervals, error) {
	if err := b.fill(len(p)); err != nil {
		return Intervals{}, err
	}
	r, err := b.resample(p, y, w)
	if err != nil {
		return Intervals{}, err
	}
	out := Intervals{Clusters: r.clusters, Unit: "row", Draws: b.Draws, Seed: b.Seed}
	if b.Cluster != nil {
		out.Unit = "cluster"
	}
	warn := func(measure, reason string) {
		out.Warnings = append(out.Warnings, Warning{"intervals." + measure, reason})
	}
	if r.clusters < 2 {
		warn("brier", "fewer than two "+out.Unit+"s: nothing to draw from")
		return out, nil
	}
	draws := make([]drawn, b.Draws)
	b.each(r.clusters, func(d int, times []int32, s *scan) { draws[d] = r.draw(times, b.Bins, s) })
	pick := func(f func(*drawn) float64) []float64 {
		v := make([]float64, len(draws))
		for i := range draws {
			v[i] = f(&draws[i])
		}
		return v
	}
	out.Brier = percentiles(pick(func(d *drawn) float64 { return d.brier }))
	out.BaseRate = percentiles(pick(func(d *drawn) float64 { return d.rate }))
	if out.LogLoss = percentiles(pick(func(d *drawn) float64 { return d.logLoss })); out.LogLoss == nil {
		warn("log_loss", "infinite in a draw")
	}
	if out.AUC = percentiles(pick(func(d *drawn) float64 { return d.auc })); out.AUC == nil {
		warn("roc_auc", "more than 5 % of the draws have one class")
	}
	estimate, _ := gaps(r.s.bins(b.Bins, r.s.massCuts), r.s.total)
	if ece := percentiles(pick(func(d *drawn) float64 { return d.ece })); ece != nil {
		out.ECEMass = &Interval{max(0, 2*estimate-ece[1]), max(0, 2*estimate-ece[0])}
	}
	return out, nil
}

// Compare draws the differences between two models' p and q on the same rows.
func (b Bootstrap) Compare(p, q, y, w []float64) (Compared, error) {
	if err := b.fill(len(p)); err != nil {
		return Compared{}, err
	}
	first, err := b.resample(p, y, w)
	if err != nil {
		return Compared{}, err
	}
	second, err := b.resample(q, y, w)
	if err != nil {
		return Compared{}, err
	}
	out := Compared{Clusters: first.clusters, Draws: b.Draws, Seed: b.Seed}
	all := make([]int32, first.clusters)
	for i := range all {
		all[i] = 1
	}
	var s scan
	one, two := first.draw(all, b.Bins, &s), second.draw(all, b.Bins, &s)
	out.Brier = one.brier - two.brier
	out.LogLoss, out.AUC = defined(one.logLoss-two.logLoss), defined(one.auc-two.auc)
	if first.clusters < 2 {
		return out, nil
	}
	brier, loss, auc := make([]float64, b.Draws), make([]float64, b.Draws), make([]float64, b.Draws)
	b.each(first.clusters, func(d int, times []int32, s *scan) {
		one := first.draw(times, b.Bins, s)
		two := second.draw(times, b.Bins, s)
		brier[d], loss[d], auc[d] = one.brier-two.brier, one.logLoss-two.logLoss, one.auc-two.auc
	})
	out.BrierCI, out.LogLossCI, out.AUCCI = percentiles(brier), percentiles(loss), percentiles(auc)
	return out, nil
}

func defined(v float64) *float64 {
	if !finite(v) {
		return nil
	}
	return &v
}

// fill sets defaults and checks.
func (b *Bootstrap) fill(n int) error {
	if b.Draws == 0 {
		b.Draws = 2000
	}
	if b.Seed == 0 {
		b.Seed = 1
	}
	if b.Bins == 0 {
		b.Bins = 10
	}
	if b.Workers <= 0 {
		b.Workers = runtime.GOMAXPROCS(0)
	}
	if b.Cluster != nil && len(b.Cluster) != n {
		panic("models: bootstrap: clusters and rows differ in number")
	}
	if b.Draws < 40 || b.Bins < 1 {
		return data.Faultf(data.ErrUsage, "models: bootstrap: %d draws, %d bins", b.Draws, b.Bins)
	}
	return nil
}

// resampled are the rows of weight > 0 by ascending p, with their cluster, and
// the sums that a draw needs of each cluster.
type resampled struct {
	s        *scores
	cluster  []int32
	clusters int
	sums     []clusterSums
}

type clusterSums struct{ w, y, brier, loss float64 }

func (b Bootstrap) resample(p, y, w []float64) (*resampled, error) {
	s, _, err := newScores(p, y, w)
	if err != nil {
		return nil, err
	}
	r := &resampled{s: s, cluster: make([]int32, len(s.p))}
	number := map[int]int32{}
	byRow := slices.Clone(s.order) // clusters are numbered by their first row, not by p
	slices.Sort(byRow)
	for _, row := range byRow {
		c := row
		if b.Cluster != nil {
			c = b.Cluster[row]
		}
		if _, ok := number[c]; !ok {
			number[c] = int32(len(number))
		}
	}
	r.clusters = len(number)
	r.sums = make([]clusterSums, r.clusters)
	for i, row := range s.order {
		c := row
		if b.Cluster != nil {
			c = b.Cluster[row]
		}
		k := number[c]
		r.cluster[i] = k
		d := s.p[i] - s.y[i]
		t := &r.sums[k]
		t.w += s.w[i]
		t.y += s.w[i] * s.y[i]
		t.brier += s.w[i] * d * d
		t.loss += s.w[i] * loss(s.p[i], s.y[i])
	}
	return r, nil
}

// each hands out the draws: how often every cluster comes, in draw d. Each draw
// has a generator of its own, so the workers' number changes nothing.
func (b Bootstrap) each(clusters int, use func(d int, times []int32, s *scan)) {
	var group sync.WaitGroup
	for k := range b.Workers {
		group.Go(func() {
			times, s := make([]int32, clusters), &scan{}
			for d := k; d < b.Draws; d += b.Workers {
				clear(times)
				dice := rand.NewPCG(b.Seed, uint64(d))
				for range clusters {
					times[below(dice, uint64(clusters))]++
				}
				use(d, times, s)
			}
		})
	}
	group.Wait()
}

// below is uniform on 0 .. n-1 (the bias, n in 2^64, is nothing).
func below(dice *rand.PCG, n uint64) uint64 {
	hi, _ := bits.Mul64(dice.Uint64(), n)
	return hi
}

// drawn are the measures of one draw; NaN = not defined.
type drawn struct{ brier, logLoss, rate, auc, ece float64 }

// scan holds the bins of a draw.
type scan struct{ w, p, y []float64 }

func (r *resampled) draw(times []int32, bins int, s *scan) drawn {
	var t clusterSums
	n := 0
	for k, m := range times {
		if m == 0 {
			continue
		}
		f, c := float64(m), &r.sums[k]
		t.w += f * c.w
		t.y += f * c.y
		t.brier += f * c.brier
		t.loss += f * c.loss
	}
	for _, k := range r.cluster {
		n += int(times[k])
	}
	d := drawn{brier: t.brier / t.w, logLoss: t.loss / t.w, rate: t.y / t.w}
	d.auc, d.ece = r.ordered(times, n, bins, s)
	return d
}

// ordered walks the rows by p once: AUC by ranks, calibration error by bins of
// equal count. n is the number of rows drawn.
func (r *resampled) ordered(times []int32, n, bins int, s *scan) (auc, ece float64) {
	s.w, s.p, s.y = zeros(s.w, bins), zeros(s.p, bins), zeros(s.y, bins)
	place := massBin{n / bins, n % bins}
	var right, w1, w0, all1, all0 float64
	at, bin := 0, 0 // rows so far; bin of the run
	for i, k := range r.cluster {
		if i > 0 && r.s.p[i] != r.s.p[i-1] {
			right += w1 * (all0 + w0/2)
			all1, all0, w1, w0 = all1+w1, all0+w0, 0, 0
			if at < n {
				bin = place.of(at)
			}
		}
		m := times[k]
		if m == 0 {
			continue
		}
		w := float64(m) * r.s.w[i]
		s.w[bin] += w
		s.p[bin] += w * r.s.p[i]
		if r.s.y[i] == 1 {
			w1 += w
			s.y[bin] += w
		} else {
			w0 += w
		}
		at += int(m)
	}
	right += w1 * (all0 + w0/2)
	all1, all0 = all1+w1, all0+w0
	for b, w := range s.w {
		if w > 0 {
			ece += math.Abs(s.y[b] - s.p[b])
		}
	}
	return right / (all1 * all0), ece / (all1 + all0)
}

func zeros(v []float64, n int) []float64 {
	if len(v) != n {
		return make([]float64, n)
	}
	clear(v)
	return v
}

// percentiles are the 2.5 % and 97.5 % quantiles (linear between order
// statistics); nil when more than 5 % of the draws are not defined.
func percentiles(v []float64) *Interval {
	all := len(v)
	v = slices.DeleteFunc(v, func(x float64) bool { return !finite(x) })
	if float64(len(v)) < 0.95*float64(all) {
		return nil
	}
	slices.Sort(v)
	at := func(q float64) float64 {
		x := q * float64(len(v)-1)
		i := int(x)
		if i+1 >= len(v) {
			return v[len(v)-1]
		}
		return v[i] + (x-float64(i))*(v[i+1]-v[i])
	}
	return &Interval{at(0.025), at(0.975)}
}
