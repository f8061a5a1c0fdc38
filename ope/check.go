package ope

import (
	"fmt"
	"math"
	"strconv"
)

// How far numbers may be from what they should be.
const (
	sumTolerance      = 1e-8 + 1e-5 // |Σ e - 1| of a row
	propensitySlack   = 1e-9        // above 1
	mismatchTolerance = 1e-6        // between the propensity and the logger's own policy
	certain           = 1 - 1e-12   // a propensity that leaves no chance
	most              = 1e150       // of rewards, predictions and weights: squares of larger ones are no numbers
)

// Check refuses rows that cannot be trusted: the error is a *Refusal that names the
// row. Everything that judges rows checks them itself.
func (r *Rows) Check() error {
	_, err := newBase(r)
	return err
}

// checkShape looks at the lengths.
func (r *Rows) checkShape() error {
	n := len(r.Reward)
	if n == 0 {
		return refuse(NoRows, 0, "", "nothing was logged")
	}
	for _, s := range []struct {
		name string
		n    int
	}{{"Start", len(r.Start) - 1}, {"Taken", len(r.Taken)}, {"Propensity", len(r.Propensity)},
		{"Cluster", lengthOr(len(r.Cluster), r.Cluster == nil, n)}, {"Shared", lengthOr(len(r.Shared), r.Shared == nil, n)},
		{"Batch", lengthOr(len(r.Batch), r.Batch == nil, n)}, {"Logger", lengthOr(len(r.Logger), r.Logger == nil, n)}} {
		if s.n != n {
			return refuse(LengthsDiffer, 0, "", "%s has %d rows, Reward %d", s.name, s.n, n)
		}
	}
	m := len(r.Target)
	for _, s := range []struct {
		name string
		n    int
	}{{"Q", lengthOr(len(r.Q), r.Q == nil, m)}, {"Label", lengthOr(len(r.Label), r.Label == nil, m)}} {
		if s.n != m {
			return refuse(LengthsDiffer, 0, "", "%s has %d candidates, Target %d", s.name, s.n, m)
		}
	}
	for k, b := range r.Behaviour {
		if len(b) != m {
			return refuse(LengthsDiffer, 0, "", "Behaviour of logger %d has %d candidates, Target %d", k, len(b), m)
		}
	}
	if r.Start[0] != 0 || int(r.Start[n]) != m {
		return refuse(LengthsDiffer, 0, "", "Start runs from %d to %d, Target has %d candidates", r.Start[0], r.Start[n], m)
	}
	return nil
}

func lengthOr(n int, absent bool, want int) int {
	if absent {
		return want
	}
	return n
}

// checkRow looks at everything of row i but the target and the reward model.
func (r *Rows) checkRow(i int) *Refusal {
	lo, hi := r.Candidates(i)
	if lo >= hi || lo < 0 || hi > len(r.Target) || r.Taken[i] < 0 || int(r.Taken[i]) >= hi-lo {
		return refuse(LengthsDiffer, i+1, "", "candidates %d to %d, taken %d", lo, hi, r.Taken[i])
	}
	if r.Label == nil && hi-lo != len(r.Actions) {
		return refuse(LengthsDiffer, i+1, "", "%d candidates and %d actions: rows of unequal width need Label", hi-lo, len(r.Actions))
	}
	for j := lo; r.Label != nil && j < hi; j++ {
		if r.Label[j] < 0 || int(r.Label[j]) >= len(r.Actions) {
			return refuse(ActionUnknown, i+1, "action", "candidate %d is action %d of %d", j-lo, r.Label[j], len(r.Actions))
		}
	}
	if !(math.Abs(r.Reward[i]) <= most) {
		return badReward(i, r.Reward[i])
	}
	if f := badPropensity(i, r.Propensity[i]); f != nil {
		return f
	}
	if r.Logger != nil && (r.Logger[i] < 0 || int(r.Logger[i]) > len(r.Logger)+len(r.Behaviour) || len(r.Behaviour) > 0 && int(r.Logger[i]) >= len(r.Behaviour)) {
		return refuse(LoggerUnknown, i+1, "logger", "logger %d has no policy: there are %d", r.Logger[i], len(r.Behaviour))
	}
	return r.checkBehaviour(i)
}

