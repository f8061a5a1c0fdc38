package ope

import (
	"math"

	"recoup/data"
)

// PairedWeights are the facts about the difference of two targets on the same rows,
// v = (e_a(a) - e_b(a))/p. Rows at which the two want the same cancel: they carry
// nothing, and trusting them makes the difference no surer. The facts count what is
// left, and each target's part of it (v above and below 0) by itself, for a difference
// is no surer than the less sure of its two sides.
type PairedWeights struct {
	Unlike      int      `json:"unlike_rows"`      // at which the two do not want the same
	Matched     int      `json:"matched_rows"`     // with v other than 0
	Clusters    int      `json:"matched_clusters"` // of those; 0 = nobody says whose they are
	ESS         float64  `json:"ess"`              // (Σ |v|)²/Σ v² of the side where it is less
	ESSFraction float64  `json:"ess_fraction"`     // ESS/Unlike
	Max         float64  `json:"max_weight"`       // of |v|
	MaxShare    float64  `json:"max_weight_share"` // the largest |v| of a side, of that side's sum; the larger of the two sides'
	MeanZ       *float64 `json:"mean_weight_z"`    // mean v over its standard error: 0 in expectation; nil = too little to ask
	Unsupported float64  `json:"unsupported_mass"` // mean of what one wants more than the other on candidates that no logger can take
}

// alike is how near two probabilities are that count as the same.
const alike = 1e-12

// Pair looks at where two targets part. a and b are the same rows for other targets
// (WithTarget), and were found sound.
func Pair(a, b *Rows) (*PairedWeights, error) {
	if a.Len() != b.Len() || len(a.Target) != len(b.Target) {
		return nil, data.Faultf(data.ErrUsage, "ope: pair: %d rows of %d candidates and %d of %d: a paired difference needs the same rows", a.Len(), len(a.Target), b.Len(), len(b.Target))
	}
	f, n := &PairedWeights{}, a.Len()
	used := a.loggersWithRows()
	v, clusters := make([]float64, n), map[int32]bool{}
	var lost sum
	for i := range n {
		lo, hi := a.Candidates(i)
		apart := false
		for j := lo; j < hi; j++ {
			d := math.Abs(a.Target[j] - b.Target[j])
			if d <= alike {
				continue
			}
			apart = true
			if used != nil && !possible(a.Behaviour, used, j) {
				lost.add(d)
			}
		}
		if !apart {
			continue
		}
		f.Unlike++
		if d := a.Target[a.At(i)] - b.Target[a.At(i)]; math.Abs(d) > alike {
			v[i] = d / a.Propensity[i]
			f.Matched++
			if a.Cluster != nil {
				clusters[a.Cluster[i]] = true
			}
		}
	}
	f.Clusters, f.Unsupported = len(clusters), lost.value()/float64(n)
	f.spread(v)
	return f, nil
}

// spread computes what the differences of the weights tell.
func (f *PairedWeights) spread(v []float64) {
	more, less := make([]float64, len(v)), make([]float64, len(v))
	for i, x := range v {
		more[i], less[i] = max(0, x), max(0, -x)
	}
	p, q := weigh(more), weigh(less)
	f.Max, f.MaxShare = max(p.Max, q.Max), max(p.MaxShare, q.MaxShare)
	f.ESS = min(p.ESS, q.ESS)
	if f.Unlike > 0 {
		f.ESSFraction = f.ESS / float64(f.Unlike)
	}
	if len(v) > 1 {
		if sd := math.Sqrt(variance(v, 1)); sd > 0 {
			f.MeanZ = number(mean(v) / (sd / math.Sqrt(float64(len(v)))))
		}
	}
}

// FewClusters is raised where fewer than 100 clusters carry an estimate: intervals by
// cluster are too narrow then.
const FewClusters Signal = "few_clusters"

// Light judges the difference by these alone, in the rules for one target read over the
// rows at which the two part. It knows nothing of the reward model.
func (f *PairedWeights) Light() Light {
	l := Light{Level: Green, Red: []Signal{}, Amber: []Signal{}}
	for _, c := range []struct {
		on    bool
		level Level
		why   Signal
	}{
		{f.Unsupported > 1e-9, Red, UnsupportedMass},
		{f.ESS < 100, Red, ESSBelow100},
		{f.ESSFraction < .05, Red, ESSBelow5},
		{f.MeanZ != nil && math.Abs(*f.MeanZ) > 3, Red, MeanWeight},
		{f.ESSFraction < .10, Amber, ESSBelow10},
		{f.MaxShare > .05, Amber, MaxWeightShare},
		{f.Clusters > 0 && f.Clusters < 100, Amber, FewClusters}, // 0: nobody says, or nothing matches
	} {
		if c.on {
			l.Raise(c.level, c.why)
		}
	}
	return l
}
