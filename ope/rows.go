package ope

import "strconv"

// Rows are n logged decisions, each with what was taken, what came of it, and what
// the target policy would have done. Candidates are ragged: row i has the entries
// Start[i]:Start[i+1] of Target, Q, Label and of each Behaviour. The slices
// belong to the caller and are only read.
type Rows struct {
	Actions []string // the names of the actions, in the order in which they are reported
	Start   []int32  // n+1 offsets; every row has at least one candidate
	Label   []int32  // ragged: which of Actions a candidate is; nil = candidate j of every row is Actions[j]

	Target     []float64   // ragged: the target policy's probability, >= 0, summing to 1 within 1e-5 in each row
	Q          []float64   // ragged: the reward model's prediction, in the unit of Reward; nil = there is no model
	Taken      []int32     // [n] the logged action, as an index into the row's own candidates
	Reward     []float64   // [n] what came of it, e.g. rupees or 0/1; finite
	Propensity []float64   // [n] the logger's probability of the logged action, in (0, 1]
	Cluster    []int32     // [n] the customer (or the like) of the row, from 0 without gaps; nil = unknown
	Shared     []int32     // [n] what a row has in common with those of other clusters, like a bank's week with its outages; from 0 without gaps; nil = nothing is known of it
	Lasting    [][]int32   // groups [n] each, like the bank and the week themselves, whose own level is no chance but would be the same again: it is taken out of what is shared; from 0 without gaps
	Batch      []int32     // [n] when the row was logged, in periods in which the logger's policy stood still, from 0 without gaps; nil = the logger does not learn from this log
	Logger     []int32     // [n] which policy logged the row, from 0 without large gaps; nil = one, or unknown
	Loggers    []string    // their names, as results have them; nil = their numbers
	Behaviour  [][]float64 // per logger, ragged: its probability of each candidate; nil = not known
}

// Len is the number of rows.
func (r *Rows) Len() int { return len(r.Reward) }

// Candidates are the bounds of row i in the ragged slices.
func (r *Rows) Candidates(i int) (lo, hi int) { return int(r.Start[i]), int(r.Start[i+1]) }

// At is where the logged action of row i stands in the ragged slices.
func (r *Rows) At(i int) int { return int(r.Start[i] + r.Taken[i]) }

// Action is which of Actions the j-th ragged entry is, a candidate of row i.
func (r *Rows) Action(i, j int) int {
	if r.Label != nil {
		return int(r.Label[j])
	}
	return j - int(r.Start[i])
}

// WithTarget are the same decisions for another target and its reward model (nil
// = none): the bracket judges many policies on one log.
func (r *Rows) WithTarget(target, q []float64) *Rows {
	c := *r
	c.Target, c.Q = target, q
	return &c
}

// LoggerName is what results call logger k.
func (r *Rows) LoggerName(k int) string {
	if k < len(r.Loggers) {
		return r.Loggers[k]
	}
	return strconv.Itoa(k)
}

// Square are the offsets of n rows of k candidates each.
func Square(n, k int) []int32 {
	s := make([]int32, n+1)
	for i := range s {
		s[i] = int32(i * k)
	}
	return s
}

// Groups numbers the words of each row from 0 in the order of their first
// appearance: Rows.Cluster out of customer ids. Words are compared byte for byte.
func Groups(words []string) []int32 {
	seen := make(map[string]int32)
	out := make([]int32, len(words))
	for i, w := range words {
		k, ok := seen[w]
		if !ok {
			k = int32(len(seen))
			seen[w] = k
		}
		out[i] = k
	}
	return out
}