// plain says that the rows have none of what checkRow looks at beside outcomes.
func (r *Rows) plain() bool {
	return r.Label == nil && r.Logger == nil && len(r.Behaviour) == 0
}

// sound says that nothing is wrong with the outcome of row i, and is quick about it.
func (r *Rows) sound(i int) bool {
	lo, hi, p, y := r.Start[i], r.Start[i+1], r.Propensity[i], r.Reward[i]
	return 0 <= lo && int(hi) <= len(r.Target) && int(hi-lo) == len(r.Actions) && uint32(r.Taken[i]) < uint32(hi-lo) &&
		0 < p && p <= 1 && math.Abs(y) <= most
}

func badReward(i int, v float64) *Refusal {
	if math.IsNaN(v) {
		return refuse(RewardMissing, i+1, "reward", "%s: a number is expected", found(v))
	}
	if math.IsInf(v, 0) {
		return refuse(RewardNotFinite, i+1, "reward", "%v", v)
	}
	return tooLarge(i, "reward", v)
}

// tooLarge refuses a number whose square is none.
func tooLarge(i int, column string, v float64) *Refusal {
	return refuse(Overflow, i+1, column, "%v: beyond what can be judged, %v to %v; give it in a larger unit", v, -most, most)
}

// absent stands for a cell that holds nothing: a NaN that a message can tell from one that
// was written. Callers' own NaN are as good.
var absent = math.Float64frombits(0x7ff80000000007a2)

// found is a number that cannot be used, as a message has it.
func found(v float64) string {
	if math.Float64bits(v) == math.Float64bits(absent) {
		return "nothing is there"
	}
	return fmt.Sprint(v)
}

// badPropensity says what is wrong with a propensity; nil when nothing is.
func badPropensity(i int, p float64) *Refusal {
	switch {
	case p > 0 && p <= 1+propensitySlack:
		return nil
	case math.IsNaN(p):
		return refuse(PropensityMissing, i+1, "propensity", "%s: without the logger's probability of the logged action a row says nothing about another policy", found(p))
	case p <= 0:
		return refuse(PropensityZero, i+1, "propensity", "%v: what was done had a probability above 0; is it a logarithm?", p)
	}
	return refuse(PropensityAboveOne, i+1, "propensity", "%v: a probability is at most 1; is it a percentage or a weight?", p)
}

// checkBehaviour looks at the loggers' own policies in row i.
func (r *Rows) checkBehaviour(i int) *Refusal {
	if len(r.Behaviour) == 0 {
		return nil
	}
	lo, hi := r.Candidates(i)
	for k, b := range r.Behaviour {
		var s float64
		for j := lo; j < hi; j++ {
			switch v := b[j]; {
			case v-v != 0:
				return refuse(LoggerPolicyMissing, i+1, r.column("b"+r.LoggerName(k)+"_", i, j), "%s: a probability is expected", found(v))
			case v < 0:
				return refuse(LoggerPolicyNegative, i+1, r.column("b"+r.LoggerName(k)+"_", i, j), "%v: a probability is 0 or more", v)
			default:
				s += v
			}
		}
		if !(math.Abs(s-1) <= sumTolerance) {
			return refuse(LoggerPolicySum, i+1, "", "the probabilities of logger %s sum to %v", r.LoggerName(k), s)
		}
	}
	own := r.Behaviour[r.loggerOf(i)][r.At(i)]
	if !(math.Abs(own-r.Propensity[i]) <= mismatchTolerance) {
		return refuse(PropensityMismatch, i+1, "propensity", "%v, and logger %s says %v", r.Propensity[i], r.LoggerName(r.loggerOf(i)), own)
	}
	return nil
}

