package ope

import (
	"crypto/sha256"
	"encoding/binary"

	"recoup/data"
)

// Folds divide rows by cluster for cross-fitting: a reward model never predicts a
// customer that it was fitted on (Chernozhukov et al. 2018).
type Folds struct {
	K  int
	Of []int8 // [n] the fold of each row
}

// MakeFolds puts each cluster in one of k folds by a keyed hash of its name, so that a
// customer stays in its fold when the log grows. key is any text; names are [n], the
// cluster of each row.
func MakeFolds(names []string, k int, key string) (*Folds, error) {
	if k < 2 || k > 100 {
		return nil, data.Faultf(data.ErrUsage, "ope: folds: %d: from 2 to 100", k)
	}
	f := &Folds{K: k, Of: make([]int8, len(names))}
	used := make([]int, k)
	for i, name := range names {
		h := sha256.Sum256([]byte(key + "\x00" + name))
		f.Of[i] = int8(binary.BigEndian.Uint64(h[:8]) % uint64(k))
		used[f.Of[i]]++
	}
	for j, n := range used {
		if n == 0 {
			return nil, data.Faultf(data.ErrTooLittle, "ope: folds: no row in fold %d of %d: too few customers to fit a reward model that has not seen them", j+1, k)
		}
	}
	return f, nil
}

// Fit makes a reward model from the rows whose use is true and returns its prediction
// for every candidate of the rows asked for.
type Fit func(use []bool) (predict func(row int, q []float64) error, err error)

// CrossFit fills a ragged Q: the rows of each fold are predicted by the model of the
// others. r.Q is not read. predict gets a slice with one place a candidate.
func CrossFit(r *Rows, f *Folds, fit Fit) ([]float64, error) {
	if len(f.Of) != r.Len() {
		return nil, refuse(FoldsMissing, 0, "", "%d rows have folds, of %d: predictions of other rows would be taken for theirs", len(f.Of), r.Len())
	}
	q := make([]float64, len(r.Target))
	use := make([]bool, r.Len())
	for k := range f.K {
		for i := range use {
			use[i] = int(f.Of[i]) != k
		}
		predict, err := fit(use)
		if err != nil {
			return nil, err
		}
		for i := range use {
			if use[i] {
				continue
			}
			lo, hi := r.Candidates(i)
			if err := predict(i, q[lo:hi]); err != nil {
				return nil, err
			}
		}
	}
	return q, nil
}

// BaseRate is the plainest reward model: the mean reward of each action, drawn toward
// the mean of all by as many rows as prior says (> 0).
func BaseRate(r *Rows, prior float64) Fit {
	return func(use []bool) (func(int, []float64) error, error) {
		var all sum
		sums, counts, n := make([]sum, len(r.Actions)), make([]float64, len(r.Actions)), 0.0
		for i, u := range use {
			if !u {
				continue
			}
			a := r.Action(i, r.At(i))
			sums[a].add(r.Reward[i])
			all.add(r.Reward[i])
			counts[a]++
			n++
		}
		if n == 0 {
			return nil, data.Faultf(data.ErrTooLittle, "ope: base rate: no rows to fit it on")
		}
		rate := make([]float64, len(r.Actions))
		for a := range rate {
			rate[a] = (sums[a].value() + prior*all.value()/n) / (counts[a] + prior)
		}
		return func(i int, q []float64) error {
			lo, _ := r.Candidates(i)
			for j := range q {
				q[j] = rate[r.Action(i, lo+j)]
			}
			return nil
		}, nil
	}
}

// Grade says whether a reward model knows more than the base rate.
type Grade struct {
	MSE     float64  `json:"mse"`      // of the predictions of what was taken
	BaseMSE float64  `json:"base_mse"` // of the cross-fitted base rate, or of the mean reward where there is none
	Skill   *float64 `json:"skill"`    // 1 - MSE/BaseMSE; nil when BaseMSE is 0
	Worse   bool     `json:"worse"`    // than the base rate: its DM is worth nothing and DR gains nothing
}

// GradeModel compares two ragged predictions on the logged actions.
func GradeModel(r *Rows, q, baseline []float64) (*Grade, error) {
	if len(q) != len(r.Target) || len(baseline) != len(r.Target) {
		return nil, refuse(PredictionsForeignRow, 0, "", "%d and %d predictions for %d candidates", len(q), len(baseline), len(r.Target))
	}
	var mine, base sum
	for i := range r.Len() {
		j := r.At(i)
		mine.add((r.Reward[i] - q[j]) * (r.Reward[i] - q[j]))
		base.add((r.Reward[i] - baseline[j]) * (r.Reward[i] - baseline[j]))
	}
	n := float64(r.Len())
	g := &Grade{MSE: mine.value() / n, BaseMSE: base.value() / n}
	g.Worse = g.MSE > g.BaseMSE
	if g.BaseMSE > 0 {
		g.Skill = number(1 - g.MSE/g.BaseMSE)
	}
	return g, nil
}
