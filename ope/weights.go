package ope

import (
	"math"
	"slices"
)

// Weights are the facts about the weights w = e(a)/p that say what an estimate can
// be trusted with, before anyone looks at it. Mean weight 1 is what right
// propensities and full support make it.
type Weights struct {
	ESS              float64  `json:"ess"`           // (Σ w)²/Σ w², 0 when all are 0: how many equal rows they are worth
	ESSFraction      float64  `json:"ess_fraction"`  // ESS/n
	Max              float64  `json:"max_weight"`    // the largest
	Mean             float64  `json:"mean_weight"`   // 1 in expectation
	MeanZ            *float64 `json:"mean_weight_z"` // (Mean - 1) over its standard error
	MeanZReason      Reason   `json:"mean_weight_z_reason,omitempty"`
	MaxShare         float64  `json:"max_weight_share"` // of the sum, that of the largest weight
	TopShare         float64  `json:"top1pct_share"`    // of the sum, that of the largest hundredth of the rows
	Q99              float64  `json:"q99"`
	Q999             float64  `json:"q999"`
	Matched          int      `json:"matched_rows"` // rows with w > 0
	ZeroShare        float64  `json:"zero_weight_share"`
	UnsupportedMass  float64  `json:"unsupported_mass"`               // mean target probability on actions that no logger can take
	UnsupportedByRow *float64 `json:"unsupported_mass_row,omitempty"` // the same row by row; nil without the loggers' policies
	NeverLogged      []string `json:"never_logged"`                   // actions that the target wants and nobody took
}

// weigh computes the facts that need the weights alone.
func weigh(w []float64) Weights {
	n := len(w)
	sorted := slices.Clone(w)
	slices.Sort(sorted)
	all := total(w)
	f := Weights{Max: sorted[n-1], Mean: all / float64(n), Q99: quantile(sorted, .99), Q999: quantile(sorted, .999)}
	if f.Max > 0 {
		var s, s2 sum
		for _, v := range w { // relative to the largest: squares of huge weights stay numbers
			u := v / f.Max
			s.add(u)
			s2.add(u * u)
		}
		f.ESS = s.value() * s.value() / s2.value()
		f.MaxShare = 1 / s.value()
		var top sum
		for _, v := range sorted[n-max(1, (n+99)/100):] {
			top.add(v / f.Max)
		}
		f.TopShare = top.value() / s.value()
	}
	f.ESSFraction = f.ESS / float64(n)
	for _, v := range w {
		if v > 0 {
			f.Matched++
		}
	}
	f.ZeroShare = float64(n-f.Matched) / float64(n)
	f.MeanZ, f.MeanZReason = meanZ(w, f.Mean)
	return f
}

// meanZ tests that the mean weight is 1.
func meanZ(w []float64, m float64) (*float64, Reason) {
	n := len(w)
	if n < 2 {
		return nil, OneRow
	}
	sd := math.Sqrt(variance(w, 1))
	if sd <= 1e-12*max(1, m) {
		if math.Abs(m-1) > 1e-9 {
			return nil, WeightVarianceZero
		}
		return number(0), ""
	}
	z := number((m - 1) / (sd / math.Sqrt(float64(n))))
	if z == nil {
		return nil, Overflow
	}
	return z, ""
}

// addSupport asks whether the log holds what the target wants. With the loggers'
// policies an action is supported when a logger that has rows gives it a
// probability somewhere; without, when it was logged at least once.
func (f *Weights) addSupport(r *Rows) {
	k := len(r.Actions)
	logged, wanted := make([]bool, k), make([]bool, k)
	supported := logged
	for i := range r.Len() {
		logged[r.Action(i, r.At(i))] = true
	}
	used := r.loggersWithRows()
	if used != nil {
		supported = make([]bool, k)
	}
	for i := range r.Len() {
		lo, hi := r.Candidates(i)
		for j := lo; j < hi; j++ {
			a := r.Action(i, j)
			wanted[a] = wanted[a] || r.Target[j] > 0
			for _, l := range used {
				supported[a] = supported[a] || r.Behaviour[l][j] > 0
			}
		}
	}
	var lost, lostByRow sum
	for i := range r.Len() {
		lo, hi := r.Candidates(i)
		for j := lo; j < hi; j++ {
			if e := r.Target[j]; e > 0 {
				if !supported[r.Action(i, j)] {
					lost.add(e)
				}
				if used != nil && !possible(r.Behaviour, used, j) {
					lostByRow.add(e)
				}
			}
		}
	}
	n := float64(r.Len())
	f.UnsupportedMass = lost.value() / n
	if used != nil {
		f.UnsupportedByRow = number(lostByRow.value() / n)
	}
	f.NeverLogged = []string{}
	for a, name := range r.Actions {
		if wanted[a] && !logged[a] {
			f.NeverLogged = append(f.NeverLogged, name)
		}
	}
}

// loggersWithRows are the loggers whose policies count; nil when no policy is known.
func (r *Rows) loggersWithRows() []int {
	if len(r.Behaviour) == 0 {
		return nil
	}
	seen := make([]bool, len(r.Behaviour))
	for i := range r.Len() {
		seen[r.loggerOf(i)] = true
	}
	var out []int
	for k, s := range seen {
		if s {
			out = append(out, k)
		}
	}
	return out
}

func possible(behaviour [][]float64, loggers []int, j int) bool {
	for _, l := range loggers {
		if behaviour[l][j] > 0 {
			return true
		}
	}
	return false
}