// loggerOf is the logger of row i; 0 where the rows do not say.
func (r *Rows) loggerOf(i int) int {
	if r.Logger == nil {
		return 0
	}
	return int(r.Logger[i])
}

// badTarget finds what is wrong with the target of row i.
func (r *Rows) badTarget(i int) *Refusal {
	lo, hi := r.Candidates(i)
	var s float64
	for j := lo; j < hi; j++ {
		switch v := r.Target[j]; {
		case v-v != 0:
			return refuse(TargetMissing, i+1, r.column("e_", i, j), "%s: a probability is expected", found(v))
		case v < 0:
			return refuse(TargetNegative, i+1, r.column("e_", i, j), "%v: a probability is 0 or more", v)
		default:
			s += v
		}
	}
	return refuse(TargetSum, i+1, "", "the target's probabilities sum to %v", s)
}

// badQ finds the prediction of row i that is none. A target that is none is named first.
func (r *Rows) badQ(i int) *Refusal {
	lo, hi := r.Candidates(i)
	for j := lo; j < hi; j++ {
		if v := r.Q[j]; notNumber(v) {
			return refuse(QMissing, i+1, r.column("q_", i, j), "%s: give a prediction for every action, or no q columns at all", found(v))
		}
	}
	for j := lo; j < hi; j++ {
		if v := r.Q[j]; math.Abs(v) > most {
			return tooLarge(i, r.column("q_", i, j), v)
		}
	}
	f := r.badTarget(i)
	if s := total(r.Target[lo:hi]); f.Reason == TargetSum && math.Abs(s-1) <= sumTolerance { // all at the limit, and a sum a little above 1
		return refuse(Overflow, i+1, "", "the predictions are beyond what can be judged, %v to %v; give them in a larger unit", -most, most)
	}
	return f
}

// column is the name that a file would give to a ragged entry.
func (r *Rows) column(prefix string, i, j int) string {
	if k := r.Action(i, j); k < len(r.Actions) {
		return prefix + r.Actions[k]
	}
	return prefix + strconv.Itoa(j-int(r.Start[i]))
}

// checkGroups says whether groups are numbered as they must be; nil are.
func checkGroups(column string, groups []int32) *Refusal {
	if groups == nil {
		return nil
	}
	for i, g := range groups {
		if g < 0 || int(g) >= len(groups) {
			return refuse(ClusterMissing, i+1, column, "group %d: groups are numbered from 0 without gaps", g)
		}
	}
	seen := make([]bool, countGroups(groups))
	for _, g := range groups {
		seen[g] = true
	}
	for g, s := range seen {
		if !s {
			return refuse(ClusterMissing, 0, column, "group %d has no row: groups are numbered from 0 without gaps", g)
		}
	}
	return nil
}

// checkWhole looks at what only all rows together show.
func (r *Rows) checkWhole() error {
	if err := checkGroups("cluster", r.Cluster); err != nil {
		return err
	}
	if err := checkGroups("shared", r.Shared); err != nil {
		return err
	}
	for _, g := range r.Lasting {
		if len(g) != len(r.Reward) {
			return refuse(LengthsDiffer, 0, "", "Lasting has %d rows, Reward %d", len(g), len(r.Reward))
		}
		if err := checkGroups("lasting", g); err != nil {
			return err
		}
	}
	if err := checkGroups("batch", r.Batch); err != nil {
		return err
	}
	first := r.Action(0, r.At(0))
	several := false
	for i, p := range r.Propensity {
		if p < certain {
			return nil
		}
		several = several || r.Action(i, r.At(i)) != first
	}
	if several {
		return refuse(PropensityAllOne, 0, "propensity", "every row says 1, yet several actions were logged: the probabilities were lost on the way")
	}
	return nil
}
